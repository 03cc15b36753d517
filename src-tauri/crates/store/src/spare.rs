//! What rows have left free within the database goes back to the disk, once it is much: a portion at a time, between two
//! groups, so that nobody waits long for it.

use std::{path::Path, time::Duration};

use rusqlite::Connection;

/// So many free pages stay for what comes next, of 4 KiB each: what comes and goes all the time moves nothing.
pub(crate) const SPARE: u32 = 1_024;
/// Pages given back at once.
const PORTION: u32 = 512;
/// A database of an earlier version, of at most so many bytes, is made one that can shrink, once: that writes all of it. What
/// is free in a larger one is only used again.
const REBUILT: u64 = 64 << 20;

/// Makes a file that is still to be filled one that can shrink. Before its first page.
pub(crate) fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("PRAGMA auto_vacuum = INCREMENTAL")
}

/// Makes a database one that can shrink which is not, if it is sound and that is soon done. One that cannot be is as it was.
pub(crate) fn rebuild(conn: &Connection, path: &Path) {
    let small = std::fs::metadata(path).is_ok_and(|meta| meta.len() <= REBUILT);
    let rebuilt = || {
        let mut sound = false;
        conn.pragma(None, "quick_check", 1, |row| {
            sound = row.get::<_, String>(0)? == "ok";
            Ok(())
        })?;
        if sound { conn.execute_batch("VACUUM") } else { Ok(()) }
    };
    if small
        && matches!(number(conn, "auto_vacuum"), Ok(0))
        && let Err(error) = rebuilt()
    {
        tracing::debug!(%error, "the database does not shrink");
    }
}

/// What is still to be given back.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spare {
    /// Perhaps more pages than may stay.
    pub(crate) pages: bool,
    /// The log: it still has what went, and the files get shorter only by emptying it.
    pub(crate) log: bool,
}

impl Spare {
    pub(crate) fn is_none(self) -> bool {
        !self.pages && !self.log
    }
}

/// Gives a portion of what may have to be given back, and says what is left of it.
pub(crate) fn give_back(conn: &Connection, spare: Spare, busy: Duration) -> rusqlite::Result<Spare> {
    let Spare { mut pages, mut log } = spare;
    if pages {
        pages = number(conn, "freelist_count")? > SPARE && number(conn, "auto_vacuum")? != 0;
    }
    if pages {
        conn.pragma(None, "incremental_vacuum", PORTION, |_| Ok(()))?;
        (pages, log) = (number(conn, "freelist_count")? > SPARE, true);
    }
    // Once, behind the last portion.
    if log && !pages {
        log = !is_emptied(conn, busy)?;
    }
    Ok(Spare { pages, log })
}

/// Brings a migration into the database itself, where what it took away still stands. Where somebody reads the log, the next
/// time that the log is emptied does it.
pub(crate) fn empty(conn: &Connection, busy: Duration) {
    if let Err(error) = is_emptied(conn, busy) {
        tracing::debug!(%error, "the log of the migration was not emptied");
    }
}

/// Empties the log. Whoever reads it is not waited for: then it stays.
fn is_emptied(conn: &Connection, busy: Duration) -> rusqlite::Result<bool> {
    conn.busy_timeout(Duration::ZERO)?;
    let mut read = 0;
    let emptied = conn.pragma(None, "wal_checkpoint", "TRUNCATE", |row| {
        read = row.get::<_, u32>(0)?;
        Ok(())
    });
    conn.busy_timeout(busy)?;
    emptied.map(|()| read == 0)
}

fn number(conn: &Connection, pragma: &str) -> rusqlite::Result<u32> {
    conn.pragma_query_value(None, pragma, |row| row.get(0))
}
