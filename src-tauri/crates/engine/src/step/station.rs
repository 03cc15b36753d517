//! Whether a server can be reached: one gate per server, whatever the number of its tasks.

use signalbox_mcp::{Discovered, Error};
use signalbox_model::{Health, Peer, ServerId, Wire};
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, Granted, State, note,
    schedule::{Due, backoff, jitter},
    state::Gate,
};

/// The first wait after a server could not be reached, in ms.
const FIRST_RETRY: u64 = 1_000;
/// The longest, in ms.
const LONGEST_RETRY: u64 = 60_000;
/// Requests that may be lost or time out in a row before the server counts as unreachable.
const FLAKY_LIMIT: u32 = 3;
/// The longest silence a server may ask for, in ms.
const LONGEST_QUIET: u64 = 3_600_000;

impl State {
    pub(super) fn discovered(&mut self, turn: &mut Turn, id: ServerId, reply: Result<Discovered, Error>) {
        match reply {
            Ok(found) => {
                let Some(station) = self.servers.get_mut(&id) else { return };
                let server = &mut station.server;
                let before = server.clone();
                server.wire = Some(Wire::Modern);
                server.protocol_version = Some(found.protocol_version);
                server.peer = Some(Peer { name: found.name, version: found.version });
                server.capabilities = Some(found.capabilities);
                server.tasks = found.tasks;
                let latency_ms = u32::try_from(found.latency.as_millis()).unwrap_or(u32::MAX);
                server.health = Health::Ok { latency_ms };
                if *server != before {
                    turn.write(Write::PutServer(server.clone()));
                }
                if station.gate == Gate::Shut && server.enabled && server.removed_at.is_none() {
                    // What a person had to mend is mended.
                    station.gate = Gate::Down { failures: 0, since: turn.now.wall };
                }
                self.line_fine(turn, id);
            }
            Err(error) => self.line_trouble(turn, Some(id), &error),
        }
        let Some(station) = self.servers.get_mut(&id) else { return };
        for token in std::mem::take(&mut station.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
    }

    /// The server answered: whatever was wrong with the line is over.
    pub(super) fn line_fine(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.flaky = 0;
        if !matches!(station.gate, Gate::Down { .. }) {
            return;
        }
        station.gate = Gate::Open;
        if !matches!(station.server.health, Health::Ok { .. }) {
            station.server.health = Health::Ok { latency_ms: 0 };
            turn.write(Write::PutServer(station.server.clone()));
        }
        self.schedule.clear(Due::Probe(id));
        self.spread_looks(turn, id);
    }

    /// What an error says about the server as such.
    pub(super) fn line_trouble(&mut self, turn: &mut Turn, id: Option<ServerId>, error: &Error) {
        let Some(station) = id.and_then(|id| self.servers.get_mut(&id)) else { return };
        match error {
            Error::Rpc { .. } | Error::TooLarge { .. } | Error::Protocol { .. } | Error::Closed => {}
            Error::Throttled { retry_after, .. } => {
                let wait = retry_after
                    .map_or(FIRST_RETRY, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                let until = turn.now.steady_ms + wait.min(LONGEST_QUIET);
                station.quiet_until = station.quiet_until.max(until);
            }
            Error::Lost { .. } | Error::Timeout { .. } => {
                station.flaky += 1;
                if station.flaky >= FLAKY_LIMIT {
                    self.line_down(turn, id, error);
                }
            }
            Error::Unreachable { .. } | Error::Exited { .. } | Error::NotMcp { .. } => {
                self.line_down(turn, id, error)
            }
            Error::LegacyOnly { .. } | Error::SignInNeeded { .. } => {
                station.gate = Gate::Shut;
                let health = match error {
                    Error::SignInNeeded { .. } => Health::SignInNeeded { since: turn.now.wall },
                    _ => {
                        let note = note(error);
                        Health::Unusable { code: note.code, message: note.message }
                    }
                };
                if station.server.health != health {
                    station.server.health = health;
                    turn.write(Write::PutServer(station.server.clone()));
                }
            }
        }
    }

    fn line_down(&mut self, turn: &mut Turn, id: Option<ServerId>, error: &Error) {
        let Some(station) = id.and_then(|id| self.servers.get_mut(&id)) else { return };
        let id = station.server.id;
        let (failures, since) = match station.gate {
            Gate::Shut => return,
            // Requests that were under way when the line broke tell nothing new.
            Gate::Down { .. } if self.schedule.is_set(Due::Probe(id)) => return,
            Gate::Down { failures, since } => (failures + 1, since),
            Gate::Open => (1, turn.now.wall),
        };
        station.gate = Gate::Down { failures, since };
        station.queue.clear();
        let wait = backoff(FIRST_RETRY, failures, LONGEST_RETRY);
        let asked = error.retry_after().map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(0));
        let wait = wait.max(asked.min(LONGEST_QUIET)) + jitter(turn.seed, id.0, wait / 10);
        let note = note(error);
        let retry_at = turn.now.plus_ms(wait).wall;
        station.server.health = match error {
            Error::NotMcp { .. } => Health::Unusable { code: note.code, message: note.message },
            _ => Health::Unreachable { code: note.code, message: note.message, since, retry_at },
        };
        turn.write(Write::PutServer(station.server.clone()));
        // A server that nobody waits for is tried when somebody needs it.
        self.schedule.set(Due::Probe(id), turn.now.steady_ms + wait);
    }

    pub(super) fn probe(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get(&id) else { return };
        if !matches!(station.gate, Gate::Down { .. }) {
            return;
        }
        turn.after(Effect::Discover { line: station.line() });
    }
}
