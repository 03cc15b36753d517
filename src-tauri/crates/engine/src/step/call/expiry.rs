//! The TTL: a poll just before it passes, to fetch a result that would vanish, and one just after, to know.
//!
//! It counts from our first sight of the task by our steady clock, since the server's clock may be wrong, and ours may
//! be set. What the row says of it is for people.

use signalbox_mcp::{TaskView, Ttl};
use signalbox_model::{EventKind, Reason, Timestamp, Tracking};

use super::{
    super::{Beside, Next, Turn},
    Live,
};
use crate::{Now, schedule::Due};

/// How long before the TTL passes the last poll is planned, in ms; less when there is less.
const LEAD: u64 = 2_000;
/// How long after it passed the poll that tells is planned, in ms.
const LAG: u64 = 250;

/// Takes the TTL. Of the server's clock only the age of the task at our first sight of it is believed.
pub(super) fn take_ttl(live: &mut Live, view: &TaskView, now: Now) {
    let Some(task) = &mut live.call.task else { return };
    let ttl = match view.ttl {
        Ttl::Unlimited => None,
        Ttl::Ms(ms) => Some(ms),
        Ttl::Unknown => return,
    };
    task.unlimited = Some(ttl.is_none());
    if ttl == task.ttl_ms {
        return;
    }
    let age = match (task.ttl_ms, live.polling.dies_at) {
        (Some(before), Some(dies_at)) => before.saturating_sub(signed(dies_at) - signed(now.steady_ms)),
        _ => match (view.created_at, view.last_updated_at) {
            // Whatever the clocks say: it is alive now.
            (Some(created), Some(updated)) => updated.ms_since(created).clamp(0, ttl.unwrap_or(0)),
            _ => 0,
        },
    };
    let left = ttl.map(|ms| ms.saturating_sub(age));
    task.ttl_ms = ttl;
    task.expires_at = left.map(|ms| now.wall.plus_ms(ms));
    live.polling.dies_at = left.map(|ms| now.steady_ms.saturating_add(u64::try_from(ms).unwrap_or(0)));
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

impl Live {
    /// Whether the TTL has passed, by the clock that nobody can set.
    pub(super) fn dead(&self, now: Now) -> bool {
        self.polling.dies_at.is_some_and(|at| at <= now.steady_ms)
    }

    fn expires_at(&self) -> Option<Timestamp> {
        self.call.task.as_ref()?.expires_at
    }

    /// Whether the TTL has passed by either clock: the steady one may have stood still while the machine slept.
    pub(super) fn dead_by_any_clock(&self, now: Now) -> bool {
        self.dead(now) || self.expires_at().is_some_and(|at| at <= now.wall)
    }

    /// What is left of the TTL in ms by the clock that says less; none when it is unlimited, or has passed.
    pub(in crate::step) fn left(&self, now: Now) -> Option<u64> {
        let steady = self.polling.dies_at?.saturating_sub(now.steady_ms);
        let wall = self.expires_at().map_or(steady, |at| now.ms_until(at));
        Some(steady.min(wall)).filter(|left| *left > 0)
    }

    /// What is left of the TTL in ms by the clock that says less, 0 when it has passed; none when it is unlimited.
    pub(in crate::step) fn time_left(&self, now: Now) -> Option<u64> {
        self.polling.dies_at.map(|_| self.left(now).unwrap_or(0))
    }

    /// Of a task that was just seen alive: the row's time is of a wall clock that has been set since, when it has
    /// passed, or lies further ahead than the whole TTL.
    pub(super) fn expiry_misdated(&self, now: Now) -> bool {
        let Some(task) = &self.call.task else { return false };
        let (Some(expires), Some(ttl)) = (task.expires_at, task.ttl_ms) else { return false };
        let left = expires.ms_since(now.wall);
        !self.dead(now) && (left <= 0 || left > ttl)
    }

    /// Dates the end anew, by today's wall clock.
    pub(super) fn redate_expiry(&mut self, now: Now) {
        let (Some(task), Some(at)) = (&mut self.call.task, self.polling.dies_at) else { return };
        task.expires_at = Some(now.wall.plus_ms(signed(at) - signed(now.steady_ms)));
    }
}

impl Live {
    /// Plans the poll just before the TTL passes.
    pub(in crate::step) fn plan_expiry(&self, turn: &mut Turn<'_>) {
        let Some(dies_at) = self.polling.dies_at else {
            turn.schedule.clear(Due::Expiry(self.id()));
            return;
        };
        let left = dies_at.saturating_sub(turn.now.steady_ms);
        turn.schedule.set(Due::Expiry(self.id()), turn.now.steady_ms + left - (left / 10).min(LEAD));
    }

    /// The TTL passes soon, or has just passed. Says whether it is to be polled now. `open`: its server may be asked, and
    /// decides; else this is all that is known.
    pub(in crate::step) fn expiry(&mut self, turn: &mut Turn<'_>, open: bool) -> bool {
        let Some(dies_at) = self.polling.dies_at else { return false };
        let due = Due::Expiry(self.id());
        if !self.dead(turn.now) {
            turn.schedule.set(due, dies_at.saturating_add(LAG));
        } else if !open {
            self.expired(turn);
            return false;
        } else if turn.woke {
            // It passed while we were away: nothing is left to hurry for, and the poll that tells is planned already.
            return false;
        }
        if !self.polling.followed {
            return false;
        }
        // A server that moves the TTL with every poll must not make us poll all the time.
        let rested = self.polling.hurried_at.map_or(0, |at| at.saturating_add(turn.tuning.poll_floor_ms));
        if turn.now.steady_ms < rested {
            turn.schedule.set(due, rested);
            return false;
        }
        self.polling.hurried_at = Some(turn.now.steady_ms);
        true
    }

    /// The TTL has passed, and the server cannot be asked what became of the task. Only the server ends it.
    pub(super) fn expired(&mut self, turn: &mut Turn<'_>) {
        if self.call.tracking == Tracking::Expired {
            return;
        }
        self.call.tracking = Tracking::Expired;
        self.call.note = Some(Reason::TtlPassed.into());
        turn.event(self.id(), EventKind::TtlPassed, None, Beside::Nothing);
        turn.then(Next::Save(self.id()));
    }
}
