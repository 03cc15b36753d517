//! The life of a connection of the legacy wire.
//!
//! A question of this wire is known by our number for its connection and by the server's id for the request. The number
//! is new for every connection, and after every 1,000 ids on one connection. So a server that uses an id again can
//! never write over an older question. The number stands for a connection of ours, not for the server's session, which
//! may last over several connections.

use signalbox_mcp::{Error, ServerRequest};
use signalbox_model::{Call, CloseReason, EventKind, Push, RequestId, RequestState};

use super::{
    super::{
        Next, Turn,
        question::{Question, close},
    },
    Session,
    candidates::Candidates,
    early::Early,
    hosted::{fetches, stop_waiting, unknown},
    lost::lose,
    repeat::Before,
};
use crate::{Effect, shared::NextIds};

/// The most methods that nobody knows which the timeline shows for one task.
const MOST_REFUSED: usize = 8;

/// The most characters that the timeline shows of the JSON of such a request.
const LONGEST_REFUSED: usize = 2_048;

/// A connection that stands.
pub(in crate::step) struct Connected {
    /// The driver's number for the connection.
    pub(in crate::step) link: u64,
    /// Whether it carries on the session of the connection before it.
    pub(in crate::step) resumed: bool,
    /// Whether everything goes over one channel (stdio).
    pub(in crate::step) shared: bool,
}

impl Session {
    /// A connection stands. Its number is committed before anything that came on it, so that no two questions are ever
    /// taken for one.
    pub(in crate::step) fn connected<'a>(
        &mut self,
        turn: &mut Turn<'_>,
        connected: Connected,
        calls: impl Iterator<Item = &'a Call>,
    ) {
        let Connected { link, resumed, shared } = connected;
        if !resumed {
            self.orphan(turn);
        }
        self.candidates = Candidates::default();
        calls.for_each(|call| self.candidates.put(call));
        self.replaced |= self.n > 0 && !resumed;
        self.first = turn.next.session.max(1);
        self.link = Some(link);
        self.shared = shared;
        self.early = Early::default();
        self.number(turn);
        // A request that wanted a task was answered with the task. What still waits are the requests for its
        // result.
        let open = self.questions.iter().map(|question| &question.request);
        let requests: Vec<_> = open
            .filter(|open| open.closed_at.is_none())
            .flat_map(|open| match open.hosted {
                Some(_) => fetches(open),
                None => vec![open.raw.clone()],
            })
            .collect();
        if !requests.is_empty() {
            turn.after(Effect::Remember { server: self.server, link, requests });
        }
        turn.then(Next::Replies(self.server));
    }

    /// From here on the connection goes by another number, under which no id has been used.
    pub(super) fn number(&mut self, turn: &mut Turn<'_>) {
        self.n = NextIds::take(&mut turn.next.session);
        self.used.clear();
        turn.then(Next::KeepSession(self.server));
    }

    pub(in crate::step) fn disconnected(&mut self, turn: &mut Turn<'_>, error: &Error) {
        self.link = None;
        self.used.clear();
        self.replaced |= error.session_is_over();
        turn.after(Effect::ShowPush { server: self.server, push: None });
        self.orphan(turn);
        self.took_one(turn);
    }

    /// The connection on which these questions were asked is gone: nobody waits for their answers any more.
    /// What was not sent is kept as a draft, for when the server asks again.
    fn orphan(&mut self, turn: &mut Turn<'_>) {
        self.questions.retain_mut(|question| {
            let request = &question.request;
            match request.state {
                RequestState::Orphaned => {
                    stop_waiting(question, turn);
                    return true;
                }
                RequestState::Answered | RequestState::Closed => {
                    turn.displace(request.id);
                    turn.room.leave(request.id);
                    return false;
                }
                _ => {}
            }
            if let Some(call) = request.call {
                turn.then(Next::Count(call));
            }
            lose(question, turn);
            true
        });
        turn.then(Next::Replies(self.server));
    }

    /// A request comes under an id that is in use. If it is the same request again, its question is returned.
    /// Otherwise the question of that id is over, and the new one takes its place.
    pub(super) fn supersede(&mut self, turn: &mut Turn<'_>, asked: &ServerRequest) -> Option<RequestId> {
        let numbers = self.numbers();
        let same_id = |question: &&mut Question| {
            question.of_connection(&numbers)
                && !question.is_over()
                && question.rpc.as_ref() == Some(&asked.id)
        };
        let before = self.questions.iter_mut().find(same_id)?;
        if before.request.raw == asked.raw {
            return Some(before.request.id);
        }
        // The id belongs to the new request now, so nothing can be said to the old one. Only the requests
        // that wait for the task behind the old one still get a reply.
        close(before, EventKind::Closed, CloseReason::Superseded, turn);
        let (waiting, call) = (stop_waiting(before, turn), before.request.call);
        self.end_waiting(turn, waiting, &unknown());
        if let Some(call) = call {
            turn.then(Next::Count(call));
        }
        None
    }

    /// The server has asked the same question again. The request that it waited on before is closed: such
    /// requests would fill the room for others.
    pub(super) fn close_before(&mut self, turn: &mut Turn<'_>, before: Before) {
        let rpc = match before {
            Before::Request(rpc) => rpc,
            Before::Fetches(waiting) => return self.end_waiting(turn, waiting, &unknown()),
        };
        let goes_by_it = |question: &Question| !question.is_over() && question.rpc.as_ref() == Some(&rpc);
        if let Some(link) = self.link
            // The id may be in use again. Then it belongs to another question, whose request must stay open.
            && !self.questions.iter().any(goes_by_it)
        {
            turn.after(Effect::CloseRequest { server: self.server, link, rpc });
        }
    }

    /// A request about a task whose method nobody knows is refused at once, before anybody could be asked.
    /// That may be why the task fails, so the timeline shows each such method once, with the JSON that came.
    pub(in crate::step) fn refused_unasked(
        &mut self,
        turn: &mut Turn<'_>,
        call: &Call,
        method: String,
        json: &str,
    ) {
        let refused = &mut self.results.entry(call.id).or_default().refused;
        if refused.len() < MOST_REFUSED && !refused.contains(&method) {
            let shown: String = json.chars().take(LONGEST_REFUSED).collect();
            let rest = if shown.len() < json.len() { "…" } else { "" };
            let text = format!("{method} {shown}{rest}");
            turn.event(call.id, EventKind::RequestRefused, None, Some(call.without_handle(&text)));
            refused.push(method);
        }
    }

    /// The server tells by itself how tasks fare.
    pub(in crate::step) fn tells(&self, turn: &mut Turn<'_>) {
        turn.after(Effect::ShowPush { server: self.server, push: Some(Push::On) });
    }

    /// The server has withdrawn a request: it wants no answer to it any more.
    pub(in crate::step) fn withdrawn(&mut self, turn: &mut Turn<'_>, rpc: &str) {
        self.waits_no_more(turn, rpc);
        let numbers = self.numbers();
        let Some(question) = self.questions.iter_mut().find(|question| {
            question.waits_on(&numbers) && !question.is_over() && question.rpc.as_deref() == Some(rpc)
        }) else {
            return;
        };
        close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
        if let Some(call) = question.request.call {
            turn.then(Next::Count(call));
        }
        turn.then(Next::Prune(self.server));
        turn.then(Next::Replies(self.server));
    }
}
