//! Where goes what a server sends of its own accord over a channel that it shares with answers.

use futures_util::future::BoxFuture;

use crate::{error::Error, rpc::Unasked};

/// Takes requests and notifications, in order.
pub(crate) trait Sink: Send + Sync {
    /// Takes one. The future may wait a while for room: the channel is not read meanwhile, which slows a server that
    /// floods it. What comes back is to be sent: an answer that needs nobody.
    fn take(&self, message: Unasked) -> BoxFuture<'_, Option<Vec<u8>>>;

    /// Nothing more will come, and this is why.
    fn end(&self, error: &Error);
}
