//! When to poll a task.
//!
//! Next poll = max(server's interval, the person's floor, backoff, Retry-After) plus jitter. Only the poll just before
//! the TTL may undercut all but Retry-After. A followed task always has a due time, a place in its server's queue or a poll
//! under way, or its server's gate is not open, and then the gate's opening gives it one. Waiting is by the steady clock, and
//! polls begin in slots of a few ms, so that they share wake-ups and commits; the row's `next_poll_at` is for people and for
//! the next run.
//!
//! Push stretches polling and never replaces it: while a stream tells of a task, its polls are further apart, and as soon as
//! anything is in doubt a poll comes as early as manners allow.

use signalbox_model::{ServerId, Tracking};

use super::{
    super::{Next, Turn},
    Calls, Doubt, Live, Update,
};
use crate::{
    Granted, Token, Tuning,
    schedule::{Due, backoff, jitter, slot},
};

/// The poll interval for a server that names none, in ms.
const DEFAULT_INTERVAL: u64 = 5_000;
/// The longest interval a server may ask for, in ms: longer would let a task slip out of sight.
const LONGEST_INTERVAL: u64 = 3_600_000;
/// The longest wait after failed polls, in ms.
const LONGEST_BACKOFF: u64 = 300_000;
/// Where many tasks are polled at once, their polls are spread over this many ms for each task, but over no
/// more than the interval.
const SPREAD_PER_TASK: u64 = 5;
/// With less than this left of its TTL, in ms, a task's poll goes before those of others.
const URGENT: u64 = 30_000;
/// The polls of a task that is pushed are so many times further apart …
const STRETCH: u64 = 6;
/// … at least so many ms, and at most so many.
const STRETCHED: std::ops::RangeInclusive<u64> = 30_000..=300_000;

impl Live {
    fn interval(&self, tuning: &Tuning) -> u64 {
        let wanted = self.call.task.as_ref().and_then(|task| task.poll_interval_ms);
        let wanted = wanted.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(DEFAULT_INTERVAL);
        let polite = wanted.min(LONGEST_INTERVAL).max(tuning.poll_floor_ms);
        match self.polling.failures {
            0 => polite,
            failures => polite.max(backoff(polite, failures + 1, LONGEST_BACKOFF)),
        }
    }

    /// Whether its task is polled by the clock.
    pub(in crate::step) fn is_followed(&self) -> bool {
        !self.call.ended() && self.call.task.is_some() && self.polling.followed
    }

    /// The server's id of its task, where that can be polled.
    pub(in crate::step) fn task_to_poll(&self) -> Option<&str> {
        let task = self.call.task.as_ref().filter(|_| !self.call.ended())?;
        Some(&task.task_id)
    }

    /// Sets the time of the next poll by the rules above. The server wants silence until `quiet_until`
    /// (steady ms). `told` says that the server tells by itself how the task fares.
    pub(in crate::step) fn plan_poll(&mut self, turn: &mut Turn<'_>, quiet_until: u64, told: bool) {
        if !self.is_followed() {
            return;
        }
        let (id, interval) = (self.id(), self.interval(turn.tuning));
        let wait = interval + jitter(turn.seed, id.0, interval / 10);
        let at = slot((turn.now.steady_ms + wait).max(quiet_until));
        self.polling.poll_at = at;
        self.call.next_poll_at = Some(turn.now.plus_ms(at - turn.now.steady_ms).wall);
        let due = if told && self.is_certain() { stretched(turn.now.steady_ms, at) } else { at };
        turn.schedule.set(Due::Poll(id), due);
        self.offer(turn);
    }

    /// Whether nothing about the task waits for a poll.
    fn is_certain(&self) -> bool {
        self.polling.failures == 0
            && self.polling.not_found == 0
            && self.call.tracking == Tracking::Live
            && self.answers.update != Update::MayBeLost
            && self.polling.doubt == Doubt::None
            && !self.unsettled()
    }

    /// Takes over the time of the next poll that an earlier run has kept. A wall clock that was set back
    /// meanwhile costs one interval, or the longest backoff, and not the hours by which it was set back.
    pub(in crate::step) fn resume_poll(&mut self, turn: &Turn<'_>) {
        let interval = self.interval(turn.tuning);
        let kept = self.call.next_poll_at.map_or(0, |at| turn.now.ms_until(at));
        self.polling.poll_at = turn.now.steady_ms + kept.min((interval + interval / 10).max(LONGEST_BACKOFF));
    }

    /// Gives a followed task without a due time one that is not before its known earliest poll.
    pub(in crate::step) fn poll_soon(&mut self, turn: &mut Turn<'_>) {
        if self.is_followed() {
            let at = self.polling.poll_at.max(turn.now.steady_ms);
            turn.schedule.no_later_than(Due::Poll(self.id()), at);
            self.offer(turn);
        }
    }

    /// Only a poll settles something about this task: it comes as soon as manners allow.
    pub(in crate::step) fn want_poll(&mut self, turn: &mut Turn<'_>) {
        self.doubts();
        turn.then(Next::PollSoon(self.id()));
    }

    pub(super) fn doubts(&mut self) {
        if self.polling.doubt == Doubt::None {
            self.polling.doubt = Doubt::Open;
        }
    }

    /// From now on the clock looks after this call, whoever else is followed.
    pub(in crate::step) fn follow(&mut self, turn: &mut Turn<'_>) {
        if !std::mem::replace(&mut self.polling.followed, true) {
            turn.then(Next::PollSoon(self.id()));
        }
    }

    /// A task is followed: the subscription shall cover it.
    fn offer(&mut self, turn: &mut Turn<'_>) {
        if !std::mem::replace(&mut self.polling.offered, true) {
            turn.then(Next::Listen(self.server()));
        }
    }

    /// When the result of its task is about to be lost (steady ms). A task past its TTL has nothing left to
    /// hurry for: it must not keep others from their turns for ever.
    pub(in crate::step) fn urgent_at(&self, now: u64) -> Option<u64> {
        self.polling.dies_at.filter(|at| *at > now && *at <= now.saturating_add(URGENT))
    }

    /// The machine slept: what would have been polled by now is polled so much earlier (ms).
    pub(in crate::step) fn poll_earlier(&mut self, slept: u64) {
        self.polling.poll_at = self.polling.poll_at.saturating_sub(slept);
    }

    /// Somebody wants to know how it stands. `open`: its server may be asked.
    pub(in crate::step) fn refresh(&mut self, turn: &mut Turn<'_>, token: Token, open: bool) {
        if self.call.task.is_none() || self.call.ended() || !open {
            // Nothing to poll, or nobody to ask: nobody is kept waiting for that.
            turn.reply(token, Ok(Granted::Done));
        } else {
            self.wait_for_poll(token);
        }
        self.polling.followed = true;
        // A round that waits for a person to have finished elsewhere goes at once.
        let now = turn.now.steady_ms;
        if let Some(at) = self.round_mut().and_then(|round| round.retry_at.as_mut()) {
            *at = now;
        }
        self.plan_release(turn);
        turn.then(Next::PollSoon(self.id()));
    }

    /// Sets a new time for its poll among those of a crowd, which are spread over `crowd` ms. A task that is
    /// about to lose its result is polled early enough.
    fn spread(&mut self, turn: &mut Turn<'_>, crowd: u64) {
        let interval = self.interval(turn.tuning);
        let left = self.left(turn.now).unwrap_or(u64::MAX);
        let width = interval.min(crowd).min(left / 2);
        let now = turn.now.steady_ms;
        let at = self.polling.poll_at.max(now) + jitter(turn.seed, self.id().0, width);
        // Of what is about to lose its result, no moment is given away.
        turn.schedule.set(Due::Poll(self.id()), if left < URGENT { at } else { slot(at) });
    }

    /// The server has told nothing of the task for a while: it is polled within `crowd` ms, as soon as
    /// manners allow.
    fn poll_again(&mut self, turn: &mut Turn<'_>, crowd: u64, busy: bool) {
        let interval = self.interval(turn.tuning);
        self.doubts();
        let spread = jitter(turn.seed, self.id().0, crowd.min(interval));
        let at = slot(self.polling.poll_at.max(turn.now.steady_ms) + spread);
        if self.is_followed() && !busy {
            turn.schedule.no_later_than(Due::Poll(self.id()), at);
        }
    }
}

impl Calls {
    /// Sets new times for all polls of a server, spread out: after an outage, a change of address, a restart, a sleep. Those
    /// that are `under_way` plan their next one themselves.
    pub(in crate::step) fn spread(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        under_way: impl Fn(super::CallId) -> bool,
    ) {
        // All servers may have to be spread at the same time.
        let crowd = SPREAD_PER_TASK.saturating_mul(self.live.len() as u64);
        for id in self.of(server) {
            let Some(live) = self.live.get_mut(&id) else { continue };
            if live.is_followed() && !under_way(id) {
                live.spread(turn, crowd);
            }
        }
    }

    /// Has these calls polled as soon as manners allow, spread out. Those that are `busy` are left alone:
    /// their poll is under way, or has its place in the queue.
    pub(in crate::step) fn poll_again(
        &mut self,
        turn: &mut Turn<'_>,
        mut calls: Vec<super::CallId>,
        busy: impl Fn(super::CallId) -> bool,
    ) {
        // The order of a set is not part of what step was given.
        calls.sort_unstable();
        let crowd = SPREAD_PER_TASK.saturating_mul(calls.len() as u64);
        for id in calls {
            if let Some(live) = self.live.get_mut(&id) {
                live.poll_again(turn, crowd, busy(id));
            }
        }
    }
}

/// When to poll a task of which the server tells by itself, where manners allow a poll at `at`.
fn stretched(now: u64, at: u64) -> u64 {
    let wait = at.saturating_sub(now).saturating_mul(STRETCH);
    at.max(slot(now + wait.clamp(*STRETCHED.start(), *STRETCHED.end())))
}
