//! How a call comes to its end, once and for good.

use signalbox_model::{CloseReason, DecisionKind, EventKind, Note, Outcome, RequestState, Status, Tracking};

use super::{
    super::{
        Next, Turn,
        question::{Fact, Fate, OfCall, close},
    },
    Live, Update,
    poll_reply::forget_refused,
};
use crate::schedule::Due;

impl Live {
    /// The end. The caller has set the status. The rest of it follows once the other rooms know ([`Next::Over`]).
    pub(super) fn finish(&mut self, turn: &mut Turn<'_>, outcome: Outcome, note: Option<Note>) {
        if self.call.ended() {
            return;
        }
        if matches!(outcome, Outcome::Ok | Outcome::ToolError) {
            forget_refused(turn, self);
        }
        self.leave_out(turn, None);
        let call = &mut self.call;
        call.outcome = Some(outcome);
        call.tracking = match outcome {
            Outcome::Expired => Tracking::Expired,
            Outcome::Lost => Tracking::NotFound,
            _ => Tracking::Done,
        };
        call.ended_at = Some(turn.now.wall);
        call.next_poll_at = None;
        call.open_requests = 0;
        call.waiting_since = None;
        if note.is_some() {
            call.note = note;
        } else if matches!(outcome, Outcome::Ok | Outcome::ToolError | Outcome::Cancelled) {
            call.note = None;
        }
        self.close_questions(turn);
        turn.then(Next::Over(self.id()));
    }

    /// Whether the call came to a result. Then it had a use for all answers that it was given.
    pub(in crate::step) fn went_on(&self) -> bool {
        self.call.status == Status::Completed
    }

    /// The call is over, and so are its questions.
    fn close_questions(&mut self, turn: &mut Turn<'_>) {
        let (went_on, pending) = (self.went_on(), self.answers.update == Update::UnderWay);
        let fact = if went_on { Fact::CallWentOn } else { Fact::CallOver };
        for question in &mut self.questions {
            question.meets(turn, fact, (pending, OfCall::GoesOn), Fate::default());
            // What was typed since is of no use any more.
            let request = &mut question.request;
            let acknowledged = request.state == RequestState::Answered;
            if acknowledged && !went_on && request.draft.take().is_some() {
                turn.keep(request);
            }
        }
    }

    /// Tells of the end, when all that hung on the call is over.
    pub(in crate::step) fn tell_end(&mut self, turn: &mut Turn<'_>) {
        let Some(outcome) = self.call.outcome else { return };
        self.release_waiters(turn);
        let (call, line) = (&self.call, self.telling.result_line.take());
        turn.put(call);
        let note = call.note.clone();
        if outcome == Outcome::Unknown {
            let said = note.clone().map(|note| call.note_without_handle(note));
            turn.log_call(DecisionKind::Unknown, (call.id, call.server), said);
        }
        turn.event(call.id, EventKind::Ended, None, note.clone());
        // Whoever cancelled it knows already.
        if !(outcome == Outcome::Cancelled && call.cancel.is_some()) {
            // What it came to says more than its last status.
            let status =
                || call.task.as_ref()?.status_message.as_deref().map(|text| call.without_handle(text));
            let note = note.filter(|_| line.is_none());
            let text = line.or_else(|| status().filter(|_| note.is_none())).unwrap_or_default();
            turn.notify_end(call, outcome, text, note);
        }
    }

    /// Nothing of it is due any more.
    pub(in crate::step) fn unschedule(&self, turn: &mut Turn<'_>) {
        let id = self.id();
        for due in [Due::Poll(id), Due::Send(id), Due::Expiry(id)] {
            turn.schedule.clear(due);
        }
    }

    /// Whether nothing of the call is waited for any more. An acknowledgement that its answers wait for may
    /// still come.
    pub(in crate::step) fn may_leave(&self) -> bool {
        self.call.ended() && self.answers.update != Update::UnderWay
    }

    /// A no that the wire has no shape for is kept from the server.
    pub(super) fn close_declined(&mut self, turn: &mut Turn<'_>) {
        for question in self.questions.iter_mut().filter(|question| question.declined()) {
            close(question, EventKind::Closed, CloseReason::DeclinedByUs, turn);
        }
    }
}
