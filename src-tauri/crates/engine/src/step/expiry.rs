//! The TTL: a look just before it passes, to fetch a result that would vanish, and one just after, to know.

use signalbox_mcp::{TaskView, Ttl};
use signalbox_model::{CallId, Task, Timestamp, Tracking};

use super::Turn;
use crate::{
    State,
    schedule::Due,
    state::{Gate, Station},
};

/// How long before the TTL passes the last look is planned, in ms; less when there is less.
const LEAD: u64 = 2_000;
/// How long after it passed the look that tells is planned, in ms.
const LAG: u64 = 250;

/// Takes the TTL. It counts from our first sight of the task, by our clock, since the server's may be wrong; of its
/// clock only the age of the task at that sight is believed.
pub(super) fn take_ttl(task: &mut Task, view: &TaskView, now: Timestamp) {
    let ttl = match view.ttl {
        Ttl::Unlimited => None,
        Ttl::Ms(ms) => Some(ms),
        Ttl::Unknown => return,
    };
    if ttl == task.ttl_ms {
        return;
    }
    let born = match (task.expires_at, task.ttl_ms) {
        (Some(expires), Some(before)) => expires.plus_ms(-before),
        _ => {
            let age = match (view.created_at, view.last_updated_at) {
                (Some(created), Some(updated)) => updated.ms_since(created),
                _ => 0,
            };
            // Whatever the clocks say: it is alive now.
            now.plus_ms(-age.clamp(0, ttl.unwrap_or(0)))
        }
    };
    task.ttl_ms = ttl;
    task.expires_at = ttl.map(|ms| born.plus_ms(ms));
}

impl State {
    /// Plans the look just before the TTL passes.
    pub(super) fn plan_expiry(&mut self, turn: &mut Turn, id: CallId) {
        let expires = self.calls.get(&id).and_then(|live| live.call.task.as_ref()?.expires_at);
        let Some(expires) = expires else {
            self.schedule.clear(Due::Expiry(id));
            return;
        };
        let left = turn.now.ms_until(expires);
        self.schedule.set(Due::Expiry(id), turn.now.steady_ms + left - (left / 10).min(LEAD));
    }

    pub(super) fn expiry(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(expires) = live.call.task.as_ref().and_then(|task| task.expires_at) else { return };
        let left = turn.now.ms_until(expires);
        if left > 0 {
            self.schedule.set(Due::Expiry(id), turn.now.steady_ms + left + LAG);
        } else if live.call.tracking != Tracking::Expired {
            let station = self.servers.get(&live.call.server);
            // A server that can be asked decides; else this is all that is known.
            if station.is_none_or(|station: &Station| station.gate != Gate::Open) {
                live.call.tracking = Tracking::Expired;
                self.save(turn, id);
                return;
            }
        }
        if self.calls.get(&id).is_some_and(|live| live.followed) {
            self.look(turn, id);
        }
    }
}
