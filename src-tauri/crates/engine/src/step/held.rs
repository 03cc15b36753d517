//! `tasks/result` of the legacy wire: held open while a task needs input, since most servers ask only there; and fetched
//! when it has come to its end.
//!
//! Over HTTP each held request holds a connection, so that they are few, and take turns where more tasks want one: what
//! has brought its question makes room, since the reply is a message of its own and a server must not take the end of a
//! stream for a wish to cancel. Over stdio it would have to be told, and might withdraw its question: there nothing is
//! held in another's place, and nothing is let go.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use signalbox_mcp::{Error, ResultView};
use signalbox_model::{
    CallId, EventKind, Json, Note, NoteCode, Outcome, PayloadKind, ServerId, Status, Wire,
};
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, State, note,
    session::{Results, Session},
    state::Station,
};

/// So long after the last question that came on it, in ms, a held request may make room for others: more may come at once.
const GRACE: u64 = 2_000;
/// One that has brought nothing for so long, in ms, makes room too.
const SILENT: u64 = 30_000;
/// One that has brought no question for so long, in ms, while its task needs input is asked for anew.
const MUTE: u64 = 300_000;

impl State {
    /// Asks for the result of a task that needs input or has ended, as soon as there is a permit.
    pub(super) fn want_result(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id).filter(|live| live.call.wire == Some(Wire::Legacy)) else {
            return;
        };
        let server = live.call.server;
        let Some(station) = self.servers.get_mut(&server) else { return };
        let Some(task) = &live.call.task else { return };
        let held = match live.call.status {
            Status::InputRequired => true,
            Status::Completed | Status::Failed => false,
            _ => {
                station.session.stop_waiting(id);
                return self.share_holds(turn, server);
            }
        };
        let under_way = station.session.held.has(id) || station.session.fetched.has(id);
        if live.call.ended() || !live.followed {
            return;
        }
        if under_way {
            if held {
                renew(&mut station.session, turn, id);
            }
            return;
        }
        if live.result_tries.waits(turn.now) {
            return;
        }
        if !station.session.has_room(held) {
            // Whose question is there has had its turn.
            if !held || !station.session.has_asked(id) {
                station.session.results(held).queue.no_later_than(id, turn.now.steady_ms);
            }
            return self.share_holds(turn, server);
        }
        station.session.stop_waiting(id);
        // A gate that opens brings a look, and that another try.
        if !station.may_be_asked(turn.now) {
            return;
        }
        station.session.results(held).under_way.insert(id, turn.now.steady_ms);
        let task_id = task.task_id.clone();
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
        let held = station.session.held.under_way.remove(&id).is_some();
        station.session.fetched.under_way.remove(&id);
        let made_room = station.session.leaving.remove(&id);
        match reply {
            Ok(raw) => {
                self.line_fine(turn, server);
                self.result_came(turn, id, raw);
            }
            Err(Error::Closed) if made_room => {}
            Err(error) => self.result_failed(turn, (server, id), &error, held),
        }
        for held in [true, false] {
            while let Some(Station { session, .. }) = self.servers.get_mut(&server)
                && session.has_room(held)
                && let Some(next) = session.results(held).queue.pop(u64::MAX)
            {
                self.want_result(turn, next);
            }
        }
        if made_room {
            self.want_result(turn, id);
        }
    }

    /// Lets as many held requests go as others wait for. Each look at one of those that wait comes back to this.
    fn share_holds(&mut self, turn: &mut Turn, server: ServerId) {
        let Some(Station { session, .. }) = self.servers.get_mut(&server) else { return };
        let wanted = session.held.queue.len().saturating_sub(session.leaving.len());
        if wanted == 0 || session.shared {
            return;
        }
        let (askers, leaving) = (session.askers(), &session.leaving);
        let staying = session.held.under_way.iter().filter(|(id, _)| !leaving.contains(id));
        let mut may_go: Vec<(u8, u64, CallId)> = staying
            .filter_map(|(id, since)| {
                let needs = self.calls.get(id).is_some_and(|live| live.call.status == Status::InputRequired);
                let (rank, stays) = match () {
                    () if !needs => (0, GRACE),
                    () if askers.contains(id) => (1, GRACE),
                    () => (2, SILENT),
                };
                (turn.now.steady_ms >= since.saturating_add(stays)).then_some((rank, *since, *id))
            })
            .collect();
        may_go.sort_unstable();
        for (_, _, call) in may_go.into_iter().take(wanted) {
            session.leaving.insert(call);
            turn.after(Effect::LetGo { call });
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
        let note =
            said.filter(|_| failed && !is_error).map(|message| Note { code: NoteCode::ServerError, message });
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
        if matches!(error, Error::TooLarge { .. }) {
            live.result_tries.futile(turn.now);
        } else {
            live.result_tries.failed(turn.now, turn.seed, id.0);
        }
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

/// A stream that was cut and taken up again may be one of which its server knows nothing any more: what brings no question
/// that should be there is asked for anew.
fn renew(session: &mut Session, turn: &mut Turn, id: CallId) {
    let since = session.held.under_way.get(&id);
    let is_mute = since.is_some_and(|since| turn.now.steady_ms >= since.saturating_add(MUTE));
    if is_mute && !session.shared && !session.has_asked(id) && session.leaving.insert(id) {
        turn.after(Effect::LetGo { call: id });
    }
}

impl Session {
    /// Whether there is a permit for one more.
    fn has_room(&self, held: bool) -> bool {
        match held {
            true => self.held.under_way.len() < self.holds(),
            false => self.fetched.under_way.len() < Self::FETCHES,
        }
    }

    fn results(&mut self, held: bool) -> &mut Results {
        if held { &mut self.held } else { &mut self.fetched }
    }
}

/// Whether it has nothing but `_meta`.
fn says_nothing(raw: &Json) -> bool {
    raw.read::<BTreeMap<String, IgnoredAny>>().is_ok_and(|members| members.keys().all(|name| name == "_meta"))
}
