//! Which payloads are files, and how to tell that a file is what was written.

use rusqlite::{Connection, Row, params};
use signalbox_model::{CallId, PayloadKind, Word};

use crate::{
    column::Columns,
    files::{FileRow, Shelf},
    plan::prepare,
    snapshot::Snapshot,
};

pub(crate) const SINCE_2: &str = "
CREATE TABLE payload_files (
    call   INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    kind   TEXT NOT NULL,
    name   TEXT NOT NULL, -- within `payloads` beside the database
    size   INTEGER NOT NULL, -- bytes
    sha256 TEXT NOT NULL,
    PRIMARY KEY (call, kind)
) STRICT;
CREATE UNIQUE INDEX payload_files_by_name ON payload_files (name);
";

pub(crate) fn put(
    conn: &Connection,
    call: CallId,
    kind: PayloadKind,
    file: &FileRow,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO payload_files VALUES (?1, ?2, ?3, ?4, ?5)";
    let row = params![call.0, kind.word(), file.name, file.size.cast_signed(), file.sha256.to_string()];
    prepare(conn, sql)?.execute(row)?;
    Ok(())
}

/// Forgets the file of one payload, and has it deleted with the commit. Whether there was one.
pub(crate) fn drop(
    conn: &Connection,
    shelf: &mut Shelf,
    call: CallId,
    kind: PayloadKind,
) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM payload_files WHERE call = ?1 AND kind = ?2 RETURNING name";
    let names = prepare(conn, sql)?
        .query_map(params![call.0, kind.word()], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    let any = !names.is_empty();
    shelf.take_off(names);
    Ok(any)
}

/// The same for all payloads of a call.
pub(crate) fn drop_all(conn: &Connection, shelf: &mut Shelf, call: CallId) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM payload_files WHERE call = ?1 RETURNING name";
    let names = prepare(conn, sql)?
        .query_map([call.0], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    let any = !names.is_empty();
    shelf.take_off(names);
    Ok(any)
}

pub(crate) fn named(conn: &Connection, name: &str) -> rusqlite::Result<bool> {
    prepare(conn, "SELECT 1 FROM payload_files WHERE name = ?1")?.exists([name])
}

pub(crate) fn row(at: &mut Columns<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow { name: at.get()?, size: at.number()?, sha256: at.digest()? })
}

pub(crate) fn one(at: &Snapshot<'_>, call: CallId, kind: PayloadKind) -> rusqlite::Result<Option<FileRow>> {
    let sql = "SELECT name, size, sha256 FROM payload_files WHERE call = ?1 AND kind = ?2";
    at.one(sql, params![call.0, kind.word()], |found| row(&mut Columns::of(found)))
}

/// The rows behind this rowid, with theirs.
pub(crate) fn portion(conn: &Connection, after: i64, limit: u32) -> rusqlite::Result<Vec<(i64, FileRow)>> {
    let sql = "SELECT rowid, name, size, sha256 FROM payload_files WHERE rowid > ?1 ORDER BY rowid LIMIT ?2";
    let read = |found: &Row<'_>| {
        let mut at = Columns::of(found);
        Ok((at.get()?, row(&mut at)?))
    };
    prepare(conn, sql)?.query_map(params![after, limit], read)?.collect()
}
