//! Whether the files that were opened are those that the next start will find.
//!
//! A file that was moved, replaced or deleted can be written to by who has it open as if nothing had happened, and whatever
//! is written goes with it. SQLite does not look: we do, before and after each transaction.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::header::beside;

/// Which files were opened, and where.
#[derive(Debug, Clone)]
pub(crate) struct Whereabouts {
    db: PathBuf,
    files: Vec<(PathBuf, Id)>,
}

/// What a file is whatever its name, as long as somebody has it open.
type Id = (u64, u64);

impl Whereabouts {
    /// Of a database that is open, with its log and what its readers share.
    pub(crate) fn of(db: &Path) -> Self {
        let files = [db.to_owned(), beside(db, "-wal"), beside(db, "-shm")];
        let files = files.into_iter().filter_map(|path| id(&path).ok().map(|id| (path, id))).collect();
        Self { db: db.to_owned(), files }
    }

    /// The database's own file.
    pub(crate) fn db(&self) -> &Path {
        &self.db
    }

    /// A file that is not where it was opened. Three questions to the system, some microseconds together.
    pub(crate) fn missing(&self) -> Option<&Path> {
        let is_missing = |(path, opened): &&(PathBuf, Id)| match id(path) {
            Ok(found) => found != *opened,
            // What cannot be looked at may well be there.
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        };
        self.files.iter().find(is_missing).map(|(path, _)| path.as_path())
    }
}

#[cfg(unix)]
fn id(path: &Path) -> io::Result<Id> {
    use std::os::unix::fs::MetadataExt;

    fs::metadata(path).map(|meta| (meta.dev(), meta.ino()))
}

/// Elsewhere what is open stays where it is.
#[cfg(not(unix))]
fn id(path: &Path) -> io::Result<Id> {
    fs::metadata(path).map(|_| (0, 0))
}

/// The file, as people know it.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
