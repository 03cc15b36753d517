//! A task's state as the server tells it.

use signalbox_mcp::TaskView;
use signalbox_model::{Call, CallId, EventKind, Json, Note, Outcome, PayloadKind, Status};
use signalbox_store::Write;

use super::{Turn, expiry::take_ttl};
use crate::State;

/// A server that changes its message all the time adds a line to the timeline this often at most, in ms …
const TELL_EVERY: u64 = 5_000;
/// … and the more seldom the older the call is: at most once in this part of its age. Days make no endless list.
const TELL_AGE: u64 = 200;
/// Looks at a task that says completed until we believe that it has no result.
const LOOKS_FOR_RESULT: u32 = 3;
/// Changes of the status are always told, up to this many.
const TELL_TURNS: u32 = 200;

impl State {
    /// Takes a state that differs from the last one.
    pub(super) fn take_state(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, raw: Json) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.last = Some(raw.clone());
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Last, json: raw });
        self.take_fields(turn, id, view);
    }

    /// Takes what the state says of the task itself. Fields that are absent or illegible keep what was known.
    pub(super) fn take_fields(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let dies_at = live.dies_at;
        take_ttl(live, view, turn.now);
        let moved = live.dies_at != dies_at;
        let call = &mut live.call;
        let Some(task) = &mut call.task else { return };
        let turned = call.status != view.status || call.status_text != view.status_text;
        let spoke = task.status_message != view.status_message;
        call.status = view.status;
        call.status_text.clone_from(&view.status_text);
        task.status_message.clone_from(&view.status_message);
        task.created_at = view.created_at.or(task.created_at);
        task.last_updated_at = view.last_updated_at.or(task.last_updated_at);
        task.poll_interval_ms = view.poll_interval_ms.or(task.poll_interval_ms);
        if turned || spoke {
            task.seen_at = turn.now.wall;
            let age = u64::try_from(turn.now.wall.ms_since(call.created_at)).unwrap_or(0);
            let pause = TELL_EVERY.max(age / TELL_AGE);
            let quiet = live.told_at.is_some_and(|at| turn.now.steady_ms < at.saturating_add(pause));
            if !quiet || (turned && live.told < TELL_TURNS) {
                live.told_at = Some(turn.now.steady_ms);
                live.told += 1;
                let word = call.status_text.as_deref().unwrap_or(call.status.as_str());
                let text = task.status_message.clone().unwrap_or_else(|| word.to_owned());
                turn.event(id, EventKind::Status, None, Some(text));
            }
        }
        if moved {
            self.plan_expiry(turn, id);
        }
    }

    /// Ends the call if its status says so; else keeps what is not as it was `before`.
    pub(super) fn settle_status(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, before: Call) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        match live.call.status {
            Status::Completed => match &view.result {
                Some(result) => self.completed(turn, id, result.clone()),
                None => self.without_result(turn, id, before),
            },
            Status::Failed => {
                let note = view.error.as_ref().map(|error| {
                    let json = error.raw.clone();
                    turn.write(Write::PutPayload { call: id, kind: PayloadKind::Error, json });
                    let message = format!("The server answered with error {}: {}", error.code, error.message);
                    Note { code: "server_error".to_owned(), message }
                });
                self.finish(turn, id, Outcome::ProtocolError, note);
            }
            Status::Cancelled => self.finish(turn, id, Outcome::Cancelled, None),
            Status::Working | Status::InputRequired | Status::Unknown => {
                if std::mem::take(&mut live.resultless) > 0 {
                    live.call.note = None;
                }
                self.save_news(turn, id, before);
            }
        }
    }

    /// Completed, it says, and owes the result: it is asked a few times more, at its own interval, and then has none.
    fn without_result(&mut self, turn: &mut Turn, id: CallId, before: Call) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.resultless += 1;
        let message = "The server says completed, but gives no result".to_owned();
        let note = Note { code: "protocol_error".to_owned(), message: message.clone() };
        if live.resultless >= LOOKS_FOR_RESULT {
            self.finish(turn, id, Outcome::ProtocolError, Some(note));
            return;
        }
        live.call.note = Some(note);
        if live.resultless == 1 {
            turn.event(id, EventKind::Trouble, None, Some(message));
        }
        self.save_news(turn, id, before);
    }

    /// Writes the row if it is not as it was `before`. The time of the next look alone is no news: it is kept when we
    /// leave.
    pub(super) fn save_news(&mut self, turn: &mut Turn, id: CallId, mut before: Call) {
        let Some(live) = self.calls.get(&id) else { return };
        before.next_poll_at = live.call.next_poll_at;
        if live.call != before {
            self.save(turn, id);
        }
    }

    /// Writes the call's row as it stands now.
    pub(super) fn save(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if !live.call.ended() {
            let open = live.questions.iter().filter(|question| question.request.needs_person()).count();
            live.call.open_requests = u32::try_from(open).unwrap_or(u32::MAX);
        }
        let call = live.call.clone();
        turn.put(&call);
    }
}
