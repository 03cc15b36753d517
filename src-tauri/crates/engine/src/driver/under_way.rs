//! Requests that may take long and can be given up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use signalbox_model::CallId;
use tokio_util::sync::CancellationToken;

use crate::by_number::ByNumber;

/// Requests that can be given up, by their calls.
#[derive(Clone, Default)]
pub(super) struct UnderWay(Arc<Mutex<ByNumber<CallId, CancellationToken>>>);

impl UnderWay {
    fn lock(&self) -> MutexGuard<'_, ByNumber<CallId, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is cancelled when the request is given up.
    pub(super) fn begin(&self, call: CallId) -> CancellationToken {
        let given_up = CancellationToken::new();
        self.lock().insert(call, given_up.clone());
        given_up
    }

    pub(super) fn end(&self, call: CallId) {
        self.lock().remove(&call);
    }

    pub(super) fn give_up(&self, call: CallId) {
        if let Some(given_up) = self.lock().remove(&call) {
            given_up.cancel();
        }
    }
}
