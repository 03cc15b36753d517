//! Messages of ours for whose arrival nobody waits: answers that need nobody, and notices.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, time::timeout};

use crate::error::Error;

/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many asides may be under way. Beyond that, whoever causes them waits.
const MOST: usize = 8;

/// The asides under way in one session.
#[derive(Clone)]
pub(super) struct FireAndForget(Arc<Semaphore>);

impl FireAndForget {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// Sends one in the background, as soon as there is room.
    pub(super) async fn send(&self, message: impl Future<Output = Result<(), Error>> + Send + 'static) {
        let permit = Arc::clone(&self.0).acquire_owned().await.expect("BUG: it is never closed");
        tokio::spawn(async move {
            if !matches!(timeout(PATIENCE, message).await, Ok(Ok(()))) {
                tracing::debug!("a message aside did not arrive");
            }
            drop(permit);
        });
    }

    /// Sends several, as there is room. A server that takes them too slowly gets no more of them: other things of it, and its
    /// room in memory, wait for the end of this.
    pub(super) async fn send_all<M>(&self, messages: impl Iterator<Item = M>)
    where
        M: Future<Output = Result<(), Error>> + Send + 'static,
    {
        let sending = async {
            for message in messages {
                self.send(message).await;
            }
        };
        if timeout(PATIENCE, sending).await.is_err() {
            tracing::debug!("a server does not take what answers it");
        }
    }

    /// The same from where nothing can be awaited. Without a runtime there is nobody to send it.
    pub(super) fn send_later(&self, message: impl Future<Output = Result<(), Error>> + Send + 'static) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let this = self.clone();
            runtime.spawn(async move { this.send(message).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn beyond_eight_whoever_causes_more_waits_and_not_for_ever() {
        let (sender, begun, began) = (FireAndForget::new(), Arc::new(AtomicUsize::new(0)), Instant::now());
        let never = || {
            let begun = Arc::clone(&begun);
            async move {
                begun.fetch_add(1, Ordering::Relaxed);
                std::future::pending().await
            }
        };
        for _ in 0..8 {
            sender.send(never()).await;
        }
        assert_eq!(began.elapsed(), Duration::ZERO, "there is room for these");
        sender.send_all([never()].into_iter()).await;
        assert_eq!(began.elapsed(), PATIENCE, "one more waits as long as they take");
        assert_eq!(begun.load(Ordering::Relaxed), 8);
    }
}
