//! Through the platform's own notifications (macOS, Windows), whose client blocks.

use std::sync::Arc;

use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task,
};

use super::{KEPT, REVIEW, notification};
use crate::{Activation, Backend, NotifyError, Toast};

/// The platform's notification centre.
pub struct Desktop {
    threads: Arc<Semaphore>,
}

impl Default for Desktop {
    fn default() -> Self {
        Self { threads: Arc::new(Semaphore::new(KEPT)) }
    }
}

impl Desktop {
    /// The platform has a notification centre always.
    ///
    /// # Errors
    /// Never; elsewhere it can.
    #[expect(clippy::unused_async, reason = "elsewhere it waits for an answer")]
    pub async fn probe() -> Result<String, NotifyError> {
        Ok("the system's notification centre".to_owned())
    }
}

impl Backend for Desktop {
    async fn show(&self, toast: Toast, activations: mpsc::Sender<Activation>) -> Result<(), NotifyError> {
        let permit = Arc::clone(&self.threads).try_acquire_owned().ok();
        let (shown, result) = oneshot::channel();
        task::spawn_blocking(move || match notification(&toast, false).show() {
            Err(error) => drop(shown.send(Err(NotifyError::Failed { why: error.to_string() }))),
            Ok(handle) => {
                let _ = shown.send(Ok(()));
                if permit.is_some() {
                    handle.wait_for_action(|action| {
                        if action == "default" || action == REVIEW {
                            let _ = activations.blocking_send(toast.activation());
                        }
                    });
                }
            }
        });
        result.await.unwrap_or(Err(NotifyError::TimedOut))
    }
}
