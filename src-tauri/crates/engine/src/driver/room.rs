//! Whoever waits for what servers say waits for a commit. While nothing can be kept that commit cannot come,
//! and whoever waits is told so.

use signalbox_store::CommitError;
use tokio::sync::watch;

use super::Engine;
use crate::Intent;

impl Engine {
    /// From now on the clock follows all calls. It keeps nothing, and so waits for no commit.
    pub async fn follow_all(&self) {
        // An engine that is about to stop follows nothing.
        let _ = self.shared.wishes.send((self.token(), Intent::FollowAll)).await;
    }

    /// Resolves once what servers say can be kept: at once, unless something waits for room.
    pub async fn room(&self) {
        // A store that is gone has nothing waiting.
        let _ = self.trouble().wait_for(Option::is_none).await;
    }
}

/// Resolves with why nothing can be kept, once nothing can be.
pub(super) async fn nothing_kept(mut trouble: watch::Receiver<Option<CommitError>>) -> CommitError {
    loop {
        if let Some(error) = trouble.borrow_and_update().clone() {
            return error;
        }
        if trouble.changed().await.is_err() {
            // The store is gone: who waits is told so by the engine's end.
            std::future::pending::<()>().await;
        }
    }
}
