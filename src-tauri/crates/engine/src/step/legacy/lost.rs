//! Questions whose connection is gone.

use super::{
    super::{
        Turn,
        question::{Becomes, Fact, Fate, OfCall, Question},
    },
    hosted::stop_waiting,
};

/// Nobody waits any more for the answer to a question that is not over.
pub(in crate::step) fn lose(question: &mut Question, turn: &mut Turn<'_>) {
    stop_waiting(question, turn);
    let fact = (false, OfCall::GoesOn);
    if question.meets(turn, Fact::Disconnected, fact, Fate::default()) == Becomes::Same {
        cut_off(question, turn);
    }
}

/// An answer has gone out, and nobody waits for one any more. No other answer may be sent: on the next
/// connection the id may belong to another question.
pub(in crate::step) fn cut_off(question: &mut Question, turn: &mut Turn<'_>) {
    stop_waiting(question, turn);
    let request = &mut question.request;
    if request.closed_at.is_none() && request.hosted.is_none() {
        request.closed_at = Some(turn.now.wall);
        request.draft = None;
        turn.keep(request);
    }
}
