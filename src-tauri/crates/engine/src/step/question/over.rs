//! How a question ends, and what it leaves to the store: it never makes room for another while it is open, held, or while
//! nobody knows what became of its answer.

use signalbox_model::{
    Actor, CallId, CloseReason, EventKind, Identity, InputRequest, RequestId, RequestState, ServerId,
};
use signalbox_store::Write;

use super::{
    super::{Beside, Turn},
    Question,
};
use crate::room::{Room, Weighed, weight};

/// A question that closed unanswered.
pub(in crate::step) struct Over {
    pub(in crate::step) id: RequestId,
    pub(in crate::step) server: ServerId,
    pub(in crate::step) call: Option<CallId>,
    /// What the question weighed with all that it asks, in bytes.
    pub(in crate::step) bytes: usize,
}

/// Ends a question: the server took its answer, or it closed without one. What the person had typed stays,
/// unless an answer went out.
pub(in crate::step) fn close(
    question: &mut Question,
    kind: EventKind,
    reason: CloseReason,
    turn: &mut Turn<'_>,
) {
    question.settled_at = turn.now.steady_ms;
    let request = &mut question.request;
    if kind == EventKind::Taken {
        request.state = RequestState::Answered;
        if let Some(answer) = &mut request.answer {
            answer.taken_at = Some(turn.now.wall);
        }
    } else {
        request.state = RequestState::Closed;
        request.reason = Some(reason);
    }
    request.closed_at = request.closed_at.or(Some(turn.now.wall));
    if kind == EventKind::Taken || reason == CloseReason::DeclinedByUs || request.sent() {
        request.draft = None;
    }
    turn.keep(request);
    turn.fate(request, kind, Beside::Nothing);
    shed(question, turn);
}

/// A question of a task that weighs more than this, in bytes, leaves what it asks to the store.
const HEAVY: usize = 8 * 1024;

/// A request for roots that weighs more than this, in bytes, is dropped from the store once we have answered
/// it. Nobody decided on it, and a server may ask again and again, whether it takes our answers or not.
const LONG_ROOTS: usize = 2 * Room::EACH;

/// An open question leaves a long text to the store: the text has been written, or is written with this turn.
/// On the legacy wire it stays, since it is needed to tell what is asked again.
pub(in crate::step) fn leave_to_store(question: &mut Question, turn: &mut Turn<'_>) {
    let before = weight(&question.request);
    let on_wire = matches!(question.request.identity, Identity::Wire { .. });
    if before <= HEAVY || on_wire || question.request.is_bare() {
        return;
    }
    question.request.strip();
    let InputRequest { id, call, .. } = question.request;
    let bytes = weight(&question.request);
    question.stored = before - bytes;
    turn.room.weigh(Weighed { id, call, bytes, stored: Some(question.stored) });
}

/// A question that is over leaves what it asks to the store: only a task that we host still needs it.
pub(in crate::step) fn shed(question: &mut Question, turn: &mut Turn<'_>) {
    let request = &question.request;
    let on_wire = matches!(request.identity, Identity::Wire { .. });
    let taken = request.answer.as_ref().is_some_and(|answer| answer.taken_at.is_some());
    let over = match request.state {
        RequestState::Closed => true,
        // Of a task's answer that is not known to be taken, a later poll tells more. On the legacy wire
        // nothing does before the end.
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
    if request.decided_by() == Some(Actor::Signalbox) && weight(request) + stored > LONG_ROOTS {
        turn.write(Write::DropAsked(request.id));
    }
    if on_wire {
        question.fingerprint = Some(question.fingerprint());
    }
    question.request.strip();
    let InputRequest { id, call, .. } = question.request;
    turn.room.weigh(Weighed { id, call, bytes: weight(&question.request), stored: Some(0) });
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
