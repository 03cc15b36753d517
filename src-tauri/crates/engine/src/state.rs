//! What the engine holds in memory: three rooms, each with its own data, and what they share. Calls that have ended live
//! in the store only.

use std::collections::{BTreeMap, HashMap};

use signalbox_model::{CallId, RequestId, Server, ServerId};

use crate::{
    Now, Token, Tuning,
    room::Room,
    schedule::{Due, Schedule},
    step::{Calls, Live, Question, Servers, Sessions, Waiter},
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
    /// When the looks were last spread because we had been away (steady ms).
    pub(crate) woke_at: Option<u64>,
}

/// What every room uses, and none owns.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) schedule: Schedule<Due>,
    /// Where each question in memory is found.
    pub(crate) places: HashMap<RequestId, Place>,
    /// What all of them weigh.
    pub(crate) room: Room,
    /// Bytes of the long states of all calls, as far as the store has them.
    pub(crate) long_states: u64,
    pub(crate) next: NextIds,
    pub(crate) tuning: Tuning,
    /// Nothing is let go before this (steady ms).
    pub(crate) sweep_from: u64,
    /// Bytes of payloads that were kept since room was last made for them.
    pub(crate) kept_since: u64,
}

/// Where a question is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Among those of a call.
    Call(CallId),
    /// Among those on the connection with a server of the legacy wire.
    Wire(ServerId),
}

/// The next free numbers. Numbers are never reused, not even of what was forgotten.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NextIds {
    pub(crate) server: u32,
    pub(crate) call: u32,
    pub(crate) request: u32,
    pub(crate) session: u32,
}

impl NextIds {
    pub(crate) fn take(counter: &mut u32) -> u32 {
        let id = (*counter).max(1);
        *counter = id + 1;
        id
    }
}

/// What people want told to a server about a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Errand {
    /// Their answers.
    Answers,
    /// Their wish to cancel.
    Cancel,
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
    /// A call that was forgotten, with its questions on the legacy wire. One that has ended is not in memory; they may be.
    Forgotten(CallId, ServerId, Option<Box<Live>>, Vec<Question>),
    /// The questions on the connection of a server of the legacy wire.
    Wire(ServerId, Vec<Question>),
    Tuning(Tuning),
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
