//! One window per data directory. A second start brings the first one forward and ends; where that is of another version, which
//! cannot be told, it opens a second one without the lock, that says so.
//!
//! The lock is a file of ours in the data directory, not a service of the desktop. So two data directories can have two
//! windows, and `serve` can bring a window forward that it did not start (`View::Forward`).

use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, LEAVING, Remote, Retry, WindowLock, before_next_try, command,
};
use tokio::time::Instant;

use crate::args::Shown;

/// What a start comes to.
pub(crate) enum Started {
    /// There is to be a window: of this data directory, as long as the lock is kept; without one beside the window of another
    /// version, to say so and to end what keeps them apart; or of no data directory, and it shows why.
    Window(Result<Home, ApiError>, Option<WindowLock>),
    /// There was one already, and it came forward.
    Elsewhere,
}

/// Claims the data directory for the one window. One that cannot be used is shown in a window, where the person looks.
///
/// # Errors
/// When another window has it and does not answer.
pub(crate) async fn start(
    home: Result<Home, ApiError>,
    shown: Option<Shown>,
    demo: bool,
) -> Result<Started, ApiError> {
    let error = match home {
        Ok(home) => match only_one(&home, shown, demo).await {
            Ok(Some(lock)) => return Ok(Started::Window(Ok(home), Some(lock))),
            Ok(None) => return Ok(Started::Elsewhere),
            // Nobody can have the window that is there come forward. A person who pressed something is to see why.
            Err(error) if error.code == Code::VersionMismatch => return Ok(Started::Window(Ok(home), None)),
            Err(error) if matches!(error.code, Code::StorageDenied | Code::StorageFull) => error,
            Err(error) => return Err(error),
        },
        Err(error) => error,
    };
    // It is not looked at again: only another start does that.
    Ok(Started::Window(Err(ApiError { retry: Retry::Never, ..error }), None))
}

/// The right to be the window of the data directory; none when there is one already, which shows this now, and has the
/// demo at work where that is wished.
///
/// # Errors
/// [`Code::StorageInUse`] when the other window does not answer, and when the lock cannot be used; those of starting the
/// demo.
async fn only_one(home: &Home, shown: Option<Shown>, demo: bool) -> Result<Option<WindowLock>, ApiError> {
    let deadline = Instant::now() + LEAVING;
    loop {
        if let Some(lock) = WindowLock::take(home)? {
            return Ok(Some(lock));
        }
        match bring_forward(home, shown.clone(), demo).await {
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

async fn bring_forward(home: &Home, shown: Option<Shown>, demo: bool) -> Result<(), ApiError> {
    let owner = Remote::connect(home).await?;
    owner.act(Shown::wish(shown)).await?;
    if demo {
        owner.act(command::StartDemo {}).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use signalbox_api::{Desk as _, View, ViewData};
    use signalbox_model::{CallId, ItemRef};

    use super::*;
    use crate::session::{Face, Session};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_second_start_shows_its_item_in_the_first_window() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let first = only_one(&home, None, false).await.unwrap().expect("there is no other window");
        let session = Session::new(Ok(home.clone()), None);
        session.open(Face::none());

        let item = ItemRef::Call(CallId(5));
        let wished = Some(Shown::Item(item));
        assert!(only_one(&home, wished, false).await.unwrap().is_none(), "there is a window already");
        let desk = session.desk().await.unwrap();
        let changes = desk.changes(View::Forward, None, Duration::ZERO).await.unwrap();
        let Some(ViewData::Forward { wish, item: shown, .. }) = changes.data else {
            panic!("the whole view at first")
        };
        assert_eq!((wish, shown), (1, Some(item)));

        session.close().await;
        drop((desk, first));
        assert!(only_one(&home, None, false).await.unwrap().is_some(), "the first window is gone");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn beside_the_window_of_another_version_there_is_one_that_says_so() {
        use signalbox_api::{OwnerKind, Ownership};
        use tokio::{io::AsyncWriteExt as _, net::UnixListener};

        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let _older = only_one(&home, None, false).await.unwrap().expect("there is no other window");
        let _owner = Ownership::take(&home, OwnerKind::Serve).unwrap();
        let listener = UnixListener::bind(home.socket().unwrap()).unwrap();
        let owner = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let hello = r#"{"signalbox":99,"version":"7.7.7"}"#;
            stream.write_all(&u32::try_from(hello.len()).unwrap().to_be_bytes()).await.unwrap();
            stream.write_all(hello.as_bytes()).await.unwrap();
            stream
        };
        let (started, _stream) = tokio::join!(start(Ok(home.clone()), None, false), owner);
        let Ok(Started::Window(Ok(ours), None)) = started else { panic!("a window, without a lock") };
        assert_eq!(ours.dir(), home.dir(), "so that it can have that owner end");
    }

    #[tokio::test]
    async fn a_data_directory_that_cannot_be_written_gets_a_window_that_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        // Nothing can be locked there, whoever runs this.
        std::fs::create_dir(home.window_lock()).unwrap();
        let Ok(Started::Window(Err(error), None)) = start(Ok(home), None, false).await else {
            panic!("a window, without a lock")
        };
        assert_eq!((error.code, error.retry), (Code::StorageDenied, Retry::Never));
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_that_does_not_answer_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let _hung = only_one(&home, None, false).await.unwrap().expect("there is no other window");
        assert_eq!(only_one(&home, None, false).await.unwrap_err().code, Code::StorageInUse);
    }
}
