//! Input requests: what servers asked, and the answers.

pub(crate) mod alike;
mod arrived;
mod beside;
mod brief;
mod line;
mod list;
mod live;
mod schema;
pub(crate) mod since_14;

use std::{borrow::Cow, sync::LazyLock};

use rusqlite::{Connection, OptionalExtension, Row, params};
use signalbox_model::{
    Action, Answer, Attention, CallId, Identity, InputRequest, Json, LONGEST_TEXT, Masked, RequestId,
    RequestState, ServerId, Timestamp, Word, cut,
};

pub use beside::Member;
pub use live::Undecided;
pub(crate) use live::{live, undecided_of_live};
pub(crate) use schema::{SCHEMA, SINCE_2, SINCE_3, SINCE_5, SINCE_6, SINCE_7, SINCE_10, SINCE_12, SINCE_13};

use crate::{
    ReadError, Reads,
    column::{self, Columns},
    plan::prepare,
    secrets,
    snapshot::Snapshot,
    table::{Layout, calls},
};

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
        "masked",
        "remark",
        "draft",
        "hosted",
        "visited_at",
        "visiting_at",
        "earlier",
        "expires_at",
        "snoozed",
        "attention",
        "reminded_of",
        "stage",
        "settled",
        "shelf",
        // What only a start reads.
        "undelivered",
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
        expires_at: at.maybe_time()?,
        snoozed: at.maybe_own()?,
        wants: wants(&mut at)?,
        reminded_of: at.maybe_time()?,
    };
    Ok((request, changed))
}

/// What waits for nobody begins anew should it wait again.
fn wants(at: &mut Columns<'_>) -> rusqlite::Result<Attention> {
    let attention = at.word()?;
    Ok(if attention == Attention::None { Attention::NeedsYou } else { attention })
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
    let (masked, remark) = (at.maybe_own()?.unwrap_or_default(), at.get()?);
    let Some(action) = action else { return Ok(None) };
    let (decided_at, send_at) = (at.need(decided_at)?, at.need(send_at)?);
    Ok(Some(Answer {
        action,
        content,
        decided_at,
        send_at,
        sent_at,
        acknowledged_at,
        taken_at,
        refusal,
        masked,
        remark,
    }))
}

/// Writes the row. Whether secrets went from it that it had before.
pub(crate) fn put(conn: &Connection, seq: u64, request: &InputRequest) -> rusqlite::Result<bool> {
    let (request, undelivered) = kept(conn, request)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM requests WHERE id = ?1 AND undelivered IS NOT NULL)";
    let had: bool = prepare(conn, sql)?.query_row([request.id.0], |row| row.get(0))?;
    if !had {
        return write(conn, seq, &request, undelivered.as_ref()).map(|()| false);
    }
    secrets::overwriting(conn, || write(conn, seq, &request, undelivered.as_ref()))?;
    Ok(undelivered.is_none())
}

/// A question as its row has it, and the secrets that are still to be delivered.
fn kept<'a>(
    conn: &Connection,
    request: &'a InputRequest,
) -> rusqlite::Result<(Cow<'a, InputRequest>, Option<Json>)> {
    if !secrets::may_have(request) {
        return Ok((Cow::Borrowed(request), None));
    }
    let schema = match &request.schema {
        None if request.is_bare() => schema(conn, request.id)?,
        schema => schema.as_ref().map(|schema| schema.text().to_owned()),
    };
    let schema = schema.unwrap_or_else(|| signalbox_model::NO_SCHEMA.to_owned());
    let mut kept = request.clone();
    let undelivered = secrets::hide(&mut kept, &schema).as_ref().map(Json::of);
    Ok((Cow::Owned(kept), undelivered))
}

fn write(
    conn: &Connection,
    seq: u64,
    request: &InputRequest,
    undelivered: Option<&Json>,
) -> rusqlite::Result<()> {
    let (kind, scope, n, key) = identity_columns(&request.identity);
    let answer = request.answer.as_ref();
    let refusal = answer.and_then(|answer| answer.refusal.as_ref()).map(Json::of);
    let earlier = request.earlier.as_ref().map(Json::of);
    let hosted = request.hosted.as_ref().map(Json::of);
    let snoozed = request.snoozed.as_ref().map(Json::of);
    let masked = answer.map(|answer| &answer.masked).filter(|masked| !masked.is_empty()).map(Json::of);
    let stage = stage(request.state);
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
        masked.as_ref().map(Json::text),
        answer.and_then(|answer| answer.remark.as_ref()),
        request.draft.as_ref().map(Json::text),
        hosted.as_ref().map(Json::text),
        request.visited_at.map(|at| at.0),
        request.visiting_at.map(|at| at.0),
        earlier.as_ref().map(Json::text),
        request.expires_at.map(|at| at.0),
        snoozed.as_ref().map(Json::text),
        request.attention().word(),
        request.reminded_of.map(|at| at.0),
        stage,
        stage == 2,
        shelf(request),
        undelivered.map(Json::text),
    ];
    prepare(conn, &UPSERT)?.execute(row)?;
    request.call.map_or(Ok(()), |call| calls::touch(conn, seq, call))
}

/// Lets go the secrets of an answer that cannot be sent any more. Whether there were some.
pub(crate) fn drop_undelivered(conn: &Connection, seq: u64, id: RequestId) -> rusqlite::Result<bool> {
    let sql =
        "UPDATE requests SET undelivered = NULL, changed = ?2 WHERE id = ?1 AND undelivered IS NOT NULL";
    let row = params![id.0, seq.cast_signed()];
    secrets::overwriting(conn, || Ok(prepare(conn, sql)?.execute(row)? > 0))
}

/// The schema that a question asks for, as it stands in its row, and when its answer was decided.
pub(crate) fn answered(
    conn: &Connection,
    id: RequestId,
) -> rusqlite::Result<Option<(Option<String>, Option<Timestamp>)>> {
    let sql = "SELECT schema, decided_at FROM requests WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?.map(Timestamp)));
    prepare(conn, sql)?.query_row([id.0], read).optional()
}

/// The schema that a question asks for, as it stands in its row.
pub(crate) fn schema(conn: &Connection, id: RequestId) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT schema FROM requests WHERE id = ?1";
    prepare(conn, sql)?.query_row([id.0], |row| row.get(0)).optional().map(Option::flatten)
}

/// Deletes a question. Whether secrets went with it.
pub(crate) fn forget(conn: &Connection, id: RequestId) -> rusqlite::Result<bool> {
    secrets::deleting(conn, "id", id.0, || {
        prepare(conn, "DELETE FROM requests WHERE id = ?1")?.execute([id.0]).map(drop)
    })
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

/// How far it is: open, on its way or over. What is stranded counts as its shelf, whatever its stage: the schema of old knows
/// the state alone.
fn stage(state: RequestState) -> u8 {
    match state {
        RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown => 0,
        RequestState::Held | RequestState::Sending => 1,
        RequestState::Answered | RequestState::Closed | RequestState::Orphaned => 2,
    }
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
    /// What of its content is masked.
    pub(crate) masked: Vec<Masked>,
    /// Whether it belongs into the log of decisions: not what was answered before there was one.
    pub(crate) logged: bool,
}

/// The answers that were sent, of questions with a number above `after`; a damaged one as its number alone.
pub(crate) fn sent_answers(
    at: &Snapshot<'_>,
    after: u32,
    limit: u32,
) -> rusqlite::Result<Vec<Result<SentAnswer, RequestId>>> {
    let sql = "SELECT id, answer, answer_content, masked, logged FROM requests
        WHERE id > ?1 AND sent_at IS NOT NULL ORDER BY id LIMIT ?2";
    at.rows(sql, [after, limit], |row| {
        let mut at = Columns::of(row);
        let request = RequestId(at.get()?);
        let mut read = || {
            let (action, content) = (at.word()?, at.maybe_json()?);
            let masked = at.maybe_own()?.unwrap_or_default();
            Ok(SentAnswer { request, action, content, masked, logged: at.get()? })
        };
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
