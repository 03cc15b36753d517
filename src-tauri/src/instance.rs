//! One window per data directory. A second start brings the first one forward and ends.
//!
//! The lock is a file of ours in the data directory, not a service of the desktop. So two data directories can have two
//! windows, and `serve` can bring a window forward that it did not start (`View::Forward`).

use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, LEAVING, Remote, WindowLock, before_next_try, command,
};
use signalbox_model::ItemRef;
use tokio::time::Instant;

/// The right to be the window of the data directory; none when there is one already, which shows `item` now.
///
/// # Errors
/// [`Code::StorageInUse`] when the other window does not answer, and when the lock cannot be used.
pub(crate) async fn only_one(home: &Home, item: Option<ItemRef>) -> Result<Option<WindowLock>, ApiError> {
    let deadline = Instant::now() + LEAVING;
    loop {
        if let Some(lock) = WindowLock::take(home)? {
            return Ok(Some(lock));
        }
        match bring_forward(home, item).await {
            Ok(()) => return Ok(None),
            Err(error) if error.code != Code::OwnerGone => return Err(error),
            Err(_) if Instant::now() >= deadline => {
                return Err(ApiError::new(
                    Code::StorageInUse,
                    "a window of this data directory is open already, but does not answer",
                ));
            }
            Err(_) => before_next_try().await,
        }
    }
}

async fn bring_forward(home: &Home, item: Option<ItemRef>) -> Result<(), ApiError> {
    let owner = Remote::connect(home).await?;
    owner.act(command::BringForward { item }).await
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use signalbox_api::{Desk as _, View, ViewData};
    use signalbox_model::CallId;

    use super::*;
    use crate::session::Session;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_second_start_shows_its_item_in_the_first_window() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let first = only_one(&home, None).await.unwrap().expect("there is no other window");
        let session = Session::new(Ok(home.clone()), None);
        session.open(Arc::new(|| {}));

        let wished = Some(ItemRef::Call(CallId(5)));
        assert!(only_one(&home, wished).await.unwrap().is_none(), "there is a window already");
        let desk = session.desk().await.unwrap();
        let changes = desk.changes(View::Forward, None, Duration::ZERO).await.unwrap();
        let Some(ViewData::Forward { wish, item }) = changes.data else { panic!("the whole view at first") };
        assert_eq!((wish, item), (1, wished));

        session.close().await;
        drop((desk, first));
        assert!(only_one(&home, None).await.unwrap().is_some(), "the first window is gone");
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_that_does_not_answer_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let _hung = only_one(&home, None).await.unwrap().expect("there is no other window");
        assert_eq!(only_one(&home, None).await.unwrap_err().code, Code::StorageInUse);
    }
}
