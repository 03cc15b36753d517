//! What every room of `step` uses, and none owns: due times, where questions are found, what they weigh, numbers, settings.

use signalbox_model::{CallId, RequestId, ServerId};

use crate::{
    Tuning,
    by_number::ByNumber,
    room::Room,
    schedule::{Due, Schedule},
};

/// What every room uses, and none owns.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) schedule: Schedule<Due>,
    /// Where each question in memory is found.
    pub(crate) places: ByNumber<RequestId, Place>,
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
    /// Nobody raises notifications in this run: a person is reminded of nothing.
    pub(crate) unheard: bool,
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
    /// People's answers to a task's questions.
    Answers,
    /// A person's wish to cancel the task.
    Cancel,
}
