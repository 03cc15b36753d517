//! Accepts connections until told to stop.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinHandle, time};

use super::{connection, listener::Listener, serving::Serving};
use crate::{ApiError, Desk, owner::Ownership};

/// How long commands that are under way may take when the owner leaves.
const GRACE: Duration = Duration::from_secs(3);

/// The owner's open socket. When dropped, all connections end at once and the socket file goes; prefer
/// [`SocketServer::stop`].
pub struct SocketServer {
    serving: Serving,
    accepting: JoinHandle<()>,
}

impl SocketServer {
    /// Serves `desk` to other programs of the same person. Only an owner can: a socket left by a dead one is replaced.
    /// Must end before the ownership does.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn start(desk: Arc<dyn Desk>, ownership: &Ownership) -> Result<Self, ApiError> {
        let listener = Listener::bind(ownership.socket())?;
        let serving = Serving::new(desk);
        let accepting = tokio::spawn(accept(listener, serving.clone()));
        Ok(Self { serving, accepting })
    }

    /// Takes no more connections and asks, ends waits, lets commands end for a few seconds, then hangs up.
    pub async fn stop(mut self) {
        self.serving.stop.cancel();
        // The socket file is gone once this task has ended.
        let _ = (&mut self.accepting).await;
        self.serving.tasks.close();
        if time::timeout(GRACE, self.serving.tasks.wait()).await.is_err() {
            self.serving.kill.cancel();
            self.serving.tasks.wait().await;
        }
    }
}

impl Drop for SocketServer {
    fn drop(&mut self) {
        self.serving.stop.cancel();
        self.serving.kill.cancel();
    }
}

async fn accept(listener: Listener, serving: Serving) {
    while let Some(stream) = serving.stop.run_until_cancelled(listener.accept()).await {
        let Ok(place) = Arc::clone(&serving.places).try_acquire_owned() else {
            tracing::warn!("too many programs use the data directory at the same time");
            continue;
        };
        let serving = serving.clone();
        serving.tasks.clone().spawn(async move {
            let kill = serving.kill.clone();
            if let Some(Err(error)) = kill.run_until_cancelled(connection::serve(stream, serving)).await {
                tracing::debug!(%error, "a client's connection failed");
            }
            drop(place);
        });
    }
}
