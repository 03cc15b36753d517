//! One window per data directory and version. A second start brings the first one forward and ends: through whoever owns the
//! data directory, or by a wish at the lock where that window cannot open it, and shows why. A window of another version cannot
//! be told: ours opens beside it, says so, and stays when that one has gone.
//!
//! The lock is a file of ours in the data directory, not a service of the desktop. So two data directories can have two
//! windows, and `serve` can bring a window forward that it did not start (`View::Forward`).

use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, LEAVING, Remote, Retry, WindowLock, before_next_try, command,
};
use signalbox_model::ActivationToken;
use tokio::time::Instant;

use crate::args::Shown;

/// What a start comes to.
pub(crate) enum Started {
    /// There is to be a window: of this data directory, as long as the lock is kept; or of none, and it shows why.
    Window(Result<(Home, WindowLock), ApiError>),
    /// There was one already, and it came forward.
    Elsewhere,
}

/// What a start wants of the window, whoever has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wish {
    /// To be shown first.
    pub(crate) shown: Option<Shown>,
    /// Whether the demo is to be at work.
    pub(crate) demo: bool,
    /// The right to bring it to the front, where the desktop gave one for this start.
    pub(crate) token: Option<ActivationToken>,
}

/// Claims the data directory for the one window. One that cannot be used is shown in a window, where the person looks. Without a
/// wish a window that is there stays as it is.
///
/// # Errors
/// When another window has it and does not answer.
pub(crate) async fn start(home: Result<Home, ApiError>, wish: Option<Wish>) -> Result<Started, ApiError> {
    let error = match home {
        Ok(home) => match only_one(&home, wish).await {
            Ok(Some(lock)) => return Ok(Started::Window(Ok((home, lock)))),
            Ok(None) => return Ok(Started::Elsewhere),
            Err(error) if matches!(error.code, Code::StorageDenied | Code::StorageFull) => error,
            Err(error) => return Err(error),
        },
        Err(error) => error,
    };
    // It is not looked at again: only another start does that.
    Ok(Started::Window(Err(ApiError { retry: Retry::Never, ..error })))
}

/// The right to be the window of our version of the data directory; none when there is one already, which shows this now, and
/// has the demo at work where that is wished, or shows why it cannot.
///
/// # Errors
/// [`Code::StorageInUse`] when the other window does not answer, and when the lock cannot be used; those of starting the
/// demo.
async fn only_one(home: &Home, wish: Option<Wish>) -> Result<Option<WindowLock>, ApiError> {
    if let Some(lock) = WindowLock::take(home)? {
        return Ok(Some(lock));
    }
    let Some(wish) = wish else { return free_or_followed(home).await };
    tokio::select! {
        // It hears that by itself only while it has no owner to hear of it from.
        Ok(()) = WindowLock::wish(home) => Ok(None),
        told = free_or_told(home, &wish) => told,
    }
}

/// The lock once it is free, or none once the owner of the data directory has told the window that has it.
async fn free_or_told(home: &Home, wish: &Wish) -> Result<Option<WindowLock>, ApiError> {
    let deadline = Instant::now() + LEAVING;
    loop {
        match bring_forward(home, wish).await {
            Ok(()) => return Ok(None),
            Err(error) if error.code != Code::OwnerGone && !error.code.is_other_version() => {
                return Err(error);
            }
            Err(_) if Instant::now() >= deadline => {
                return Err(ApiError::new(
                    Code::StorageInUse,
                    "a window of this data directory is open already, but does not answer",
                ));
            }
            Err(_) => before_next_try().await,
        }
        if let Some(lock) = WindowLock::take(home)? {
            return Ok(Some(lock));
        }
    }
}

/// The lock once it is free, or none where tasks are followed, or that program does not leave.
async fn free_or_followed(home: &Home) -> Result<Option<WindowLock>, ApiError> {
    let deadline = Instant::now() + LEAVING;
    while Instant::now() < deadline && Remote::connect(home).await.is_err() {
        before_next_try().await;
        if let Some(lock) = WindowLock::take(home)? {
            return Ok(Some(lock));
        }
    }
    Ok(None)
}

async fn bring_forward(home: &Home, wish: &Wish) -> Result<(), ApiError> {
    let owner = Remote::connect(home).await?;
    owner.act(Shown::wish(wish.shown.clone(), wish.token.clone())).await?;
    if wish.demo {
        owner.act(command::StartDemo {}).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicU32, Ordering},
        },
        time::Duration,
    };

    use signalbox_api::{Desk as _, View, ViewData};
    use signalbox_model::{CallId, ItemRef};
    use tokio::sync::Notify;

    use super::*;
    use crate::session::{Face, Session};

    #[expect(clippy::unnecessary_wraps, reason = "a start may have none")]
    fn wishing(shown: Option<Shown>) -> Option<Wish> {
        Some(Wish { shown, ..Wish::default() })
    }

    /// Says when it is raised, and how often it was.
    fn face() -> (Face, Arc<Notify>, Arc<AtomicU32>) {
        let (raised, often) = (Arc::new(Notify::new()), Arc::new(AtomicU32::new(0)));
        let raise = {
            let (raised, often) = (Arc::clone(&raised), Arc::clone(&often));
            Arc::new(move |_| {
                often.fetch_add(1, Ordering::Relaxed);
                raised.notify_one();
            })
        };
        (Face { raise, ..Face::none() }, raised, often)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_second_start_shows_its_item_in_the_first_window() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let first = only_one(&home, wishing(None)).await.unwrap().expect("there is no other window");
        let session = Session::new(Ok(home.clone()), None);
        let (raise, mut raised) = tokio::sync::mpsc::unbounded_channel();
        session.open(Face { raise: Arc::new(move |by| raise.send(by).unwrap()), ..Face::none() });

        let item = ItemRef::Call(CallId(5));
        let token = ActivationToken::try_from("e3b0c442".to_owned()).ok();
        let wished = Some(Wish { shown: Some(Shown::Item(item)), demo: false, token: token.clone() });
        assert!(only_one(&home, wished).await.unwrap().is_none(), "there is a window already");
        assert_eq!(raised.recv().await, Some(token), "by the right of the second start");
        let desk = session.desk().await.unwrap();
        assert!(
            only_one(&home, None).await.unwrap().is_none(),
            "a hidden start beside a window ends, and wishes nothing"
        );
        let changes = desk.changes(View::Forward { raises: false }, None, Duration::ZERO).await.unwrap();
        let Some(ViewData::Forward { wish, item: shown, token: None, .. }) = changes.data else {
            panic!("the whole view at first")
        };
        assert_eq!((wish, shown), (1, Some(item)));

        session.close().await;
        drop((desk, first));
        assert!(only_one(&home, wishing(None)).await.unwrap().is_some(), "the first window is gone");
    }

    #[cfg(unix)]
    #[tokio::test(flavor = "multi_thread")]
    async fn beside_an_owner_of_another_version_there_is_one_window_and_it_comes_forward() {
        use signalbox_api::{OwnerKind, Ownership};
        use tokio::{io::AsyncWriteExt as _, net::UnixListener};

        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        // Their window, which knows nothing of our lock.
        let theirs = std::fs::File::create(home.window_lock()).unwrap();
        theirs.try_lock().unwrap();
        let owner = Ownership::take(&home, OwnerKind::Serve).unwrap();
        let socket = home.socket().unwrap();
        let listener = UnixListener::bind(&socket).unwrap();
        let speaking = tokio::spawn(async move {
            let mut streams = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let hello = r#"{"signalbox":1,"version":"0.0.1"}"#;
                stream.write_all(&u32::try_from(hello.len()).unwrap().to_be_bytes()).await.unwrap();
                stream.write_all(hello.as_bytes()).await.unwrap();
                streams.push(stream);
            }
        });
        let started = start(Ok(home.clone()), wishing(None)).await;
        let Ok(Started::Window(Ok((ours, lock)))) = started else { panic!("a window that says so") };
        assert!(!lock.is_alone(), "the files of the window are theirs");
        let session = Session::behind(Ok(ours), Some(lock), None, None);
        let (face, raised, often) = face();
        session.open(face);
        let error = session.desk().await.err().expect("nobody can speak with that owner");
        assert_eq!(error.code, Code::VersionMismatch, "the older one is to end");

        let again = start(Ok(home.clone()), wishing(None)).await;
        assert!(matches!(again, Ok(Started::Elsewhere)), "one window of our version is enough");
        raised.notified().await;

        // The other version leaves altogether: ours is the window, without another start.
        speaking.abort();
        drop((theirs, owner));
        std::fs::remove_file(socket).unwrap();
        session.try_again();
        while session.desk().await.is_err() {
            tokio::task::yield_now().await;
        }
        assert_eq!(often.load(Ordering::Relaxed), 1, "one wish, one answer");
        let wished = start(Ok(home.clone()), wishing(None)).await;
        assert!(matches!(wished, Ok(Started::Elsewhere)), "it is the window now");
        session.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_window_that_shows_what_is_wrong_with_its_data_directory_comes_forward() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        std::fs::write(home.dir().join("signalbox.db"), "not a database".repeat(100)).unwrap();
        let Ok(Started::Window(Ok((ours, lock)))) = start(Ok(home.clone()), wishing(None)).await else {
            panic!("a window that says so")
        };
        let session = Session::behind(Ok(ours), Some(lock), None, None);
        let (face, raised, often) = face();
        session.open(face);
        assert_eq!(session.desk().await.err().map(|error| error.code), Some(Code::StorageDamaged));
        for starts in 1..=2 {
            let item = Some(Shown::Item(ItemRef::Call(CallId(5))));
            let again = start(Ok(home.clone()), Some(Wish { shown: item, demo: true, token: None })).await;
            assert!(matches!(again, Ok(Started::Elsewhere)), "nobody is there to tell it, and it says why");
            raised.notified().await;
            assert_eq!(often.load(Ordering::Relaxed), starts, "one wish, one answer");
        }
        session.close().await;
    }

    #[tokio::test]
    async fn a_data_directory_that_cannot_be_written_gets_a_window_that_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        // Nothing can be locked there, whoever runs this.
        std::fs::create_dir(home.window_lock()).unwrap();
        let Ok(Started::Window(Err(error))) = start(Ok(home), wishing(None)).await else {
            panic!("a window that shows why")
        };
        assert_eq!((error.code, error.retry), (Code::StorageDenied, Retry::Never));
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_that_does_not_answer_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let _hung = only_one(&home, wishing(None)).await.unwrap().expect("there is no other window");
        assert_eq!(only_one(&home, wishing(None)).await.unwrap_err().code, Code::StorageInUse);
    }
}
