//! What all connections of the owner's socket share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::room::Room;
use crate::Desk;

/// How many clients at the same time; more are turned away.
const CONNECTIONS: usize = 128;

/// How many answers that may be as large as a payload wait for room at the same time.
const PAYLOADS: usize = 4;

/// What all connections share.
#[derive(Clone)]
pub(super) struct Serving {
    pub(super) desk: Arc<dyn Desk>,
    /// Connections, and commands that outlive theirs.
    pub(super) tasks: TaskTracker,
    /// Once cancelled, nothing new begins, and held waits end.
    pub(super) stop: CancellationToken,
    /// Once cancelled, every connection is dropped at once.
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
