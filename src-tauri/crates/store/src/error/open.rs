//! A store that could not be opened.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::{ErrorCode, ffi};

use crate::{
    data_dir::LONGEST,
    room::{no_room, no_room_for},
};

/// Whose a file or directory is, when it is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Whose {
    /// It belongs to another user.
    #[error("it belongs to user {uid}; run Signalbox as that user, or choose another data directory")]
    OtherUser {
        /// The user id of that other user.
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
        /// The format that the file has.
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
        /// The format that the file has.
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
        /// Who it belongs to instead.
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
    /// There is no room to write.
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
