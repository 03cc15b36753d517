//! Raw JSON beside a call, kept apart so that lists never drag it along; what is large is a file.

use rusqlite::{Connection, params};
use signalbox_model::{CallId, Json, PayloadKind, Timestamp, Word};

use crate::{
    ReadError, Reads,
    column::Columns,
    error::Failed,
    files::{LARGE, Shelf},
    plan::prepare,
    table::{calls, payload_files},
};

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
    shelf: &mut Shelf,
    seq: u64,
    call: CallId,
    kind: PayloadKind,
    json: &Json,
) -> Result<(), Failed> {
    payload_files::drop(conn, shelf, call, kind)?;
    if json.text().len() > LARGE {
        prepare(conn, DROP)?.execute(params![call.0, kind.word()])?;
        let file = shelf.put(call, kind, json)?;
        payload_files::put(conn, call, kind, &file)?;
    } else {
        let sql = "INSERT INTO payloads VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET json = excluded.json";
        prepare(conn, sql)?.execute(params![call.0, kind.word(), json.text()])?;
    }
    Ok(calls::touch(conn, seq, call)?)
}

const DROP: &str = "DELETE FROM payloads WHERE call = ?1 AND kind = ?2";

pub(crate) fn drop(
    conn: &Connection,
    shelf: &mut Shelf,
    seq: u64,
    call: CallId,
    kind: PayloadKind,
) -> rusqlite::Result<()> {
    let filed = payload_files::drop(conn, shelf, call, kind)?;
    if prepare(conn, DROP)?.execute(params![call.0, kind.word()])? > 0 || filed {
        calls::touch(conn, seq, call)?;
    }
    Ok(())
}

/// All payloads of a call make room for others.
pub(crate) fn sweep(
    conn: &Connection,
    shelf: &mut Shelf,
    seq: u64,
    call: CallId,
    at: Timestamp,
) -> rusqlite::Result<()> {
    payload_files::drop_all(conn, shelf, call)?;
    prepare(conn, "DELETE FROM payloads WHERE call = ?1")?.execute([call.0])?;
    let sql = "UPDATE calls SET payloads_dropped_at = ?1, changed = ?2 WHERE id = ?3";
    prepare(conn, sql)?.execute(params![at.0, seq.cast_signed(), call.0])?;
    Ok(())
}

impl Reads {
    /// Raw JSON beside a call.
    ///
    /// # Errors
    /// When the database cannot be read; [`ReadError::PayloadFile`] when only the file of this payload cannot.
    pub fn payload(&self, call: CallId, kind: PayloadKind) -> Result<Option<Json>, ReadError> {
        let sql = "SELECT json FROM payloads WHERE call = ?1 AND kind = ?2";
        let _hold = self.files().hold();
        let (json, file) = self.read(|at| {
            let json = at.one(sql, params![call.0, kind.word()], |row| Columns::of(row).json())?;
            let file = if json.is_none() { payload_files::one(at, call, kind)? } else { None };
            Ok((json, file))
        })?;
        match file {
            Some(file) => self.files().read(&file).map(Some),
            None => Ok(json),
        }
    }

    /// Its size in bytes, without reading it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn payload_size(&self, call: CallId, kind: PayloadKind) -> Result<Option<u64>, ReadError> {
        let sql = "SELECT octet_length(json) FROM payloads WHERE call = ?1 AND kind = ?2
            UNION ALL SELECT size FROM payload_files WHERE call = ?1 AND kind = ?2";
        self.read(|at| at.one(sql, params![call.0, kind.word()], |row| Columns::of(row).number()))
    }

    /// When [`Write::Sweep`](crate::Write::Sweep) dropped the payloads of this call to make room for others; none while it
    /// has not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn payloads_dropped_at(&self, call: CallId) -> Result<Option<Timestamp>, ReadError> {
        let sql = "SELECT payloads_dropped_at FROM calls WHERE id = ?1";
        self.read(|at| Ok(at.one(sql, [call.0], |row| Columns::of(row).maybe_time())?.flatten()))
    }
}
