//! Looks that are under way, so that the UI can leave one: a view that nobody shows any more must not go on waiting at
//! the desk, where a guest's places are few.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use signalbox_api::{ApiError, Code};
use tokio::sync::oneshot;

/// By the UI's numbers.
#[derive(Default)]
pub(crate) struct Looks(Mutex<HashMap<u32, oneshot::Sender<()>>>);

impl Looks {
    /// Looks until it is answered or left.
    pub(crate) async fn until_left<T>(
        &self,
        look: u32,
        answering: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let (leave, left) = oneshot::channel();
        // A UI that was loaded anew begins its numbers anew: its old looks end here.
        self.lock().insert(look, leave);
        tokio::select! {
            answered = answering => {
                self.lock().remove(&look);
                answered
            }
            _ = left => Err(ApiError::new(Code::OwnerGone, "nobody waits for this look any more")),
        }
    }

    /// Ends it, if it is under way.
    pub(crate) fn leave(&self, look: u32) {
        self.lock().remove(&look);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, oneshot::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_look_that_is_left_ends_and_no_other() {
        let looks = Looks::default();
        let waiting = || std::future::pending::<Result<(), ApiError>>();
        let leave = async {
            while looks.lock().len() < 2 {
                tokio::task::yield_now().await;
            }
            looks.leave(1);
        };
        tokio::select! {
            biased;
            left = async { tokio::join!(looks.until_left(1, waiting()), leave).0 } => {
                assert_eq!(left.unwrap_err().code, Code::OwnerGone);
            }
            _ = looks.until_left(2, waiting()) => panic!("nobody left it"),
        }
    }

    #[tokio::test]
    async fn an_answered_look_is_forgotten() {
        let looks = Looks::default();
        assert_eq!(looks.until_left(1, async { Ok(7) }).await, Ok(7));
        looks.leave(1);
        assert!(looks.lock().is_empty());
    }
}
