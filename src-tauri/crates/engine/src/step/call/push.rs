//! What a server tells of a task by itself. It is never believed where a poll is needed: it does not say what became of an
//! answer, closes no question, sends nothing again and counts as no poll. What is pushed too fast, or was missed, is polled
//! instead.

use signalbox_mcp::{ProgressView, TaskView};
use signalbox_model::{CallId, ProgressReport, ServerId, Status, Tracking, Wire};

use super::{
    super::{Next, Turn},
    Calls, Live,
};
use crate::{TaskState, task_state::Last};

/// What one push costs, in ms, of what a task may be pushed: ten a second …
const PUSH_COST: u64 = 100;
/// … and so many ms' worth of them at once.
const PUSH_BURST: u64 = 2_000;
/// Progress is kept this often at most, in ms: a server may report it all the time.
const KEEP_PROGRESS_EVERY: u64 = 1_000;

impl Live {
    /// A state of the task that the server pushed. It may be older than what the last poll brought. `polled`
    /// says whether a poll is under way: that one may bring what was before this.
    pub(in crate::step) fn pushed(&mut self, turn: &mut Turn<'_>, mut poll: TaskState, polled: bool) {
        if self.call.ended() || !self.polling.followed {
            return;
        }
        let spent = self.polling.pushes_until.max(turn.now.steady_ms) + PUSH_COST;
        if spent > turn.now.steady_ms + PUSH_BURST {
            self.want_poll(turn);
            return;
        }
        self.polling.pushes_until = spent;
        // The same task, in whatever envelope: no news, and no write. What is long is not read for that.
        if self.polling.last.as_ref() == Some(poll.last()) {
            return;
        }
        let view = poll.view(Some(Wire::Modern));
        let last = self.polling.last.as_ref().and_then(Last::short).cloned();
        if last.is_some_and(|last| TaskState::from(last).view(Some(Wire::Modern)) == view) {
            return;
        }
        let before = self.call.clone();
        self.polling.meanwhile.pushed |= polled;
        self.take_state(turn, &view, poll);
        if !view.status.is_terminal() {
            self.open_pushed(turn, &view);
        }
        let asks = [before.status, view.status].contains(&Status::InputRequired);
        let owes = view.status == Status::Completed && view.result.is_none();
        if owes {
            self.save_news(turn, before);
        } else {
            self.settle_status(turn, &view, before);
        }
        if owes || asks || self.call.tracking != Tracking::Live {
            self.want_poll(turn);
        }
        // An answer that never went out goes to a task that is alive after all. One that may have been lost waits for a poll.
        turn.then(Next::Deliver(self.id()));
    }

    /// A status that a server of the legacy wire told by itself. It may come late, so polls go on as if it
    /// had not come.
    pub(in crate::step) fn take_news(&mut self, turn: &mut Turn<'_>, view: &TaskView) {
        let known = self.call.task.as_ref().and_then(|task| task.last_updated_at);
        let older = view.last_updated_at.zip(known).is_some_and(|(told, known)| told < known);
        if self.call.ended() || self.call.status.is_terminal() || older {
            return;
        }
        let before = self.call.clone();
        self.take_fields(turn, view);
        if view.status == Status::Cancelled {
            // The end of a task is taken from an answer of the server only.
            self.call.status = before.status;
            self.want_poll(turn);
        }
        self.save_news(turn, before);
        turn.then(Next::Review(self.server()));
        turn.then(Next::Result(self.id()));
    }

    pub(in crate::step) fn progressed(&mut self, turn: &mut Turn<'_>, report: ProgressView) {
        let ProgressView { token: _, progress, total, message } = report;
        let news = Some(ProgressReport { progress, total, message });
        if self.call.ended() || self.call.progress == news {
            return;
        }
        self.call.progress = news;
        let kept = self.telling.progress_at;
        if kept.is_none_or(|at| turn.now.steady_ms >= at.saturating_add(KEEP_PROGRESS_EVERY)) {
            self.telling.progress_at = Some(turn.now.steady_ms);
            turn.then(Next::Save(self.id()));
        }
    }
}

impl Calls {
    /// The tasks that a subscription to this server shall tell of: those whose calls are the newest first, since somebody waits
    /// for them; so many at most.
    pub(in crate::step) fn followed_at(&mut self, server: ServerId, most: usize) -> Vec<(CallId, String)> {
        let mut tasks = Vec::new();
        for id in self.of(server).into_iter().rev() {
            let Some(live) = self.live.get_mut(&id).filter(|live| live.is_followed()) else { continue };
            live.polling.offered = true;
            if tasks.len() < most {
                tasks.extend(live.call.task.as_ref().map(|task| (id, task.task_id.clone())));
            }
        }
        tasks
    }
}
