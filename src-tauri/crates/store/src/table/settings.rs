//! Settings: a name and a JSON value.

use rusqlite::{Connection, Row, params};
use signalbox_model::Json;

use crate::{ReadError, Reads, column::Columns, plan::prepare, snapshot::Snapshot};

pub(crate) const SCHEMA: &str = "
CREATE TABLE settings (
    key     TEXT NOT NULL PRIMARY KEY,
    changed INTEGER NOT NULL,
    value   TEXT NOT NULL
) STRICT;
";

pub(crate) fn put(conn: &Connection, seq: u64, key: &str, value: &Json) -> rusqlite::Result<()> {
    let sql = "INSERT INTO settings VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET changed = excluded.changed, value = excluded.value";
    prepare(conn, sql)?.execute(params![key, seq.cast_signed(), value.text()])?;
    Ok(())
}

fn row(row: &Row<'_>) -> rusqlite::Result<(String, Json, u64)> {
    let mut at = Columns::of(row);
    let (key, changed) = (at.get()?, at.number()?);
    Ok((key, at.json()?, changed))
}

pub(crate) fn all(at: &Snapshot<'_>) -> rusqlite::Result<Vec<(String, Json, u64)>> {
    at.rows("SELECT key, changed, value FROM settings ORDER BY key", [], row)
}

impl Reads {
    /// One setting.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn setting(&self, key: &str) -> Result<Option<Json>, ReadError> {
        self.read(|at| {
            at.one("SELECT value FROM settings WHERE key = ?1", [key], |row| Columns::of(row).json())
        })
    }

    /// All settings by name; each with the transaction that last changed it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn settings(&self) -> Result<Vec<(String, Json, u64)>, ReadError> {
        self.read(all)
    }
}
