//! The servers of the world: it is always about one of them, and all share the engine and its people.

use std::collections::BTreeSet;

use signalbox_model::{CallId, ServerId};

use super::super::{bench::*, world::Fate};
use super::{World, line::Line, peer::Peer};
use crate::{Granted, Intent};

/// A server, and what stands between it and the engine.
pub(super) struct Side {
    pub(super) server: ServerId,
    pub(super) peer: Peer,
    pub(super) line: Line,
    /// Questions that closed while no connection stood: nobody could be told.
    pub(super) unheard: BTreeSet<usize>,
}

impl Side {
    pub(super) fn new(server: ServerId, shared: bool) -> Self {
        Self { server, peer: Peer::default(), line: Line::new(shared), unheard: BTreeSet::new() }
    }
}

impl World {
    pub(super) fn server(n: u32) -> ServerId {
        ServerId(SERVER.0 + n % Self::SERVERS)
    }

    pub(super) fn home(&self, call: CallId) -> ServerId {
        self.homes.get(&call).copied().unwrap_or_else(|| panic!("nobody has made {call:?}"))
    }

    pub(super) fn side(&mut self, server: ServerId) -> &mut Side {
        if self.at.server == server {
            return &mut self.at;
        }
        let other = self.others.iter_mut().find(|side| side.server == server);
        other.unwrap_or_else(|| panic!("there is no {server:?}"))
    }

    /// From here on it is about this server.
    pub(super) fn turn_to(&mut self, server: ServerId) {
        if let Some(other) = self.others.iter_mut().find(|side| side.server == server) {
            std::mem::swap(&mut self.at, other);
        }
    }

    /// Does this for each server.
    pub(super) fn at_each(&mut self, mut does: impl FnMut(&mut Self)) {
        let here = self.at.server;
        for n in 0..Self::SERVERS {
            self.turn_to(Self::server(n));
            does(self);
        }
        self.turn_to(here);
    }

    /// Asks for something that makes a call.
    pub(super) fn make(&mut self, intent: Intent) -> Option<CallId> {
        let token = self.bench.ask(intent);
        let Some(Ok(Granted::Call(call))) = self.bench.replies.get(&token) else { return None };
        self.homes.insert(*call, self.at.server);
        Some(*call)
    }

    /// What is on the wire at this place meets its fate, where it was sent.
    pub(super) fn lands_at_home(&mut self, at: usize, fate: Fate) {
        let flight = self.bench.flights.remove(at);
        let here = self.at.server;
        self.turn_to(match &flight {
            Flight::Call { server, .. }
            | Flight::Poll { server, .. }
            | Flight::Discover { server }
            | Flight::Result { server, .. } => *server,
            Flight::Update { call, .. } | Flight::Cancel { call } => self.home(*call),
        });
        self.land(flight, fate);
        self.turn_to(here);
    }
}
