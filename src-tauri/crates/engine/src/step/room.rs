//! How many bytes of questions are taken: what there is no room for is left, and that is said.
//!
//! A question that is open, held, or of which it is not known what became of its answer never makes room for another. One that is
//! over leaves what it asks to the store at once, where the last ones stay that nobody answered; so does a long one of a task
//! while it is open.

use signalbox_model::{
    CallId, CloseReason, EventKind, Identity, InputRequest, Note, NoteCode, RequestId, RequestState,
    ServerId, Wire,
};
use signalbox_store::Write;

use super::{
    Turn,
    question::{MOST_OPEN, MOST_QUESTIONS},
};
use crate::{
    Effect, State,
    question::Question,
    room::{Left, Weighed, weight},
    state::Live,
};

/// A question that closed unanswered.
pub(crate) struct Over {
    pub(super) id: RequestId,
    pub(super) server: ServerId,
    pub(super) call: Option<CallId>,
    /// What it weighed with all that it asks.
    pub(super) bytes: usize,
}

/// The code of the note on a task whose questions are not all taken.
const ASKS_TOO_MUCH: NoteCode = NoteCode::AsksTooMuch;
/// What it says.
const LEFT: &str = "The server asks more than Signalbox takes: at a time 500 open questions and 16 MiB of a task and 128 MiB of a \
                    server, and 10,000 questions of a task in all. What does not fit is not shown. A request on the older wire \
                    is refused; anything else is looked for again, and shown once there is room";

impl State {
    /// Takes note of what questions weigh now.
    pub(super) fn weigh(&mut self, turn: &mut Turn) {
        turn.weights.drain(..).for_each(|weighed| self.room.weigh(weighed));
    }

    /// Whether there is room now for at least one of the questions that were left.
    pub(super) fn has_room_again(&self, id: CallId) -> bool {
        let Some(live) = self.calls.get(&id) else { return false };
        let Some(left) = live.left else { return false };
        (live.call.open_requests as usize) < MOST_OPEN
            && live.questions.len() < MOST_QUESTIONS
            && self.room.has(live.call.server, Some(id), left.least)
    }

    /// Takes note of what a task asks and is not taken; none: all of it is.
    pub(super) fn leave_out(&mut self, turn: &mut Turn, id: CallId, left: Option<Left>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let before = std::mem::replace(&mut live.left, left);
        match left {
            Some(_) if live.call.note.is_none() => {
                live.call.note = Some(Note { code: ASKS_TOO_MUCH, message: LEFT.to_owned() });
            }
            None if says_left(live) => live.call.note = None,
            _ => {}
        }
        if left.is_some() && before.is_none() {
            turn.event(id, EventKind::LeftOut, None, None);
        }
        let server = live.call.server;
        self.count_left(turn, server, before.map_or(0, |left| left.n), left.map_or(0, |left| left.n));
    }

    /// So many questions of a server are left that were so many.
    pub(super) fn count_left(&mut self, turn: &mut Turn, server: ServerId, before: u32, now: u32) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        if before != now {
            station.left = station.left.saturating_sub(before).saturating_add(now);
            turn.after(Effect::ShowLeft { server, questions: station.left });
        }
    }

    /// A request of the server was refused, since there is no room for what it asks (legacy wire).
    pub(super) fn left_on_wire(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        call: Option<CallId>,
        least: usize,
    ) {
        if let Some(id) = call
            && let Some(live) = self.calls.get(&id)
        {
            let mut left = live.left;
            Left::add(&mut left, 1, least);
            self.leave_out(turn, id, left);
            self.save(turn, id);
        } else if let Some(station) = self.servers.get_mut(&server) {
            let before = station.session.left;
            station.session.left = before.saturating_add(1);
            self.count_left(turn, server, before, before.saturating_add(1));
        }
    }

    /// One was taken again, or the connection is gone (legacy wire): what was refused was refused, and is over.
    pub(super) fn taken_on_wire(&mut self, turn: &mut Turn, server: ServerId, call: Option<CallId>) {
        if let Some(id) = call
            && self.calls.get(&id).is_some_and(|live| live.left.is_some())
        {
            self.leave_out(turn, id, None);
            self.save(turn, id);
        }
        let Some(station) = self.servers.get_mut(&server) else { return };
        let before = std::mem::take(&mut station.session.left);
        self.count_left(turn, server, before, 0);
    }

    /// A look, or a push, has shown that so many are left. What was refused on the legacy wire it does not show: that is over
    /// when there is room again.
    pub(super) fn settle_left(&mut self, turn: &mut Turn, id: CallId, left: Option<Left>) {
        let Some(live) = self.calls.get(&id) else { return };
        let legacy = live.call.wire == Some(Wire::Legacy);
        if !legacy || live.left.is_none() || self.has_room_again(id) {
            self.leave_out(turn, id, left);
        }
    }

    /// Of the questions that closed unanswered the store keeps the last.
    pub(super) fn keep_the_last_closed(&mut self, turn: &mut Turn) {
        for Over { id, server, call, bytes } in std::mem::take(&mut turn.closed) {
            let closed = match call {
                Some(call) => self.calls.get_mut(&call).map(|live| &mut live.closed),
                None => self.servers.get_mut(&server).map(|station| &mut station.session.closed),
            };
            // What an ended call has asked stays as long as the call.
            let over = closed.map(|closed| closed.keep(id, bytes)).unwrap_or_default();
            for id in over {
                turn.write(Write::DropRequest(id));
            }
        }
    }
}

/// Whether the note is the one that questions are left.
fn says_left(live: &Live) -> bool {
    live.call.note.as_ref().is_some_and(|note| note.code == ASKS_TOO_MUCH)
}

/// A question of a task that weighs more than this, in bytes, leaves what it asks to the store.
const HEAVY: usize = 8 * 1024;

/// An open question leaves what it asks to the store, where that is long: it has been written, or is with this turn. On the
/// legacy wire it is needed to tell what is asked again.
pub(super) fn leave_to_store(question: &mut Question, turn: &mut Turn) {
    let before = weight(&question.request);
    let on_wire = matches!(question.request.identity, Identity::Wire { .. });
    if before <= HEAVY || on_wire || question.request.is_bare() {
        return;
    }
    question.request.strip();
    let InputRequest { id, call, .. } = question.request;
    let bytes = weight(&question.request);
    question.stored = before - bytes;
    turn.weights.push(Weighed { id, call, bytes, stored: Some(question.stored) });
}

/// A question that is over leaves what it asks to the store: only a task that we host still needs it.
pub(super) fn shed(question: &mut Question, turn: &mut Turn) {
    let request = &question.request;
    let on_wire = matches!(request.identity, Identity::Wire { .. });
    let taken = request.answer.as_ref().is_some_and(|answer| answer.taken_at.is_some());
    let over = match request.state {
        RequestState::Closed => true,
        // Only a look tells what became of it otherwise; on the legacy wire nothing does before the end.
        RequestState::Answered => taken || on_wire,
        _ => false,
    };
    if !over || request.hosted.is_some() || request.is_bare() && question.stored == 0 {
        return;
    }
    let stored = std::mem::take(&mut question.stored);
    if undecided(request) {
        let InputRequest { id, server, call, .. } = *request;
        turn.closed.push(Over { id, server, call, bytes: weight(request) + stored });
    }
    if on_wire {
        question.fingerprint = Some(question.fingerprint());
    }
    question.request.strip();
    let InputRequest { id, call, .. } = question.request;
    turn.weights.push(Weighed { id, call, bytes: weight(&question.request), stored: Some(0) });
}

/// Whether it closed, and nobody has answered it or begun to.
fn undecided(request: &InputRequest) -> bool {
    let by_server = !matches!(request.reason, Some(CloseReason::PutAway | CloseReason::DeclinedByUs));
    request.state == RequestState::Closed
        && by_server
        && request.answer.is_none()
        && request.draft.is_none()
        && request.visited_at.is_none()
}
