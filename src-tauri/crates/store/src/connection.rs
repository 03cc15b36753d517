//! Connections to the file, set up as we use them.

use std::{fmt::Write as _, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use crate::spare;

/// Longer than any of our transactions; only another program can hold the file longer.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// How a database is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// With its log, beside whoever writes.
    Shared,
    /// The file alone, which nobody changes meanwhile. Needs no place to write beside it, unlike the log.
    Alone,
}

/// A connection that can only read.
pub(crate) fn reader(path: &Path) -> rusqlite::Result<Connection> {
    reader_by(path, Way::Shared)
}

/// The same, in this way.
pub(crate) fn reader_by(path: &Path, way: Way) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = match way {
        Way::Shared => Connection::open_with_flags(path, flags)?,
        Way::Alone => Connection::open_with_flags(alone(path), flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(64);
    // Sorting may spill: never into a directory others can read.
    conn.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;")?;
    Ok(conn)
}

/// The URI by which SQLite takes a file for one that never changes. Whatever a path is made of is escaped.
fn alone(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02x}");
        }
    }
    uri + "?immutable=1"
}

/// A connection that can write, with its journal's mode.
pub(crate) fn writer(path: &Path) -> rusqlite::Result<(Connection, String)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(64);
    spare::prepare(&conn)?;
    let mode = conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;
         PRAGMA secure_delete = FAST;
         PRAGMA journal_size_limit = 67108864;",
    )?;
    Ok((conn, mode))
}
