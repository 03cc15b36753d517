//! Each server's tools as received.

use rusqlite::{Connection, params};
use signalbox_model::{Json, ServerId};

use crate::{ReadError, Reads, column::Columns, plan::prepare, snapshot::Snapshot, table::servers};

pub(crate) const SCHEMA: &str = "
CREATE TABLE tools (
    server INTEGER NOT NULL PRIMARY KEY REFERENCES servers (id),
    json   TEXT NOT NULL
) STRICT;
";

pub(crate) fn put(conn: &Connection, seq: u64, server: ServerId, tools: &Json) -> rusqlite::Result<()> {
    let sql = "INSERT INTO tools VALUES (?1, ?2) ON CONFLICT DO UPDATE SET json = excluded.json";
    prepare(conn, sql)?.execute(params![server.0, tools.text()])?;
    servers::touch(conn, seq, server)
}

pub(crate) fn drop(conn: &Connection, server: ServerId) -> rusqlite::Result<()> {
    prepare(conn, "DELETE FROM tools WHERE server = ?1")?.execute([server.0])?;
    Ok(())
}

pub(crate) fn all(at: &Snapshot<'_>) -> rusqlite::Result<Vec<(ServerId, Json)>> {
    at.rows("SELECT server, json FROM tools ORDER BY server", [], |row| {
        let mut at = Columns::of(row);
        Ok((ServerId(at.get()?), at.json()?))
    })
}

impl Reads {
    /// A server's tools as received; none before they were listed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tools(&self, server: ServerId) -> Result<Option<Json>, ReadError> {
        self.read(|at| {
            at.one("SELECT json FROM tools WHERE server = ?1", [server.0], |row| Columns::of(row).json())
        })
    }
}
