//! How fast is taken what a server sends without end: after a burst no faster than it costs. Its channel is not read
//! meanwhile, which slows it down, and leaves the machine to others.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// The pace of one channel.
pub(crate) struct Pace {
    /// When all that has come would have been taken without a burst.
    paid: Mutex<Instant>,
    burst: Duration,
}

impl Pace {
    /// What costs this much is taken as fast as it comes.
    pub(crate) fn new(burst: Duration) -> Self {
        Self { paid: Mutex::new(Instant::now()), burst }
    }

    /// Something has come that costs this much.
    pub(crate) fn charge(&self, cost: Duration) {
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        *paid = (*paid).max(Instant::now()) + cost;
    }

    /// Returns when more may be taken.
    pub(crate) async fn ready(&self) {
        let paid = *self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        if paid.saturating_duration_since(Instant::now()) > self.burst {
            sleep_until(paid - self.burst).await;
        }
    }
}
