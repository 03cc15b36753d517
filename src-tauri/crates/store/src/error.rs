//! What can go wrong, in words that say what happened, what it means and what to do.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::{ErrorCode, ffi};

use crate::{
    data_dir::LONGEST,
    room::{no_room, no_room_for},
    whereabouts::Missing,
};

/// A batch could not be committed; nothing of it is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// No room.
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

/// Whose a file or directory is, when it is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Whose {
    /// It belongs to another user.
    #[error("it belongs to user {uid}; run Signalbox as that user, or choose another data directory")]
    OtherUser {
        /// Their number.
        uid: u32,
    },
    /// It is a SQLite database of another program.
    #[error("it is the database of another program; choose another data directory")]
    OtherProgram,
    /// Everybody can write to it, and so replace what is in it.
    #[error(
        "every user of this machine can write to it; choose another data directory, or take that right away"
    )]
    Everybody,
}

/// The store could not be opened. The file is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A later Signalbox made or changed the file.
    #[error(
        "{} was written by a newer Signalbox (format {found}, this one knows {known}): it was left untouched; \
         update Signalbox, or choose another data directory", .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The latest format this program knows.
        known: u32,
    },
    /// An earlier Signalbox wrote the file, and it cannot be brought up to date where nothing can be written.
    #[error(
        "{} was written by an older Signalbox (format {found}, this one knows {known}) and cannot be brought up to date \
         where nothing can be written: copy the data directory to a place that can be written, and name it with --home",
        .path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format this program reads.
        known: u32,
    },
    /// The log beside the file holds changes, and cannot be read where nothing can be written.
    #[error(
        "the log beside {} holds changes that cannot be read where nothing can be written: copy the data directory to a \
         place that can be written, and name it with --home", .path.display()
    )]
    LogUnread {
        /// The file.
        path: PathBuf,
    },
    /// The file is no sound database.
    #[error(
        "{} is damaged ({detail}): it was left untouched; restore a backup, salvage what can still be read, or choose \
         another data directory", .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file or directory is somebody else's.
    #[error("{} is not ours: {whose}", .path.display())]
    NotOurs {
        /// The file or directory.
        path: PathBuf,
        /// Whose it is.
        whose: Whose,
    },
    /// What is there is no regular file.
    #[error(
        "{} is a directory, a pipe or a device, and no file: move it away, or choose another data directory",
        .path.display()
    )]
    NotAFile {
        /// What is there.
        path: PathBuf,
    },
    /// The database cannot have so long a path.
    #[error(
        "the database in {} would have a path of {len} bytes, and no more than {LONGEST} work: choose a data directory with \
         a shorter path (--home)", .path.display()
    )]
    TooLong {
        /// The directory.
        path: PathBuf,
        /// The length of the file's path, in bytes.
        len: usize,
    },
    /// We may not read or write there.
    #[error("no access to {}: Signalbox must be able to read and write there; check its permissions", .path.display())]
    NoAccess {
        /// The file or directory.
        path: PathBuf,
    },
    /// No room.
    #[error(
        "the disk of {} is full, or it has reached the limit on file sizes (`ulimit -f`): free some space and try again",
        .path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Files cannot be locked there, so that two programs could write at once.
    #[error(
        "the file system of {} cannot lock files, without which nothing is safe there: choose a data directory on a \
         disk of this machine", .path.display()
    )]
    NoLocks {
        /// The file.
        path: PathBuf,
    },
    /// The device failed.
    #[error("reading or writing {} failed ({detail}): check the disk and start again", .path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's words.
        detail: String,
    },
    /// Another program holds the file.
    #[error("{} is in use by another program: close it and start again", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
}

impl OpenError {
    pub(crate) fn sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, detail) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            _ if no_room_for(&path, error) => Self::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::NoAccess { path }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            _ if no_locks(error) => Self::NoLocks { path },
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => Self::Io { path, detail },
            // What is left says that the content is not what this format promises.
            _ => Self::Damaged { path, detail },
        }
    }

    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        let path = path.to_owned();
        match error.kind() {
            _ if no_room(error) => Self::Full { path },
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem | Kind::NotADirectory | Kind::IsADirectory => {
                Self::NoAccess { path }
            }
            _ => Self::Io { path, detail: error.to_string() },
        }
    }
}

/// Whether locking itself is what failed.
fn no_locks(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(
            ffi::SQLITE_PROTOCOL
                | ffi::SQLITE_IOERR_LOCK
                | ffi::SQLITE_IOERR_RDLOCK
                | ffi::SQLITE_IOERR_UNLOCK
                | ffi::SQLITE_IOERR_CHECKRESERVEDLOCK
                | ffi::SQLITE_IOERR_SHMOPEN
                | ffi::SQLITE_IOERR_SHMLOCK
                | ffi::SQLITE_IOERR_SHMMAP
        )
    )
}

/// What is wrong with the file of a large payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It is not there.
    #[error("it is missing")]
    Missing,
    /// It is not what was written.
    #[error("its content is not what was written")]
    Changed,
    /// The system does not let us read it.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// Something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file, or the one row asked for, is damaged.
    #[error(
        "the database is damaged ({0}): this cannot be shown; restore a backup, or salvage what can still be read"
    )]
    Damaged(String),
    /// The file of this one payload is damaged; everything else can be read.
    #[error("the file payloads/{name} is damaged ({why}): this cannot be shown; restore a backup")]
    PayloadFile {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: FileFault,
    },
    /// A file of the database is no longer where it was opened.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox had it open: what is there now is not shown; stop Signalbox, put \
         back what was there, or restore a backup, and start it again"
    )]
    Gone(String),
    /// The lock by which the data directory was ours is no longer where it was taken.
    #[error(
        "{0} was moved, replaced or deleted while Signalbox held it: another Signalbox may use the data directory by now, and \
         what is there is not shown; stop this one and start it again"
    )]
    Unlocked(String),
    /// The device failed.
    #[error("reading the disk failed ({0}): check the disk and try again")]
    Io(String),
    /// There is no room for the index of full texts.
    #[error(
        "there is no room for the index of full texts, and what may be in them alone is not found; make room, or filter by \
         tokens such as `tool:deploy`"
    )]
    TextsFull,
    /// The index of full texts failed.
    #[error("the index of full texts failed ({0}), and what may be in them alone is not found; try again")]
    Texts(String),
    /// Anything else.
    #[error("the database could not be read ({0}); try again")]
    Other(String),
}

impl From<Missing> for ReadError {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::File(name) => Self::Gone(name),
            Missing::Lock(name) => Self::Unlocked(name),
        }
    }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(detail),
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => Self::Io(detail),
            None if crate::column::undecodable(&error) => Self::Damaged(detail),
            _ => Self::Other(detail),
        }
    }
}

#[cfg(test)]
mod tests {
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
