//! Input requests: what servers asked, and the answers.

mod beside;
mod brief;
mod line;
mod list;
mod live;

use std::sync::LazyLock;

use rusqlite::{Connection, OptionalExtension, Row, params};
use signalbox_model::{
    Action, Answer, CallId, Identity, InputRequest, Json, LONGEST_TEXT, RequestId, RequestState, ServerId,
    Word, cut,
};

pub use beside::Member;
pub use live::Undecided;
pub(crate) use live::{live, undecided_of_live};

use crate::{
    ReadError, Reads,
    column::{self, Columns},
    plan::prepare,
    snapshot::Snapshot,
    table::{Layout, calls},
};

pub(crate) const SCHEMA: &str = "
CREATE TABLE requests (
    id                     INTEGER NOT NULL PRIMARY KEY,
    changed                INTEGER NOT NULL,
    server                 INTEGER NOT NULL REFERENCES servers (id),
    call                   INTEGER REFERENCES calls (id) ON DELETE CASCADE,
    identity               TEXT NOT NULL, -- 'task', 'round' or 'wire'
    scope                  INTEGER NOT NULL, -- task, round: the call; wire: our number of the session
    n                      INTEGER NOT NULL, -- round: which; else 0
    key                    TEXT NOT NULL, -- the server's key, wire: its JSON-RPC id
    method                 TEXT NOT NULL,
    mode                   TEXT NOT NULL,
    message                TEXT NOT NULL,
    schema                 TEXT,
    url                    TEXT,
    raw                    TEXT NOT NULL,
    state                  TEXT NOT NULL,
    reason                 TEXT,
    opened_at              INTEGER NOT NULL,
    closed_at              INTEGER,
    answer                 TEXT, -- the action; none: no answer, and the answer's columns are empty
    answer_content         TEXT,
    decided_at             INTEGER,
    send_at                INTEGER,
    sent_at                INTEGER,
    acknowledged_at        INTEGER,
    taken_at               INTEGER,
    refusal                TEXT,
    draft                  TEXT,
    deadline               INTEGER, -- when its call's task expires; kept by triggers for the inbox's order
    -- 0 waits for a person, 1 its answer is on its way, 2 over
    stage                  INTEGER NOT NULL CHECK (stage =
        CASE WHEN state IN ('answered', 'closed', 'orphaned') THEN 2
             WHEN state IN ('held', 'sending') THEN 1
             ELSE 0 END),
    settled                INTEGER NOT NULL CHECK (settled = (stage = 2))
) STRICT;
CREATE UNIQUE INDEX requests_by_identity ON requests (identity, scope, n, key);
CREATE INDEX requests_by_call ON requests (call, id);
CREATE INDEX requests_waiting ON requests (settled, deadline IS NULL, deadline, opened_at, id);
CREATE INDEX requests_settled ON requests (settled, closed_at DESC, id DESC);
CREATE INDEX requests_by_age ON requests (opened_at DESC, id DESC);

CREATE TRIGGER requests_deadline AFTER INSERT ON requests WHEN NEW.call IS NOT NULL BEGIN
    UPDATE requests SET deadline = (SELECT expires_at FROM calls WHERE id = NEW.call) WHERE id = NEW.id;
END;
CREATE TRIGGER requests_moved AFTER UPDATE OF call ON requests WHEN OLD.call IS NOT NEW.call BEGIN
    UPDATE requests SET deadline = (SELECT expires_at FROM calls WHERE id = NEW.call) WHERE id = NEW.id;
END;
CREATE TRIGGER calls_deadline AFTER UPDATE OF expires_at ON calls WHEN OLD.expires_at IS NOT NEW.expires_at BEGIN
    UPDATE requests SET deadline = NEW.expires_at WHERE call = NEW.id;
END;
";

// What was answered before there was a log of decisions is in none; nothing is put there afterwards.
pub(crate) const SINCE_2: &str = "
ALTER TABLE requests ADD COLUMN logged INTEGER NOT NULL DEFAULT 1; -- 0: answered before there was a log
UPDATE requests SET logged = 0 WHERE sent_at IS NOT NULL;
";

pub(crate) const SINCE_3: &str = "
ALTER TABLE requests ADD COLUMN hosted TEXT; -- our id of the task that we host for its answer
";

pub(crate) const SINCE_5: &str = "
ALTER TABLE requests ADD COLUMN visited_at INTEGER; -- when its page was last opened for the person, in ms since 1970
ALTER TABLE requests ADD COLUMN visiting_at INTEGER; -- when opening it began of which the end is not known, in ms since 1970
-- Where lists have it (first in the indexes, so that they are searched): 0 waits for a person or its answer is on its way, 1 stranded since its connection is gone, 2 over.
ALTER TABLE requests ADD COLUMN shelf INTEGER NOT NULL DEFAULT 0;
UPDATE requests SET shelf = CASE
    WHEN state = 'orphaned' OR (state = 'unknown' AND closed_at IS NOT NULL) THEN 1
    WHEN settled = 1 THEN 2
    ELSE 0 END;
DROP INDEX requests_waiting;
DROP INDEX requests_settled;
CREATE INDEX requests_waiting ON requests (shelf, deadline IS NULL, deadline, opened_at, id) WHERE shelf = 0;
CREATE INDEX requests_stranded ON requests (shelf, opened_at, id) WHERE shelf = 1;
CREATE INDEX requests_settled ON requests (closed_at DESC, id DESC) WHERE shelf = 2;
DROP INDEX requests_stray;
CREATE INDEX requests_stray ON requests (closed_at, id) WHERE call IS NULL AND shelf <> 0;
";

pub(crate) const SINCE_6: &str = "
ALTER TABLE requests ADD COLUMN earlier TEXT; -- JSON of ours: the answer before this one
-- More than the id of the task that we host is kept since: its ids before, and who waits for its result.
UPDATE requests SET hosted = json_object('taskId', hosted, 'before', json_array(), 'waiting', json_array())
    WHERE hosted IS NOT NULL;
";

// A call's questions by where lists have them, and of the closed ones by when they were closed: neither a look at one question
// nor one at its task reads the rows of all others.
pub(crate) const SINCE_7: &str = "
DROP INDEX requests_by_call;
CREATE INDEX requests_by_call ON requests (call, shelf, stage, id);
CREATE INDEX requests_closed ON requests (call, closed_at DESC, id DESC) WHERE shelf = 2;
";

// Why an answer was refused was a sentence of ours.
pub(crate) const SINCE_10: &str = "
UPDATE requests SET refusal = json_object('code', 'server_error', 'message', refusal) WHERE refusal IS NOT NULL;
";

const LAYOUT: Layout = Layout {
    table: "requests",
    key: &["id"],
    columns: &[
        "id",
        "changed",
        "server",
        "call",
        "identity",
        "scope",
        "n",
        "key",
        "method",
        "mode",
        "message",
        "schema",
        "url",
        "raw",
        "state",
        "reason",
        "opened_at",
        "closed_at",
        "answer",
        "answer_content",
        "decided_at",
        "send_at",
        "sent_at",
        "acknowledged_at",
        "taken_at",
        "refusal",
        "draft",
        "hosted",
        "visited_at",
        "visiting_at",
        "earlier",
        "stage",
        "settled",
        "shelf",
    ],
};
static SELECT: LazyLock<String> = LazyLock::new(|| LAYOUT.select());
/// A question that comes without what it asks leaves that as it stands ([`InputRequest::is_bare`]).
static UPSERT: LazyLock<String> = LazyLock::new(|| {
    ["message", "schema", "url", "raw"].iter().fold(LAYOUT.upsert(), |sql, column| {
        let asks = format!("{column} = iif(excluded.raw = 'null', {column}, excluded.{column})");
        sql.replace(&format!("{column} = excluded.{column}"), &asks)
    })
});

/// The statement that reads rows for [`row`].
pub(crate) fn select(rest: &str) -> String {
    format!("{}{rest}", *SELECT)
}

pub(crate) fn row(row: &Row<'_>) -> rusqlite::Result<(InputRequest, u64)> {
    let mut at = Columns::of(row);
    let id = RequestId(at.get()?);
    let changed = at.number()?;
    let request = InputRequest {
        id,
        server: ServerId(at.get()?),
        call: at.get::<Option<u32>>()?.map(CallId),
        identity: identity(&mut at)?,
        method: at.get()?,
        mode: at.word()?,
        message: message(&mut at)?,
        schema: at.maybe_json()?,
        url: at.get()?,
        raw: at.json()?,
        state: at.word()?,
        reason: at.maybe_word()?,
        opened_at: at.time()?,
        closed_at: at.maybe_time()?,
        answer: answer(&mut at)?,
        draft: at.maybe_json()?,
        hosted: at.maybe_own()?,
        visited_at: at.maybe_time()?,
        visiting_at: at.maybe_time()?,
        earlier: at.maybe_own()?,
    };
    Ok((request, changed))
}

/// Rows of older versions have longer ones.
fn message(at: &mut Columns<'_>) -> rusqlite::Result<String> {
    Ok(cut(at.get()?, LONGEST_TEXT))
}

fn identity(at: &mut Columns<'_>) -> rusqlite::Result<Identity> {
    let kind: String = at.get()?;
    let (scope, n, key) = (at.get()?, at.get()?, at.get()?);
    match kind.as_str() {
        "task" => Ok(Identity::Task { call: CallId(scope), key }),
        "round" => Ok(Identity::Round { call: CallId(scope), n, key }),
        "wire" => Ok(Identity::Wire { session: scope, rpc: key }),
        _ => at.bad_word(),
    }
}

/// Kind, scope, n and key of an identity.
fn identity_columns(identity: &Identity) -> (&'static str, u32, u32, &str) {
    match identity {
        Identity::Task { call, key } => ("task", call.0, 0, key),
        Identity::Round { call, n, key } => ("round", call.0, *n, key),
        Identity::Wire { session, rpc } => ("wire", *session, 0, rpc),
    }
}

fn answer(at: &mut Columns<'_>) -> rusqlite::Result<Option<Answer>> {
    let action = at.maybe_word()?;
    let content = at.maybe_json()?;
    let (decided_at, send_at) = (at.maybe_time()?, at.maybe_time()?);
    let (sent_at, acknowledged_at, taken_at) = (at.maybe_time()?, at.maybe_time()?, at.maybe_time()?);
    let refusal = at.maybe_own()?;
    let Some(action) = action else { return Ok(None) };
    let (decided_at, send_at) = (at.need(decided_at)?, at.need(send_at)?);
    Ok(Some(Answer { action, content, decided_at, send_at, sent_at, acknowledged_at, taken_at, refusal }))
}

pub(crate) fn put(conn: &Connection, seq: u64, request: &InputRequest) -> rusqlite::Result<()> {
    let (kind, scope, n, key) = identity_columns(&request.identity);
    let answer = request.answer.as_ref();
    let refusal = answer.and_then(|answer| answer.refusal.as_ref()).map(Json::of);
    let earlier = request.earlier.as_ref().map(Json::of);
    let hosted = request.hosted.as_ref().map(Json::of);
    // What is stranded counts as its shelf, whatever its stage: the schema of old knows the state alone.
    let stage = match request.state {
        RequestState::Answered | RequestState::Closed | RequestState::Orphaned => 2,
        RequestState::Held | RequestState::Sending => 1,
        RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown => 0,
    };
    let row = params![
        request.id.0,
        seq.cast_signed(),
        request.server.0,
        request.call.map(|id| id.0),
        kind,
        scope,
        n,
        key,
        request.method,
        request.mode.word(),
        request.message,
        request.schema.as_ref().map(Json::text),
        request.url,
        request.raw.text(),
        request.state.word(),
        request.reason.map(Word::word),
        request.opened_at.0,
        request.closed_at.map(|at| at.0),
        answer.map(|answer| answer.action.word()),
        answer.and_then(|answer| answer.content.as_ref()).map(Json::text),
        answer.map(|answer| answer.decided_at.0),
        answer.map(|answer| answer.send_at.0),
        answer.and_then(|answer| answer.sent_at).map(|at| at.0),
        answer.and_then(|answer| answer.acknowledged_at).map(|at| at.0),
        answer.and_then(|answer| answer.taken_at).map(|at| at.0),
        refusal.as_ref().map(Json::text),
        request.draft.as_ref().map(Json::text),
        hosted.as_ref().map(Json::text),
        request.visited_at.map(|at| at.0),
        request.visiting_at.map(|at| at.0),
        earlier.as_ref().map(Json::text),
        stage,
        stage == 2,
        shelf(request),
    ];
    prepare(conn, &UPSERT)?.execute(row)?;
    request.call.map_or(Ok(()), |call| calls::touch(conn, seq, call))
}

/// The schema that a question asks for, as it stands in its row.
pub(crate) fn schema(conn: &Connection, id: RequestId) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT schema FROM requests WHERE id = ?1";
    prepare(conn, sql)?.query_row([id.0], |row| row.get(0)).optional().map(Option::flatten)
}

/// Lets a question go that is over and that nobody has answered or begun to answer; any other stays.
pub(crate) fn let_go(conn: &Connection, seq: u64, id: RequestId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM requests WHERE id = ?1 AND state = 'closed' AND answer IS NULL AND draft IS NULL
        AND visited_at IS NULL RETURNING call";
    let calls = prepare(conn, sql)?
        .query_map([id.0], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<Option<u32>>>>()?;
    calls.into_iter().flatten().try_for_each(|call| calls::touch(conn, seq, CallId(call)))
}

/// Lets go what a question asked that is over. One that is not keeps its words.
pub(crate) fn drop_asked(conn: &Connection, seq: u64, id: RequestId) -> rusqlite::Result<()> {
    let sql = "UPDATE requests SET raw = 'null', schema = NULL, changed = ?2 
        WHERE id = ?1 AND state IN ('answered', 'closed')";
    prepare(conn, sql)?.execute(params![id.0, seq.cast_signed()]).map(drop)
}

/// What a call asked in questions that closed makes room for others; its message stays. What was decided on stays with its
/// decision, and what was typed with its question.
pub(crate) fn sweep(conn: &Connection, seq: u64, call: CallId) -> rusqlite::Result<()> {
    let sql = "UPDATE requests SET raw = 'null', schema = NULL, changed = ?2
        WHERE call = ?1 AND shelf = 2 AND +state = 'closed' AND answer IS NULL AND draft IS NULL
        AND visited_at IS NULL AND raw <> 'null'";
    prepare(conn, sql)?.execute(params![call.0, seq.cast_signed()]).map(drop)
}

/// Where lists have it.
fn shelf(request: &InputRequest) -> u8 {
    match request.state {
        _ if request.stranded() => 1,
        RequestState::Answered | RequestState::Closed => 2,
        _ => 0,
    }
}

/// An answer that went to the wire.
pub(crate) struct SentAnswer {
    pub(crate) request: RequestId,
    pub(crate) action: Action,
    pub(crate) content: Option<Json>,
    /// Whether it belongs into the log of decisions: not what was answered before there was one.
    pub(crate) logged: bool,
}

/// The answers that were sent, of questions with a number above `after`; a damaged one as its number alone.
pub(crate) fn sent_answers(
    at: &Snapshot<'_>,
    after: u32,
    limit: u32,
) -> rusqlite::Result<Vec<Result<SentAnswer, RequestId>>> {
    let sql = "SELECT id, answer, answer_content, logged FROM requests
        WHERE id > ?1 AND sent_at IS NOT NULL ORDER BY id LIMIT ?2";
    at.rows(sql, [after, limit], |row| {
        let mut at = Columns::of(row);
        let request = RequestId(at.get()?);
        let mut read =
            || Ok(SentAnswer { request, action: at.word()?, content: at.maybe_json()?, logged: at.get()? });
        match read() {
            Err(error) if column::undecodable(&error) => Ok(Err(request)),
            answer => answer.map(Ok),
        }
    })
}

impl Reads {
    /// An input request with the transaction that last changed it.
    ///
    /// # Errors
    /// When the database cannot be read, or this row is damaged.
    pub fn request(&self, id: RequestId) -> Result<Option<(InputRequest, u64)>, ReadError> {
        self.read(|at| at.one(&select("WHERE id = ?1"), [id.0], row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn one_is_searched_by_its_number() {
        let plan = plan(&blank(), &select("WHERE id = 1"));
        assert!(plan.contains("PRIMARY KEY") && !plan.contains("SCAN"), "{plan}");
    }
}
