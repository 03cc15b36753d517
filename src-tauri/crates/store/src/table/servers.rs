//! Servers the person registered. Rows stay when a server is removed, so that finished calls keep theirs.
//!
//! The name of a removed server is free again.

use std::sync::LazyLock;

use rusqlite::{Connection, Row, params};
use signalbox_model::{Json, Server, ServerId, Timestamp, Word};

use crate::{ReadError, Reads, column::Columns, plan::prepare, snapshot::Snapshot, table::Layout};

pub(crate) const SCHEMA: &str = "
CREATE TABLE servers (
    id               INTEGER NOT NULL PRIMARY KEY,
    changed          INTEGER NOT NULL,
    name             TEXT NOT NULL,
    transport        TEXT NOT NULL, -- JSON of ours; secrets only as references
    enabled          INTEGER NOT NULL,
    created_at       INTEGER NOT NULL, -- all times in ms since 1970
    removed_at       INTEGER,
    wire             TEXT,
    protocol_version TEXT,
    peer             TEXT, -- JSON of ours
    capabilities     TEXT, -- as received
    tasks            INTEGER NOT NULL,
    health           TEXT NOT NULL -- JSON of ours
) STRICT;
CREATE UNIQUE INDEX servers_by_name ON servers (name) WHERE removed_at IS NULL;
";

// Whoever was registered before was typed in: that is consent.
pub(crate) const SINCE_3: &str = "
ALTER TABLE servers ADD COLUMN roots TEXT NOT NULL DEFAULT '[]'; -- JSON of ours
ALTER TABLE servers ADD COLUMN trusted INTEGER NOT NULL DEFAULT 1;
ALTER TABLE servers ADD COLUMN access TEXT NOT NULL DEFAULT '{}'; -- JSON of ours; secrets only as references
";

pub(crate) const SINCE_5: &str = "
ALTER TABLE servers ADD COLUMN heard_at INTEGER; -- when it last answered anything, in ms since 1970
";

const LAYOUT: Layout = Layout {
    table: "servers",
    key: &["id"],
    columns: &[
        "id",
        "changed",
        "name",
        "transport",
        "enabled",
        "created_at",
        "removed_at",
        "wire",
        "protocol_version",
        "peer",
        "capabilities",
        "tasks",
        "health",
        "roots",
        "trusted",
        "access",
        "heard_at",
    ],
};
static SELECT: LazyLock<String> = LazyLock::new(|| LAYOUT.select());
static UPSERT: LazyLock<String> = LazyLock::new(|| LAYOUT.upsert());

fn row(row: &Row<'_>) -> rusqlite::Result<(Server, u64)> {
    let mut at = Columns::of(row);
    let id = ServerId(at.get()?);
    let changed = at.number()?;
    let server = Server {
        id,
        name: at.get()?,
        transport: at.own()?,
        enabled: at.get()?,
        created_at: at.time()?,
        removed_at: at.maybe_time()?,
        wire: at.maybe_word()?,
        protocol_version: at.get()?,
        peer: at.maybe_own()?,
        capabilities: at.maybe_json()?,
        tasks: at.get()?,
        health: at.own()?,
        roots: at.own()?,
        trusted: at.get()?,
        access: at.own()?,
        heard_at: at.maybe_time()?,
    };
    Ok((server, changed))
}

pub(crate) fn put(conn: &Connection, seq: u64, server: &Server) -> rusqlite::Result<()> {
    let (transport, health) = (Json::of(&server.transport), Json::of(&server.health));
    let (roots, access) = (Json::of(&server.roots), Json::of(&server.access));
    let peer = server.peer.as_ref().map(Json::of);
    let row = params![
        server.id.0,
        seq.cast_signed(),
        server.name,
        transport.text(),
        server.enabled,
        server.created_at.0,
        server.removed_at.map(|at| at.0),
        server.wire.map(Word::word),
        server.protocol_version,
        peer.as_ref().map(Json::text),
        server.capabilities.as_ref().map(Json::text),
        server.tasks,
        health.text(),
        roots.text(),
        server.trusted,
        access.text(),
        server.heard_at.map(|at| at.0),
    ];
    prepare(conn, &UPSERT)?.execute(row)?;
    Ok(())
}

/// It answered. That is no change of the row for those who show it: `changed` stays.
pub(crate) fn heard(conn: &Connection, server: ServerId, at: Timestamp) -> rusqlite::Result<()> {
    let sql = "UPDATE servers SET heard_at = ?1 WHERE id = ?2";
    prepare(conn, sql)?.execute(params![at.0, server.0])?;
    Ok(())
}

/// Something that hangs on the server changed.
pub(crate) fn touch(conn: &Connection, seq: u64, server: ServerId) -> rusqlite::Result<()> {
    let sql = "UPDATE servers SET changed = ?1 WHERE id = ?2";
    prepare(conn, sql)?.execute(params![seq.cast_signed(), server.0])?;
    Ok(())
}

pub(crate) fn name(conn: &Connection, server: ServerId) -> rusqlite::Result<String> {
    prepare(conn, "SELECT name FROM servers WHERE id = ?1")?.query_row([server.0], |row| row.get(0))
}

pub(crate) fn all(at: &Snapshot<'_>) -> rusqlite::Result<Vec<(Server, u64)>> {
    at.rows(&format!("{}ORDER BY id", *SELECT), [], row)
}

impl Reads {
    /// All servers, also removed ones, by id; each with the transaction that last changed it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn servers(&self) -> Result<Vec<(Server, u64)>, ReadError> {
        self.read(all)
    }
}
