//! What can go wrong, in words that say what happened, what it means and what to do.

mod open;
mod read;

use std::{io, path::Path};

use rusqlite::ErrorCode;

pub use open::{OpenError, Whose};
pub use read::{FileFault, ReadError};

use crate::{
    room::{no_room, no_room_for},
    whereabouts::Missing,
};

/// A batch could not be committed; nothing of it is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// There is no room for the batch.
    #[error(
        "the disk is full, or a file has reached the limit on file sizes (`ulimit -f`): nothing new can be stored until \
         there is room; free some space"
    )]
    Full,
    /// The file or its file system does not accept writes.
    #[error(
        "the database cannot be written: nothing new can be stored; check the permissions of the data directory"
    )]
    ReadOnly,
    /// The device failed.
    #[error("reading or writing the disk failed ({0}): nothing new can be stored; check the disk")]
    Io(String),
    /// The file is not a sound database any more.
    #[error(
        "the database is damaged ({0}): nothing new can be stored; close Signalbox, then restore a \
         backup or salvage what can still be read"
    )]
    Damaged(String),
    /// A file of the database is no longer where it was opened.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox had it open: nothing new is stored, since the next start \
         would not find it, and of the last change nobody can tell; stop Signalbox, put back what was there, or restore a \
         backup, and start it again"
    )]
    Gone(String),
    /// The lock by which the data directory was ours is no longer where it was taken.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox held it: another Signalbox may use the data directory by now, and \
         nothing new is stored; stop this one and start it again"
    )]
    Unlocked(String),
    /// Anything else, such as a write the schema refuses.
    #[error("the change could not be stored ({0}); please report this")]
    Other(String),
}

/// A change that was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failed {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The file of a large payload could not be written.
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Gone(#[from] Missing),
}

impl CommitError {
    /// The error in our words, of the database at `db`, and whether the same batch may succeed later.
    pub(crate) fn sort(db: &Path, error: &Failed) -> (Self, bool) {
        match error {
            Failed::Sqlite(error) => Self::sort_sqlite(db, error),
            Failed::File(error) => (Self::sort_file(error), true),
            Failed::Gone(Missing::File(name)) => (Self::Gone(name.clone()), true),
            Failed::Gone(Missing::Lock(name)) => (Self::Unlocked(name.clone()), true),
        }
    }

    fn sort_file(error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        match error.kind() {
            _ if no_room(error) => Self::Full,
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem | Kind::NotADirectory => Self::ReadOnly,
            _ => Self::Io(error.to_string()),
        }
    }

    fn sort_sqlite(db: &Path, error: &rusqlite::Error) -> (Self, bool) {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            _ if no_room_for(db, error) => (Self::Full, true),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                (Self::ReadOnly, true)
            }
            Some(ErrorCode::SystemIoFailure) => (Self::Io(detail), true),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (Self::Damaged(detail), true),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::OutOfMemory) => {
                (Self::Other(detail), true)
            }
            _ => (Self::Other(detail), false),
        }
    }
}

/// The store is closed (or its writer died): nothing is accepted any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store is closed")]
pub struct Closed;

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn sorted(error: Failed) -> (CommitError, bool) {
        CommitError::sort(Path::new("signalbox.db"), &error)
    }

    #[test]
    fn a_file_system_without_locks_is_told_from_a_failing_disk() {
        let opened = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            OpenError::sqlite(Path::new("signalbox.db"), &error)
        };
        let codes = [ffi::SQLITE_PROTOCOL, ffi::SQLITE_IOERR_LOCK, ffi::SQLITE_IOERR_SHMMAP];
        for code in codes {
            assert!(matches!(opened(code), OpenError::NoLocks { .. }), "{code}");
        }
        assert!(matches!(opened(ffi::SQLITE_IOERR_READ), OpenError::Io { .. }));
    }

    #[test]
    fn what_cannot_grow_is_a_full_disk() {
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let opened = OpenError::sqlite(Path::new("signalbox.db"), &error);
            assert!(matches!(opened, OpenError::Full { .. }), "{code}: {opened}");
            assert_eq!(sorted(Failed::Sqlite(error)), (CommitError::Full, true), "{code}");
        }
    }

    #[test]
    fn a_file_that_does_not_fit_is_a_full_disk() {
        use io::ErrorKind as Kind;
        for kind in [Kind::StorageFull, Kind::QuotaExceeded, Kind::FileTooLarge] {
            assert_eq!(
                sorted(Failed::File(kind.into())),
                (CommitError::Full, true),
                "{kind}: waits for room like any other change"
            );
            let opened = OpenError::io(Path::new("signalbox.db"), &kind.into());
            assert!(matches!(opened, OpenError::Full { .. }), "{kind}: {opened}");
        }
        assert_eq!(sorted(Failed::File(Kind::ReadOnlyFilesystem.into())), (CommitError::ReadOnly, true));
    }
}
