//! Whether the files that were opened are those that the next start will find.
//!
//! A file that was moved, replaced or deleted can be written to by who has it open as if nothing had happened, and whatever
//! is written goes with it. SQLite does not look: we do, before and after each transaction. The same holds for the lock by
//! which a data directory is somebody's: who takes it by its name next knows nothing of who holds the file it once was.
//!
//! Where a file differs nothing is answered, new readers are refused, and whoever asks is told (`storage_gone`). Where
//! only the log is gone, what it held is brought into the database at once. Once the files are back, all goes on. An
//! owner whose lock file lost its name keeps nothing and acknowledges nothing, since somebody else may own the
//! directory now.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
};

use crate::header::beside;

/// Which files were opened, and where.
#[derive(Debug, Clone)]
pub(crate) struct Whereabouts {
    db: PathBuf,
    files: Vec<(PathBuf, Id)>,
    lock: Option<(PathBuf, Id)>,
}

/// What a file is whatever its name, as long as somebody has it open.
type Id = (u64, u64);

/// What is not where it was opened, by its file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Missing {
    /// A file of the database.
    #[error("{0} of the database is not where it was opened")]
    File(String),
    /// The lock by which the directory is ours.
    #[error("{0}, by which the directory was ours, is not where it was locked")]
    Lock(String),
}

impl Whereabouts {
    /// Of a database that is open, with its log and what its readers share.
    pub(crate) fn of(db: &Path) -> Self {
        let files = [db.to_owned(), beside(db, "-wal"), beside(db, "-shm")];
        let files = files.into_iter().filter_map(|path| id_at(&path).ok().map(|id| (path, id))).collect();
        Self { db: db.to_owned(), files, lock: None }
    }

    /// With the lock `file`, which was taken at `path`.
    pub(crate) fn locked_by(self, path: &Path, file: &File) -> io::Result<Self> {
        let lock = Some((path.to_owned(), id(&file.metadata()?)));
        Ok(Self { lock, ..self })
    }

    /// The database's own file.
    pub(crate) fn db(&self) -> &Path {
        &self.db
    }

    /// What is not where it was opened. Four questions to the system, some microseconds together.
    pub(crate) fn missing(&self) -> Option<Missing> {
        let is_missing = |(path, opened): &&(PathBuf, Id)| match id_at(path) {
            Ok(found) => found != *opened,
            // What cannot be looked at may well be there.
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        };
        let file = self.files.iter().find(is_missing).map(|(path, _)| Missing::File(name(path)));
        file.or_else(|| self.lock.iter().find(is_missing).map(|(path, _)| Missing::Lock(name(path))))
    }
}

fn id_at(path: &Path) -> io::Result<Id> {
    fs::metadata(path).map(|meta| id(&meta))
}

#[cfg(unix)]
fn id(meta: &Metadata) -> Id {
    use std::os::unix::fs::MetadataExt;

    (meta.dev(), meta.ino())
}

/// Elsewhere what is open stays where it is.
#[cfg(not(unix))]
fn id(_: &Metadata) -> Id {
    (0, 0)
}

/// The file, as people know it.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
