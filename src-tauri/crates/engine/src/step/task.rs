//! A task's state as the server tells it.

use signalbox_mcp::{TaskView, Ttl};
use signalbox_model::{CallId, EventKind, Json, Note, Outcome, PayloadKind, Status};
use signalbox_store::Write;

use super::Turn;
use crate::State;

/// A server that changes its message all the time adds a line to the timeline this often at most, in ms.
const TELL_EVERY: u64 = 5_000;

impl State {
    /// Takes a state that differs from the last one, or that may settle an answer.
    pub(super) fn take_state(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, raw: Json, same: bool) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let before = live.call.clone();
        if !same {
            live.last = Some(raw.clone());
            turn.write(Write::PutPayload { call: id, kind: PayloadKind::Last, json: raw });
            self.take_fields(turn, id, view);
        }
        self.reconcile(turn, id, view);
        let Some(live) = self.calls.get_mut(&id) else { return };
        match live.call.status {
            Status::Completed => match &view.result {
                Some(result) => self.completed(turn, id, result.clone()),
                None => {
                    let message = "The server says completed, but gives no result".to_owned();
                    self.finish(
                        turn,
                        id,
                        Outcome::Ok,
                        Some(Note { code: "protocol_error".to_owned(), message }),
                    );
                }
            },
            Status::Failed => {
                let note = view.error.as_ref().map(|error| {
                    turn.write(Write::PutPayload {
                        call: id,
                        kind: PayloadKind::Error,
                        json: error.raw.clone(),
                    });
                    let message = format!("The server answered with error {}: {}", error.code, error.message);
                    Note { code: "server_error".to_owned(), message }
                });
                self.finish(turn, id, Outcome::ProtocolError, note);
            }
            Status::Cancelled => self.finish(turn, id, Outcome::Cancelled, None),
            Status::Working | Status::InputRequired | Status::Unknown => {
                let changed = self.calls.get(&id).is_some_and(|live| live.call != before);
                if changed {
                    self.save(turn, id);
                }
            }
        }
    }

    /// Takes what the state says of the task itself. Fields that are absent or illegible keep what was known.
    pub(super) fn take_fields(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let Some(live) = self.calls.get_mut(&id) else { return };
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
        let ttl = match view.ttl {
            Ttl::Unlimited => None,
            Ttl::Ms(ms) => Some(ms),
            Ttl::Unknown => task.ttl_ms,
        };
        if ttl != task.ttl_ms {
            task.ttl_ms = ttl;
            // Counted from our first sight of the task, by our clock: the server's may be wrong.
            task.expires_at = ttl.map(|ms| call.created_at.max(turn.now.wall.plus_ms(-ms)).plus_ms(ms));
            if call.delivery == signalbox_model::Delivery::Answered && live.last.is_none() {
                task.expires_at = ttl.map(|ms| turn.now.wall.plus_ms(ms));
            }
            self.plan_expiry(turn, id);
        }
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(task) = &mut live.call.task else { return };
        if turned || spoke {
            task.seen_at = turn.now.wall;
            let quiet = live.told_at.is_some_and(|at| turn.now.steady_ms < at + TELL_EVERY);
            if turned || !quiet {
                live.told_at = Some(turn.now.steady_ms);
                let word = live.call.status_text.as_deref().unwrap_or(live.call.status.as_str());
                let text = task.status_message.clone().unwrap_or_else(|| word.to_owned());
                turn.event(id, EventKind::Status, None, Some(text));
            }
        }
    }

    /// Writes the call's row as it stands now.
    pub(super) fn save(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let open = live.questions.iter().filter(|question| question.request.needs_person()).count();
        live.call.open_requests = u32::try_from(open).unwrap_or(u32::MAX);
        let call = live.call.clone();
        turn.put(&call);
    }
}
