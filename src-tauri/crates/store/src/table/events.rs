//! Timelines: what happened to each call, in the order it was written.

use rusqlite::{Connection, Row, params};
use signalbox_model::{CallId, Event, Json, RequestId, Word};

use crate::{ReadError, Reads, column::Columns, plan::prepare, table::calls};

pub(crate) const SCHEMA: &str = "
CREATE TABLE events (
    id      INTEGER NOT NULL PRIMARY KEY,
    call    INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    request INTEGER,
    text    TEXT
) STRICT;
CREATE INDEX events_by_call ON events (call);
";

pub(crate) const SINCE_10: &str = "
ALTER TABLE events ADD COLUMN note TEXT; -- JSON of ours; of an earlier version there may be a sentence in the text
";

pub(crate) fn add(conn: &Connection, seq: u64, event: &Event) -> rusqlite::Result<()> {
    let sql = "INSERT INTO events (call, at, kind, request, text, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let request = event.request.map(|id| id.0);
    let note = event.note.as_ref().map(Json::of);
    let note = note.as_ref().map(Json::text);
    let row = params![event.call.0, event.at.0, event.kind.word(), request, event.text, note];
    prepare(conn, sql)?.execute(row)?;
    calls::touch(conn, seq, event.call)
}

const COLUMNS: &str = "call, at, kind, request, text, note";

fn row(row: &Row<'_>) -> rusqlite::Result<Event> {
    read(&mut Columns::of(row))
}

/// The statement that reads rows for [`placed_row`].
pub(crate) fn select_placed(rest: &str) -> String {
    format!("SELECT id, {COLUMNS} FROM events {rest}")
}

/// A row behind its place among all events.
pub(crate) fn placed_row(row: &Row<'_>) -> rusqlite::Result<Event> {
    let mut at = Columns::of(row);
    at.number()?;
    read(&mut at)
}

fn read(at: &mut Columns<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        call: CallId(at.get()?),
        at: at.time()?,
        kind: at.word()?,
        request: at.get::<Option<u32>>()?.map(RequestId),
        text: at.get()?,
        note: at.maybe_own()?,
    })
}

impl Reads {
    /// The last `limit` entries of a call's timeline, the oldest first: fewer where the texts of the last ones are this long
    /// together, in bytes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events(&self, call: CallId, limit: u32, bytes: usize) -> Result<Vec<Event>, ReadError> {
        // The length of a text is known without reading it.
        let lengths = "SELECT id, coalesce(octet_length(text), 0) + coalesce(octet_length(note), 0) FROM events WHERE call = ?1 ORDER BY id DESC LIMIT ?2";
        let entries = format!("SELECT {COLUMNS} FROM events WHERE call = ?1 AND id >= ?2 ORDER BY id");
        self.read(|at| {
            let lengths = at.rows(lengths, [call.0, limit], |row| {
                Ok((row.get::<_, i64>(0)?, usize::try_from(row.get::<_, i64>(1)?).unwrap_or(usize::MAX)))
            })?;
            let mut size = 0_usize;
            let shown = lengths.iter().take_while(|(_, length)| {
                let begins = size < bytes;
                size = size.saturating_add(*length);
                begins
            });
            match shown.last() {
                Some((first, _)) => at.rows(&entries, rusqlite::params![call.0, first], row),
                None => Ok(Vec::new()),
            }
        })
    }
}
