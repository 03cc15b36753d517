//! A copy of the database and its files, whole, in one file.
//!
//! Secrets that are still to be delivered are in it: what is restored sends the answers that were on their way, and one whose
//! secrets were left out would go out with nothing in their places. Whoever makes a copy is told.

use std::path::Path;

use rusqlite::{
    Connection, params,
    types::{ToSqlOutput, ValueRef},
};
use signalbox_model::Json;

use crate::{OpenError, Stop, data_dir, files::Files, table::payload_files};

/// Payloads copied at once.
const PORTION: u32 = 50;

/// A copy that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// The size of the copy, in bytes.
    pub bytes: u64,
    /// Large payloads whose file was missing or damaged, and which are therefore not in it.
    pub left_out: u64,
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
    let file = data_dir::create_private(part).map_err(|error| OpenError::io(part, &error))?;
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
