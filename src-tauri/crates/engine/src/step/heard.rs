//! Who has spoken: every answer of a server, whatever it says, tells that it is there.

use signalbox_mcp::{Error, SessionEvent};
use signalbox_model::ServerId;

use super::Turn;
use crate::{Input, PushedNews, state::Rooms};

impl Rooms {
    /// Takes down that a server has said something.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>, input: &Input) {
        let speaker = self.who_speaks(input);
        if let Some(station) = speaker.and_then(|server| self.servers.get_mut(server)) {
            station.heard(turn, matches!(input, Input::Found { .. } | Input::Discovered { .. }));
        }
    }

    /// The server that something came from, whatever it says: also an error is an answer.
    fn who_speaks(&self, input: &Input) -> Option<ServerId> {
        fn answered<T>(reply: &Result<T, Error>) -> bool {
            reply.as_ref().map_or_else(Error::is_answer, |_| true)
        }
        let (server, spoke) = match input {
            Input::Polled { server, reply, .. } => (*server, answered(reply)),
            Input::Updated { server, reply, .. }
            | Input::CancelSent { server, reply, .. }
            | Input::Resulted { server, reply, .. }
            | Input::Listed { server, reply } => (*server, answered(reply)),
            Input::Called { call, reply } => (self.calls.live.get(call)?.server(), answered(reply)),
            Input::Discovered { server, reply } => (*server, answered(reply)),
            Input::Found { server, .. } | Input::TasksListed { server } => (*server, true),
            Input::NotListed { server, error, .. } => (*server, error.is_answer()),
            Input::Listening { server, reply, .. } => (*server, answered(reply)),
            Input::Pushed { server, news, .. } => (*server, !matches!(news, PushedNews::Cut(_))),
            Input::Heard { server, event, .. } => {
                let said = matches!(**event, SessionEvent::Request(_) | SessionEvent::Notification(_));
                (*server, said)
            }
            // That a reply of ours went out, or that a session is taken up again, says nothing of the server.
            Input::Replied { .. }
            | Input::Connected { .. }
            | Input::NotSent { .. }
            | Input::Intent { .. }
            | Input::Tick
            | Input::CommitFailed { .. } => return None,
        };
        spoke.then_some(server)
    }
}
