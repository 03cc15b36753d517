//! What people configure of servers, and what servers say they are.

use std::sync::Arc;

use signalbox_mcp::{Error, Found};
use signalbox_model::{CallId, Health, Json, Peer, Server, ServerId};
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, Granted, Refusal, State, Token,
    listening::Listening,
    not_trusted,
    schedule::Due,
    state::{Before, Gate, NextIds, Station},
    tools::Tools,
};

impl State {
    fn name_is_free(&self, name: &str, except: Option<ServerId>) -> Result<(), Refusal> {
        let taken = self.servers.values().any(|station| {
            let server = &station.server;
            server.removed_at.is_none() && server.name == name && Some(server.id) != except
        });
        if taken { Err(Refusal::NameTaken(name.to_owned())) } else { Ok(()) }
    }

    pub(super) fn add_server(
        &mut self,
        turn: &mut Turn,
        token: Token,
        mut server: Server,
    ) -> Result<(), Refusal> {
        self.name_is_free(&server.name, None)?;
        server.id = ServerId(NextIds::take(&mut self.next.server));
        server.created_at = turn.now.wall;
        await_trust(&mut server);
        turn.intent(Before::Server(server.id, None));
        turn.write(Write::PutServer(server.clone()));
        turn.reply(token, Ok(Granted::Server(server.id)));
        self.servers.insert(server.id, Station::new(server));
        Ok(())
    }

    pub(super) fn put_server(
        &mut self,
        turn: &mut Turn,
        token: Token,
        wanted: Server,
    ) -> Result<(), Refusal> {
        let id = wanted.id;
        if wanted.removed_at.is_none() {
            self.name_is_free(&wanted.name, Some(id))?;
        }
        let station = self.servers.get(&id).ok_or(Refusal::UnknownServer)?;
        if wanted.removed_at.is_some() && !station.calls.is_empty() {
            let mut calls: Vec<CallId> = station.calls.iter().copied().collect();
            calls.sort_unstable();
            return Err(Refusal::LiveTasks(calls));
        }
        let before = station.server.clone();
        // Only what a person configures: what was observed meanwhile is newer than the caller's copy.
        let Server { name, transport, trusted, access, enabled, removed_at, roots, .. } = wanted;
        let mut server =
            Server { name, transport, trusted, access, enabled, removed_at, roots, ..before.clone() };
        let moved = server.transport != before.transport;
        if moved {
            server.wire = None;
            server.protocol_version = None;
            server.peer = None;
            server.capabilities = None;
            server.tasks = false;
            server.heard_at = None;
            turn.after(Effect::ShowHeard { server: id, at: None });
        }
        if moved || is_anew(&before, &server) {
            server.health = Health::UNKNOWN;
            turn.after(Effect::Disconnect { server: id });
        }
        await_trust(&mut server);
        turn.intent(Before::Server(id, Some(Box::new(before))));
        turn.write(Write::PutServer(server.clone()));
        turn.reply(token, Ok(Granted::Server(id)));
        self.configure(turn, server);
        Ok(())
    }

    /// Takes a server's configuration into memory. Another address, or being switched on or confirmed, is a new beginning.
    pub(super) fn configure(&mut self, turn: &mut Turn, server: Server) {
        let id = server.id;
        let Some(station) = self.servers.get_mut(&id) else { return };
        let moved = server.transport != station.server.transport;
        let anew = is_anew(&station.server, &server);
        station.server = server;
        if moved {
            station.transport = Arc::new(station.server.transport.clone());
        }
        if moved || station.server.removed_at.is_some() {
            station.tools = None;
        }
        station.access = Arc::new(station.server.access.clone());
        if !moved && !anew {
            return;
        }
        // The next connection asks anew.
        self.stop_listening(turn, id);
        let Some(station) = self.servers.get_mut(&id) else { return };
        let last = station.listening.last;
        station.listening = Listening { last, ..Listening::default() };
        station.flaky = 0;
        station.vouched_at = None;
        station.quiet_until = 0;
        station.gate = Gate::first(&station.server);
        let open = station.gate == Gate::Open;
        self.schedule.clear(Due::Probe(id));
        self.schedule.clear(Due::Quiet(id));
        if open {
            self.spread_looks(turn, id);
            // Not in this step, which may be a wish that cannot be kept.
            self.schedule.set(Due::Quiet(id), turn.now.steady_ms);
        } else {
            self.release_waiters(turn, id);
        }
    }

    pub(super) fn check(&mut self, turn: &mut Turn, token: Token, id: ServerId) -> Result<(), Refusal> {
        let station = match self.open_station(id) {
            // How it was last seen says that already, and what would be run.
            Err(Refusal::NotTrusted(_)) => {
                turn.reply(token, Ok(Granted::Done));
                return Ok(());
            }
            station => station?,
        };
        station.waiters.push(token);
        turn.after(Effect::Discover { line: station.line() });
        Ok(())
    }

    /// A server that we may connect to.
    pub(super) fn open_station(&mut self, id: ServerId) -> Result<&mut Station, Refusal> {
        let station = self.servers.get_mut(&id).ok_or(Refusal::UnknownServer)?;
        if station.server.removed_at.is_some() {
            return Err(Refusal::UnknownServer);
        }
        if !station.server.enabled {
            return Err(Refusal::Disabled);
        }
        if station.server.awaits_trust() {
            return Err(Refusal::NotTrusted(Box::new(station.server.clone())));
        }
        Ok(station)
    }

    pub(super) fn discovered(&mut self, turn: &mut Turn, id: ServerId, reply: Result<Found, Error>) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        station.probing = false;
        match reply {
            // It is another program that answered, before this one was put in its place.
            _ if station.server.awaits_trust() => {}
            Ok(Found { wire, server: found, clock, .. }) => {
                let server = &mut station.server;
                let before = server.clone();
                server.wire = Some(wire);
                server.protocol_version = Some(found.protocol_version);
                server.peer = Some(Peer { name: found.name, version: found.version });
                server.capabilities = Some(found.capabilities);
                server.tasks = found.tasks;
                let latency_ms = u32::try_from(found.latency.as_millis()).unwrap_or(u32::MAX);
                let clock_ahead_ms = clock.map(|theirs| theirs.ms_since(turn.now.wall));
                station.measured = (latency_ms, clock_ahead_ms);
                server.health = Health::Ok { latency_ms, clock_ahead_ms };
                if *server != before {
                    turn.write(Write::PutServer(server.clone()));
                }
                station.vouched_at = Some(turn.now.steady_ms);
                self.line_mended(turn, id);
                self.met(turn, id);
            }
            Err(error) => {
                station.vouched_at = None;
                // Who has it tried again has mended what had shut it, as far as they know: from here on it is like any
                // other that does not answer, and goes on by itself when it does. What shuts it again does so below.
                let shut_by_error = station.gate == Gate::Shut && Gate::first(&station.server) == Gate::Open;
                if shut_by_error && !matches!(error, Error::Closed) {
                    station.gate = Gate::Down { failures: 0, since: turn.now.wall };
                }
                self.line_broken(turn, id, &error);
                self.keep_probing(turn, id);
                self.connect_later_to_reply(turn, id);
            }
        }
        let Some(station) = self.servers.get_mut(&id) else { return };
        for token in std::mem::take(&mut station.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
    }

    pub(super) fn listed(&mut self, turn: &mut Turn, id: ServerId, reply: Result<Json, Error>) {
        let Some(station) = self.servers.get(&id) else { return };
        match reply {
            Ok(tools) => {
                if !station.tools.as_ref().is_some_and(|known| known.is(&tools)) {
                    self.know_tools(id, &tools);
                    turn.write(Write::PutTools { server: id, tools });
                }
                self.line_mended(turn, id);
            }
            Err(error) => self.line_trouble(turn, id, &error),
        }
    }

    /// Keeps a server's list of tools in memory, as far as there is room.
    pub(super) fn know_tools(&mut self, id: ServerId, list: &Json) {
        let others = self.servers.iter().filter(|(other, _)| **other != id);
        let others = others.filter_map(|(_, station)| station.tools.as_ref()).map(Tools::bytes).sum();
        if let Some(station) = self.servers.get_mut(&id) {
            station.tools = Some(Tools::new(list, others));
        }
    }
}

/// Whether it is reached in another way, or connected to again (or no more), at the same address.
fn is_anew(before: &Server, after: &Server) -> bool {
    before.access != after.access
        || before.enabled != after.enabled
        || before.removed_at.is_some() != after.removed_at.is_some()
        || before.awaits_trust() != after.awaits_trust()
}

/// Says of a program that was not confirmed what would be run.
pub(super) fn await_trust(server: &mut Server) {
    if server.awaits_trust() {
        let note = not_trusted(server);
        server.health = Health::Unusable { code: note.code, message: note.message, tried_at: None };
    }
}
