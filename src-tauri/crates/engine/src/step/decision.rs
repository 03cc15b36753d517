//! The log of decisions: what people decided, what went to the wire for it, and what became of it. Every entry is in
//! the transaction of the change it tells of, so that the log and the rows never tell different stories.

use signalbox_model::{Actor, CallId, Decision, DecisionKind, EventKind, InputRequest, Json, ServerId};
use signalbox_store::Write;

use super::Turn;
use crate::effect::response;

impl Turn {
    /// What was decided about a call at a server, or became of that.
    pub(crate) fn log_call(
        &mut self,
        kind: DecisionKind,
        (call, server): (CallId, ServerId),
        json: Option<Json>,
        text: Option<String>,
    ) {
        self.log(Decision {
            at: self.now.wall,
            by: actor(kind),
            kind,
            server,
            call: Some(call),
            request: None,
            schema: None,
            json,
            text,
        });
    }

    /// What was decided about a question, or became of the answer. A question that was not answered is no decision.
    pub(crate) fn log_answer(&mut self, kind: DecisionKind, request: &InputRequest, text: Option<String>) {
        let Some(answer) = &request.answer else { return };
        let exact = matches!(kind, DecisionKind::Answered | DecisionKind::Sent);
        self.log(Decision {
            at: self.now.wall,
            by: actor(kind),
            kind,
            server: request.server,
            call: request.call,
            request: Some(request.id),
            schema: request.schema.clone().filter(|_| kind == DecisionKind::Answered),
            json: exact.then(|| response(answer.action, answer.content.as_ref())),
            text,
        });
    }

    /// Something happened to a question: a line for the timeline and, where it is about an answer, an entry here.
    pub(crate) fn fate(&mut self, request: &InputRequest, kind: EventKind, text: Option<String>) {
        if let Some(call) = request.call {
            self.event(call, kind, Some(request.id), text.clone());
        }
        if let Some(kind) = of_event(kind) {
            self.log_answer(kind, request, text);
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
        Sent | NotTaken | Unknown => Actor::Signalbox,
    }
}

fn of_event(kind: EventKind) -> Option<DecisionKind> {
    match kind {
        EventKind::Answered => Some(DecisionKind::Answered),
        EventKind::Undone => Some(DecisionKind::Undone),
        EventKind::Acknowledged => Some(DecisionKind::Acknowledged),
        EventKind::Taken => Some(DecisionKind::Taken),
        EventKind::NotTaken => Some(DecisionKind::NotTaken),
        EventKind::Refused => Some(DecisionKind::Refused),
        EventKind::Closed => Some(DecisionKind::Closed),
        EventKind::Called
        | EventKind::Adopted
        | EventKind::TaskCreated
        | EventKind::Status
        | EventKind::Asked
        | EventKind::CancelRequested
        | EventKind::CancelAcknowledged
        | EventKind::Trouble
        | EventKind::Recovered
        | EventKind::Ended => None,
    }
}
