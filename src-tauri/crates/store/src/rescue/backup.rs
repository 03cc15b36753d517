//! A copy of everything in one file, made while everything runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{
    Connection, params,
    types::{ToSqlOutput, ValueRef},
};
use signalbox_model::Json;

use super::{RescueError, Stop};
use crate::{OpenError, Reads, files::Files, open, table::payload_files};

/// Payloads copied at once.
const PORTION: u32 = 50;

/// A copy that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Its size.
    pub bytes: u64,
    /// Large payloads whose file was missing or damaged, and which are therefore not in it.
    pub left_out: u64,
}

impl Reads {
    /// Copies the database as it is at this moment, large payloads included, into one new file that only we can read. The
    /// writer goes on meanwhile. See [`restore`](super::restore).
    ///
    /// # Errors
    /// When `to` (or `to` with `.part` behind) is there already or cannot be written, the database cannot be read, or `stop`
    /// asks before it is done: then there is no file `to`.
    pub fn backup(&self, to: &Path, stop: &Stop) -> Result<Copied, RescueError> {
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        for path in [to, &part] {
            if path.symlink_metadata().is_ok() {
                return Err(RescueError::Exists(path.to_owned()));
            }
        }
        let unwritable = || RescueError::Unwritable(to.to_owned());
        if !directory(to).is_dir() {
            return Err(unwritable());
        }
        let _hold = self.files().hold();
        let copied = self.with(|conn| Ok(whole(conn, self.path(), self.files(), &part, stop)?));
        let done = stop.heeded(copied).and_then(|copied| publish(&part, to).map(|()| copied));
        if done.is_err() {
            // Best effort: it is ours, and of no use.
            let _ = fs::remove_file(&part);
        }
        done.map_err(|error| match error {
            RescueError::Unusable(OpenError::NoAccess { path }) if path == part => unwritable(),
            error => error,
        })
    }
}

fn directory(of: &Path) -> &Path {
    let parent = of.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Gives the finished copy its name, unless somebody has taken it meanwhile.
fn publish(part: &Path, to: &Path) -> Result<(), RescueError> {
    let failed = |error: io::Error| RescueError::io(to, &error);
    match fs::hard_link(part, to) {
        Ok(()) => fs::remove_file(part).map_err(failed)?,
        // Some file systems have no links.
        Err(_) if to.symlink_metadata().is_err() => fs::rename(part, to).map_err(failed)?,
        Err(_) => return Err(RescueError::Exists(to.to_owned())),
    }
    open::sync_dir(directory(to)).map_err(failed)
}

/// Copies the database at `source` and its files into the new file `part`, and brings it to the disk. What `stop` asks for is
/// an error, or a copy that is not whole.
pub(crate) fn whole(
    conn: &Connection,
    source: &Path,
    files: &Files,
    part: &Path,
    stop: &Stop,
) -> Result<Copied, OpenError> {
    // Made here because SQLite would make it readable for others; VACUUM INTO accepts an empty file.
    let file = open::create_private(part).map_err(|error| OpenError::io(part, &error))?;
    // A path need not be text; SQLite takes its bytes as they are.
    let name = ToSqlOutput::Borrowed(ValueRef::Text(part.as_os_str().as_encoded_bytes()));
    let vacuum = || conn.execute("VACUUM INTO ?1", [&name]);
    stop.reaching(conn, vacuum).map_err(|error| match OpenError::sqlite(part, &error) {
        OpenError::Damaged { detail, .. } => OpenError::Damaged { path: source.to_owned(), detail },
        error => error,
    })?;
    let left_out = take_in(part, files, stop).map_err(|error| OpenError::sqlite(part, &error))?;
    let synced = file.sync_all().and_then(|()| file.metadata());
    let bytes = synced.map_err(|error| OpenError::io(part, &error))?.len();
    Ok(Copied { bytes, left_out })
}

/// Puts the payloads that are files into the copy itself. How many could not be read.
fn take_in(part: &Path, files: &Files, stop: &Stop) -> rusqlite::Result<u64> {
    let mut conn = Connection::open(part)?;
    // A copy that fails is thrown away; and it takes what there is, sound or not.
    conn.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF;",
    )?;
    if !conn.table_exists(None, "payload_files")? {
        return Ok(0); // Before format 2.
    }
    let transaction = conn.transaction()?;
    let mut left_out = 0;
    loop {
        let portion = payload_files::portion(&transaction, 0, PORTION)?;
        if portion.is_empty() || stop.asked() {
            break;
        }
        for (row, file) in portion {
            let insert = "INSERT INTO payloads SELECT call, kind, ?1 FROM payload_files WHERE rowid = ?2";
            match files.read(&file) {
                Ok(json) => drop(transaction.execute(insert, params![Json::text(&json), row])?),
                Err(error) => {
                    tracing::warn!(%error, "a payload is not in the copy");
                    left_out += 1;
                }
            }
            transaction.execute("DELETE FROM payload_files WHERE rowid = ?1", [row])?;
        }
    }
    transaction.commit()?;
    Ok(left_out)
}
