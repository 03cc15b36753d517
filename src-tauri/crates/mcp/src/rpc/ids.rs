//! The ids of our requests.
//!
//! In a session that outlives us they go on beyond the ids of the earlier run (`Options::ids_above`).

use std::sync::atomic::{AtomicU64, Ordering};

/// Gives each request of a client an id of its own.
///
/// They begin with 1, as everybody's do: servers were written whose ids have 32 bits.
#[derive(Debug, Default)]
pub(crate) struct Ids(AtomicU64);

impl Ids {
    pub(crate) fn fresh(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// They begin as everybody's do.
    pub(crate) fn begin_anew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// From now on they are greater than `id`.
    pub(crate) fn go_beyond(&self, id: u64) {
        self.0.fetch_max(id, Ordering::Relaxed);
    }
}
