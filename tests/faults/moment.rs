//! Time that a round lets pass: how long something is away, when it comes back, when a person acts. It is part of the plan,
//! and no wait for anything that could be told.

use std::time::Duration;

use tokio::time::{self, Instant};

/// Lets so much time pass.
#[expect(clippy::disallowed_methods, reason = "how long trouble lasts is the trouble")]
pub(crate) async fn sleep(time: Duration) {
    time::sleep(time).await;
}

/// Lets time pass until then.
pub(crate) async fn sleep_until(at: Instant) {
    time::sleep_until(at).await;
}
