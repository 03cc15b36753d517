//! Odd things that real servers do, by name, so that a client can be put through all of them.

mod bodies;
mod connections;
mod messages;
mod questions;
mod tasks;
mod tools;

use std::str::FromStr;

use jiff::Timestamp;
use serde_json::Value;

use super::Fault;
use crate::DemoWire;

/// One odd thing. [`Faults::odd`](super::Faults::odd) makes it happen.
#[derive(Debug, Clone, Copy)]
pub struct Oddity {
    /// Its name, unique.
    pub name: &'static str,
    /// The method whose message is odd (see [`Fault`]).
    pub method: &'static str,
    /// On which wire it happens; none: on both.
    pub wire: Option<DemoWire>,
    /// Over which transport it happens; none: over all.
    pub carrier: Option<Carrier>,
    /// What it leaves a good client with.
    pub leaves: Leaves,
    way: Way,
}

/// What carries messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// Lines on stdin and stdout.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// What an odd message leaves a good client with. Never a hang, a crash, or the loss of anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// It means what it would have meant.
    Everything,
    /// This one message says nothing; the next one of its kind does.
    Nothing,
    /// It says that the request is refused, and is to be shown as that.
    Refusal,
    /// Some part of it, or all, cannot be understood, and is to be shown as it came.
    Doubt,
}

/// No oddity has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no oddity {0:?}")]
pub struct ParseOddityError(String);

impl FromStr for Oddity {
    type Err = ParseOddityError;

    fn from_str(name: &str) -> Result<Self, ParseOddityError> {
        Self::named(name).copied().ok_or_else(|| ParseOddityError(name.to_owned()))
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    Edit(fn(&mut Value)),
    Bytes(fn(Vec<u8>) -> Vec<u8>),
    Faults(fn(Timestamp) -> Vec<Fault>),
}

impl Oddity {
    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        [bodies::ALL, connections::ALL, messages::ALL, questions::ALL, tasks::ALL, tools::ALL]
            .into_iter()
            .flatten()
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|oddity| oddity.name == name)
    }

    /// Whether it happens on this wire over this transport.
    #[must_use]
    pub fn happens(&self, wire: DemoWire, carrier: Carrier) -> bool {
        self.wire.is_none_or(|only| only == wire) && self.carrier.is_none_or(|only| only == carrier)
    }

    pub(super) fn faults(&self, now: Timestamp) -> Vec<Fault> {
        match self.way {
            Way::Edit(edit) => vec![Fault::Edit(edit)],
            Way::Bytes(change) => vec![Fault::Bytes(change)],
            Way::Faults(faults) => faults(now),
        }
    }

    const fn new(name: &'static str, method: &'static str, leaves: Leaves, way: Way) -> Self {
        Self { name, method, wire: None, carrier: None, leaves, way }
    }

    const fn edit(name: &'static str, method: &'static str, leaves: Leaves, edit: fn(&mut Value)) -> Self {
        Self::new(name, method, leaves, Way::Edit(edit))
    }

    const fn bytes(
        name: &'static str,
        method: &'static str,
        leaves: Leaves,
        change: fn(Vec<u8>) -> Vec<u8>,
    ) -> Self {
        Self::new(name, method, leaves, Way::Bytes(change))
    }

    const fn faults_of(
        name: &'static str,
        method: &'static str,
        leaves: Leaves,
        faults: fn(Timestamp) -> Vec<Fault>,
    ) -> Self {
        Self::new(name, method, leaves, Way::Faults(faults))
    }

    const fn on(mut self, wire: DemoWire) -> Self {
        self.wire = Some(wire);
        self
    }

    const fn over(mut self, carrier: Carrier) -> Self {
        self.carrier = Some(carrier);
        self
    }
}

/// Takes a member away, if it is there.
fn remove(object: &mut Value, member: &str) {
    if let Some(members) = object.as_object_mut() {
        members.remove(member);
    }
}
