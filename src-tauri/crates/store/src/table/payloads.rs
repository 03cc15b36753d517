//! Raw JSON beside a call, kept apart so that lists never drag it along.

use rusqlite::{Connection, params};
use signalbox_model::{CallId, Json, PayloadKind};

use crate::{ReadError, Reads, column::Columns, table::calls, word::Word};

pub(crate) const SCHEMA: &str = "
CREATE TABLE payloads (
    call INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    json TEXT NOT NULL, -- the bytes as received or sent
    PRIMARY KEY (call, kind)
) STRICT;
";

pub(crate) fn put(
    conn: &Connection,
    seq: u64,
    call: CallId,
    kind: PayloadKind,
    json: &Json,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO payloads VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET json = excluded.json";
    conn.prepare_cached(sql)?.execute(params![call.0, kind.word(), json.text()])?;
    calls::touch(conn, seq, call)
}

pub(crate) fn drop(conn: &Connection, seq: u64, call: CallId, kind: PayloadKind) -> rusqlite::Result<()> {
    let sql = "DELETE FROM payloads WHERE call = ?1 AND kind = ?2";
    if conn.prepare_cached(sql)?.execute(params![call.0, kind.word()])? > 0 {
        calls::touch(conn, seq, call)?;
    }
    Ok(())
}

impl Reads {
    /// Raw JSON beside a call.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn payload(&self, call: CallId, kind: PayloadKind) -> Result<Option<Json>, ReadError> {
        let sql = "SELECT json FROM payloads WHERE call = ?1 AND kind = ?2";
        self.read(|at| at.one(sql, params![call.0, kind.word()], |row| Columns::of(row).json()))
    }

    /// Its size in bytes, without reading it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn payload_size(&self, call: CallId, kind: PayloadKind) -> Result<Option<u64>, ReadError> {
        let sql = "SELECT octet_length(json) FROM payloads WHERE call = ?1 AND kind = ?2";
        self.read(|at| at.one(sql, params![call.0, kind.word()], |row| Columns::of(row).number()))
    }
}
