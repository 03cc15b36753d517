//! What people configure of servers, and what servers say they are.

use std::sync::Arc;

use signalbox_mcp::{Error, FoundServer, TaskSupport, cancels_tasks};
use signalbox_model::{CallId, Health, Json, Peer, Server, ServerId, Wire};
use signalbox_store::Write;

use super::{
    super::{Next, Turn},
    Gate, Servers, Station,
    listening::Listening,
    tools::Tools,
};
use crate::{Effect, Granted, Refusal, Token, not_trusted, schedule::Due, shared::NextIds, state::Before};

impl Servers {
    fn name_is_free(&self, name: &str, except: Option<ServerId>) -> Result<(), Refusal> {
        let taken = self.all.values().any(|station| {
            let server = &station.server;
            server.removed_at.is_none() && server.name == name && Some(server.id) != except
        });
        if taken { Err(Refusal::NameTaken(name.to_owned())) } else { Ok(()) }
    }

    pub(in crate::step) fn add(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        mut server: Server,
    ) -> Result<ServerId, Refusal> {
        self.name_is_free(&server.name, None)?;
        server.id = ServerId(NextIds::take(&mut turn.next.server));
        server.created_at = turn.now.wall;
        await_trust(&mut server);
        turn.intent(Before::Server(server.id, None));
        turn.write(Write::PutServer(server.clone()));
        turn.reply(token, Ok(Granted::Server(server.id)));
        let id = server.id;
        self.all.insert(id, Station::new(server));
        Ok(id)
    }

    /// Keeps what a person configures of a server. `calls`: those that it has, which must not lose it.
    pub(in crate::step) fn put(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        wanted: Server,
        calls: Vec<CallId>,
    ) -> Result<(), Refusal> {
        let id = wanted.id;
        if wanted.removed_at.is_none() {
            self.name_is_free(&wanted.name, Some(id))?;
        }
        let station = self.all.get_mut(&id).ok_or(Refusal::UnknownServer)?;
        if wanted.removed_at.is_some() && !calls.is_empty() {
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
        station.configure(turn, server);
        Ok(())
    }

    /// A server that we may connect to.
    pub(in crate::step) fn open(&mut self, id: ServerId) -> Result<&mut Station, Refusal> {
        let station = self.all.get_mut(&id).ok_or(Refusal::UnknownServer)?;
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

    pub(in crate::step) fn check(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: ServerId,
    ) -> Result<(), Refusal> {
        match self.open(id) {
            // How it was last seen says that already, and what would be run.
            Err(Refusal::NotTrusted(_)) => turn.reply(token, Ok(Granted::Done)),
            station => {
                let station = station?;
                station.waiters.push(token);
                turn.after(Effect::Discover { line: station.line(turn.tuning) });
            }
        }
        Ok(())
    }

    /// The tools of a server were listed, or not.
    pub(in crate::step) fn listed(&mut self, turn: &mut Turn<'_>, id: ServerId, reply: Result<Json, Error>) {
        let Some(station) = self.all.get_mut(&id) else { return };
        match reply {
            Ok(tools) => {
                station.mended(turn);
                if !station.tools.as_ref().is_some_and(|known| known.is(&tools)) {
                    self.know_tools(id, &tools);
                    turn.write(Write::PutTools { server: id, tools });
                }
            }
            Err(error) => station.answered(turn, Some(&error)),
        }
    }

    /// A list that somebody waits for is not to be had.
    pub(in crate::step) fn not_listed(
        &mut self,
        turn: &mut Turn<'_>,
        id: ServerId,
        token: Token,
        error: Error,
    ) {
        let mut why = error;
        if let Some(station) = self.all.get_mut(&id) {
            station.answered(turn, Some(&why));
            why = station.cause(why);
        }
        turn.reply(token, Err(Refusal::Server(Box::new(why))));
    }

    /// The tasks of a server were listed.
    pub(in crate::step) fn tasks_listed(&mut self, turn: &mut Turn<'_>, id: ServerId) {
        if let Some(station) = self.all.get_mut(&id) {
            station.answered(turn, None);
        }
    }

    /// Keeps a server's list of tools in memory, as far as there is room.
    pub(in crate::step) fn know_tools(&mut self, id: ServerId, list: &Json) {
        let others = self.all.iter().filter(|(other, _)| **other != id);
        let others = others.filter_map(|(_, station)| station.tools.as_ref()).map(Tools::bytes).sum();
        if let Some(station) = self.all.get_mut(&id) {
            station.tools = Some(Tools::new(list, others));
        }
    }
}

impl Station {
    /// Takes a server's configuration into memory. Another address, or being switched on or confirmed, is a new beginning.
    pub(in crate::step) fn configure(&mut self, turn: &mut Turn<'_>, server: Server) {
        let id = self.id();
        let moved = server.transport != self.server.transport;
        let anew = is_anew(&self.server, &server);
        self.server = server;
        if moved {
            self.transport = Arc::new(self.server.transport.clone());
            // No other address hears of it.
            self.forget_session();
        }
        if moved || self.server.removed_at.is_some() {
            self.tools = None;
        }
        self.access = Arc::new(self.server.access.clone());
        if !moved && !anew {
            return;
        }
        // The next connection asks anew.
        self.stop_listening(turn);
        self.listening = Listening { last: self.listening.last, ..Listening::default() };
        let reach = &mut self.reach;
        reach.flaky = 0;
        reach.vouched_at = None;
        reach.quiet_until = 0;
        reach.gate = Gate::first(&self.server);
        turn.schedule.clear(Due::Probe(id));
        turn.schedule.clear(Due::Quiet(id));
        if self.is_open() {
            turn.then(Next::Spread(id));
            // Not in this step, which may be a wish that cannot be kept.
            turn.schedule.set(Due::Quiet(id), turn.now.steady_ms);
        } else {
            turn.then(Next::Closed(id));
        }
    }

    /// It said what it is, or not. Says whether it did.
    pub(in crate::step) fn discovered(
        &mut self,
        turn: &mut Turn<'_>,
        reply: Result<FoundServer, Error>,
    ) -> bool {
        self.reach.probing = false;
        let is_known = reply.is_ok();
        match reply {
            Ok(found) => self.found(turn, found),
            Err(_) if self.server.awaits_trust() => {}
            Err(error) => {
                self.reach.vouched_at = None;
                // What shuts it again does so below.
                if !matches!(error, Error::Closed) {
                    self.try_again(turn);
                }
                self.broken(turn, &error);
                turn.then(Next::Probe(self.id()));
            }
        }
        for token in std::mem::take(&mut self.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
        is_known
    }

    /// Takes down what it said of itself, whoever asked.
    pub(in crate::step) fn found(&mut self, turn: &mut Turn<'_>, found: FoundServer) {
        // It is another program that answered, before this one was put in its place.
        if self.server.awaits_trust() {
            return;
        }
        let FoundServer { wire, server: found, clock, .. } = found;
        if wire == Wire::Modern {
            self.forget_session();
        }
        let server = &mut self.server;
        let before = server.clone();
        server.wire = Some(wire);
        server.protocol_version = Some(found.protocol_version);
        server.peer = Some(Peer { name: found.name, version: found.version });
        server.capabilities = Some(found.capabilities);
        server.tasks = found.tasks;
        let latency_ms = u32::try_from(found.latency.as_millis()).unwrap_or(u32::MAX);
        let clock_ahead_ms = clock.map(|theirs| theirs.ms_since(turn.now.wall));
        self.reach.measured = (latency_ms, clock_ahead_ms);
        server.health = Health::Ok { latency_ms, clock_ahead_ms };
        if *server != before {
            turn.write(Write::PutServer(server.clone()));
        }
        self.reach.vouched_at = Some(turn.now.steady_ms);
        self.mended(turn);
        self.met(turn);
    }

    /// Whether its tasks can be cancelled. A server of the legacy wire says so; what one that nobody has met yet does is seen
    /// when it is asked.
    pub(in crate::step) fn lets_cancel(&self) -> bool {
        let says = || self.server.capabilities.as_ref().is_none_or(cancels_tasks);
        self.server.wire != Some(Wire::Legacy) || says()
    }

    /// Whether a call of this tool may become a task. On the modern wire that is the server's to say, on the legacy one ours,
    /// by what the tool allows.
    pub(in crate::step) fn may_make_task(&self, tool: &str) -> bool {
        match self.server.wire {
            None => true,
            Some(Wire::Modern) => self.server.tasks,
            Some(Wire::Legacy) => {
                let forbidden = |tool: signalbox_mcp::Tool| tool.task_support() == TaskSupport::Forbidden;
                self.server.tasks && !self.tool(tool).is_some_and(forbidden)
            }
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
pub(in crate::step) fn await_trust(server: &mut Server) {
    if server.awaits_trust() {
        server.health = Health::Unusable { note: not_trusted(server), tried_at: None };
    }
}
