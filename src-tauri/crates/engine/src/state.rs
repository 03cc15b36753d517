//! What the engine holds in memory: three rooms, each with its own data, and what they share. Calls that have ended live
//! in the store only.

use std::collections::BTreeMap;

use signalbox_model::{CallId, Server, ServerId};

use crate::{
    Now, Token, Tuning,
    shared::Shared,
    step::{Calls, Live, OnWire, Servers, Sessions, Waiter},
};

/// The engine's state. Changed by [`State::step`] only.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) rooms: Rooms,
    pub(crate) shared: Shared,
}

/// The rooms of `step`, which know nothing of each other, and who waits for several of them.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    pub(crate) calls: Calls,
    pub(crate) servers: Servers,
    pub(crate) sessions: Sessions,
    /// Who waits until no call is under way.
    pub(crate) awaiting_calls: Vec<Token>,
    /// Who waits to hear what became of something on its way to a server, by server. Only those with waiters are in it.
    pub(crate) waiting: BTreeMap<ServerId, Vec<Waiter>>,
    /// The last step, on both clocks: that the machine slept shows in the next one.
    pub(crate) last: Option<Now>,
    /// When the polls were last spread because we had been away (steady ms).
    pub(crate) woke_at: Option<u64>,
}

/// What an intent touched, as it was: nothing happens between an intent and its commit, so putting this back is exact.
#[derive(Debug, Default)]
pub(crate) enum Before {
    #[default]
    Nothing,
    /// A server; none when it was new.
    Server(ServerId, Option<Box<Server>>),
    /// A call; none when it was new.
    Call(CallId, Option<Box<Live>>),
    /// What hangs on the connection of a server of the legacy wire.
    Wire(ServerId, Box<OnWire>),
    Tuning(Tuning),
    /// Who waits for several of the rooms: what they are told of a wish that is taken back never was.
    Waiting {
        /// Until no call is under way.
        calls: Vec<Token>,
        /// To hear what becomes of something on its way to a server.
        fates: BTreeMap<ServerId, Vec<Waiter>>,
    },
    /// Who waits for polls of these calls.
    Polled(Vec<(CallId, Vec<Token>)>),
    /// Several of these, none of which touches what another does.
    All(Vec<Before>),
}

impl State {
    /// When something is due next, by the steady clock in ms.
    #[must_use]
    pub fn next_due(&self) -> Option<u64> {
        self.shared.schedule.next()
    }

    /// How many calls are followed in memory.
    #[must_use]
    pub fn live_calls(&self) -> usize {
        self.rooms.calls.live.len()
    }
}
