//! The log of decisions: only ever added to, each entry sealed with the hash of the one before (see [`crate::Chain`]).

use rusqlite::{Connection, OptionalExtension, Row, params};
use signalbox_model::{
    Actor, CallId, Decision, DecisionKind, Json, Masked, RequestId, ServerId, Timestamp, Word,
};

use crate::{
    Digest, Entry, Later, Portion, ReadError, Reads,
    column::{self, Columns},
    plan::prepare,
    secrets,
    snapshot::Snapshot,
    table::{meta::Head, requests, servers},
};

// No foreign keys: entries outlive the calls and questions they are about.
pub(crate) const SINCE_2: &str = "
CREATE TABLE decisions (
    n             INTEGER NOT NULL PRIMARY KEY, -- 1, 2, 3 … without a gap
    at            INTEGER NOT NULL,
    actor         TEXT NOT NULL,
    kind          TEXT NOT NULL,
    server        INTEGER NOT NULL,
    server_name   TEXT NOT NULL, -- as it was then
    call          INTEGER,
    request       INTEGER,
    schema_sha256 TEXT,
    json          TEXT,
    text          TEXT,
    hash          TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_by_request ON decisions (request, n) WHERE request IS NOT NULL;

CREATE TRIGGER decisions_never_change BEFORE UPDATE ON decisions BEGIN
    SELECT raise(ABORT, 'decisions are never changed');
END;
CREATE TRIGGER decisions_never_go BEFORE DELETE ON decisions BEGIN
    SELECT raise(ABORT, 'decisions are never deleted');
END;
";

pub(crate) const SINCE_10: &str = "
ALTER TABLE decisions ADD COLUMN format INTEGER; -- none: the first
ALTER TABLE decisions ADD COLUMN note TEXT; -- JSON of ours, as it was sealed
";

pub(crate) const SINCE_13: &str = "
ALTER TABLE decisions ADD COLUMN remark TEXT; -- the person's own words
ALTER TABLE decisions ADD COLUMN masked TEXT; -- JSON of ours: what is kept of secrets; json has null in their places
";

const SELECT: &str =
    "SELECT n, format, at, actor, kind, server, server_name, call, request, schema_sha256, json, text, note, remark, masked, hash
    FROM decisions ";

pub(crate) fn add(conn: &Connection, head: &mut Head, decision: &Decision) -> rusqlite::Result<()> {
    add_named(conn, head, decision, servers::name(conn, decision.server)?)
}

/// What an entry says of the schema and the response, in which secrets are masked.
#[derive(Default)]
struct Response {
    schema_sha256: Option<Digest>,
    json: Option<Json>,
    masked: Option<Vec<Masked>>,
}

/// Where the entry does not name the schema that was answered, the question's row has it.
fn response(conn: &Connection, decision: &Decision) -> rusqlite::Result<Response> {
    let json = decision.json.clone();
    let given = decision.schema.as_ref().map(|schema| schema.text().to_owned());
    let Some(request) = decision.request else {
        return Ok(Response { schema_sha256: given.map(Digest::of), json, masked: None });
    };
    let is_said = json.is_some() || decision.kind == DecisionKind::Answered;
    let row = if is_said { requests::answered(conn, request)? } else { None };
    let row_is_there = row.is_some();
    let (asked, decided_at) = row.unwrap_or_default();
    let named = given.clone().or_else(|| asked.clone().filter(|_| decision.kind == DecisionKind::Answered));
    let is_answer = row_is_there && decision.kind == DecisionKind::Answered;
    let schema = given.or(asked).or_else(|| is_answer.then(|| signalbox_model::NO_SCHEMA.to_owned()));
    let decision_of = (request, decided_at.unwrap_or(decision.at));
    let hidden = schema
        .zip(json.as_ref())
        .and_then(|(schema, json)| secrets::mask_response(&schema, decision_of, json));
    let (json, masked) = match hidden {
        Some((json, masked)) => (Some(json), Some(masked)),
        None => (json, None),
    };
    Ok(Response { schema_sha256: named.map(Digest::of), json, masked })
}

/// Adds an entry about the log itself: at no server.
pub(crate) fn add_own(
    conn: &Connection,
    head: &mut Head,
    at: Timestamp,
    kind: DecisionKind,
    json: Json,
) -> rusqlite::Result<()> {
    let decision = Decision {
        at,
        by: Actor::Signalbox,
        kind,
        server: ServerId(0),
        call: None,
        request: None,
        schema: None,
        json: Some(json),
        text: None,
        note: None,
        remark: None,
    };
    add_named(conn, head, &decision, String::new())
}

fn add_named(
    conn: &Connection,
    head: &mut Head,
    decision: &Decision,
    server_name: String,
) -> rusqlite::Result<()> {
    let Response { schema_sha256, json, masked } = response(conn, decision)?;
    let mut entry = Entry {
        n: head.n + 1,
        format: Some(Entry::FORMAT),
        at: decision.at,
        by: decision.by,
        kind: decision.kind,
        server: decision.server,
        server_name,
        call: decision.call,
        request: decision.request,
        schema_sha256,
        json,
        text: decision.text.clone(),
        note: decision.note.as_ref().map(Json::of),
        remark: decision.remark.clone(),
        masked,
        hash: Digest::ZERO,
    };
    entry.hash = entry.hash_behind(head.hash);
    put(conn, &entry)?;
    *head = Head { n: entry.n, hash: entry.hash };
    Ok(())
}

pub(crate) fn put(conn: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    let sql = "INSERT INTO decisions (n, format, at, actor, kind, server, server_name, call, request, schema_sha256, json, text,
            note, remark, masked, hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
    let masked = entry.masked.as_ref().map(Json::of);
    let row = params![
        entry.n.cast_signed(),
        entry.format,
        entry.at.0,
        entry.by.word(),
        entry.kind.word(),
        entry.server.0,
        entry.server_name,
        entry.call.map(|id| id.0),
        entry.request.map(|id| id.0),
        entry.schema_sha256.map(|digest| digest.to_string()),
        entry.json.as_ref().map(Json::text),
        entry.text,
        entry.note.as_ref().map(Json::text),
        entry.remark,
        masked.as_ref().map(Json::text),
        entry.hash.to_string(),
    ];
    prepare(conn, sql)?.execute(row)?;
    Ok(())
}

fn row(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let mut at = Columns::of(row);
    Ok(Entry {
        n: at.number()?,
        format: at.get()?,
        at: at.time()?,
        by: at.word()?,
        kind: at.word()?,
        server: ServerId(at.get()?),
        server_name: at.get()?,
        call: at.get::<Option<u32>>()?.map(CallId),
        request: at.get::<Option<u32>>()?.map(RequestId),
        schema_sha256: at.maybe_digest()?,
        json: at.maybe_json()?,
        text: at.get()?,
        note: at.maybe_json()?,
        remark: at.get()?,
        masked: at.maybe_own()?,
        hash: at.digest()?,
    })
}

/// An entry that cannot be decoded: its number, and what else is known where a later version wrote it.
pub(crate) struct Undecoded {
    pub(crate) n: u64,
    pub(crate) later: Option<Later>,
}

impl Undecoded {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let n = Columns::of(row).number()?;
        let (format, hash) = (row.get("format").ok(), row.get::<_, String>("hash").ok());
        let hash = hash.and_then(|hash| hash.parse().ok());
        Ok(Self { n, later: format.zip(hash).and_then(|(format, hash)| Later::new(n, format, hash)) })
    }
}

/// The entries behind `after`.
pub(crate) fn behind(
    at: &Snapshot<'_>,
    after: u64,
    limit: u32,
) -> rusqlite::Result<Vec<Result<Entry, Undecoded>>> {
    let sql = format!("{SELECT}WHERE n > ?1 ORDER BY n LIMIT ?2");
    at.rows(&sql, params![after.cast_signed(), limit], |found| match row(found) {
        Err(error) if column::undecodable(&error) => Undecoded::of(found).map(Err),
        entry => entry.map(Ok),
    })
}

/// The same outside of a store's reads; nothing that cannot be decoded is left out.
///
/// The database may be of an earlier format: one that is replaced is not migrated before.
pub(crate) fn portion(conn: &Connection, after: u64, limit: u32) -> rusqlite::Result<Vec<Entry>> {
    let mut select = SELECT.to_owned();
    for column in ["format", "note", "remark", "masked"] {
        if !conn.column_exists(None, "decisions", column)? {
            select = select.replace(&format!(" {column},"), " NULL,");
        }
    }
    let sql = format!("{select}WHERE n > ?1 ORDER BY n LIMIT ?2");
    prepare(conn, &sql)?.query_map(params![after.cast_signed(), limit], row)?.collect()
}

/// The hash of one entry.
pub(crate) fn hash(conn: &Connection, n: u64) -> rusqlite::Result<Option<Digest>> {
    let read = |row: &Row<'_>| Columns::of(row).digest();
    prepare(conn, "SELECT hash FROM decisions WHERE n = ?1")?.query_row([n.cast_signed()], read).optional()
}

/// What the log says last of the answer to a question.
pub(crate) struct LoggedAnswer {
    /// The entry's number.
    pub(crate) n: u64,
    /// The response.
    pub(crate) json: Option<Json>,
    /// What of it is masked.
    pub(crate) masked: Vec<Masked>,
}

/// What the log says last of the answer to a question, but for what was taken back.
pub(crate) fn answer(at: &Snapshot<'_>, request: RequestId) -> rusqlite::Result<Option<LoggedAnswer>> {
    let sql = "SELECT n, json, masked FROM decisions AS said WHERE request = ?1 AND kind = 'answered'
            AND coalesce((SELECT kind FROM decisions WHERE request = ?1 AND n > said.n
                AND kind IN ('answered', 'undone', 'lapsed') ORDER BY n LIMIT 1), 'answered') = 'answered'
        ORDER BY n DESC LIMIT 1";
    at.one(sql, [request.0], |row| {
        let mut at = Columns::of(row);
        let (n, json) = (at.number()?, at.maybe_json()?);
        Ok(LoggedAnswer { n, json, masked: at.maybe_own()?.unwrap_or_default() })
    })
}

/// The last entry that is there.
pub(crate) fn last(conn: &Connection) -> rusqlite::Result<Option<Head>> {
    let mut statement =
        prepare(conn, "SELECT n, hash FROM decisions WHERE n = (SELECT max(n) FROM decisions)")?;
    let mut rows = statement.query([])?;
    let read = |row: &Row<'_>| {
        let mut at = Columns::of(row);
        Ok(Head { n: at.number()?, hash: at.digest()? })
    };
    rows.next()?.map(read).transpose()
}

impl Reads {
    /// The entries of the log of decisions behind number `after`, at most `limit`. Entries that cannot be decoded are
    /// missing, and counted in [`Reads::skipped`].
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn decisions(&self, after: u64, limit: u32) -> Result<Portion<Entry>, ReadError> {
        let found = self.read(|at| behind(at, after, limit))?;
        let full = found.len() == limit as usize;
        let last = found.last().map(|entry| entry.as_ref().map_or_else(|odd| odd.n, |entry| entry.n));
        let count = found.len();
        let rows: Vec<_> = found.into_iter().filter_map(Result::ok).collect();
        self.skip(count - rows.len());
        Ok(Portion { rows, next: last.filter(|_| full) })
    }
}
