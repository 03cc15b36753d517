//! Puts a backup in the place of the database.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use signalbox_model::Timestamp;

use super::{OldLog, Part, RescueError, Stop, log};
use crate::{
    Copied, OpenError,
    connection::{self, Way},
    copy,
    data_dir::FILE,
    files::Files,
    migrate,
    open::{self, Depth},
};

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Where the database is now that was there before; none when there was none.
    pub aside: Option<PathBuf>,
    /// What was copied.
    pub copied: Copied,
    /// What became of the log of decisions that was there before.
    pub log: OldLog,
}

/// Makes a copy of `from` the database of `dir`. `from` may be a backup, a copy made before a migration, or a database that
/// was moved aside (with its log and its payloads beside it).
///
/// Only for who owns the data directory while nothing has its database open. Numbers of calls, questions and servers that
/// were given out are not given out again, as far as the database that is replaced can still tell. Its log of decisions goes
/// on: what it has more than the backup is added, or an entry (at `at`) names its end.
///
/// # Errors
/// When `from` is missing, not ours, damaged or newer, the directory cannot be used, or `stop` asks before the copy is made.
/// Then nothing has been moved.
pub fn restore(dir: &Path, from: &Path, at: Timestamp, stop: &Stop) -> Result<Restored, RescueError> {
    if !from.exists() {
        return Err(RescueError::Missing(from.to_owned()));
    }
    if !from.is_file() {
        return Err(RescueError::NotAFile(from.to_owned()));
    }
    let format = stop.heeded(open::inspect(from, Depth::Whole, Way::Shared).map_err(RescueError::from))?;
    if format == 0 {
        let detail = "it is empty".to_owned();
        return Err(OpenError::Damaged { path: from.to_owned(), detail }.into());
    }
    open::prepare_dir(dir)?;
    let part = Part::of(dir)?;
    let source = connection::reader(from).map_err(|error| RescueError::sqlite(from, &error))?;
    let files = Files::of(from.parent().unwrap_or(Path::new("")));
    let copied = copy::whole(&source, from, &files, &part.0, stop).map_err(RescueError::from);
    let copied = stop.heeded(copied)?;
    drop(source);
    let log = stop.heeded(carry_on(dir, &part.0, format, at))?;
    let aside = part.put_in_place(dir, "replaced", true)?;
    Ok(Restored { aside, copied, log })
}

/// The numbers and the log of the database that is replaced go on in the copy.
fn carry_on(dir: &Path, part: &Path, format: u32, at: Timestamp) -> Result<OldLog, RescueError> {
    let db = dir.join(FILE);
    let present = open::inspect(&db, Depth::Start, Way::Shared);
    if present == Ok(0) || !db.exists() {
        return Ok(OldLog::Contained);
    }
    let failed = |error: rusqlite::Error| RescueError::sqlite(part, &error);
    let mut copy = Connection::open(part).map_err(failed)?;
    copy.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
    if present.is_ok()
        && let Some([seq, epoch, server, call, request]) = present_numbers(&db)
    {
        let sql =
            "UPDATE meta SET seq = max(seq, ?1), epoch = max(epoch, ?2), next_server = max(next_server, ?3),
            next_call = max(next_call, ?4), next_request = max(next_request, ?5)";
        copy.execute(sql, params![seq, epoch, server, call, request]).map_err(failed)?;
    }
    if present == Ok(1) {
        return Ok(OldLog::Contained); // There was no log before format 2.
    }
    if format < migrate::known() {
        migrate::bring_up(&mut copy, part, &migrate::steps())?;
    }
    let old = connection::reader(&db).ok();
    let log = log::carry_on(old.as_ref(), &mut copy, at).map_err(failed)?;
    copy.close().map_err(|(_, error)| failed(error))?;
    Ok(log)
}

/// Reads them, and empties the log of a database that can be read, so that it is one file when it is moved.
fn present_numbers(db: &Path) -> Option<[i64; 5]> {
    let conn = Connection::open(db).ok()?;
    let sql = "SELECT seq, epoch, next_server, next_call, next_request FROM meta";
    let read =
        |row: &rusqlite::Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]);
    let numbers = conn.query_row(sql, [], read).ok();
    if let Err(error) = conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
        tracing::debug!(%error, "the log is moved beside the database");
    }
    numbers
}
