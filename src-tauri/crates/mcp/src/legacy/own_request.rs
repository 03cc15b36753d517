//! A request of ours, on its way to whatever carries it.

use super::event::Channel;
use crate::stdio::GivenUp;

/// One request of ours, encoded.
pub(crate) struct OwnRequest {
    pub(super) id: u64,
    pub(super) body: Vec<u8>,
    /// Whether it is made only once ([`crate::rpc::Request::once`]).
    pub(super) once: bool,
    /// What the server's messages on its response stream come on.
    pub(super) channel: Channel,
    /// Whether the server is told when nobody waits any more.
    pub(super) given_up: GivenUp,
    /// Bytes that the answer may have, where that is less than any message may.
    pub(super) most: Option<usize>,
}
