//! The owner's socket: other programs of the same person use the owner's desk through it.
//!
//! Frames are a length in bytes (u32, big endian) and that much JSON. Both sides say [`Hello`] first. Then a client
//! sends [`ToOwner`] and gets [`ToClient`] in any order, matched by the client's number: a long wait delays nothing
//! else. A client that goes away ends its waits, while its commands run to their end: half an act is worse than one
//! whose reply nobody reads.

mod connection;
mod frame;
mod listener;
mod room;
mod server;
mod serving;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{ApiError, Code};

pub use connection::ASKS;
pub use server::SocketServer;

pub(crate) use frame::{HELLO_LIMIT, LIMIT, encode, read, send};
pub(crate) use listener::{Stream, check, connect};

/// Raised with every change of [`crate::Ask`] or [`crate::Answered`] that an older side would misread. A window's page reads answers
/// as they come, without defaults: one that lacks a member is misread.
pub(crate) const PROTOCOL: u32 = 10;

/// What both sides say first.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Tells our socket from any other.
    signalbox: u32,
    /// The program's version, for people.
    version: String,
}

impl Hello {
    pub(crate) fn ours() -> Self {
        Self { signalbox: PROTOCOL, version: env!("CARGO_PKG_VERSION").into() }
    }

    /// Whether we can talk to whoever said this.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let ours = Self::ours();
        let (code, is, then) = match self.signalbox.cmp(&PROTOCOL) {
            Ordering::Equal => return Ok(()),
            Ordering::Less => (Code::VersionMismatch, "older", "it has to end before this one can go on"),
            Ordering::Greater => {
                (Code::OwnerNewer, "newer", "this one has to be updated, or left for the newer one")
            }
        };
        Err(ApiError::new(
            code,
            format!(
                "the owner of the data directory is Signalbox {} (protocol {}), {is} than this Signalbox {} (protocol {}): \
                 {then}",
                self.version, self.signalbox, ours.version, ours.signalbox
            ),
        ))
    }
}

/// From a client.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToOwner {
    /// An [`crate::Ask`], read only once its number is known: even one we do not understand gets an answer.
    Ask { id: u64, ask: Box<RawValue> },
    /// Nobody waits for this one any more.
    Forget { id: u64 },
}

/// From the owner. What it answers stays text at the client until somebody there reads it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ToClient<A> {
    pub(crate) id: u64,
    pub(crate) result: Outcome<A>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome<A> {
    Answered(A),
    Failed(Box<ApiError>),
}
