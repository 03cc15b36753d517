//! Putting a copy in the place of the database, and getting what can be had from a damaged one: only while nobody else has
//! the data directory, and never over a file that was there.

use std::path::PathBuf;

pub use signalbox_store::{OldLog, SalvageReport, SalvagedTable, Stop};
use signalbox_store::{RescueError, Restored};

use crate::{
    ApiError, Code, Home, NotOwned, OwnerKind, Ownership,
    error::{open_failed, read_failed},
};

/// Puts the backup `from` in the place of the database. None when `stop` asked before the copy was made: then nothing has
/// been moved.
///
/// # Errors
/// [`Code::StorageInUse`] when somebody owns the data directory; when `from` cannot be used. Then nothing has been moved.
pub async fn restore(home: &Home, from: PathBuf, stop: Stop) -> Result<Option<Restored>, ApiError> {
    let owned = alone(home)?;
    let dir = home.dir().to_owned();
    // It stays ours until the work is done, also when nobody waits for it any more.
    blocking(move || {
        let _owned = owned;
        unless_stopped(signalbox_store::restore(&dir, &from, signalbox_engine::wall(), &stop))
    })
    .await
}

/// Makes a new database of all that the damaged one still gives. None when `stop` asked before it was done: then nothing has
/// been moved.
///
/// # Errors
/// [`Code::StorageInUse`] when somebody owns the data directory; when nothing can be had. Then nothing has been moved.
pub async fn salvage(home: &Home, stop: Stop) -> Result<Option<SalvageReport>, ApiError> {
    let owned = alone(home)?;
    let dir = home.dir().to_owned();
    blocking(move || {
        let _owned = owned;
        unless_stopped(signalbox_store::salvage(&dir, signalbox_engine::wall(), &stop))
    })
    .await
}

fn unless_stopped<T>(done: Result<T, RescueError>) -> Result<Option<T>, RescueError> {
    match done {
        Err(RescueError::Stopped) => Ok(None),
        done => done.map(Some),
    }
}

fn alone(home: &Home) -> Result<Ownership, ApiError> {
    Ownership::take(home, OwnerKind::Command).map_err(|error| match error {
        NotOwned::Storage(error) => error,
        NotOwned::Held(owner) => {
            let who =
                owner.map_or_else(|| "another program".to_owned(), |owner| format!("process {}", owner.pid));
            let message = format!("{who} owns {}: end it first", home.dir().display());
            ApiError::new(Code::StorageInUse, message)
        }
    })
}

/// Copies take their time, and must not hold up anything else.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RescueError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.map_err(|_| ApiError::new(Code::Internal, "Working on the store panicked"))?;
    done.map_err(|error| match &error {
        RescueError::Exists(_)
        | RescueError::Missing(_)
        | RescueError::Unwritable(_)
        | RescueError::NotAFile(_) => ApiError::new(Code::Usage, error.to_string()),
        RescueError::Stopped => ApiError::new(Code::TimedOut, error.to_string()),
        RescueError::Unusable(open) => open_failed(open),
        RescueError::Read(read) => read_failed(read),
    })
}
