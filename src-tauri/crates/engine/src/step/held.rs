//! `tasks/result` of the legacy wire: held open while a task needs input, since most servers ask only there; and fetched
//! when it has come to its end.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use signalbox_mcp::{Error, ResultView};
use signalbox_model::{CallId, EventKind, Json, Note, Outcome, PayloadKind, ServerId, Status, Wire};
use signalbox_store::Write;

use super::Turn;
use crate::{Effect, State, note, session::Session};

impl State {
    /// Asks for the result of a task that needs input or has ended, as soon as there is a permit.
    pub(super) fn want_result(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        let Some(task) = &live.call.task else { return };
        let held = match live.call.status {
            Status::InputRequired => true,
            Status::Completed | Status::Failed => false,
            _ => return,
        };
        let session = &mut station.session;
        let legacy = live.call.wire == Some(Wire::Legacy);
        let under_way = session.holding.contains(&id) || session.fetching.contains(&id);
        if !legacy || live.call.ended() || !live.followed || under_way || live.result_tries.waits(turn.now) {
            return;
        }
        let free = match held {
            true => session.holding.len() < Session::HOLDS,
            false => session.fetching.len() < Session::FETCHES,
        };
        if !free && !session.queue.contains(&id) {
            session.queue.push_back(id);
        }
        // A gate that opens brings a look, and that another try.
        if !free || !station.may_be_asked(turn.now) {
            return;
        }
        let task_id = task.task_id.clone();
        let under_way = if held { &mut station.session.holding } else { &mut station.session.fetching };
        under_way.insert(id);
        turn.after(Effect::GetResult { line: station.line(), call: id, task_id, held });
        if let Some(live) = self.calls.get_mut(&id) {
            live.results_asked += 1;
        }
    }

    pub(super) fn resulted(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        id: CallId,
        reply: Result<Json, Error>,
    ) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        let held = station.session.holding.remove(&id);
        station.session.fetching.remove(&id);
        let waiting: Vec<CallId> = station.session.queue.drain(..).collect();
        match reply {
            Ok(raw) => {
                self.line_fine(turn, server);
                self.result_came(turn, id, raw);
            }
            Err(error) => self.result_failed(turn, (server, id), &error, held),
        }
        for next in waiting {
            self.want_result(turn, next);
        }
    }

    fn result_came(&mut self, turn: &mut Turn, id: CallId, raw: Json) {
        let Some(live) = self.calls.get_mut(&id).filter(|live| !live.call.ended()) else { return };
        let is_error = ResultView::read(&raw).is_error;
        if says_nothing(&raw) && !live.call.status.is_terminal() {
            // So it is for tasks that failed or were cancelled while it was held: only the task tells which. The wait is
            // for servers that tell neither.
            live.result_tries.failed(turn.now, turn.seed, id.0);
            self.want_look(turn, id);
            return;
        }
        // What was held ends with its task, whatever the last look had shown.
        let failed = is_error || live.call.status == Status::Failed;
        live.call.status = if failed { Status::Failed } else { Status::Completed };
        let said = live.call.task.as_ref().and_then(|task| task.status_message.clone());
        // Often the reason stands there alone.
        let note = said
            .filter(|_| failed && !is_error)
            .map(|message| Note { code: "server_error".to_owned(), message });
        let outcome = if failed { Outcome::ToolError } else { Outcome::Ok };
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Result, json: raw });
        self.finish(turn, id, outcome, note);
    }

    fn result_failed(
        &mut self,
        turn: &mut Turn,
        (server, id): (ServerId, CallId),
        error: &Error,
        held: bool,
    ) {
        // A held request may be cut by whatever stands in between: that says nothing of the server.
        let of_holding = held && matches!(error, Error::Lost { .. } | Error::Timeout { .. });
        if !of_holding {
            self.line_heard(turn, server, Some(error));
        }
        let Some(live) = self.calls.get_mut(&id).filter(|live| !live.call.ended()) else { return };
        if let Error::Rpc { code, raw, .. } = error
            && live.call.status.is_terminal()
            // Unless the task itself is unknown, which the look in between has told.
            && (*code != -32602 || live.result_tries.failures() > 0)
        {
            // The tool call's own error.
            turn.write(Write::PutPayload { call: id, kind: PayloadKind::Error, json: raw.clone() });
            live.call.status = Status::Failed;
            self.finish(turn, id, Outcome::ProtocolError, Some(note(error)));
            return;
        }
        live.result_tries.failed(turn.now, turn.seed, id.0);
        if live.result_tries.new_trouble() && !of_holding {
            let note = note(error);
            live.call.note = Some(note.clone());
            turn.event(id, EventKind::Trouble, None, Some(note.message));
            self.save(turn, id);
        }
        // The task tells what the request did not: it has ended, or it is gone.
        if matches!(error, Error::Rpc { .. }) {
            self.want_look(turn, id);
        }
    }
}

/// Whether it has nothing but `_meta`.
fn says_nothing(raw: &Json) -> bool {
    raw.read::<BTreeMap<String, IgnoredAny>>().is_ok_and(|members| members.keys().all(|name| name == "_meta"))
}
