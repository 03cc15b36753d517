//! The requests that wait for an answer of one child.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use signalbox_model::Json;
use tokio::sync::oneshot;

use crate::error::{Error, Sent};

pub(super) type Answer = Result<Json, Error>;

/// Who waits, by JSON-RPC id, until the child has ended.
pub(super) struct Pending(Mutex<State>);

enum State {
    Open(HashMap<u64, oneshot::Sender<Answer>>),
    /// How it ended.
    Ended(Error),
}

impl Pending {
    pub(super) fn new() -> Self {
        Self(Mutex::new(State::Open(HashMap::new())))
    }

    /// A place to wait at.
    ///
    /// # Errors
    /// How the child ended, once it has.
    pub(super) fn wait_for(&self, id: u64) -> Result<oneshot::Receiver<Answer>, Error> {
        match &mut *self.state() {
            State::Open(waiting) => {
                let (sender, receiver) = oneshot::channel();
                waiting.insert(id, sender);
                Ok(receiver)
            }
            State::Ended(error) => Err(never_sent(error.clone())),
        }
    }

    /// Hands an answer to who waits for it; false when nobody does (any more).
    pub(super) fn answer(&self, id: u64, answer: Answer) -> bool {
        self.take(id).is_some_and(|sender| sender.send(answer).is_ok())
    }

    /// Stops waiting; false when nobody waited (any more).
    pub(super) fn forget(&self, id: u64) -> bool {
        self.take(id).is_some()
    }

    /// The only request that waits, if it is one alone.
    pub(super) fn only(&self) -> Option<u64> {
        match &*self.state() {
            State::Open(waiting) if waiting.len() == 1 => waiting.keys().next().copied(),
            _ => None,
        }
    }

    /// Fails all that wait, and all that will.
    pub(super) fn end(&self, error: &Error) {
        let state = std::mem::replace(&mut *self.state(), State::Ended(error.clone()));
        if let State::Open(waiting) = state {
            for sender in waiting.into_values() {
                // Who waited may be gone at this very moment.
                let _ = sender.send(Err(error.clone()));
            }
        }
    }

    fn take(&self, id: u64) -> Option<oneshot::Sender<Answer>> {
        match &mut *self.state() {
            State::Open(waiting) => waiting.remove(&id),
            State::Ended(_) => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a child ended, for a request that it certainly never saw.
pub(super) fn never_sent(error: Error) -> Error {
    match error {
        Error::Exited { code, stderr, retry_after, .. } => {
            Error::Exited { code, stderr, sent: Sent::No, retry_after }
        }
        other => other,
    }
}
