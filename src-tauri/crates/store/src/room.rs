//! When something that must grow cannot: the disk is full, or a file has reached what this process may make of one
//! (`ulimit -f`).
//!
//! A quota is the same case. A person's wish is then refused, and what servers said waits. Each program of ours first
//! takes the signal that would end it at that limit (`outlive_file_limit` in `api`).

use std::{io, path::Path};

use rusqlite::{ErrorCode, ffi};

/// Whether a file could not be written for want of room. A file that may not become larger is one of these: the person can
/// do the same about it.
#[must_use]
pub fn no_room(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge)
}

/// Whether something of the database at `db` could not grow: the file, its log, or what its readers share.
pub(crate) fn no_room_for(db: &Path, error: &rusqlite::Error) -> bool {
    let Some(error) = error.sqlite_error() else { return false };
    match error.extended_code {
        _ if error.code == ErrorCode::DiskFull => true,
        ffi::SQLITE_IOERR_SHMSIZE => true,
        // SQLite tells "no space" from other errors of a write, but not this one.
        ffi::SQLITE_IOERR_WRITE => at_limit(db),
        _ => false,
    }
}

/// Whether a file of the database is as large as this process may make one: a write is cut short at the limit, so it is
/// reached exactly.
#[cfg(unix)]
fn at_limit(db: &Path) -> bool {
    use rustix::process::{Resource, getrlimit};

    let Some(limit) = getrlimit(Resource::Fsize).current else { return false };
    let len = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    len(db) >= limit || len(&crate::header::log_of(db)) >= limit
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
fn at_limit(_: &Path) -> bool {
    false
}
