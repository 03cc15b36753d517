//! Through the platform's own notifications (macOS, Windows), whose client blocks.

use std::sync::Arc;

use notify_rust::NotificationResponse;
use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task,
};

use super::{KEPT, activation, notification};
use crate::{Backend, NoticePress, NotifyError, Service, Taken, Toast};

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
    /// The platform has a notification centre always, and does not say whether the person sees what we send there.
    ///
    /// # Errors
    /// Never; elsewhere it can.
    #[expect(clippy::unused_async, reason = "elsewhere it waits for an answer")]
    pub async fn probe() -> Result<String, NotifyError> {
        Ok("they go to the system, which does not say whether it shows them".to_owned())
    }
}

impl Backend for Desktop {
    async fn show(&self, toast: Toast, presses: mpsc::Sender<NoticePress>) -> Result<Taken, NotifyError> {
        let permit = Arc::clone(&self.threads).try_acquire_owned().ok();
        let (shown, result) = oneshot::channel();
        task::spawn_blocking(move || match notification(&toast, false).show() {
            Err(error) => drop(shown.send(Err(NotifyError::Failed { why: error.to_string() }))),
            Ok(handle) => {
                let _ = shown.send(Ok(Taken::default()));
                if permit.is_some() {
                    let heard = handle.wait_for_response(|response: &NotificationResponse| {
                        if let Some(activation) = activation(&toast, response) {
                            let _ = presses.blocking_send(NoticePress { activation, token: None });
                        }
                    });
                    if let Err(error) = heard {
                        tracing::debug!(%error, "what became of a notification is not known");
                    }
                }
            }
        });
        result.await.unwrap_or(Err(NotifyError::TimedOut))
    }

    async fn service(&self) -> Result<Service, NotifyError> {
        let name = "the system's notification centre".to_owned();
        Ok(Service { name, version: String::new(), actions: true })
    }
}
