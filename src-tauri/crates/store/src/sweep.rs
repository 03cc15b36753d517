//! Retention: what has ended long ago goes, a portion per transaction, found by index. Nothing that a person may still have
//! to see to is touched: calls that have not ended, and calls and questions that are not over. Decisions stay for ever.

use rusqlite::{Connection, params};
use signalbox_model::{CallId, RequestId, Timestamp};

use crate::{
    files::Shelf,
    plan::prepare,
    table::{calls, counts, payloads, requests, rounds},
};

/// Calls in one transaction at most.
const PORTION: u32 = 200;

pub(crate) const SINCE_2: &str = "
ALTER TABLE calls ADD COLUMN payloads_dropped_at INTEGER; -- when its payloads made room for others
CREATE INDEX calls_by_end ON calls (ended_at, id) WHERE bucket = 2 AND ended_at IS NOT NULL;
CREATE INDEX calls_with_payloads ON calls (ended_at, id)
    WHERE bucket = 2 AND ended_at IS NOT NULL AND payloads_dropped_at IS NULL;
CREATE INDEX requests_stray ON requests (closed_at, id) WHERE call IS NULL AND settled = 1;
";

// The + keeps SQLite from walking all requests that wait.
const OVER: &str = "NOT EXISTS (SELECT 1 FROM requests WHERE call = calls.id AND +shelf = 0)";

/// What a portion of what ended left.
#[derive(Clone, Copy)]
pub(crate) struct Ended {
    /// Whether there may be more of it.
    pub(crate) may_be_more: bool,
    /// Whether secrets went with it.
    pub(crate) secrets: bool,
}

/// Forgets a portion of what ended before this time.
pub(crate) fn ended(conn: &Connection, shelf: &mut Shelf, before: Timestamp) -> rusqlite::Result<Ended> {
    let mut secrets = false;
    let sql = format!(
        "SELECT id FROM calls INDEXED BY calls_by_end WHERE bucket = 2 AND ended_at < ?1 AND {OVER} \
         ORDER BY ended_at, id LIMIT ?2"
    );
    let found = ids(conn, &sql, before.0)?;
    for id in &found {
        secrets |= calls::forget(conn, shelf, CallId(*id))?;
    }
    // Questions that never had a call.
    let sql = "SELECT id FROM requests INDEXED BY requests_stray \
         WHERE call IS NULL AND shelf <> 0 AND closed_at < ?1 ORDER BY closed_at LIMIT ?2";
    let stray = ids(conn, sql, before.0)?;
    for id in &stray {
        secrets |= requests::forget(conn, RequestId(*id))?;
    }
    Ok(Ended { may_be_more: full(&found) || full(&stray), secrets })
}

/// Drops the payloads of a portion of the calls that ended first, with what they asked and nobody answered, until all of it
/// together has at most `bytes`. Whether there may be more to drop.
pub(crate) fn payloads(
    conn: &Connection,
    shelf: &mut Shelf,
    seq: u64,
    at: Timestamp,
    bytes: u64,
) -> rusqlite::Result<bool> {
    if counts::payload_bytes(conn)? <= bytes {
        return Ok(false);
    }
    let sql = format!(
        "SELECT id FROM calls INDEXED BY calls_with_payloads \
         WHERE bucket = 2 AND ended_at > ?1 AND payloads_dropped_at IS NULL AND {OVER} \
         AND (EXISTS (SELECT 1 FROM payloads WHERE call = calls.id) \
              OR EXISTS (SELECT 1 FROM payload_files WHERE call = calls.id) \
              OR EXISTS (SELECT 1 FROM rounds WHERE call = calls.id) \
              OR EXISTS (SELECT 1 FROM requests WHERE call = calls.id AND +shelf = 2 AND +state = 'closed')) \
         ORDER BY ended_at, id LIMIT ?2"
    );
    let found = ids(conn, &sql, i64::MIN)?;
    for id in &found {
        payloads::sweep(conn, shelf, seq, CallId(*id), at)?;
        rounds::sweep(conn, CallId(*id))?;
        requests::sweep(conn, seq, CallId(*id))?;
        if counts::payload_bytes(conn)? <= bytes {
            return Ok(false);
        }
    }
    Ok(full(&found))
}

fn full(found: &[u32]) -> bool {
    found.len() == PORTION as usize
}

fn ids(conn: &Connection, sql: &str, bound: i64) -> rusqlite::Result<Vec<u32>> {
    prepare(conn, sql)?.query_map(params![bound, PORTION], |row| row.get(0))?.collect()
}
