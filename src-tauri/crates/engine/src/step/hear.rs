//! When servers last answered: a fact of its own beside whether they can be used, and the age of what lamps show.
//!
//! Every look brings one, so it costs a comparison: it is shown at once after a silence, then seldom, and last when the
//! server has fallen silent, so that what is shown of a silent server is exact.

use signalbox_mcp::{Error, SessionEvent};
use signalbox_model::ServerId;
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, Input, News, State,
    hearing::{HEARD_MS, KEPT_MS},
    schedule::Due,
    state::Station,
};

impl State {
    /// Takes down that a server has said something, whatever it was.
    pub(super) fn hear(&mut self, turn: &mut Turn, input: &Input) {
        let Some(id) = self.who_speaks(input) else { return };
        let Some(station) = self.servers.get_mut(&id) else { return };
        // What answered is another program than the one that waits to be confirmed.
        if station.server.awaits_trust() {
            return;
        }
        station.server.heard_at = Some(turn.now.wall);
        // Who has asked for it sees it at once.
        let asked = matches!(input, Input::Discovered { .. });
        if asked || turn.now.steady_ms >= station.hearing.rests_until {
            self.show_heard(turn, id);
        } else if !station.hearing.planned {
            station.hearing.planned = true;
            self.schedule.set(Due::Heard(id), station.hearing.rests_until);
        }
    }

    /// Shows when it last answered, and keeps it if that is long ago.
    pub(super) fn show_heard(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        self.schedule.clear(Due::Heard(id));
        station.hearing.planned = false;
        // All servers at the same moments, so that they share wake-ups; one that was shown a moment ago waits for the next.
        station.hearing.rests_until = (turn.now.steady_ms + HEARD_MS / 2).next_multiple_of(HEARD_MS);
        let at = station.server.heard_at;
        let fresh = at.zip(station.hearing.kept).is_some_and(|(at, kept)| at.ms_since(kept).abs() < KEPT_MS);
        if let Some(at) = at
            && !fresh
        {
            station.hearing.kept = Some(at);
            turn.write(Write::PutHeard { server: id, at });
        }
        turn.after(Effect::ShowHeard { server: id, at });
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
            Input::Called { call, reply } => (self.calls.get(call)?.call.server, answered(reply)),
            Input::Discovered { server, reply } => (*server, answered(reply)),
            Input::Listening { server, reply, .. } => (*server, answered(reply)),
            Input::Pushed { server, news, .. } => (*server, !matches!(news, News::Cut(_))),
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

impl Station {
    /// When it last answered, where the store does not know it yet.
    pub(super) fn unkept(&self) -> Option<Write> {
        let at = self.server.heard_at.filter(|at| self.hearing.kept != Some(*at))?;
        Some(Write::PutHeard { server: self.server.id, at })
    }
}
