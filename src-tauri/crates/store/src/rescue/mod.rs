//! When something went wrong: whether the database is sound, copies of it, and what can be had from a damaged one.
//!
//! Must never happen: a file that was there is deleted or overwritten. What is replaced is moved aside, into a numbered
//! directory within the data directory.

mod backup;
mod check;
mod log;
mod restore;
mod rows;
mod salvage;
mod source;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use check::Problem;
pub use log::OldLog;
pub use restore::{Restored, restore};
pub use salvage::{SalvageReport, SalvagedTable, salvage};

use crate::{OpenError, ReadError, Stop, data_dir, files};

/// A copy could not be made or put into place. What was there is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RescueError {
    /// Nothing is ever overwritten.
    #[error("{} is there already, and nothing is ever overwritten: choose another name", .0.display())]
    Exists(PathBuf),
    /// Nothing to work on.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// A copy cannot be put there.
    #[error("cannot write {}: there is no such directory, or no right to write in it", .0.display())]
    Unwritable(PathBuf),
    /// What was named as a backup is none.
    #[error("{} is a directory, a pipe or a device, and no file: name the file of a backup", .0.display())]
    NotAFile(PathBuf),
    /// It was asked to end before it was done.
    #[error("it was stopped before it was done, and nothing was changed")]
    Stopped,
    /// A file or directory cannot be used.
    #[error(transparent)]
    Unusable(#[from] OpenError),
    /// The database could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl RescueError {
    fn io(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing(path.to_owned()),
            _ => OpenError::io(path, error).into(),
        }
    }

    fn sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        OpenError::sqlite(path, error).into()
    }
}

impl Stop {
    /// What an attempt came to; whatever it is once it was asked to stop, it is not gone on with.
    fn heeded<T>(&self, done: Result<T, RescueError>) -> Result<T, RescueError> {
        if self.asked() { Err(RescueError::Stopped) } else { done }
    }
}

/// The file in which the copy is made that is to become the database. Dropped before that, it is removed.
struct Part(PathBuf);

impl Part {
    fn of(dir: &Path) -> Result<Self, RescueError> {
        let path = dir.join(format!("{}.part", data_dir::FILE));
        match fs::remove_file(&path) {
            // What an interrupted try has left is of no use.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RescueError::io(&path, &error)),
            _ => Ok(Self(path)),
        }
    }

    /// Moves the present database into `dir/{name}-{n}`, and this into its place. The new directory; none when there was no
    /// database.
    fn put_in_place(
        self,
        dir: &Path,
        name: &str,
        with_payloads: bool,
    ) -> Result<Option<PathBuf>, RescueError> {
        let failed = |error: io::Error| RescueError::io(dir, &error);
        let db = dir.join(data_dir::FILE);
        // The log first, which must never be beside another database; then, in one step, the database.
        let mut names = vec!["signalbox.db-wal", "signalbox.db-shm"];
        names.extend(with_payloads.then_some(files::DIR));
        let any = db.exists() || names.iter().any(|name| dir.join(name).exists());
        let aside = if any { Some(data_dir::numbered(dir, name).map_err(failed)?) } else { None };
        if let Some(aside) = &aside {
            for name in names {
                move_there(&dir.join(name), &aside.join(name)).map_err(failed)?;
            }
            let old = aside.join(data_dir::FILE);
            if fs::hard_link(&db, &old).is_err() {
                move_there(&db, &old).map_err(failed)?;
            }
            data_dir::sync_dir(aside).map_err(failed)?;
        }
        fs::rename(&self.0, &db).map_err(failed)?;
        data_dir::sync_dir(dir).map_err(failed)?;
        Ok(aside)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, "an unfinished copy stays in the data directory");
            }
            _ => {}
        }
    }
}

/// Moves what may not be there.
fn move_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}
