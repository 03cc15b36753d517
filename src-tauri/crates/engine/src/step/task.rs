//! A task's state as the server tells it.

use std::borrow::Cow;

use signalbox_mcp::TaskView;
use signalbox_model::{Call, CallId, EventKind, Note, NoteCode, Outcome, PayloadKind, Status, Wire};
use signalbox_store::Write;

use super::{Turn, expiry::take_ttl, look::shortened};
use crate::{
    Effect, State,
    look::{Look, has_long_text, shorten},
};

/// A server that changes its message all the time adds a line to the timeline this often at most, in ms …
const TELL_EVERY: u64 = 5_000;
/// … and the more seldom the older the call is: at most once in this part of its age. Days make no endless list.
const TELL_AGE: u64 = 200;
/// Of the room for payloads the long states of all tasks that have not ended take this part at most.
const LIVE_PART: u64 = 2;
/// Looks at a task that says completed until we believe that it has no result.
const LOOKS_FOR_RESULT: u32 = 3;
/// Changes of the status are always told, up to this many.
const TELL_TURNS: u32 = 200;

impl State {
    /// Takes a state that differs from the last one.
    pub(super) fn take_state(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, look: Look) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let long = look.last().long();
        live.last = Some(look.last().clone());
        // What has not ended makes room for nobody: of what does not fit the beginning is kept.
        let others = self.long_states - live.long_state as u64;
        let most = self.tuning.payload_bytes / LIVE_PART;
        let fits = most == 0 || long == 0 || others + long as u64 <= most;
        let json = if fits { look.raw } else { shortened(&look.raw) };
        live.long_state = if fits { long } else { 0 };
        self.long_states = others + live.long_state as u64;
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Last, json });
        self.take_fields(turn, id, view);
    }

    /// Takes what the state says of the task itself. Fields that are absent or illegible keep what was known.
    pub(super) fn take_fields(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let mut view = Cow::Borrowed(view);
        if has_long_text(&view) {
            // Of what comes unasked, and with the answer to a call.
            shorten(view.to_mut());
        }
        let view = view.as_ref();
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
            Status::Completed | Status::Failed if live.call.wire == Some(Wire::Legacy) => {
                self.owed_result(turn, id, before);
            }
            Status::Completed => match &view.result {
                Some(result) => self.completed(turn, id, result.clone()),
                None => self.without_result(turn, id, before),
            },
            Status::Failed => {
                let note = view.error.as_ref().map(|error| {
                    let json = error.raw.clone();
                    turn.write(Write::PutPayload { call: id, kind: PayloadKind::Error, json });
                    let message = format!("The server answered with error {}: {}", error.code, error.message);
                    Note { code: NoteCode::ServerError, message }
                });
                self.finish(turn, id, Outcome::ProtocolError, note);
            }
            Status::Cancelled => self.finish(turn, id, Outcome::Cancelled, None),
            Status::Working | Status::InputRequired | Status::Unknown => {
                if std::mem::take(&mut live.resultless) > 0 {
                    live.call.note = None;
                }
                self.save_news(turn, id, before);
                self.want_result(turn, id);
            }
        }
    }

    /// It has ended, and its result is a request of its own (legacy wire).
    fn owed_result(&mut self, turn: &mut Turn, id: CallId, before: Call) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.resultless += 1;
        let stuck = live.resultless >= LOOKS_FOR_RESULT;
        self.save_news(turn, id, before);
        self.want_result(turn, id);
        let Some(live) = self.calls.get(&id) else { return };
        let holding = self.servers.get(&live.call.server).is_some_and(|s| s.session.held.has(id));
        // A request that was held before the end, and that the server has forgotten to answer.
        if stuck && holding {
            turn.after(Effect::LetGo { call: id });
        }
    }

    /// Completed, it says, and owes the result: it is asked a few times more, at its own interval, and then has none.
    fn without_result(&mut self, turn: &mut Turn, id: CallId, before: Call) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.resultless += 1;
        let message = "The server says completed, but gives no result".to_owned();
        let note = Note { code: NoteCode::ProtocolError, message };
        if live.resultless >= LOOKS_FOR_RESULT {
            self.finish(turn, id, Outcome::ProtocolError, Some(note));
            return;
        }
        live.call.note = Some(note);
        if live.resultless == 1 {
            turn.event(id, EventKind::NoResult, None, None);
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
        self.count_open(id);
        let Some(live) = self.calls.get(&id) else { return };
        if let Some(station) = self.servers.get_mut(&live.call.server) {
            station.reckon(&live.call);
        }
        turn.put(&live.call);
    }

    /// Counts the questions of a call that wait for a person. Says whether there are others than before.
    pub(super) fn count_open(&mut self, id: CallId) -> bool {
        let Some(live) = self.calls.get_mut(&id).filter(|live| !live.call.ended()) else { return false };
        let of_call = live.questions.iter().filter(|question| question.request.needs_person()).count();
        let on_wire = self.servers.get(&live.call.server).map_or(0, |station| station.session.open_of(id));
        let open = u32::try_from(of_call + on_wire).unwrap_or(u32::MAX);
        std::mem::replace(&mut live.call.open_requests, open) != open
    }
}
