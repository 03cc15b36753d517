//! When to look at a task, and what a look brings.
//!
//! Next look = max(server's interval, the person's floor, backoff, Retry-After) plus jitter. Only the look just before
//! the TTL may undercut all but Retry-After.

use signalbox_mcp::{Error, TaskView};
use signalbox_model::{CallId, EventKind, Json, Note, Origin, Outcome, ServerId, Status, Tracking};

use super::Turn;
use crate::{
    Effect, Follow, Granted, Refusal, State, Token, note,
    schedule::{Due, backoff, jitter},
    state::{Gate, Station},
};

/// What a server gets that names no interval, in ms.
const DEFAULT_INTERVAL: u64 = 5_000;
/// The longest interval a server may ask for, in ms: longer would let a task slip out of sight.
const LONGEST_INTERVAL: u64 = 3_600_000;
/// The longest wait after failed looks, in ms.
const LONGEST_BACKOFF: u64 = 300_000;
/// Failed looks in a row about one task before it counts as stalled.
const STALLED_AFTER: u32 = 3;
/// A restart spreads the looks at this many ms a task, up to its interval.
const SPREAD_PER_TASK: u64 = 5;

impl State {
    fn interval(&self, id: CallId) -> u64 {
        let Some(live) = self.calls.get(&id) else { return DEFAULT_INTERVAL };
        let wanted = live.call.task.as_ref().and_then(|task| task.poll_interval_ms);
        let wanted = wanted.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(DEFAULT_INTERVAL);
        let polite = wanted.clamp(self.tuning.poll_floor_ms, LONGEST_INTERVAL.max(self.tuning.poll_floor_ms));
        match live.failures {
            0 => polite,
            failures => polite.max(backoff(polite, failures + 1, LONGEST_BACKOFF)),
        }
    }

    /// Sets the time of the next look by the rules above. Looks under way plan the next one themselves.
    pub(super) fn plan_look(&mut self, turn: &mut Turn, id: CallId) {
        let interval = self.interval(id);
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get(&live.call.server) else { return };
        if live.call.ended() || live.call.task.is_none() || !live.followed {
            return;
        }
        let wait = interval + jitter(turn.seed, id.0, interval / 10);
        let at = (turn.now.steady_ms + wait).max(station.quiet_until);
        live.call.next_poll_at = Some(turn.now.plus_ms(at - turn.now.steady_ms).wall);
        self.schedule.set(Due::Poll(id), at);
    }

    /// Looks now if the server may be asked and a permit is free; else waits for either.
    pub(super) fn look(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        if live.call.ended() || live.polling || station.gate != Gate::Open {
            // A gate that opens again spreads all looks of its server.
            return;
        }
        if station.quiet_until > turn.now.steady_ms {
            let spread = jitter(turn.seed, id.0, 1_000);
            self.schedule.set(Due::Poll(id), station.quiet_until + spread);
            return;
        }
        if station.polls >= Station::PERMITS {
            if !station.queue.contains(&id) {
                station.queue.push_back(id);
            }
            return;
        }
        let Some(task) = &live.call.task else { return };
        live.polling = true;
        station.polls += 1;
        turn.after(Effect::GetTask { line: station.line(), call: id, task_id: task.task_id.clone() });
    }

    /// Gives back a permit and lets the next in the queue look.
    fn permit_back(&mut self, turn: &mut Turn, server: ServerId) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        station.polls = station.polls.saturating_sub(1);
        if let Some(next) = station.queue.pop_front() {
            self.look(turn, next);
        }
    }

    pub(super) fn polled(&mut self, turn: &mut Turn, id: CallId, reply: Result<Json, Error>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if !live.polling {
            return;
        }
        live.polling = false;
        let server = live.call.server;
        for token in std::mem::take(&mut live.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
        self.permit_back(turn, server);
        match reply {
            Ok(raw) => self.seen(turn, id, raw),
            Err(error) => self.look_failed(turn, id, &error),
        }
        self.retire(id);
    }

    fn seen(&mut self, turn: &mut Turn, id: CallId, raw: Json) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.ended() {
            return;
        }
        let server = live.call.server;
        let troubled = live.call.tracking != Tracking::Live;
        let same = live.last.as_ref() == Some(&raw);
        live.failures = 0;
        live.not_found = 0;
        live.look_first = false;
        if troubled {
            live.call.tracking = Tracking::Live;
            live.call.note = None;
            turn.event(id, EventKind::Recovered, None, None);
        }
        self.line_fine(turn, server);
        // The common case costs a comparison of bytes and a new due time, and no write.
        if same && !troubled && !self.calls[&id].unsettled() {
            self.plan_look(turn, id);
            return;
        }
        let view = TaskView::read(&raw);
        self.plan_look(turn, id);
        self.take_state(turn, id, &view, raw, same);
        self.send_cancel(turn, id);
        self.deliver(turn, id);
    }

    fn look_failed(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.ended() {
            return;
        }
        let server = live.call.server;
        self.line_trouble(turn, Some(server), error);
        let Some(live) = self.calls.get_mut(&id) else { return };
        match error {
            Error::Rpc { code: -32602, .. } => self.not_found(turn, id, error),
            Error::Rpc { .. } | Error::TooLarge { .. } | Error::Protocol { .. } => {
                live.failures += 1;
                if live.failures >= STALLED_AFTER && live.call.tracking != Tracking::Stalled {
                    live.call.tracking = Tracking::Stalled;
                    let note = note(error);
                    live.call.note = Some(note.clone());
                    turn.event(id, EventKind::Trouble, None, Some(note.message));
                    self.plan_look(turn, id);
                    self.save(turn, id);
                    return;
                }
                self.plan_look(turn, id);
            }
            // About the server, not about this task: its gate decides.
            _ => {
                if matches!(error, Error::Lost { .. } | Error::Timeout { .. }) {
                    live.failures += 1;
                }
                self.plan_look(turn, id);
            }
        }
    }

    /// The server says it does not know the task. Past its TTL, or of a handle never seen alive, once is enough.
    fn not_found(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.not_found += 1;
        let expired =
            live.call.task.as_ref().and_then(|task| task.expires_at).is_some_and(|at| at <= turn.now.wall);
        let never_seen =
            live.call.origin == Origin::Adopted && live.last.is_none() && live.call.status == Status::Unknown;
        if expired {
            let message = "Its time to live passed, and the server has forgotten it".to_owned();
            self.finish(turn, id, Outcome::Expired, Some(Note { code: "unknown_item".to_owned(), message }));
        } else if never_seen || live.not_found >= 2 {
            let message = format!("The server does not know this task. {}", note(error).message);
            self.finish(turn, id, Outcome::Lost, Some(Note { code: "unknown_item".to_owned(), message }));
        } else {
            live.call.tracking = Tracking::NotFound;
            let note = note(error);
            live.call.note = Some(note.clone());
            turn.event(id, EventKind::Trouble, None, Some(note.message));
            self.plan_look(turn, id);
            self.save(turn, id);
        }
    }

    /// Plans the look just before the TTL passes, and the one just after.
    pub(super) fn plan_expiry(&mut self, turn: &mut Turn, id: CallId) {
        let expires = self.calls.get(&id).and_then(|live| live.call.task.as_ref()?.expires_at);
        let Some(expires) = expires else {
            self.schedule.clear(Due::Expiry(id));
            return;
        };
        let left = turn.now.ms_until(expires);
        let lead = (left / 10).min(2_000);
        self.schedule.set(Due::Expiry(id), turn.now.steady_ms + left - lead);
    }

    pub(super) fn expiry(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(expires) = live.call.task.as_ref().and_then(|task| task.expires_at) else { return };
        let left = turn.now.ms_until(expires);
        if left > 0 {
            // Just before: whatever the interval, this may be the last chance to fetch a result.
            self.schedule.set(Due::Expiry(id), turn.now.steady_ms + left + 250);
        } else {
            let open = self.servers.get(&live.call.server).is_some_and(|station| station.gate == Gate::Open);
            if !open && live.call.tracking != Tracking::Expired {
                live.call.tracking = Tracking::Expired;
                self.save(turn, id);
                return;
            }
        }
        self.look(turn, id);
    }

    pub(super) fn refresh(&mut self, turn: &mut Turn, token: Token, id: CallId) -> Result<(), Refusal> {
        let Some(live) = self.calls.get_mut(&id) else {
            return Err(Refusal::Closed);
        };
        let Some(station) = self.servers.get(&live.call.server) else { return Err(Refusal::UnknownServer) };
        if live.call.task.is_none() || live.call.ended() || station.gate == Gate::Shut {
            turn.reply(token, Ok(Granted::Done));
            return Ok(());
        }
        live.followed = true;
        live.waiters.push(token);
        if !live.polling {
            let wait = live.call.next_poll_at.map_or(0, |at| turn.now.ms_until(at));
            self.schedule.no_later_than(Due::Poll(id), turn.now.steady_ms + wait);
        }
        Ok(())
    }

    /// Sets new times for all looks of a server, spread out: after an outage, a change of address, a restart.
    pub(super) fn spread_looks(&mut self, turn: &mut Turn, server: ServerId) {
        let Some(station) = self.servers.get(&server) else { return };
        let calls: Vec<CallId> = station.calls.iter().copied().collect();
        let crowd = SPREAD_PER_TASK.saturating_mul(calls.len() as u64);
        for id in calls {
            let width = self.interval(id).min(crowd);
            let Some(live) = self.calls.get(&id) else { continue };
            if live.call.task.is_none() || live.polling || !live.followed {
                continue;
            }
            let wait = live.call.next_poll_at.map_or(0, |at| turn.now.ms_until(at)).min(LONGEST_INTERVAL);
            self.schedule.set(Due::Poll(id), turn.now.steady_ms + wait + jitter(turn.seed, id.0, width));
        }
    }

    pub(crate) fn follows_all(&self) -> bool {
        self.follow == Follow::All
    }
}
