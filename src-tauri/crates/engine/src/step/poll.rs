//! When to look at a task.
//!
//! Next look = max(server's interval, the person's floor, backoff, Retry-After) plus jitter. Only the look just before
//! the TTL may undercut all but Retry-After. Of many that are due, a server gets so many at a time and a second. A followed task always has a due time, a place in the queue or a look
//! under way, or its server's gate is not open, and then the gate's opening gives it one. Waiting is by the steady
//! clock, and looks begin in slots of a few ms, so that they share wake-ups and commits; the row's `next_poll_at` is for
//! people and for the next run.

use signalbox_model::{CallId, ServerId};

use super::Turn;
use crate::{
    Effect, Granted, Refusal, State, Token,
    schedule::{Due, Schedule, backoff, jitter},
    state::{Gate, Station},
};

/// What a server gets that names no interval, in ms.
const DEFAULT_INTERVAL: u64 = 5_000;
/// The longest interval a server may ask for, in ms: longer would let a task slip out of sight.
const LONGEST_INTERVAL: u64 = 3_600_000;
/// The longest wait after failed looks, in ms.
const LONGEST_BACKOFF: u64 = 300_000;
/// Many looks at once are spread at this many ms a task, up to its interval.
const SPREAD_PER_TASK: u64 = 5;
/// After a server's silence its looks are spread over this many ms.
const SPREAD_AFTER_QUIET: u64 = 1_000;
/// With less than this left of its TTL, in ms, a task's look goes before those of others.
const URGENT: u64 = 30_000;
/// What makes a place in the queue one behind all that are about to lose their result.
const BEHIND: u64 = 1 << 63;
/// Looks begin at multiples of this many ms of the steady clock, so that they share wake-ups and commits.
pub(super) const SLOT: u64 = 16;

/// What comes this many ms after its time was kept from us by an absence.
const LATE: u64 = 10_000;
/// An absence is noticed once in this many ms: spread again and again, no look would ever come.
const REST: u64 = 60_000;

/// The first moment from `at` on at which looks begin: never earlier than manners allow.
pub(super) fn slot(at: u64) -> u64 {
    at.checked_next_multiple_of(SLOT).unwrap_or(at)
}

impl State {
    pub(super) fn interval(&self, id: CallId) -> u64 {
        let Some(live) = self.calls.get(&id) else { return DEFAULT_INTERVAL };
        let wanted = live.call.task.as_ref().and_then(|task| task.poll_interval_ms);
        let wanted = wanted.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(DEFAULT_INTERVAL);
        let polite = wanted.min(LONGEST_INTERVAL).max(self.tuning.poll_floor_ms);
        match live.failures {
            0 => polite,
            failures => polite.max(backoff(polite, failures + 1, LONGEST_BACKOFF)),
        }
    }

    /// Sets the time of the next look by the rules above.
    pub(super) fn plan_look(&mut self, turn: &mut Turn, id: CallId) {
        let interval = self.interval(id);
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get(&live.call.server) else { return };
        if live.call.ended() || live.call.task.is_none() || !live.followed {
            return;
        }
        let wait = interval + jitter(turn.seed, id.0, interval / 10);
        let at = slot((turn.now.steady_ms + wait).max(station.quiet_until));
        live.look_at = at;
        live.call.next_poll_at = Some(turn.now.plus_ms(at - turn.now.steady_ms).wall);
        let due = self.calls.get(&id).map_or(at, |live| self.stretched(turn, live, at));
        self.schedule.set(Due::Poll(id), due);
        self.offer(turn, id);
    }

    /// Takes over the time that an earlier run has kept. A wall clock that was set back meanwhile costs one interval,
    /// or the longest backoff, and not the hours it was set back.
    pub(super) fn resume_look(&mut self, turn: &Turn, id: CallId) {
        let interval = self.interval(id);
        let Some(live) = self.calls.get_mut(&id) else { return };
        let kept = live.call.next_poll_at.map_or(0, |at| turn.now.ms_until(at));
        live.look_at = turn.now.steady_ms + kept.min((interval + interval / 10).max(LONGEST_BACKOFF));
    }

    /// Gives a followed task that has none its due time: not before the one that is known.
    pub(super) fn plan_first_look(&mut self, turn: &mut Turn, id: CallId) {
        if let Some(live) = self.calls.get(&id)
            && self.waits_for_clock(id)
        {
            self.schedule.no_later_than(Due::Poll(id), live.look_at.max(turn.now.steady_ms));
            self.offer(turn, id);
        }
    }

    /// Whether the next look at this task is for the schedule to bring: none is under way or waits for a permit.
    pub(super) fn waits_for_clock(&self, id: CallId) -> bool {
        let Some(live) = self.calls.get(&id) else { return false };
        let Some(station) = self.servers.get(&live.call.server) else { return false };
        let waits = station.looking.contains_key(&id) || station.queue.is_set(id);
        !live.call.ended() && live.call.task.is_some() && live.followed && !waits
    }

    /// From now on the clock looks after this call, whoever else is followed.
    pub(super) fn follow(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if !std::mem::replace(&mut live.followed, true) {
            self.plan_first_look(turn, id);
        }
    }

    /// Looks as soon as the server may be asked and it is this task's turn.
    pub(super) fn look(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let server = live.call.server;
        let Some(station) = self.servers.get_mut(&server) else { return };
        let idle = live.call.ended() || live.call.task.is_none();
        if idle || station.looking.contains_key(&id) || station.gate != Gate::Open {
            // The reply plans the next look; a gate that opens gives all looks of its server new times.
            return;
        }
        let now = turn.now.steady_ms;
        // What is past its TTL has nothing left to hurry for: it must not keep others from their turns for ever.
        let dying = live.dies_at.filter(|at| *at > now && *at <= now.saturating_add(URGENT));
        station.queue.no_later_than(id, dying.unwrap_or(BEHIND | now));
        self.admit(turn, server);
    }

    /// Begins the looks whose turn it is, as far as permits and the pace allow.
    pub(super) fn admit(&mut self, turn: &mut Turn, server: ServerId) {
        let now = turn.now.steady_ms;
        while let Some(station) = self.servers.get_mut(&server)
            && station.looking.len() < Station::PERMITS
            && !station.queue.is_empty()
        {
            let quiet = station.quiet_until > now;
            let begun = if quiet { Ok(0) } else { station.pace.begin(now, self.tuning.looks_per_second) };
            let expected = match begun {
                Ok(expected) => expected,
                Err(at) => return self.schedule.no_later_than(Due::Admit(server), slot(at)),
            };
            let Some(id) = station.queue.pop(u64::MAX) else { return };
            let live = self.calls.get(&id).filter(|live| !live.call.ended());
            let Some((live, task)) = live.and_then(|live| Some((live, live.call.task.as_ref()?))) else {
                station.pace.answered(now, expected, None);
                continue;
            };
            if quiet {
                let left = live.left(turn.now).unwrap_or(u64::MAX);
                let spread = jitter(turn.seed, id.0, left.min(SPREAD_AFTER_QUIET));
                self.schedule.set(Due::Poll(id), station.quiet_until + spread);
                continue;
            }
            station.looking.insert(id, expected);
            turn.after(Effect::GetTask { line: station.line(), call: id, task_id: task.task_id.clone() });
        }
    }

    pub(super) fn refresh(&mut self, turn: &mut Turn, token: Token, id: CallId) -> Result<(), Refusal> {
        let Some(live) = self.calls.get_mut(&id) else {
            // It has ended, and is not in memory any more. This reply comes after the commit of its end.
            turn.reply(token, Ok(Granted::Done));
            return Ok(());
        };
        let station = self.servers.get(&live.call.server).ok_or(Refusal::UnknownServer)?;
        let idle = live.call.task.is_none() || live.call.ended() || station.gate != Gate::Open;
        if idle {
            // Nothing to look at, or nobody to ask: nobody is kept waiting for that.
            turn.reply(token, Ok(Granted::Done));
        } else {
            live.waiters.push(token);
        }
        live.followed = true;
        // A round that waits for a person to have finished elsewhere goes at once.
        if let Some(at) = live.round.as_mut().and_then(|round| round.retry_at.as_mut()) {
            *at = turn.now.steady_ms;
        }
        self.plan_release(id);
        self.plan_first_look(turn, id);
        Ok(())
    }

    /// Whoever waits for a look of this server is told to go by what is known: its gate has closed.
    pub(super) fn release_waiters(&mut self, turn: &mut Turn, server: ServerId) {
        self.stop_listening(turn, server);
        let Some(station) = self.servers.get_mut(&server) else { return };
        station.queue = Schedule::default();
        for id in &station.calls {
            let Some(live) = self.calls.get_mut(id) else { continue };
            for token in std::mem::take(&mut live.waiters) {
                turn.reply(token, Ok(Granted::Done));
            }
        }
    }

    /// Sets new times for all looks of a server, spread out: after an outage, a change of address, a restart, a sleep.
    /// What is about to lose its result comes early enough.
    pub(super) fn spread_looks(&mut self, turn: &mut Turn, server: ServerId) {
        let Some(station) = self.servers.get(&server) else { return };
        let idle = station.calls.iter().filter(|id| !station.looking.contains_key(id)).copied();
        let mut calls: Vec<CallId> = idle.collect();
        // The order of a set is not part of what step was given.
        calls.sort_unstable();
        // All servers may have to be spread at the same time.
        let crowd = SPREAD_PER_TASK.saturating_mul(self.calls.len() as u64);
        for id in calls {
            let interval = self.interval(id);
            let Some(live) = self.calls.get(&id) else { continue };
            if live.call.task.is_none() || live.call.ended() || !live.followed {
                continue;
            }
            let left = live.left(turn.now).unwrap_or(u64::MAX);
            let width = interval.min(crowd).min(left / 2);
            let at = live.look_at.max(turn.now.steady_ms) + jitter(turn.seed, id.0, width);
            // Of what is about to lose its result, no moment is given away.
            self.schedule.set(Due::Poll(id), if left < URGENT { at } else { slot(at) });
        }
    }

    /// Notices that time passed without us: the machine slept, the process was stopped, the disk was full for a while,
    /// or a wall clock that was set looks as if. Whatever was due meanwhile is spread instead of coming at once.
    pub(super) fn notice_absence(&mut self, turn: &mut Turn) {
        let now = turn.now;
        let Some(last) = self.last.replace(now) else { return };
        let late = self.schedule.next().is_some_and(|due| now.steady_ms > due.saturating_add(LATE));
        // The steady clock may stand still while the machine sleeps: then only the wall clock knows.
        let passed = i64::try_from(now.steady_ms.saturating_sub(last.steady_ms)).unwrap_or(i64::MAX);
        let slept = u64::try_from(now.wall.ms_since(last.wall).saturating_sub(passed)).unwrap_or(0);
        let rested = self.woke_at.is_none_or(|at| now.steady_ms >= at.saturating_add(REST));
        if !(late || slept > LATE) || !rested {
            return;
        }
        self.woke_at = Some(now.steady_ms);
        turn.woke = true;
        if slept > LATE {
            self.put_sweep_off(turn);
            for live in self.calls.values_mut() {
                live.look_at = live.look_at.saturating_sub(slept);
            }
        }
        let mut servers: Vec<ServerId> = self.servers.keys().copied().collect();
        servers.sort_unstable();
        for id in servers {
            self.spread_looks(turn, id);
        }
    }
}
