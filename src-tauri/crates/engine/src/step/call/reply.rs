//! The answer to `tools/call`: a result, a task, a round of questions, or an error.
//!
//! A `tools/call` is never sent again by itself. One that was never answered ends as `unknown`, also over a restart; so
//! does one whose answer is none, or is too large to take.

use signalbox_mcp::{CallReply, Called, Error, Sent, TaskView, ToolResult};
use signalbox_model::{
    DecisionKind, Delivery, EventKind, Json, Note, Outcome, PayloadKind, Reason, Status, Then, Wire,
};
use signalbox_store::Write;

use super::{
    super::{Next, Turn, turn::told},
    Live,
    start::{LONGEST_TASK_ID, new_task},
};
use crate::note;

/// What a server says at once stands in the timeline up to this many characters.
const LONGEST_SAID: usize = 4_096;

impl Live {
    /// There was no connection: certainly not sent, and never sent by itself later.
    pub(in crate::step) fn not_sent(&mut self, turn: &mut Turn<'_>, error: &Error) {
        if self.round().is_some() {
            return self.retry_kept_back(turn, error);
        }
        let note = note(error).then(Then::CallNotSent);
        turn.log_call(DecisionKind::NotSent, (self.id(), self.server()), note.clone());
        // No request of this call failed, but the way to the server.
        match self.call.cancel {
            Some(_) => self.over(turn, Status::Cancelled, Outcome::Cancelled, note),
            None => self.over(turn, Status::Failed, Outcome::ProtocolError, note),
        }
    }

    /// Whether an answer to it is still waited for.
    pub(in crate::step) fn awaits_reply(&self) -> bool {
        self.call.delivery == Delivery::Sent && !self.call.ended()
    }

    /// What the server answered to the call. The server speaks this wire.
    pub(in crate::step) fn replied(&mut self, turn: &mut Turn<'_>, wire: Option<Wire>, called: Called) {
        let said = called.immediate_response();
        let Called { raw, reply } = called;
        self.call.delivery = Delivery::Answered;
        self.call.wire = wire;
        turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Create, json: raw.clone() });
        self.round_answered(turn);
        match reply {
            CallReply::Complete => self.completed(turn, raw),
            CallReply::Task(view) => self.task_made(turn, &view, said),
            CallReply::InputRequired { request_state, input_requests } => {
                self.open_round(turn, request_state, raw, input_requests);
            }
        }
    }

    /// The call was answered with an error, or not at all.
    pub(in crate::step) fn failed(&mut self, turn: &mut Turn<'_>, error: &Error) {
        if self.goes_on(turn, error) {
            return;
        }
        if let Error::Rpc { raw, .. }
        | Error::Protocol { raw: Some(raw), .. }
        | Error::Garbled { raw: Some(raw), .. } = error
        {
            turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Error, json: raw.clone() });
        }
        // An answer that is too large to take may be anything, a handle too: like one that never came.
        let unknown = error.sent() == Sent::Maybe || matches!(error, Error::TooLarge { .. });
        let (status, outcome) = match unknown {
            true => (Status::Unknown, Outcome::Unknown),
            false => (Status::Failed, Outcome::ProtocolError),
        };
        let note = note(error);
        if error.sent() == Sent::No {
            turn.log_call(DecisionKind::NotSent, (self.id(), self.server()), note.clone());
        }
        self.over(turn, status, outcome, note);
    }

    /// A call that ends without a result and without a task.
    pub(super) fn over(&mut self, turn: &mut Turn<'_>, status: Status, outcome: Outcome, note: Note) {
        self.call.delivery = Delivery::Answered;
        self.call.status = status;
        self.finish(turn, outcome, Some(note));
    }

    /// A result, of a plain call or of a task.
    pub(super) fn completed(&mut self, turn: &mut Turn<'_>, result: Json) {
        self.call.status = Status::Completed;
        let view = ToolResult::read(&result);
        let outcome = if view.is_error { Outcome::ToolError } else { Outcome::Ok };
        self.telling.result_line = view.first_line().map(|line| told(self.call.without_handle(&line)));
        turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Result, json: result });
        self.finish(turn, outcome, None);
    }

    fn task_made(&mut self, turn: &mut Turn<'_>, view: &TaskView, said: Option<String>) {
        let Some(task_id) = view.task_id.clone() else {
            return self.over(turn, Status::Failed, Outcome::ProtocolError, Reason::TaskWithoutId.into());
        };
        if task_id.len() > LONGEST_TASK_ID {
            let why = Reason::TaskIdTooLong { limit: LONGEST_TASK_ID as u64 };
            return self.over(turn, Status::Unknown, Outcome::ProtocolError, why.into());
        }
        self.call.task = Some(new_task(task_id, turn.now.wall));
        self.again = None;
        // All of it is kept with the answer.
        let said = said.map(|text| text.chars().take(LONGEST_SAID).collect::<String>());
        turn.event(self.id(), EventKind::TaskCreated, None, said);
        // A create result that is terminal already still owes us its result: only `tasks/get` ends it.
        self.take_fields(turn, view);
        let id = self.id();
        for next in [Next::Known(id), Next::Poll(id), Next::Save(id), Next::Cancel(id), Next::Result(id)] {
            turn.then(next);
        }
    }
}
