//! The requests that wait for an answer of one child.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use signalbox_model::Json;
use tokio::sync::oneshot;

use crate::error::Error;

pub(super) type Answer = Result<Json, Error>;

/// By JSON-RPC id; none once the child has ended.
pub(super) struct Pending(Mutex<Option<HashMap<u64, oneshot::Sender<Answer>>>>);

impl Pending {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Some(HashMap::new())))
    }

    /// A place to wait at; none once the child has ended.
    pub(super) fn wait_for(&self, id: u64) -> Option<oneshot::Receiver<Answer>> {
        let (sender, receiver) = oneshot::channel();
        self.map().as_mut()?.insert(id, sender);
        Some(receiver)
    }

    /// Hands an answer to who waits for it; false when nobody does (any more).
    pub(super) fn answer(&self, id: u64, answer: Answer) -> bool {
        let sender = self.forget(id);
        sender.is_some_and(|sender| sender.send(answer).is_ok())
    }

    /// Stops waiting. Returns what waited.
    pub(super) fn forget(&self, id: u64) -> Option<oneshot::Sender<Answer>> {
        self.map().as_mut()?.remove(&id)
    }

    /// The only request that waits, if it is one alone.
    pub(super) fn only(&self) -> Option<u64> {
        let map = self.map();
        let mut ids = map.as_ref()?.keys();
        ids.next().copied().filter(|_| ids.next().is_none())
    }

    /// Fails all that wait, and all that would.
    pub(super) fn end(&self, error: &Error) {
        for (_, sender) in self.map().take().into_iter().flatten() {
            // Who waited may be gone at this very moment.
            let _ = sender.send(Err(error.clone()));
        }
    }

    fn map(&self) -> MutexGuard<'_, Option<HashMap<u64, oneshot::Sender<Answer>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
