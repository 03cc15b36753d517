//! Sessions of the legacy wire that can be taken up again after a restart.

use std::fmt;

use rusqlite::{Connection, params};
use signalbox_model::{Json, ServerId};

use crate::{column::Columns, plan::prepare, snapshot::Snapshot};

pub(crate) const SINCE_3: &str = "
CREATE TABLE sessions (
    server      INTEGER NOT NULL PRIMARY KEY REFERENCES servers (id),
    n           INTEGER NOT NULL, -- our number for it
    id          TEXT, -- a sensitive handle; none where the session cannot be taken up again
    initialized TEXT -- the answer to initialize as received
) STRICT;
";

/// The last session with a server.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The server that the session is with.
    pub server: ServerId,
    /// Our number for it: questions are known by it, and it never comes again.
    pub n: u32,
    /// `Mcp-Session-Id` with the server's answer to `initialize`: sensitive. None where there is nothing to take up again.
    pub saved: Option<(String, Json)>,
}

impl fmt::Debug for StoredSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredSession({}, {})", self.server, self.n)
    }
}

pub(crate) fn put(conn: &Connection, session: &StoredSession) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET n = excluded.n, id = excluded.id, initialized = excluded.initialized";
    let saved = session.saved.as_ref();
    prepare(conn, sql)?.execute(params![
        session.server.0,
        session.n,
        saved.map(|(id, _)| id),
        saved.map(|(_, initialized)| initialized.text()),
    ])?;
    Ok(())
}

pub(crate) fn drop(conn: &Connection, server: ServerId) -> rusqlite::Result<()> {
    prepare(conn, "DELETE FROM sessions WHERE server = ?1")?.execute([server.0])?;
    Ok(())
}

pub(crate) fn all(at: &Snapshot<'_>) -> rusqlite::Result<Vec<StoredSession>> {
    at.rows("SELECT server, n, id, initialized FROM sessions ORDER BY server", [], |row| {
        let mut at = Columns::of(row);
        let (server, n) = (ServerId(at.get()?), at.get()?);
        let (id, initialized): (Option<String>, _) = (at.get()?, at.maybe_json()?);
        Ok(StoredSession { server, n, saved: id.zip(initialized) })
    })
}
