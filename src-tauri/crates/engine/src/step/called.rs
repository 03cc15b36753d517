//! The answer to `tools/call`: a result, a task, a round of questions, or an error.

use signalbox_mcp::{CallReply, Called, Error, ResultView, Sent, TaskView};
use signalbox_model::{
    CallId, DecisionKind, Delivery, EventKind, Json, Note, NoteCode, Outcome, PayloadKind, Status,
};
use signalbox_store::Write;

use super::{
    Turn,
    intent::{LONGEST_TASK_ID, new_task},
};
use crate::{State, note};

/// What a server says at once stands in the timeline up to this many characters.
const LONGEST_SAID: usize = 4_096;

/// Of a result's first line so many characters are told at once.
const LONGEST_LINE: usize = 200;

impl State {
    /// There was no connection: certainly not sent, and never sent by itself later.
    pub(super) fn not_sent(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get(&id) else { return };
        let (server, unwanted) = (live.call.server, live.call.cancel.is_some());
        if live.round.is_some() {
            self.line_broken(turn, server, error);
            self.retry_kept_back(turn, id, error);
            return;
        }
        let mut note = note(error);
        note.message.push_str(". The call was not sent");
        turn.log_call(DecisionKind::NotSent, (id, server), Some(note.message.clone()));
        // No request of this call failed, but the way to the server.
        self.line_broken(turn, server, error);
        if unwanted {
            self.call_over(turn, id, Status::Cancelled, Outcome::Cancelled, note);
        } else {
            self.call_over(turn, id, Status::Failed, Outcome::ProtocolError, note);
        }
    }

    pub(super) fn called(&mut self, turn: &mut Turn, id: CallId, reply: Result<Called, Error>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.delivery != Delivery::Sent || live.call.ended() {
            return;
        }
        let server = live.call.server;
        let wire = self.servers.get(&server).and_then(|station| station.server.wire);
        match reply {
            Ok(called) => {
                let said = called.immediate_response();
                let Called { raw, reply } = called;
                live.call.delivery = Delivery::Answered;
                live.call.wire = wire;
                turn.write(Write::PutPayload { call: id, kind: PayloadKind::Create, json: raw.clone() });
                self.round_answered(turn, id);
                match reply {
                    CallReply::Complete => self.completed(turn, id, raw),
                    CallReply::Task(view) => self.task_made(turn, id, &view, said),
                    CallReply::InputRequired { request_state, input_requests } => {
                        self.open_round(turn, id, request_state, raw, input_requests);
                    }
                }
                self.line_mended(turn, server);
            }
            Err(error) => {
                self.line_trouble(turn, server, &error);
                if self.goes_on(turn, id, &error) {
                    if error.sent() == Sent::Yes {
                        self.line_mended(turn, server);
                    }
                    return;
                }
                if let Error::Rpc { raw, .. }
                | Error::Protocol { raw: Some(raw), .. }
                | Error::Garbled { raw: Some(raw), .. } = &error
                {
                    turn.write(Write::PutPayload { call: id, kind: PayloadKind::Error, json: raw.clone() });
                }
                // Shut for a reason that is mended by now.
                if error.sent() == Sent::Yes {
                    self.line_mended(turn, server);
                }
                // An answer that is too large to take may be anything, a handle too: like one that never came.
                let unknown = error.sent() == Sent::Maybe || matches!(error, Error::TooLarge { .. });
                let (status, outcome) = match unknown {
                    true => (Status::Unknown, Outcome::Unknown),
                    false => (Status::Failed, Outcome::ProtocolError),
                };
                let note = note(&error);
                if error.sent() == Sent::No {
                    turn.log_call(DecisionKind::NotSent, (id, server), Some(note.message.clone()));
                }
                self.call_over(turn, id, status, outcome, note);
            }
        }
    }

    /// A call that ends without a result and without a task.
    pub(super) fn call_over(
        &mut self,
        turn: &mut Turn,
        id: CallId,
        status: Status,
        outcome: Outcome,
        note: Note,
    ) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.delivery = Delivery::Answered;
        live.call.status = status;
        self.finish(turn, id, outcome, Some(note));
    }

    /// A result, of a plain call or of a task.
    pub(super) fn completed(&mut self, turn: &mut Turn, id: CallId, result: Json) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.status = Status::Completed;
        let view = ResultView::read(&result);
        let outcome = if view.is_error { Outcome::ToolError } else { Outcome::Ok };
        live.result_line = view.first_line(LONGEST_LINE);
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Result, json: result });
        self.finish(turn, id, outcome, None);
    }

    fn task_made(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, said: Option<String>) {
        let Some(task_id) = view.task_id.clone() else {
            let message = "The server announced a task without an id: there is nothing to follow".to_owned();
            let note = Note { code: NoteCode::ProtocolError, message };
            self.call_over(turn, id, Status::Failed, Outcome::ProtocolError, note);
            return;
        };
        if task_id.len() > LONGEST_TASK_ID {
            let message =
                "The server gave the task an id longer than 8 KiB: it cannot be followed. The answer is kept"
                    .to_owned();
            let note = Note { code: NoteCode::TooLarge, message };
            self.call_over(turn, id, Status::Unknown, Outcome::ProtocolError, note);
            return;
        }
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.task = Some(new_task(task_id, turn.now.wall));
        live.round = None;
        live.arguments = None;
        live.wished_ttl_ms = None;
        // All of it is kept with the answer.
        let said = said.map(|text| text.chars().take(LONGEST_SAID).collect());
        turn.event(id, EventKind::TaskCreated, None, said);
        // A create result that is terminal already still owes us its result: only `tasks/get` ends it.
        self.take_fields(turn, id, view);
        self.plan_look(turn, id);
        self.save(turn, id);
        self.know_task(turn, id);
        self.send_cancel(turn, id);
        self.want_result(turn, id);
    }

    /// From now on the task is found by its id; what was told of it before belongs to it.
    fn know_task(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let Some(task) = &live.call.task else { return };
        if let Some(station) = self.servers.get_mut(&live.call.server) {
            station.tasks.insert(task.task_id.clone(), id);
        }
        self.claim_questions(turn, id);
        self.take_early_news(turn, id);
    }
}
