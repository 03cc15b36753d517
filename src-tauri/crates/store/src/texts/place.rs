//! Where an index of full texts is kept, and how large it may get there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags};

use crate::data_dir::create_private;

/// The file within a data directory.
const FILE: &str = "texts.db";
/// SQLite's own size of a page, in bytes.
const PAGE: u64 = 4_096;
/// The largest file, in bytes.
const LARGEST: u64 = 1 << 30;
/// The most in memory, in bytes.
const IN_MEMORY: u64 = 64 << 20;
/// A file takes at most this part of what is free beside it.
const PART: u64 = 4;

/// The place of an index: a file, or memory, of at most so many bytes.
#[derive(Debug)]
pub(super) struct Place {
    bytes: u64,
    /// Its file, where that could not lose its name. It goes with this.
    named: Option<PathBuf>,
}

impl Place {
    /// In a data directory; in memory where there is little room or nothing can be written.
    pub(super) fn beside(dir: &Path) -> (rusqlite::Result<Connection>, Self) {
        let bytes = LARGEST.min(free(dir).unwrap_or(LARGEST) / PART);
        if bytes < IN_MEMORY {
            return Self::memory();
        }
        match unnamed(&dir.join(FILE)) {
            Ok((conn, named)) => (Ok(conn), Self { bytes, named }),
            Err(error) => {
                tracing::info!(%error, "full texts are indexed in memory");
                Self::memory()
            }
        }
    }

    /// In memory, within [`IN_MEMORY`].
    pub(super) fn memory() -> (rusqlite::Result<Connection>, Self) {
        Self::memory_of(IN_MEMORY)
    }

    /// In so many bytes of memory.
    pub(super) fn memory_of(bytes: u64) -> (rusqlite::Result<Connection>, Self) {
        (Connection::open_in_memory(), Self { bytes, named: None })
    }

    /// How many pages it may have.
    pub(super) fn pages(&self) -> u64 {
        self.bytes / PAGE
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(path) = &self.named {
            let _ = fs::remove_file(path);
        }
    }
}

/// Takes away what a killed owner left.
pub(super) fn tidy(dir: &Path) {
    let _ = fs::remove_file(dir.join(FILE));
}

/// A database in a new file at `path`, which loses its name where it can; else its path is there, too.
fn unnamed(path: &Path) -> io::Result<(Connection, Option<PathBuf>)> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    // SQLite opens the file with the first statement.
    let opened = opened.and_then(|conn| conn.execute_batch("PRAGMA user_version = 1").map(|()| conn));
    let named = match fs::remove_file(path) {
        Ok(()) if cfg!(unix) => None,
        _ => Some(path.to_owned()),
    };
    opened.map(|conn| (conn, named)).map_err(io::Error::other)
}

/// How many bytes are free beside it; none where the system does not say.
#[cfg(unix)]
fn free(dir: &Path) -> Option<u64> {
    let free = rustix::fs::statvfs(dir).ok()?;
    Some(free.f_bavail.saturating_mul(free.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}
