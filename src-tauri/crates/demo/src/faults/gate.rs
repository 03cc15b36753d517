//! Doors in the way of requests.

use tokio::sync::watch;

/// Holds requests until it is opened. Clones are the same gate; one that is never opened holds for ever.
#[derive(Debug, Clone)]
pub struct Gate {
    arrived: watch::Sender<usize>,
    open: watch::Sender<bool>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: watch::Sender::new(0), open: watch::Sender::new(false) }
    }
}

impl Gate {
    /// Let everything through, now and later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Returns once `count` requests in all have arrived here.
    pub async fn reached(&self, count: usize) {
        // The sender lives in `self`, so this can only end with the count.
        let _ = self.arrived.subscribe().wait_for(|arrived| *arrived >= count).await;
    }

    pub(super) fn is_open(&self) -> bool {
        *self.open.borrow()
    }

    pub(super) async fn wait(&self) {
        self.arrived.send_modify(|arrived| *arrived += 1);
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}
