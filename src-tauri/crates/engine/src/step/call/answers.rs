//! How the answers to a task's questions go out. They are kept first and sent after the commit. They are sent
//! again only when a poll shows that the question is still asked. What becomes of each is decided by the
//! table in `question::delivery`.

use signalbox_mcp::{Error, Sent};
use signalbox_model::{Delivery, EventKind, Json, RequestId, RequestState, Then};

use super::{
    super::{
        Next, Turn,
        question::{Fact, Fate, OfCall, Question, release, sends},
        tries::{Tries, refuses},
    },
    Live, Update,
};
use crate::{
    Effect, Line,
    effect::{has_response, response},
    note,
    schedule::Due,
};

/// What of a call is to go to its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::step) enum Wants {
    /// Nothing, or nothing yet.
    Nothing,
    /// Answers to its task.
    Answers,
    /// The call again, with all answers of its round.
    Again,
}

impl Live {
    /// Sets the time at which the first undo window of this call ends, or the wait of its round.
    pub(in crate::step) fn plan_release(&self, turn: &mut Turn<'_>) {
        let held = self.questions.iter().filter(|question| question.request.state == RequestState::Held);
        let retry_at = self.round().and_then(|round| round.retry_at);
        match held.map(|question| question.release_at).chain(retry_at).min() {
            Some(at) => turn.schedule.set(Due::Send(self.id()), at),
            None => turn.schedule.clear(Due::Send(self.id())),
        }
    }

    /// The undo window of some answers of this call is over.
    pub(in crate::step) fn release_held(&mut self, turn: &mut Turn<'_>) {
        let now = turn.now.steady_ms;
        if let Some(round) = self.round_mut() {
            round.retry_at = round.retry_at.filter(|at| *at > now);
        }
        let mut lapsed = false;
        for question in &mut self.questions {
            lapsed |= release(question, turn);
        }
        if lapsed {
            turn.then(Next::Save(self.id()));
        }
        self.plan_release(turn);
        turn.then(Next::Deliver(self.id()));
    }

    /// What is to go to the server now, if it may be told.
    pub(in crate::step) fn wants(&mut self, turn: &mut Turn<'_>) -> Wants {
        if self.round().is_some() {
            return if self.goes_again(turn) { Wants::Again } else { Wants::Nothing };
        }
        // The task is the person's to cancel.
        self.close_declined(turn);
        // A task that says it is over takes nothing any more.
        let over = self.call.ended() || self.call.status.is_terminal() || self.call.task.is_none();
        let waits = self.answers.update != Update::Done;
        match over || waits || going(&self.questions).is_empty() {
            true => Wants::Nothing,
            false => Wants::Answers,
        }
    }

    /// Sends all answers of a task that may be sent, in one `tasks/update`.
    pub(in crate::step) fn send_answers(&mut self, turn: &mut Turn<'_>, line: Line) {
        let (call, Some(task)) = (self.id(), &self.call.task) else { return };
        let task_id = task.task_id.clone();
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        for at in going(&self.questions) {
            let question = &mut self.questions[at];
            let request = &question.request;
            let Some(response) = response(request) else { continue };
            responses.push((request.identity.key().to_owned(), response));
            requests.push(request.id);
            sends(question, turn);
        }
        self.answers.update = Update::UnderWay;
        turn.after(Effect::UpdateTask { line, call, task_id, requests, responses });
    }

    /// A `tasks/update` is over. `polled` says whether a poll is under way: such a poll cannot tell what
    /// became of the answers.
    pub(in crate::step) fn updated(
        &mut self,
        turn: &mut Turn<'_>,
        requests: &[RequestId],
        reply: &Result<Json, Error>,
        polled: bool,
    ) {
        if self.answers.update != Update::UnderWay {
            return;
        }
        self.answers.update = Update::Done;
        let of_call = match (self.call.ended(), self.went_on()) {
            (false, _) => OfCall::GoesOn,
            (true, true) => OfCall::WentOn,
            (true, false) => OfCall::Over,
        };
        self.tried(turn, reply);
        self.polling.meanwhile.answered |= polled;
        for question in &mut self.questions {
            if !requests.contains(&question.request.id) || question.request.state != RequestState::Sending {
                continue;
            }
            let (fact, said) = match reply {
                Ok(_) => (Fact::Acknowledged, Fate::default()),
                Err(error) if refuses(error) => {
                    let why = self.call.note_without_handle(note(error));
                    (Fact::Refused, Fate { refusal: Some(why.clone()), why: Some(why) })
                }
                Err(error) => {
                    // It may have arrived or not: the next poll tells, and only then is it sent again.
                    if of_call == OfCall::GoesOn {
                        self.answers.update = Update::MayBeLost;
                    }
                    let left = error.sent() != Sent::No;
                    (if left { Fact::Lost } else { Fact::NeverLeft }, Fate::default())
                }
            };
            question.meets(turn, fact, (false, of_call), said);
        }
        let id = self.id();
        if of_call == OfCall::GoesOn {
            turn.then(Next::Save(id));
        }
        turn.then(Next::Retire(id));
        // Answers given meanwhile go now.
        turn.then(Next::Deliver(id));
    }

    fn tried(&mut self, turn: &mut Turn<'_>, reply: &Result<Json, Error>) {
        let Err(error) = reply else { return self.forget_tries() };
        if refuses(error) {
            return self.forget_tries();
        }
        self.answers.tries.failed(turn.now, turn.seed, self.id().0);
        if !self.answers.tries.in_trouble() || self.call.ended() {
            return;
        }
        let note = note(error).then(Then::AnswersDelayed);
        if self.answers.tries.new_trouble() {
            turn.event(self.id(), EventKind::Trouble, None, note.clone());
        }
        self.call.note = Some(note);
    }

    /// Answers came through, or are no longer wanted: whatever failed is over.
    pub(in crate::step) fn forget_tries(&mut self) {
        if std::mem::take(&mut self.answers.tries).in_trouble() {
            self.nothing_wrong();
        }
    }

    /// Whether an answer waits for the server.
    pub(super) fn sends_something(&self) -> bool {
        self.questions.iter().any(|question| question.request.state == RequestState::Sending)
    }

    /// What waited to go was taken back: nothing is tried any more for its sake.
    pub(in crate::step) fn goes_no_more(&mut self) {
        if let Some(round) = self.round_mut() {
            if round.retry_at.take().is_some() {
                round.tries = Tries::default();
                self.call.note = None;
            }
        } else if !self.sends_something() {
            self.forget_tries();
        }
    }

    /// Whether an answer is part of a round that is on the wire.
    pub(in crate::step) fn is_out(&self) -> bool {
        self.call.delivery == Delivery::Sent
    }
}

/// Picks the answers that go out next: all new ones; without any, the one of the failed ones that was tried
/// least. An answer that a server cannot take must not keep the others from it.
fn going(questions: &[Question]) -> Vec<usize> {
    let waits = |question: &Question| {
        question.request.state == RequestState::Sending && has_response(&question.request)
    };
    let waiting = || (0..questions.len()).filter(|at| waits(&questions[*at]));
    let new: Vec<_> = waiting().filter(|at| !questions[*at].request.sent()).collect();
    if new.is_empty() {
        return waiting().min_by_key(|at| questions[*at].sendings).into_iter().collect();
    }
    new
}
