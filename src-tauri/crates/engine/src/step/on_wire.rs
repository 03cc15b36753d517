//! What people do with questions of the legacy wire: answer, take back, put away, type.

use signalbox_model::{
    Around, CallId, CloseReason, EventKind, InputRequest, Json, RequestId, RequestState, ServerId, Timestamp,
};

use super::{
    Turn,
    answer::{Said, can_be_taken_back, decide, take_back, within},
    question::close,
};
use crate::{Effect, Granted, Refusal, State, Token, question::Question, state::Before};

impl State {
    pub(super) fn answer_on_wire(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        said: Said,
    ) -> Result<(), Refusal> {
        let (server, question) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        let Said { action, content, hold_ms, .. } = said.of(&question.request, Around::default())?;
        let (ends, call) = (question.dies_at, question.request.call);
        let ends = ends.map(|at| at.saturating_sub(turn.now.steady_ms));
        let left = call.and_then(|call| self.calls.get(&call)).and_then(|live| live.time_left(turn.now));
        let hold_ms = within(hold_ms, ends.into_iter().chain(left).min());
        self.remember_wire(turn, server);
        let (_, question) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        let again = matches!(question.request.state, RequestState::Unknown | RequestState::Refused);
        let answerable = question.request.hosted.is_none() && question.request.closed_at.is_none();
        let raw = (again && answerable).then(|| question.request.raw.clone());
        decide(question, turn, (action, content), hold_ms);
        let call = question.request.call;
        turn.reply(token, Ok(Granted::Decided(turn.now.wall)));
        // A request counts as answered once a reply has gone out; the person wants another one to go.
        let link = self.servers.get(&server).and_then(|station| station.session.link);
        if let (Some(raw), Some(link)) = (raw, link) {
            turn.after(Effect::Remember { server, link, requests: vec![raw] });
        }
        if let Some(call) = call {
            self.recount(turn, call);
            self.follow(turn, call);
        }
        self.wake(turn, server);
        self.plan_replies(turn, server);
        self.deliver_on_wire(turn, server);
        Ok(())
    }

    pub(super) fn undo_on_wire(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        decided_at: Timestamp,
    ) -> Result<(), Refusal> {
        let (server, question) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        can_be_taken_back(&question.request, Around::default(), decided_at)?;
        self.remember_wire(turn, server);
        let (_, question) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        take_back(question, turn);
        let call = question.request.call;
        turn.reply(token, Ok(Granted::Done));
        self.fetched_meanwhile(turn, server, id);
        if let Some(call) = call {
            self.recount(turn, call);
        }
        self.plan_replies(turn, server);
        Ok(())
    }

    /// Puts away a question whose connection is gone. One that is not in memory is as it was read.
    pub(super) fn put_away(
        &mut self,
        turn: &mut Turn,
        token: Token,
        read: InputRequest,
    ) -> Result<(), Refusal> {
        let known = self.on_wire(read.id).map(|(server, question)| (server, question.clone()));
        let mut question = known.map_or_else(|| Question::new(read), |(_, question)| question);
        if !question.request.stranded() {
            return Err(Refusal::NotStranded);
        }
        let (id, server) = (question.request.id, question.request.server);
        self.remember_wire(turn, server);
        // Not when its connection was gone, but now it is over.
        question.request.closed_at = None;
        close(&mut question, EventKind::Closed, CloseReason::PutAway, turn);
        if let Some((_, known)) = self.on_wire(id) {
            *known = question;
        }
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    pub(super) fn draft_on_wire(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        draft: Option<Json>,
    ) -> Result<(), Refusal> {
        let (server, _) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        self.remember_wire(turn, server);
        let (_, question) = self.on_wire(id).ok_or(Refusal::UnknownRequest)?;
        question.request.draft = draft;
        turn.keep(&question.request);
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    fn remember_wire(&self, turn: &mut Turn, server: ServerId) {
        turn.intent(self.wire_before(server));
    }

    /// The questions of this connection as they are before an intent changes them.
    pub(super) fn wire_before(&self, server: ServerId) -> Before {
        let questions = self.servers.get(&server).map(|station| station.session.questions.clone());
        Before::Wire(server, questions.unwrap_or_default())
    }

    /// Questions as they were before an intent that could not be committed.
    pub(super) fn put_wire_back(&mut self, turn: &mut Turn, server: ServerId, questions: Vec<Question>) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        let calls: Vec<CallId> = questions.iter().filter_map(|question| question.request.call).collect();
        for question in &questions {
            self.room.enter(&question.request, question.stored);
        }
        station.session.questions = questions;
        for call in calls {
            self.count_open(call);
        }
        self.plan_replies(turn, server);
    }
}
