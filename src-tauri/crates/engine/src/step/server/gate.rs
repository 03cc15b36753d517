//! Whether a server can be reached: one gate per server, whatever the number of its tasks.
//!
//! A server that cannot be reached is probed once per backoff. When it is back, its polls are spread out, as after a
//! start, a sleep or a stopped process (`absence`). A `Retry-After` holds back answers, wishes to cancel and probes
//! too; what it held back (`Errands::held_back`) goes when it ends.
//!
//! That a server cannot be reached is kept once, in its row. A task is shown as `unreachable` because its server's row
//! says so; no row is written per task when a server goes away.

use signalbox_mcp::{Error, Stage};
use signalbox_model::{Health, Wire};
use signalbox_store::Write;

use super::{
    super::{Next, Turn},
    Gate, Station,
    record::await_trust,
};
use crate::{
    Effect, note,
    schedule::{Due, FIRST_RETRY, LONGEST_RETRY, backoff, jitter},
};

/// Requests that may be lost or time out in a row before the server counts as unreachable.
const FLAKY_LIMIT: u32 = 3;
/// The longest silence a server may ask for, in ms.
const LONGEST_QUIET: u64 = 3_600_000;
/// So long after a server said what it is, odd answers to single requests raise no doubt about it, in ms.
const VOUCHED: u64 = 10_000;

/// Whether the error may be about no more than the one request: too long a name, a word that a firewall dislikes; a session
/// that is over, when another one stands by now.
fn of_one_request(error: &Error) -> bool {
    error.session_is_over()
        || matches!(error, Error::NotMcp { .. } | Error::SignInNeeded { status: 403, challenge: None })
}

impl Station {
    /// What a person had to mend is mended: the server answered what the person asked for.
    pub(in crate::step) fn mended(&mut self, turn: &mut Turn<'_>) {
        self.try_again(turn);
        self.fine(turn);
    }

    /// Who has it tried again has mended what had shut it, as far as they know: from here on it is like any other that does not
    /// answer, and goes on by itself when it does.
    pub(super) fn try_again(&mut self, turn: &Turn<'_>) {
        if matches!(self.reach.gate, Gate::Shut { .. }) && Gate::first(&self.server) == Gate::Open {
            self.reach.gate = Gate::Down { failures: 0, since: turn.now.wall };
        }
    }

    /// The server answered: it can be reached. All that waited goes on.
    pub(super) fn fine(&mut self, turn: &mut Turn<'_>) {
        self.reach.flaky = 0;
        if !matches!(self.reach.gate, Gate::Down { .. }) {
            return;
        }
        self.reach.gate = Gate::Open;
        if !matches!(self.server.health, Health::Ok { .. }) {
            let (latency_ms, clock_ahead_ms) = self.reach.measured;
            self.server.health = Health::Ok { latency_ms, clock_ahead_ms };
            turn.write(Write::PutServer(self.server.clone()));
        }
        let id = self.id();
        turn.schedule.clear(Due::Probe(id));
        for next in [Next::Spread(id), Next::Owed(id), Next::Listen(id)] {
            turn.then(next);
        }
    }

    /// What a reply says about the server as such.
    pub(in crate::step) fn answered(&mut self, turn: &mut Turn<'_>, error: Option<&Error>) {
        match error {
            None => self.fine(turn),
            Some(error) if of_one_request(error) => self.doubted(turn),
            Some(error) => self.broken(turn, error),
        }
    }

    /// Something other than the server answered one request: one question, whatever the number of such requests, tells
    /// whether the server is there. The gate follows its answer.
    fn doubted(&mut self, turn: &mut Turn<'_>) {
        if !self.is_open() {
            return turn.then(Next::Probe(self.id()));
        }
        let vouched = self.reach.vouched_at.is_some_and(|at| turn.now.steady_ms < at.saturating_add(VOUCHED));
        if !vouched && !self.is_quiet(turn.now) {
            self.discover(turn);
        }
    }

    /// Asks what it is, unless that is under way.
    pub(in crate::step) fn discover(&mut self, turn: &mut Turn<'_>) {
        if !std::mem::replace(&mut self.reach.probing, true) {
            turn.after(Effect::Discover { line: self.line(turn.tuning) });
        }
    }

    /// What an error says about the server as such, when it is about no other request.
    pub(in crate::step) fn broken(&mut self, turn: &mut Turn<'_>, error: &Error) {
        match error {
            // Whatever it said, it answered.
            Error::Rpc { .. }
            | Error::TooLarge { .. }
            | Error::TooMuch { .. }
            | Error::Protocol { .. }
            | Error::Garbled { .. } => self.fine(turn),
            // We closed it.
            Error::Closed => {}
            Error::Throttled { retry_after, .. } => {
                let wait = retry_after
                    .map_or(FIRST_RETRY, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                let until = turn.now.steady_ms + wait.min(LONGEST_QUIET);
                self.reach.quiet_until = self.reach.quiet_until.max(until);
                turn.schedule.set(Due::Quiet(self.id()), self.reach.quiet_until);
            }
            Error::Lost { .. } | Error::Timeout { .. } => {
                self.reach.flaky += 1;
                if self.reach.flaky >= FLAKY_LIMIT {
                    self.down(turn, error);
                }
            }
            // Asking again and again would put the keychain's window in front of the person again and again.
            Error::Unreachable { stage: Stage::Keychain | Stage::Locked, .. }
            | Error::LegacyOnly { .. }
            | Error::SignInNeeded { .. } => self.shut(turn, error),
            Error::Unreachable { .. } | Error::Exited { .. } | Error::NotMcp { .. } => self.down(turn, error),
        }
    }

    /// Why a request failed, as people are told. Where we closed its connection because of what another request had come to,
    /// that is the reason.
    pub(in crate::step) fn cause(&self, error: Error) -> Error {
        match (error, &self.reach.gate) {
            (Error::Closed, Gate::Shut { by: Some(why) }) => Error::clone(why),
            (error, _) => error,
        }
    }

    /// Only a person can mend this.
    fn shut(&mut self, turn: &mut Turn<'_>, error: &Error) {
        let id = self.id();
        let shut = Gate::Shut { by: Some(Box::new(error.clone())) };
        let was_open = std::mem::replace(&mut self.reach.gate, shut) == Gate::Open;
        let before = self.server.clone();
        if let Error::LegacyOnly { version } = error {
            self.server.wire = Some(Wire::Legacy);
            self.server.protocol_version.clone_from(version);
        }
        self.server.health = match (error, &self.server.health) {
            (Error::SignInNeeded { .. }, known @ Health::SignInNeeded { .. }) => known.clone(),
            (Error::SignInNeeded { .. }, _) => Health::SignInNeeded { since: turn.now.wall },
            _ => Health::Unusable { note: note(error), tried_at: Some(turn.now.wall) },
        };
        // An error of the program that ran before says nothing of the one that nobody has confirmed.
        await_trust(&mut self.server);
        if self.server != before {
            turn.write(Write::PutServer(self.server.clone()));
        }
        // The next connection reads its secrets afresh.
        turn.after(Effect::Disconnect { server: id });
        turn.schedule.clear(Due::Probe(id));
        if was_open {
            turn.then(Next::Closed(id));
        }
    }

    fn down(&mut self, turn: &mut Turn<'_>, error: &Error) {
        let id = self.id();
        let (failures, since) = match self.reach.gate {
            Gate::Shut { .. } => return,
            // Requests that were under way when the line broke tell nothing new.
            Gate::Down { .. } if self.reach.probing || turn.schedule.is_set(Due::Probe(id)) => return,
            Gate::Down { failures, since } => (failures + 1, since),
            Gate::Open => (1, turn.now.wall),
        };
        let was_open = std::mem::replace(&mut self.reach.gate, Gate::Down { failures, since }) == Gate::Open;
        let wait = backoff(FIRST_RETRY, failures, LONGEST_RETRY);
        let asked = error.retry_after().map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let wait = wait.max(asked.min(LONGEST_QUIET)) + jitter(turn.seed, id.0, wait / 10);
        let note = note(error);
        let retry_at = turn.now.plus_ms(wait).wall;
        self.server.health = match error {
            Error::NotMcp { .. } | Error::Unreachable { stage: Stage::Discover, .. } => {
                Health::Unusable { note, tried_at: Some(turn.now.wall) }
            }
            _ => {
                let tried_at = Some(turn.now.wall);
                Health::Unreachable { note, since, tried_at, retry_at }
            }
        };
        turn.write(Write::PutServer(self.server.clone()));
        turn.schedule.set(Due::Probe(id), turn.now.steady_ms + wait);
        turn.then(Next::Probe(id));
        // Once per outage, whatever the number of probes: while it is down nobody begins to wait.
        if was_open {
            turn.then(Next::Closed(id));
        }
    }

    /// While somebody needs a server that is down, a probe is due or under way. A server that nobody waits for is tried when
    /// somebody needs it.
    pub(in crate::step) fn keep_probing(&mut self, turn: &mut Turn<'_>, needed: bool) {
        let Gate::Down { failures, .. } = self.reach.gate else { return };
        let due = Due::Probe(self.id());
        if !needed {
            turn.schedule.clear(due);
        } else if !self.reach.probing && !turn.schedule.is_set(due) {
            let wait = backoff(FIRST_RETRY, failures, LONGEST_RETRY);
            turn.schedule.set(due, turn.now.steady_ms + wait);
        }
    }

    /// Somebody needs a server that is down and that nobody tries: it is tried now.
    pub(in crate::step) fn wake(&self, turn: &mut Turn<'_>) {
        let due = Due::Probe(self.id());
        let idle = !self.reach.probing && !turn.schedule.is_set(due);
        if matches!(self.reach.gate, Gate::Down { .. }) && idle {
            turn.schedule.set(due, turn.now.steady_ms);
        }
    }

    pub(in crate::step) fn probe(&mut self, turn: &mut Turn<'_>, needed: bool) {
        if !matches!(self.reach.gate, Gate::Down { .. }) || !needed {
            return;
        }
        if self.is_quiet(turn.now) {
            turn.schedule.set(Due::Probe(self.id()), self.reach.quiet_until);
            return;
        }
        self.reach.probing = true;
        turn.after(Effect::Discover { line: self.line(turn.tuning) });
    }
}
