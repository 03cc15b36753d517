//! The log of decisions: what people decided, what went to the wire for it, and what became of it. Every entry is in
//! the transaction of the change it tells of, so that the log and the rows never tell different stories.

use signalbox_model::{
    Actor, Call, CallId, CloseReason, Decision, DecisionKind, EventKind, InputRequest, Json, ServerId,
};
use signalbox_store::Write;

use super::{Beside, Turn};
use crate::effect::response;

impl Turn<'_> {
    /// A call was started; the schema is the tool's, where it is known.
    pub(crate) fn log_called(&mut self, call: &Call, arguments: Json, schema: Option<Json>) {
        let entry = self.entry(DecisionKind::Called, call.server, Some(call.id));
        self.log(Decision { schema, json: Some(arguments), text: Some(call.tool.clone()), ..entry });
    }

    /// What else was decided about a call at a server, or became of that.
    pub(crate) fn log_call(&mut self, kind: DecisionKind, at: (CallId, ServerId), said: impl Into<Beside>) {
        let (call, server) = at;
        let entry = self.entry(kind, server, Some(call));
        let (text, note) = said.into().parts();
        self.log(Decision { text, note, ..entry });
    }

    /// What was decided about a question, or became of the answer. A question that was not answered is no decision.
    pub(crate) fn log_answer(&mut self, kind: DecisionKind, request: &InputRequest, said: impl Into<Beside>) {
        if request.answer.is_none() {
            return;
        }
        let (text, note) = said.into().parts();
        let exact = matches!(kind, DecisionKind::Answered | DecisionKind::Sent);
        let entry = self.entry(kind, request.server, request.call);
        self.log(Decision {
            request: Some(request.id),
            json: exact.then(|| response(request)).flatten(),
            text,
            note,
            remark: request
                .answer
                .as_ref()
                .filter(|_| kind == DecisionKind::Answered)
                .and_then(|answer| answer.remark.clone()),
            by: match (kind, request.reason) {
                (DecisionKind::Answered, _) => request.decided_by().unwrap_or(entry.by),
                (DecisionKind::Closed, Some(CloseReason::PutAway)) => Actor::Person,
                _ => entry.by,
            },
            ..entry
        });
    }

    /// The same bytes as before went to the wire again: their entry has the JSON.
    pub(crate) fn log_sent_again(&mut self, request: &InputRequest) {
        let entry = self.entry(DecisionKind::Sent, request.server, request.call);
        self.log(Decision { request: Some(request.id), text: Some("again".to_owned()), ..entry });
    }

    /// Something happened to a question: a line for the timeline and, where it is about an answer, an entry here.
    pub(crate) fn fate(&mut self, request: &InputRequest, kind: EventKind, said: impl Into<Beside>) {
        let said = said.into();
        if let Some(call) = request.call {
            self.event(call, kind, Some(request.id), said.clone());
        }
        if let Some(kind) = of_event(kind) {
            self.log_answer(kind, request, said);
        }
    }

    fn entry(&self, kind: DecisionKind, server: ServerId, call: Option<CallId>) -> Decision {
        let (at, by) = (self.now.wall, actor(kind));
        Decision {
            at,
            by,
            kind,
            server,
            call,
            request: None,
            schema: None,
            json: None,
            text: None,
            note: None,
            remark: None,
        }
    }

    fn log(&mut self, decision: Decision) {
        self.write(Write::AddDecision(Box::new(decision)));
    }
}

/// Who acts in entries of this kind.
fn actor(kind: DecisionKind) -> Actor {
    use DecisionKind::*;
    match kind {
        Called | Adopted | Answered | Undone | CancelRequested | Forgotten => Actor::Person,
        Acknowledged | Taken | Refused | Closed | CancelAcknowledged | CancelRefused => Actor::Server,
        Lapsed | Sent | NotSent | NotTaken | Unknown | Restored | Salvaged => Actor::Signalbox,
    }
}

fn of_event(kind: EventKind) -> Option<DecisionKind> {
    match kind {
        EventKind::Answered => Some(DecisionKind::Answered),
        EventKind::Undone => Some(DecisionKind::Undone),
        EventKind::Lapsed => Some(DecisionKind::Lapsed),
        EventKind::Acknowledged => Some(DecisionKind::Acknowledged),
        EventKind::Taken => Some(DecisionKind::Taken),
        EventKind::NotTaken => Some(DecisionKind::NotTaken),
        EventKind::Refused => Some(DecisionKind::Refused),
        EventKind::Closed | EventKind::Orphaned => Some(DecisionKind::Closed),
        EventKind::Unknown => Some(DecisionKind::Unknown),
        EventKind::Called
        | EventKind::Adopted
        | EventKind::TaskCreated
        | EventKind::Status
        | EventKind::Asked
        | EventKind::CancelRequested
        | EventKind::CancelAcknowledged
        | EventKind::Trouble
        | EventKind::Recovered
        | EventKind::LeftOut
        | EventKind::NoResult
        | EventKind::TtlPassed
        | EventKind::AnswerTimePassed
        | EventKind::RequestRefused
        | EventKind::TimelineFull
        | EventKind::Ended => None,
    }
}
