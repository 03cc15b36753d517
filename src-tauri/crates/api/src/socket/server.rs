//! Accepts connections until told to stop.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, task::JoinHandle, time};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{connection, listener::Listener, room::Room};
use crate::{ApiError, Desk, owner::Ownership};

/// How many clients at the same time; more are turned away.
const CONNECTIONS: usize = 128;

/// How many answers that may be as large as a payload wait for room at the same time.
const PAYLOADS: usize = 4;

/// How long commands that are under way may take when the owner leaves.
const GRACE: Duration = Duration::from_secs(3);

/// The owner's open socket. When dropped, all connections end at once and the socket file goes; prefer
/// [`SocketServer::stop`].
pub struct SocketServer {
    serving: Serving,
    accepting: JoinHandle<()>,
}

/// What all connections share.
#[derive(Clone)]
pub(super) struct Serving {
    pub(super) desk: Arc<dyn Desk>,
    /// Connections, and commands that outlive theirs.
    pub(super) tasks: TaskTracker,
    /// Nothing new begins, and waits end.
    pub(super) stop: CancellationToken,
    /// Everything ends.
    pub(super) kill: CancellationToken,
    /// A place for each client.
    pub(super) places: Arc<Semaphore>,
    /// Room for what all of them ask, until it is carried out.
    pub(super) asked: Room,
    /// Room for what all of them are answered, until it is written.
    pub(super) answered: Room,
    /// A permit for each answer that may be as large as a payload, until it has room.
    pub(super) payloads: Arc<Semaphore>,
}

impl Serving {
    pub(super) fn new(desk: Arc<dyn Desk>) -> Self {
        Self {
            desk,
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            kill: CancellationToken::new(),
            places: Arc::new(Semaphore::new(CONNECTIONS)),
            asked: Room::new(),
            answered: Room::new(),
            payloads: Arc::new(Semaphore::new(PAYLOADS)),
        }
    }

    /// Whether every place is taken.
    pub(super) fn is_full(&self) -> bool {
        self.places.available_permits() == 0
    }
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
