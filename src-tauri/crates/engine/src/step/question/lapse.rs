//! Answers that are within their undo windows when nobody is left to send them: they are drafts again, and say so.
//!
//! Only answers given in the window have an undo window. It ends some seconds before the task does, or before a task
//! that we host does. A clean end with nobody to follow takes back what is held (`TakeBackHeld`). A hand-over, a
//! crash and a kill keep what is held; but what is found held more than an hour after its time is not sent any more.
//!
//! Both ways make a draft of the answer, an entry `lapsed` in the timeline and the log, and an open question with the
//! reason `lapsed`. What was on its way, or was given on the command line, stays queued whatever its age. A draft goes
//! only with the answer that was made of it, or with its task.

use signalbox_model::{CloseReason, EventKind, RequestState, Unsent};

use super::{super::Turn, Question, take_off};
use crate::Now;

/// An answer that is found held so long after it should have gone is not sent any more, in ms: the person who gave it
/// expected it to be through, or forgotten, long before.
const TOO_LATE: i64 = 3_600_000;

/// Ends the undo window of an answer. After a night's sleep of the machine the window may end long after its
/// time. Then the answer is not sent, the question waits for a person again, and `true` is returned.
pub(in crate::step) fn release(question: &mut Question, turn: &mut Turn<'_>) -> bool {
    if !is_held(question) || question.release_at > turn.now.steady_ms {
        return false;
    }
    lapse_if_late(question, turn);
    if !is_held(question) {
        return true;
    }
    question.request.state = RequestState::Sending;
    turn.keep(&question.request);
    false
}

/// Makes a draft of an answer that is held too long after its time. A hand-over, a crash and a kill keep what
/// the person was told, but only for a while.
pub(in crate::step) fn lapse_if_late(question: &mut Question, turn: &mut Turn<'_>) {
    let send_at = question.request.answer.as_ref().map(|answer| answer.send_at);
    if is_held(question) && send_at.is_some_and(|at| turn.now.wall.ms_since(at) > TOO_LATE) {
        lapse(question, turn, Unsent::TooLate);
    }
}

/// Whether its undo window has not ended.
pub(in crate::step) fn is_held(question: &Question) -> bool {
    question.request.state == RequestState::Held
}

/// An answer does not go: what was said is a draft again.
pub(in crate::step) fn lapse(question: &mut Question, turn: &mut Turn<'_>, why: Unsent) {
    // The entry names the answer that did not go.
    turn.fate(&question.request, EventKind::Lapsed, why);
    let request = &mut question.request;
    take_off(request);
    request.reason = Some(CloseReason::Lapsed);
    turn.keep(request);
}

/// Sets the end of the undo window after a restart. A wall clock that was moved meanwhile does not make it longer than it was.
pub(in crate::step) fn resume_window(question: &mut Question, now: Now) {
    if let Some(answer) = &question.request.answer {
        let window = u64::try_from(answer.send_at.ms_since(answer.decided_at)).unwrap_or(0);
        question.release_at = now.steady_ms + now.ms_until(answer.send_at).min(window);
    }
}
