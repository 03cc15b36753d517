//! Whether a server can be reached: one gate per server, whatever the number of its tasks.

use signalbox_mcp::{Error, Stage};
use signalbox_model::{CallId, Health, ServerId, Wire};
use signalbox_store::Write;

use super::{Turn, servers::await_trust};
use crate::{
    Effect, State, note,
    schedule::{Due, backoff, jitter},
    state::{Errand, Gate},
};

/// The first wait after a server could not be reached, in ms.
const FIRST_RETRY: u64 = 1_000;
/// The longest, in ms.
const LONGEST_RETRY: u64 = 60_000;
/// Requests that may be lost or time out in a row before the server counts as unreachable.
const FLAKY_LIMIT: u32 = 3;
/// The longest silence a server may ask for, in ms.
const LONGEST_QUIET: u64 = 3_600_000;
/// So long after a server said what it is, odd answers to single requests raise no doubt about it, in ms.
const VOUCHED: u64 = 10_000;

/// Whether the error may be about no more than the one request: too long a name, a word that a firewall dislikes.
pub(super) fn of_one_request(error: &Error) -> bool {
    matches!(error, Error::NotMcp { .. } | Error::SignInNeeded { status: 403, challenge: None })
}

impl State {
    /// What a person had to mend is mended: the server answered what the person asked for.
    pub(super) fn line_mended(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.gate == Gate::Shut && Gate::first(&station.server) == Gate::Open {
            station.gate = Gate::Down { failures: 0, since: turn.now.wall };
        }
        self.line_fine(turn, id);
    }

    /// The server answered: it can be reached. All that waited goes on.
    pub(super) fn line_fine(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.flaky = 0;
        if !matches!(station.gate, Gate::Down { .. }) {
            return;
        }
        station.gate = Gate::Open;
        if !matches!(station.server.health, Health::Ok { .. }) {
            let (latency_ms, clock_ahead_ms) = station.measured;
            station.server.health = Health::Ok { latency_ms, clock_ahead_ms };
            turn.write(Write::PutServer(station.server.clone()));
        }
        self.schedule.clear(Due::Probe(id));
        self.spread_looks(turn, id);
        self.send_owed(turn, id);
        self.plan_listening(turn, id);
    }

    /// What was held back goes, as far as the server may be told.
    pub(super) fn send_owed(&mut self, turn: &mut Turn, id: ServerId) {
        while let Some(station) = self.servers.get_mut(&id)
            && station.may_be_told(turn.now)
            && let Some(call) = station.owing.pop_first()
        {
            self.send_cancel(turn, call);
            self.deliver(turn, call);
        }
    }

    /// An errand is over, and its permit is back; false when it was none of ours.
    pub(super) fn told(&mut self, id: ServerId, errand: (CallId, Errand)) -> bool {
        self.servers.get_mut(&id).is_some_and(|station| station.telling.remove(&errand))
    }

    /// What a reply says about the server as such.
    pub(super) fn line_heard(&mut self, turn: &mut Turn, id: ServerId, error: Option<&Error>) {
        match error {
            None => self.line_fine(turn, id),
            Some(error) => self.line_trouble(turn, id, error),
        }
    }

    /// What an error of a request says about the server as such.
    pub(super) fn line_trouble(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        if of_one_request(error) { self.line_doubted(turn, id) } else { self.line_broken(turn, id, error) }
    }

    /// Something other than the server answered one request: one question, whatever the number of such requests, tells
    /// whether the server is there. The gate follows its answer.
    fn line_doubted(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.gate != Gate::Open {
            self.keep_probing(turn, id);
            return;
        }
        let vouched = station.vouched_at.is_some_and(|at| turn.now.steady_ms < at.saturating_add(VOUCHED));
        if station.probing || vouched || station.quiet_until > turn.now.steady_ms {
            return;
        }
        station.probing = true;
        turn.after(Effect::Discover { line: station.line() });
    }

    /// What an error says about the server as such, when it is about no other request.
    pub(super) fn line_broken(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        match error {
            // Whatever it said, it answered.
            Error::Rpc { .. }
            | Error::TooLarge { .. }
            | Error::TooMuch { .. }
            | Error::Protocol { .. }
            | Error::Garbled { .. } => self.line_fine(turn, id),
            // We closed it.
            Error::Closed => {}
            Error::Throttled { retry_after, .. } => {
                let wait = retry_after
                    .map_or(FIRST_RETRY, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                let until = turn.now.steady_ms + wait.min(LONGEST_QUIET);
                station.quiet_until = station.quiet_until.max(until);
                self.schedule.set(Due::Quiet(id), station.quiet_until);
            }
            Error::Lost { .. } | Error::Timeout { .. } => {
                station.flaky += 1;
                if station.flaky >= FLAKY_LIMIT {
                    self.line_down(turn, id, error);
                }
            }
            // Asking again and again would put the keychain's window in front of the person again and again.
            Error::Unreachable { stage: Stage::Keychain | Stage::Locked, .. }
            | Error::LegacyOnly { .. }
            | Error::SignInNeeded { .. } => self.line_shut(turn, id, error),
            Error::Unreachable { .. } | Error::Exited { .. } | Error::NotMcp { .. } => {
                self.line_down(turn, id, error);
            }
        }
    }

    /// Only a person can mend this.
    fn line_shut(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let was_open = std::mem::replace(&mut station.gate, Gate::Shut) == Gate::Open;
        let before = station.server.clone();
        if let Error::LegacyOnly { version } = error {
            station.server.wire = Some(Wire::Legacy);
            station.server.protocol_version.clone_from(version);
        }
        station.server.health = match (error, &station.server.health) {
            (Error::SignInNeeded { .. }, known @ Health::SignInNeeded { .. }) => known.clone(),
            (Error::SignInNeeded { .. }, _) => Health::SignInNeeded { since: turn.now.wall },
            _ => {
                let note = note(error);
                Health::Unusable { code: note.code, message: note.message, tried_at: Some(turn.now.wall) }
            }
        };
        // An error of the program that ran before says nothing of the one that nobody has confirmed.
        await_trust(&mut station.server);
        if station.server != before {
            turn.write(Write::PutServer(station.server.clone()));
        }
        // The next connection reads its secrets afresh.
        turn.after(Effect::Disconnect { server: id });
        self.schedule.clear(Due::Probe(id));
        if was_open {
            self.release_waiters(turn, id);
        }
    }

    fn line_down(&mut self, turn: &mut Turn, id: ServerId, error: &Error) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let (failures, since) = match station.gate {
            Gate::Shut => return,
            // Requests that were under way when the line broke tell nothing new.
            Gate::Down { .. } if station.probing || self.schedule.is_set(Due::Probe(id)) => return,
            Gate::Down { failures, since } => (failures + 1, since),
            Gate::Open => (1, turn.now.wall),
        };
        let was_open = std::mem::replace(&mut station.gate, Gate::Down { failures, since }) == Gate::Open;
        let wait = backoff(FIRST_RETRY, failures, LONGEST_RETRY);
        let asked = error.retry_after().map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let wait = wait.max(asked.min(LONGEST_QUIET)) + jitter(turn.seed, id.0, wait / 10);
        let note = note(error);
        let retry_at = turn.now.plus_ms(wait).wall;
        station.server.health = match error {
            Error::NotMcp { .. } | Error::Unreachable { stage: Stage::Discover, .. } => {
                Health::Unusable { code: note.code, message: note.message, tried_at: Some(turn.now.wall) }
            }
            _ => {
                let tried_at = Some(turn.now.wall);
                Health::Unreachable { code: note.code, message: note.message, since, tried_at, retry_at }
            }
        };
        turn.write(Write::PutServer(station.server.clone()));
        // A server that nobody waits for is tried when somebody needs it.
        if station.is_needed() {
            self.schedule.set(Due::Probe(id), turn.now.steady_ms + wait);
        }
        // Once per outage, whatever the number of probes: while it is down nobody begins to wait.
        if was_open {
            self.release_waiters(turn, id);
        }
    }

    /// While calls wait for a server that is down, a probe is due or under way.
    pub(super) fn keep_probing(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get(&id) else { return };
        let Gate::Down { failures, .. } = station.gate else { return };
        if station.probing || !station.is_needed() || self.schedule.is_set(Due::Probe(id)) {
            return;
        }
        let wait = backoff(FIRST_RETRY, failures, LONGEST_RETRY);
        self.schedule.set(Due::Probe(id), turn.now.steady_ms + wait);
    }

    /// Somebody needs a server that is down and that nobody tries: it is tried now.
    pub(super) fn wake(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get(&id) else { return };
        let idle = !station.probing && !self.schedule.is_set(Due::Probe(id));
        if matches!(station.gate, Gate::Down { .. }) && idle {
            self.schedule.set(Due::Probe(id), turn.now.steady_ms);
        }
    }

    pub(super) fn probe(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if matches!(station.gate, Gate::Down { .. }) && station.is_needed() {
            if station.quiet_until > turn.now.steady_ms {
                self.schedule.set(Due::Probe(id), station.quiet_until);
                return;
            }
            station.probing = true;
            turn.after(Effect::Discover { line: station.line() });
        }
    }
}
