//! What people do with the questions of a call.

use signalbox_model::{Around, CallId, Delivery, RequestId, Timestamp};

use super::{
    super::{
        Next, Turn,
        question::{Question, Said, can_be_taken_back, decide, take_back, within},
    },
    Calls, Live,
};
use crate::Refusal;

impl Live {
    fn question(&mut self, id: RequestId) -> Result<&mut Question, Refusal> {
        let question = self.questions.iter_mut().find(|question| question.request.id == id);
        question.ok_or(Refusal::UnknownRequest)
    }

    fn asked(&self, id: RequestId) -> Result<&Question, Refusal> {
        let question = self.questions.iter().find(|question| question.request.id == id);
        question.ok_or(Refusal::UnknownRequest)
    }

    /// What of its call matters to what can be said to this question.
    fn around(&self, question: &Question) -> Around {
        let round = self.round().filter(|round| question.of_round(round.n));
        Around {
            paged: round.is_some_and(|round| round.plain),
            under_way: round.is_some() && self.call.delivery != Delivery::Answered,
        }
    }

    /// Whether the server wants the call made again without an answer to this question, once its page is visited.
    pub(in crate::step) fn is_paged(&self, id: RequestId) -> bool {
        self.asked(id).is_ok_and(|question| self.around(question).paged)
    }

    pub(in crate::step) fn answer(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        said: Said,
    ) -> Result<(), Refusal> {
        let question = self.asked(id)?;
        let said = said.of(question, self.around(question))?;
        let hold_ms = within(said.hold_ms, self.time_left(turn.now));
        turn.intent(self.before());
        decide(self.question(id)?, turn, said, hold_ms);
        // A new answer does not wait for what failed before it.
        self.forget_tries();
        self.plan_release(turn);
        turn.then(Next::Save(self.id()));
        turn.then(Next::Deliver(self.id()));
        Ok(())
    }

    pub(in crate::step) fn undo(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        decided_at: Timestamp,
    ) -> Result<(), Refusal> {
        let question = self.asked(id)?;
        can_be_taken_back(&question.request, self.around(question), decided_at)?;
        turn.intent(self.before());
        take_back(self.question(id)?, turn);
        self.goes_no_more();
        self.plan_release(turn);
        turn.then(Next::Save(self.id()));
        Ok(())
    }
}

impl Calls {
    /// Whether the last status message of a call that goes on has these words.
    pub(in crate::step) fn says(&self, call: CallId, words: &str) -> bool {
        let live = self.live.get(&call).filter(|live| !live.call.status.is_terminal() && !live.call.ended());
        let task = live.and_then(|live| live.call.task.as_ref());
        task.is_some_and(|task| task.status_message.as_deref() == Some(words))
    }
}
