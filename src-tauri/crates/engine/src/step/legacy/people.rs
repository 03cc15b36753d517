//! What people do with questions of the legacy wire: answer, take back, put away.

use signalbox_model::{
    Around, CallId, CloseReason, EventKind, InputRequest, RequestId, RequestState, Timestamp,
};

use super::{
    super::{
        Next, Turn,
        question::{Question, Said, can_be_taken_back, close, decide, take_back, within},
    },
    OnWire, Session,
};
use crate::{Effect, Refusal, shared::Place, state::Before};

impl Session {
    /// Keeps an answer. `left` is what is left of the TTL of its call's task, in ms. Comes back with that call.
    pub(in crate::step) fn answer(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        said: Said,
        left: impl FnOnce(CallId) -> Option<u64>,
    ) -> Result<Option<CallId>, Refusal> {
        let question = self.question(id).ok_or(Refusal::UnknownRequest)?;
        let said = said.of(question, Around::default())?;
        let call = question.request.call;
        let ends = question.dies_at.map(|at| at.saturating_sub(turn.now.steady_ms));
        let hold_ms = within(said.hold_ms, ends.into_iter().chain(call.and_then(left)).min());
        turn.intent(self.before());
        let link = self.link;
        let question = self.question(id).ok_or(Refusal::UnknownRequest)?;
        let again = matches!(question.request.state, RequestState::Unknown | RequestState::Refused);
        let answerable = question.request.hosted.is_none() && question.request.closed_at.is_none();
        let raw = (again && answerable).then(|| question.request.raw.clone());
        decide(question, turn, said, hold_ms);
        // The connection takes a request for answered once a reply has gone out. The person wants another
        // reply to go, so the request is made answerable again.
        if let (Some(raw), Some(link)) = (raw, link) {
            turn.after(Effect::Remember { server: self.server, link, requests: vec![raw] });
        }
        turn.then(Next::Replies(self.server));
        Ok(call)
    }

    pub(in crate::step) fn undo(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        decided_at: Timestamp,
    ) -> Result<Option<CallId>, Refusal> {
        let question = self.question(id).ok_or(Refusal::UnknownRequest)?;
        can_be_taken_back(&question.request, Around::default(), decided_at)?;
        turn.intent(self.before());
        let question = self.question(id).ok_or(Refusal::UnknownRequest)?;
        take_back(question, turn);
        let call = question.request.call;
        self.fetched_meanwhile(turn, id);
        turn.then(Next::Replies(self.server));
        Ok(call)
    }

    /// Puts away a question whose connection is gone. A question that is not in memory is taken as it was
    /// read from the store.
    pub(in crate::step) fn put_away(
        &mut self,
        turn: &mut Turn<'_>,
        read: InputRequest,
    ) -> Result<(), Refusal> {
        let id = read.id;
        let known = self.question(id).cloned();
        let mut question = known.unwrap_or_else(|| Question::new(read));
        if !question.request.stranded() {
            return Err(Refusal::NotStranded);
        }
        turn.intent(self.before());
        // This was set when the connection went. Only now is the question over.
        question.request.closed_at = None;
        close(&mut question, EventKind::Closed, CloseReason::PutAway, turn);
        if let Some(known) = self.question(id) {
            *known = question;
        }
        Ok(())
    }

    /// This connection as it is before an intent changes something on it.
    pub(in crate::step) fn before(&self) -> Before {
        let (questions, results) = (self.questions.clone(), self.results.clone());
        Before::Wire(self.server, Box::new(OnWire { questions, results }))
    }

    /// The connection as it was before an intent that could not be committed. Comes back with the calls that asked on it.
    pub(in crate::step) fn put_back(&mut self, turn: &mut Turn<'_>, before: OnWire) -> Vec<CallId> {
        let OnWire { questions, results } = before;
        for question in &questions {
            turn.place(question.request.id, Place::Wire(self.server));
            turn.room.enter(&question.request, question.stored);
        }
        (self.questions, self.results) = (questions, results);
        turn.then(Next::Replies(self.server));
        self.questions.iter().filter_map(|question| question.request.call).collect()
    }
}
