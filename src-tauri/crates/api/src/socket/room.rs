//! Room in memory for what goes one way over the owner's socket, of all clients together.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::frame::LIMIT;

/// A frame of no more bytes is small. Small ones have room of their own, so that no large one keeps them waiting.
pub(super) const SMALL: u32 = 64 * 1024;

/// Bytes of all small frames.
const OF_SMALL: u32 = 16 * 1024 * 1024;

/// Bytes of all others: as many as the largest has, which comes alone.
const OF_LARGE: u32 = LIMIT;

/// Whoever wants room waits for it in the order of coming.
#[derive(Clone)]
pub(super) struct Room {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

/// Room that is free again when this is dropped.
pub(super) type Taken = OwnedSemaphorePermit;

impl Room {
    pub(super) fn new() -> Self {
        let of = |bytes: u32| Arc::new(Semaphore::new(bytes as usize));
        Self { small: of(OF_SMALL), large: of(OF_LARGE) }
    }

    /// Room for a frame of so many bytes.
    pub(super) async fn take(&self, bytes: u32) -> Taken {
        let room = if bytes <= SMALL { &self.small } else { &self.large };
        let taken = Arc::clone(room).acquire_many_owned(bytes.min(OF_LARGE)).await;
        taken.expect("BUG: nobody closes it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room for `bytes` if it is there now.
    async fn at_once(room: &Room, bytes: u32) -> Option<Taken> {
        tokio::select! {
            biased;
            taken = room.take(bytes) => Some(taken),
            () = std::future::ready(()) => None,
        }
    }

    #[tokio::test]
    async fn all_large_frames_together_have_a_bound_and_hold_up_no_small_one() {
        let room = Room::new();
        let mebibyte = 1024 * 1024;
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.push(at_once(&room, 64 * mebibyte).await.expect("256 MiB in all"));
        }
        assert!(at_once(&room, SMALL + 1).await.is_none(), "and no byte more");
        for _ in 0..256 {
            taken.push(at_once(&room, SMALL).await.expect("16 MiB of small ones"));
        }
        assert!(at_once(&room, 1).await.is_none(), "and no byte more");
        taken.clear();
        let alone = at_once(&room, LIMIT).await.expect("the largest frame comes alone");
        assert!(at_once(&room, SMALL + 1).await.is_none());
        drop(alone);
        assert!(at_once(&room, SMALL + 1).await.is_some());
    }
}
