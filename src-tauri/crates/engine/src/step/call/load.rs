//! A call that an earlier run left to us.

use signalbox_model::{Call, Task};

use super::{Live, Polling, Update};
use crate::Now;

impl Live {
    /// As the store held it. `followed` says whether its task is polled by the clock from now on.
    pub(in crate::step) fn load(call: Call, followed: bool, now: Now) -> Self {
        let dies_at = call.task.as_ref().and_then(|task| dies_at(task, now));
        Self { polling: Polling { followed, dies_at, ..Polling::default() }, ..Self::new(call) }
    }

    /// Whether an answer was sent before the end of the last run, nobody knows: a poll comes before it is sent again.
    pub(in crate::step) fn doubt_answers(&mut self) {
        self.answers.update = Update::MayBeLost;
    }

    /// Something of it is still on its way, here or (`on_wire`) on its connection: it is followed until that has arrived.
    pub(in crate::step) fn follow_what_is_owed(&mut self, on_wire: bool) {
        self.polling.followed |= self.owes() || on_wire;
    }
}

/// When the task dies, by the steady clock. A wall clock that was set back meanwhile makes its life no longer than its TTL.
fn dies_at(task: &Task, now: Now) -> Option<u64> {
    let left = now.ms_until(task.expires_at?);
    let most = task.ttl_ms.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(left);
    Some(now.steady_ms.saturating_add(left.min(most)))
}
