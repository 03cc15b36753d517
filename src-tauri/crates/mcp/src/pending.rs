//! The requests that wait for an answer over a channel which they share.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use signalbox_model::Json;
use tokio::sync::oneshot;

use crate::{
    error::{Error, Sent},
    flight::Permit,
    queue::Feed,
    rpc::Unasked,
};

pub(crate) type Answer = Result<Json, Error>;

/// An answer, and its room in memory.
pub(crate) type Given = (Answer, Option<Permit>);

/// The answer that was given, handed out.
pub(crate) fn handed_over((answer, permit): Given) -> Answer {
    Permit::hand_over(permit);
    answer
}

/// Who waits, by JSON-RPC id, until the channel has ended.
pub(crate) struct Pending(Mutex<State>);

enum State {
    Open(HashMap<u64, Place>),
    /// Why the channel ended: everybody who waits gets this error.
    Ended(Error),
}

struct Place {
    answer: oneshot::Sender<Given>,
    /// What comes under the request's id before its answer, if somebody wants that.
    news: Option<Feed<Unasked>>,
}

impl Pending {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State::Open(HashMap::new())))
    }

    /// A place to wait at.
    ///
    /// # Errors
    /// How the channel ended, once it has.
    pub(crate) fn wait_for(
        &self,
        id: u64,
        news: Option<Feed<Unasked>>,
    ) -> Result<oneshot::Receiver<Given>, Error> {
        match &mut *self.state() {
            State::Open(waiting) => {
                let (answer, receiver) = oneshot::channel();
                waiting.insert(id, Place { answer, news });
                Ok(receiver)
            }
            State::Ended(error) => Err(never_sent(error.clone())),
        }
    }

    /// Hands an answer to who waits for it; false when nobody does (any more).
    pub(crate) fn answer(&self, id: u64, answer: Answer, permit: Option<Permit>) -> bool {
        self.take(id).is_some_and(|place| place.answer.send((answer, permit)).is_ok())
    }

    /// Where the news of a request go that wants them.
    pub(crate) fn news(&self, id: u64) -> Option<Feed<Unasked>> {
        match &*self.state() {
            State::Open(waiting) => waiting.get(&id)?.news.clone(),
            State::Ended(_) => None,
        }
    }

    /// Stops waiting; false when nobody waited (any more).
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.take(id).is_some()
    }

    /// The only request that waits, if it is one alone.
    pub(crate) fn only(&self) -> Option<u64> {
        match &*self.state() {
            State::Open(waiting) if waiting.len() == 1 => waiting.keys().next().copied(),
            _ => None,
        }
    }

    /// How the channel ended, once it has, for what is to be sent only now.
    pub(crate) fn ended(&self) -> Option<Error> {
        match &*self.state() {
            State::Open(_) => None,
            State::Ended(error) => Some(never_sent(error.clone())),
        }
    }

    /// Fails all that wait, and all that will.
    pub(crate) fn end(&self, error: &Error) {
        let state = std::mem::replace(&mut *self.state(), State::Ended(error.clone()));
        if let State::Open(waiting) = state {
            for place in waiting.into_values() {
                // Who waited may be gone at this very moment.
                let _ = place.answer.send((Err(error.clone()), None));
            }
        }
    }

    fn take(&self, id: u64) -> Option<Place> {
        match &mut *self.state() {
            State::Open(waiting) => waiting.remove(&id),
            State::Ended(_) => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a channel ended, for a request that the server certainly never saw.
pub(crate) fn never_sent(error: Error) -> Error {
    match error {
        Error::Exited { code, stderr, retry_after, .. } => {
            Error::Exited { code, stderr, sent: Sent::No, retry_after }
        }
        Error::Lost { why } => Error::session(why),
        other => other,
    }
}
