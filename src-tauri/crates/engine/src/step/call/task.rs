//! A task's state as the server tells it.

use std::borrow::Cow;

use signalbox_mcp::{TaskView, ToolResult};
use signalbox_model::{Call, EventKind, Json, Note, Outcome, PayloadKind, Reason, Status, Wire, Word};
use signalbox_store::Write;

use super::{
    super::{Beside, Next, Turn},
    Live,
    expiry::take_ttl,
    poll_reply::shortened,
};
use crate::task_state::{TaskState, has_long_text, shorten};

/// A server that changes its message all the time adds a line to the timeline this often at most, in ms …
const TELL_EVERY: u64 = 5_000;
/// … and the more seldom the older the call is: at most once in this part of its age. Days make no endless list.
const TELL_AGE: u64 = 200;
/// Of the room for payloads the long states of all tasks that have not ended take this part at most.
const LIVE_PART: u64 = 2;
/// How many polls must show a task as completed until we believe that it has no result.
const POLLS_FOR_RESULT: u32 = 3;
/// Changes of the status are always told, up to this many.
const TELL_TURNS: u32 = 200;

impl Live {
    /// Takes a state that differs from the last one.
    pub(super) fn take_state(&mut self, turn: &mut Turn<'_>, view: &TaskView, poll: TaskState) {
        let long = poll.last().long();
        self.polling.last = Some(poll.last().clone());
        // The state of a task that has not ended is never dropped to make room. So of one that does not fit
        // only the beginning is kept.
        let others = *turn.long_states - self.polling.long_state as u64;
        let most = turn.tuning.payload_bytes / LIVE_PART;
        let fits = most == 0 || long == 0 || others + long as u64 <= most;
        let json = if fits { poll.raw } else { shortened(&poll.raw) };
        self.polling.long_state = if fits { long } else { 0 };
        *turn.long_states = others + self.polling.long_state as u64;
        turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Last, json });
        self.take_fields(turn, view);
    }

    /// Takes what the state says of the task itself. Fields that are absent or illegible keep what was known.
    pub(super) fn take_fields(&mut self, turn: &mut Turn<'_>, view: &TaskView) {
        let mut view = Cow::Borrowed(view);
        if has_long_text(&view) {
            // Of what comes unasked, and with the answer to a call.
            shorten(view.to_mut());
        }
        let view = view.as_ref();
        let dies_at = self.polling.dies_at;
        take_ttl(self, view, turn.now);
        if self.polling.dies_at != dies_at {
            self.plan_expiry(turn);
        }
        let call = &mut self.call;
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
            self.tell_status(turn, turned);
        }
    }

    fn tell_status(&mut self, turn: &mut Turn<'_>, turned: bool) {
        let (call, telling) = (&self.call, &mut self.telling);
        let age = u64::try_from(turn.now.wall.ms_since(call.created_at)).unwrap_or(0);
        let pause = TELL_EVERY.max(age / TELL_AGE);
        let quiet = telling.at.is_some_and(|at| turn.now.steady_ms < at.saturating_add(pause));
        if quiet && !(turned && telling.entries < TELL_TURNS) {
            return;
        }
        telling.at = Some(turn.now.steady_ms);
        telling.entries += 1;
        let word = || call.status_text.as_deref().unwrap_or(call.status.word()).to_owned();
        let text = call.task.as_ref().and_then(|task| task.status_message.clone()).unwrap_or_else(word);
        turn.event(call.id, EventKind::Status, None, Some(text));
    }

    /// Ends the call if its status says so; else keeps what is not as it was `before`.
    pub(super) fn settle_status(&mut self, turn: &mut Turn<'_>, view: &TaskView, before: Call) {
        match self.call.status {
            // Its result is a request of its own.
            Status::Completed | Status::Failed if self.call.wire == Some(Wire::Legacy) => {
                self.polling.resultless += 1;
                self.save_news(turn, before);
                turn.then(Next::Result(self.id()));
            }
            Status::Completed => match &view.result {
                Some(result) => self.completed(turn, result.clone()),
                None => self.without_result(turn, before),
            },
            Status::Failed => {
                let note = view.error.as_ref().map(|error| {
                    let json = error.raw.clone();
                    turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Error, json });
                    Reason::ErrorAnswer { error: error.code, said: error.message.clone() }.into()
                });
                self.finish(turn, Outcome::ProtocolError, note);
            }
            Status::Cancelled => self.finish(turn, Outcome::Cancelled, None),
            Status::Working | Status::InputRequired | Status::Unknown => {
                if std::mem::take(&mut self.polling.resultless) > 0 {
                    self.nothing_wrong();
                }
                self.save_news(turn, before);
            }
        }
    }

    /// Whether the task has said for many polls that it ended, and no result has come.
    pub(in crate::step) fn lacks_result(&self) -> bool {
        self.polling.resultless >= POLLS_FOR_RESULT
    }

    /// The task says that it is completed, and its result is missing. It is polled a few times more, at its
    /// own interval. After that it has no result.
    fn without_result(&mut self, turn: &mut Turn<'_>, before: Call) {
        self.polling.resultless += 1;
        if self.lacks_result() {
            return self.finish(turn, Outcome::ProtocolError, Some(Reason::NoResult.into()));
        }
        self.call.note = Some(Reason::NoResult.into());
        if self.polling.resultless == 1 {
            turn.event(self.id(), EventKind::NoResult, None, Beside::Nothing);
        }
        self.save_news(turn, before);
    }

    /// The result of a task whose result is a request of its own (legacy wire).
    pub(in crate::step) fn result_came(&mut self, turn: &mut Turn<'_>, raw: Json) {
        let is_error = ToolResult::read(&raw).is_error;
        // What was held ends with its task, whatever the last poll had shown.
        let failed = is_error || self.call.status == Status::Failed;
        self.call.status = if failed { Status::Failed } else { Status::Completed };
        let said = self.call.task.as_ref().and_then(|task| task.status_message.clone());
        // Often the reason stands there alone.
        let note = said.filter(|_| failed && !is_error).map(|said| Reason::TaskFailed { said }.into());
        let outcome = if failed { Outcome::ToolError } else { Outcome::Ok };
        turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Result, json: raw });
        self.finish(turn, outcome, note);
    }

    /// The request for its result was answered with the tool call's own error.
    pub(in crate::step) fn result_refused(&mut self, turn: &mut Turn<'_>, raw: Json, note: Note) {
        turn.write(Write::PutPayload { call: self.id(), kind: PayloadKind::Error, json: raw });
        self.call.status = Status::Failed;
        self.finish(turn, Outcome::ProtocolError, Some(note));
    }

    /// Keeps the row if it is not as it was `before`. The time of the next poll alone is no news: it is kept when we leave.
    pub(super) fn save_news(&self, turn: &mut Turn<'_>, mut before: Call) {
        before.next_poll_at = self.call.next_poll_at;
        if self.call != before {
            turn.then(Next::Save(self.id()));
        }
    }
}
