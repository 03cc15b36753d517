//! Rounds of multi round-trip requests, byte for byte: `requestState` must go back exactly as it came.

use rusqlite::{Connection, Row, params};
use signalbox_model::{CallId, Json};

use crate::{ReadError, Reads, column::Columns, plan::prepare, snapshot::Snapshot, table::calls};

pub(crate) const SCHEMA: &str = "
CREATE TABLE rounds (
    call          INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    n             INTEGER NOT NULL,
    request_state TEXT, -- a sensitive handle
    raw           TEXT NOT NULL,
    PRIMARY KEY (call, n)
) STRICT;
";

pub(crate) const SINCE_4: &str = "
ALTER TABLE rounds ADD COLUMN ttl_ms INTEGER; -- how long the call's task should be kept, as the person wished
";

/// A round of a multi round-trip request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The round, from 1.
    pub n: u32,
    /// The `requestState` byte for byte: a sensitive handle. None when the server sent none.
    pub request_state: Option<String>,
    /// The whole answer as received; `null` once it has made room for others.
    pub raw: Json,
}

/// Where a call stands that answers in rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRound {
    /// The call that answers in rounds.
    pub call: CallId,
    /// Its last round.
    pub round: Round,
    /// The arguments it was made with.
    pub arguments: Option<Json>,
    /// How long its task should be kept, in ms, as the person wished.
    pub ttl_ms: Option<u32>,
}

/// The last round of each call that has not ended and that no task has come of.
pub(crate) fn last_of_live(at: &Snapshot<'_>) -> rusqlite::Result<Vec<OpenRound>> {
    let sql = "SELECT call, max(n), request_state, raw, ttl_ms FROM rounds
        WHERE call IN (SELECT id FROM calls WHERE bucket < 2 AND task_id IS NULL) GROUP BY call";
    at.rows(sql, [], |row| {
        let mut at = Columns::of(row);
        let call = CallId(at.get()?);
        let round = Round { n: at.get()?, request_state: at.get()?, raw: at.json()? };
        Ok(OpenRound { call, round, arguments: None, ttl_ms: at.get()? })
    })
}

pub(crate) fn put(
    conn: &Connection,
    seq: u64,
    call: CallId,
    n: u32,
    (request_state, raw): (Option<&str>, &Json),
    ttl_ms: Option<u32>,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO rounds VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
        SET request_state = excluded.request_state, raw = excluded.raw, ttl_ms = excluded.ttl_ms";
    prepare(conn, sql)?.execute(params![call.0, n, request_state, raw.text(), ttl_ms])?;
    calls::touch(conn, seq, call)
}

/// What servers answered in these rounds makes room for others: `null` stands in its place. Without `before` in all of them,
/// else in those that came before that one.
fn drop_raw(conn: &Connection, call: CallId, before: Option<u32>) -> rusqlite::Result<()> {
    let sql = "UPDATE rounds SET raw = 'null' WHERE call = ?1 AND n < coalesce(?2, n + 1) AND raw <> 'null'";
    prepare(conn, sql)?.execute(params![call.0, before]).map(drop)
}

/// Of a call that has ended nothing of this is needed.
pub(crate) fn sweep(conn: &Connection, call: CallId) -> rusqlite::Result<()> {
    drop_raw(conn, call, None)
}

/// Lets go what the server answered in rounds before this one.
pub(crate) fn shorten(conn: &Connection, seq: u64, call: CallId, before: u32) -> rusqlite::Result<()> {
    drop_raw(conn, call, Some(before))?;
    calls::touch(conn, seq, call)
}

impl Reads {
    /// One round of a call.
    ///
    /// # Errors
    /// When the database cannot be read, or this row is damaged.
    pub fn round(&self, call: CallId, n: u32) -> Result<Option<Round>, ReadError> {
        let sql = "SELECT n, request_state, raw FROM rounds WHERE call = ?1 AND n = ?2";
        self.read(|at| at.one(sql, [call.0, n], round))
    }

    /// A call's rounds from the first to the last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn rounds(&self, call: CallId) -> Result<Vec<Round>, ReadError> {
        let sql = "SELECT n, request_state, raw FROM rounds WHERE call = ?1 ORDER BY n";
        self.read(|at| at.rows(sql, [call.0], round))
    }
}

fn round(row: &Row<'_>) -> rusqlite::Result<Round> {
    let mut at = Columns::of(row);
    Ok(Round { n: at.get()?, request_state: at.get()?, raw: at.json()? })
}
