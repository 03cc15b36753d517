//! Calls: the narrow rows that lists show. Everything large hangs beside them.
//!
//! A row has the beginning of a long message, and the raw JSON has all of it. Whether a task lives without limit stands
//! in its row.
//!
//! A new message alone leaves the indexes of its row as they are.

mod brief;
mod earlier;
mod list;
pub(crate) mod own;

use std::{collections::HashSet, sync::LazyLock};

use rusqlite::{Connection, Row, params};
use signalbox_model::{Call, CallId, Cancel, Json, ServerId, Task, Word};

use crate::{
    ReadError, Reads,
    column::Columns,
    files::Shelf,
    plan::prepare,
    secrets,
    snapshot::Snapshot,
    table::{Layout, payload_files},
};

// Task ids are not unique, even within a server: a server may hand one out twice (some begin to count again when they
// start), and refusing the row would lose the second call.
pub(crate) const SCHEMA: &str = "
CREATE TABLE calls (
    id                     INTEGER NOT NULL PRIMARY KEY,
    changed                INTEGER NOT NULL,
    server                 INTEGER NOT NULL REFERENCES servers (id),
    wire                   TEXT,
    tool                   TEXT NOT NULL,
    summary                TEXT NOT NULL,
    origin                 TEXT NOT NULL,
    created_at             INTEGER NOT NULL,
    delivery               TEXT NOT NULL,
    status                 TEXT NOT NULL,
    status_text            TEXT,
    outcome                TEXT,
    tracking               TEXT NOT NULL,
    note_code              TEXT, -- with note_message, or neither
    note_message           TEXT,
    task_id                TEXT, -- a sensitive handle; none: no task, and the task's columns are empty
    status_message         TEXT,
    task_created_at        INTEGER,
    last_updated_at        INTEGER,
    ttl_ms                 INTEGER,
    poll_interval_ms       INTEGER,
    expires_at             INTEGER,
    seen_at                INTEGER,
    cancel_requested_at    INTEGER,
    cancel_acknowledged_at INTEGER,
    ended_at               INTEGER,
    next_poll_at           INTEGER,
    open_requests          INTEGER NOT NULL,
    -- Not a generated column: SQLite never reads one from an index alone.
    bucket                 INTEGER NOT NULL CHECK (bucket =
        CASE WHEN outcome IS NOT NULL THEN 2
             WHEN open_requests > 0 OR status = 'input_required' THEN 0
             ELSE 1 END)
) STRICT;
-- Each index holds all that paging needs, so that leaving out the rows before a window never touches them.
CREATE INDEX calls_by_bucket ON calls (bucket, created_at DESC, id DESC, server);
CREATE INDEX calls_by_server ON calls (server, bucket, created_at DESC, id DESC);
CREATE INDEX calls_by_status ON calls (status, bucket, created_at DESC, id DESC, server);
CREATE INDEX calls_by_task ON calls (task_id, server) WHERE task_id IS NOT NULL;
";

pub(crate) const SINCE_3: &str = "
ALTER TABLE calls ADD COLUMN progress TEXT; -- JSON of ours
";

// That its server says `input_required` made a call need a person, also when nothing could be said to it. SQLite has no
// statement for another CHECK, and documents this edit of its schema for it (lang_altertable, section 7): the rows stay.
pub(crate) const SINCE_6: &str = "
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'open_requests > 0 OR status = ''input_required''', 'open_requests > 0')
    WHERE type = 'table' AND name = 'calls';
PRAGMA writable_schema = RESET;
UPDATE calls SET bucket = 1 WHERE bucket = 0 AND open_requests = 0;
";

pub(crate) const SINCE_8: &str = "
ALTER TABLE calls ADD COLUMN unlimited INTEGER; -- whether the task lives without limit, as its server says; none: see the payloads
";

// A note was a code and a sentence of ours: those stay as they were, in one value with those that hosts have the words for.
pub(crate) const SINCE_10: &str = "
ALTER TABLE calls ADD COLUMN note TEXT; -- JSON of ours
UPDATE calls SET note = json_object('code', note_code, 'message', note_message) WHERE note_code IS NOT NULL;
ALTER TABLE calls DROP COLUMN note_code;
ALTER TABLE calls DROP COLUMN note_message;
";

// Nobody lists by status alone any more: that is asked of rows in memory.
pub(crate) const SINCE_11: &str = "
DROP INDEX calls_by_status;
";

pub(crate) const SINCE_16: &str = "
ALTER TABLE calls ADD COLUMN waiting_since INTEGER; -- when the oldest question that needs its person was first seen
UPDATE calls SET waiting_since = (SELECT min(opened_at) FROM requests
        WHERE call = calls.id AND shelf = 0 AND method <> 'roots/list' AND attention IN ('needs_you', 'expiring'))
    WHERE bucket = 0;
";

const LAYOUT: Layout = Layout {
    table: "calls",
    key: &["id"],
    columns: &[
        "id",
        "changed",
        "server",
        "wire",
        "tool",
        "summary",
        "origin",
        "created_at",
        "delivery",
        "status",
        "status_text",
        "outcome",
        "tracking",
        "note",
        "task_id",
        "status_message",
        "task_created_at",
        "last_updated_at",
        "ttl_ms",
        "unlimited",
        "poll_interval_ms",
        "expires_at",
        "seen_at",
        "cancel_requested_at",
        "cancel_acknowledged_at",
        "ended_at",
        "next_poll_at",
        "open_requests",
        "waiting_since",
        "progress",
        "bucket",
    ],
};
static SELECT: LazyLock<String> = LazyLock::new(|| LAYOUT.select());
static UPSERT: LazyLock<String> = LazyLock::new(|| LAYOUT.upsert());
/// The columns of indexes, but the key.
const INDEXED: [&str; 5] = ["server", "created_at", "task_id", "ended_at", "bucket"];
static UPDATE: LazyLock<String> = LazyLock::new(|| LAYOUT.update(&INDEXED));

const BY_HANDLE: &str = "SELECT id FROM calls WHERE task_id = ?1 AND server = ?2 LIMIT 1";

/// The statement that reads rows for [`row`].
pub(crate) fn select(rest: &str) -> String {
    format!("{}{rest}", *SELECT)
}

pub(crate) fn row(row: &Row<'_>) -> rusqlite::Result<(Call, u64)> {
    let mut at = Columns::of(row);
    let id = CallId(at.get()?);
    let changed = at.number()?;
    let call = Call {
        id,
        server: ServerId(at.get()?),
        wire: at.maybe_word()?,
        tool: at.get()?,
        summary: at.get()?,
        origin: at.word()?,
        created_at: at.time()?,
        delivery: at.word()?,
        status: at.word()?,
        status_text: at.get()?,
        outcome: at.maybe_word()?,
        tracking: at.word()?,
        note: at.maybe_own()?,
        task: task(&mut at)?,
        cancel: cancel(&mut at)?,
        ended_at: at.maybe_time()?,
        next_poll_at: at.maybe_time()?,
        open_requests: at.get()?,
        waiting_since: at.maybe_time()?,
        progress: at.maybe_own()?,
    };
    Ok((call, changed))
}

fn task(at: &mut Columns<'_>) -> rusqlite::Result<Option<Task>> {
    let task_id: Option<String> = at.get()?;
    let status_message = at.get()?;
    let created_at = at.maybe_time()?;
    let last_updated_at = at.maybe_time()?;
    let (ttl_ms, unlimited, poll_interval_ms) = (at.get()?, at.get()?, at.get()?);
    let expires_at = at.maybe_time()?;
    let seen_at = at.maybe_time()?;
    let Some(task_id) = task_id else { return Ok(None) };
    let seen_at = at.need(seen_at)?;
    Ok(Some(Task {
        task_id,
        status_message,
        created_at,
        last_updated_at,
        ttl_ms,
        unlimited,
        poll_interval_ms,
        expires_at,
        seen_at,
    }))
}

fn cancel(at: &mut Columns<'_>) -> rusqlite::Result<Option<Cancel>> {
    let (requested_at, acknowledged_at) = (at.maybe_time()?, at.maybe_time()?);
    Ok(requested_at.map(|requested_at| Cancel { requested_at, acknowledged_at }))
}

/// The three parts of the list of calls, in its order; stored as their position.
#[derive(Debug, Clone, Copy)]
enum Bucket {
    /// Not ended, and a question is open or the status is `input_required`.
    NeedsYou,
    /// Not ended, and not among those that need a person.
    Working,
    /// Ended, whatever the outcome.
    Ended,
}

fn bucket(call: &Call) -> Bucket {
    if call.ended() {
        Bucket::Ended
    } else if call.needs_person() {
        Bucket::NeedsYou
    } else {
        Bucket::Working
    }
}

pub(crate) fn put(conn: &Connection, seq: u64, call: &Call) -> rusqlite::Result<()> {
    let (task, cancel) = (call.task.as_ref(), call.cancel.as_ref());
    let note = call.note.as_ref().map(Json::of);
    let progress = call.progress.as_ref().map(Json::of);
    let row = params![
        call.id.0,
        seq.cast_signed(),
        call.server.0,
        call.wire.map(Word::word),
        call.tool,
        call.summary,
        call.origin.word(),
        call.created_at.0,
        call.delivery.word(),
        call.status.word(),
        call.status_text,
        call.outcome.map(Word::word),
        call.tracking.word(),
        note.as_ref().map(Json::text),
        task.map(|task| &task.task_id),
        task.and_then(|task| task.status_message.as_ref()),
        task.and_then(|task| task.created_at).map(|at| at.0),
        task.and_then(|task| task.last_updated_at).map(|at| at.0),
        task.and_then(|task| task.ttl_ms),
        task.and_then(|task| task.unlimited),
        task.and_then(|task| task.poll_interval_ms),
        task.and_then(|task| task.expires_at).map(|at| at.0),
        task.map(|task| task.seen_at.0),
        cancel.map(|cancel| cancel.requested_at.0),
        cancel.and_then(|cancel| cancel.acknowledged_at).map(|at| at.0),
        call.ended_at.map(|at| at.0),
        call.next_poll_at.map(|at| at.0),
        call.open_requests,
        call.waiting_since.map(|at| at.0),
        progress.as_ref().map(Json::text),
        bucket(call) as i64,
    ];
    // By far most changes are another message of the same status.
    if prepare(conn, &UPDATE)?.execute(row)? == 0 {
        prepare(conn, &UPSERT)?.execute(row)?;
    }
    Ok(())
}

/// Something that hangs on the call changed.
pub(crate) fn touch(conn: &Connection, seq: u64, call: CallId) -> rusqlite::Result<()> {
    let sql = "UPDATE calls SET changed = ?1 WHERE id = ?2 AND changed <> ?1";
    prepare(conn, sql)?.execute(params![seq.cast_signed(), call.0])?;
    Ok(())
}

/// Deletes the call; foreign keys delete what hangs on it. Whether secrets went with that.
pub(crate) fn forget(conn: &Connection, shelf: &mut Shelf, call: CallId) -> rusqlite::Result<bool> {
    payload_files::drop_all(conn, shelf, call)?;
    secrets::deleting(conn, "call", call.0, || {
        prepare(conn, "DELETE FROM calls WHERE id = ?1")?.execute([call.0]).map(drop)
    })
}

/// Calls that have not ended.
pub(crate) fn live(at: &Snapshot<'_>) -> rusqlite::Result<Vec<Call>> {
    let rows = at.rows(&select("WHERE bucket < 2 ORDER BY bucket, created_at DESC, id DESC"), [], row)?;
    Ok(rows.into_iter().map(|(call, _)| call).collect())
}

/// Those of these calls that are there, and changed behind transaction `since`.
fn of(at: &Snapshot<'_>, ids: &[CallId], since: u64) -> rusqlite::Result<Vec<(Call, u64)>> {
    let each = ids.iter().map(|id| (id.0, since.cast_signed()));
    at.rows_of_each(&select("WHERE id = ?1 AND changed > ?2"), each, row)
}

/// Those of these calls that came to a result.
pub(crate) fn completed(
    at: &Snapshot<'_>,
    of: impl Iterator<Item = CallId>,
) -> rusqlite::Result<HashSet<CallId>> {
    let sql = "SELECT id FROM calls WHERE id = ?1 AND status = 'completed'";
    let found = at.rows_of_each(sql, of.map(|call| [call.0]), |row| row.get(0).map(CallId))?;
    Ok(found.into_iter().collect())
}

impl Reads {
    /// A call with the transaction that last changed it or something that hangs on it.
    ///
    /// # Errors
    /// When the database cannot be read, or this row is damaged.
    pub fn call(&self, id: CallId) -> Result<Option<(Call, u64)>, ReadError> {
        self.read(|at| at.one(&select("WHERE id = ?1"), [id.0], row))
    }

    /// Those of these calls that are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn calls_of(&self, ids: &[CallId]) -> Result<Vec<(Call, u64)>, ReadError> {
        // No transaction has number 0.
        self.read(|at| of(at, ids, 0))
    }

    /// Whether a call has this server's task id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn follows(&self, server: ServerId, task_id: &str) -> Result<bool, ReadError> {
        let found = self.read(|at| at.rows(BY_HANDLE, params![task_id, server.0], |_| Ok(())))?;
        Ok(!found.is_empty())
    }

    /// The call with this short id; else those with this server's task id, which several servers may have given out.
    /// A short id of ours wins: a server must not be able to hide a task behind its name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_calls(&self, text: &str) -> Result<Vec<CallId>, ReadError> {
        let id = text.parse::<CallId>().ok().map(|id| id.0);
        self.read(|at| {
            let ours = at.rows("SELECT id FROM calls WHERE id = ?1", [id], |row| row.get(0).map(CallId))?;
            if !ours.is_empty() {
                return Ok(ours);
            }
            let sql = "SELECT id FROM calls WHERE task_id = ?1";
            let mut theirs = at.rows(sql, [text], |row| row.get(0).map(CallId))?;
            theirs.sort();
            Ok(theirs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn everything_else_is_searched() {
        let conn = blank();
        let select = |rest: &str| format!("{}{rest}", *SELECT);
        let cases = [
            (select("WHERE id = 1"), "PRIMARY KEY"),
            (select("WHERE bucket < 2 ORDER BY bucket, created_at DESC, id DESC"), "calls_by_bucket"),
            ("SELECT id FROM calls WHERE task_id = 'x'".to_owned(), "calls_by_task"),
            (BY_HANDLE.to_owned(), "calls_by_task"),
            ("DELETE FROM calls WHERE id = 1".to_owned(), "PRIMARY KEY"),
            (UPDATE.clone(), "PRIMARY KEY"),
        ];
        for (sql, by) in cases {
            let plan = plan(&conn, &sql);
            assert!(plan.contains("SEARCH") && plan.contains(by), "{sql}: {plan}");
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }

    #[test]
    fn what_is_indexed_is_not_set_again() {
        let conn = blank();
        let sql = "SELECT DISTINCT info.name FROM pragma_index_list('calls') AS list,
            pragma_index_info(list.name) AS info WHERE info.name <> 'id'";
        let mut statement = conn.prepare(sql).unwrap();
        let columns = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let mut columns: Vec<_> = columns.map(Result::unwrap).collect();
        let mut known = INDEXED.map(str::to_owned).to_vec();
        columns.sort();
        known.sort();
        assert_eq!(columns, known, "a column of a new index belongs to those that must be as they were");
    }
}
