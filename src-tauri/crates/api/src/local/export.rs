//! All that is kept, portion by portion, as one line per item: a portion is bounded in rows and bytes, so that neither we
//! nor who asks needs room for the whole.

use std::collections::{HashMap, hash_map};

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_catalogue::{NarrowRequest, NarrowTask};
use signalbox_model::{
    Action, Call, CallId, CloseReason, Identity, InputRequest, Json, Masked, Mode, Origin, Outcome,
    PayloadKind, RequestId, RequestState, ServerId, Status, Tag, Task, Timestamp, Tracking, Wire,
};
use signalbox_store::{Entry, Portion, ReadError, Reads};

use super::{Local, catalogue::Catalogue, kept, mask::Mask, several::each_once};
use crate::{
    ApiError, Code, ExportKind, Raw,
    command::{CarryOut, Export, ExportPortion},
    words::{self, Worded},
};

/// Rows of one portion.
const ROWS: u32 = 200;
/// A portion ends once its lines have this many bytes: one line may be as large as a payload.
const BYTES: usize = 4 * 1024 * 1024;

impl CarryOut<Export> for Local {
    async fn carry_out(&self, act: Export) -> Result<ExportPortion, ApiError> {
        let chosen = chosen(|| self.begun(), &act).await?;
        self.read(move |reads| portion(reads, &act, chosen)).await
    }
}

/// The rows of the next portion that the filter shows, by number; none where there is no filter.
///
/// # Errors
/// [`Code::Usage`] for a filter that cannot be read, or of what takes none.
pub(crate) async fn chosen(
    catalogue: impl FnOnce() -> Catalogue + Send,
    act: &Export,
) -> Result<Option<Portion<u32>>, ApiError> {
    let Export { what, after, filter, calls, .. } = act;
    if !calls.is_empty() {
        return named(act).map(Some);
    }
    if filter.trim().is_empty() {
        return Ok(None);
    }
    match what {
        ExportKind::Tasks => catalogue().behind::<NarrowTask>(filter, *after, ROWS).await,
        ExportKind::Requests | ExportKind::Answers => {
            catalogue().behind::<NarrowRequest>(filter, *after, ROWS).await
        }
        ExportKind::Decisions => {
            let message = "The log of decisions takes no filter: only all of it can be proved";
            return Err(ApiError::new(Code::Usage, message));
        }
    }
    .map(Some)
}

/// The next of the tasks that are named.
fn named(Export { what, after, filter, calls, .. }: &Export) -> Result<Portion<u32>, ApiError> {
    if *what != ExportKind::Tasks || !filter.trim().is_empty() {
        let message = "Tasks that are named are exported as tasks, and without a filter beside them";
        return Err(ApiError::new(Code::Usage, message));
    }
    let behind = each_once(calls.clone())?.into_iter().map(|call| call.0).filter(|n| u64::from(*n) > *after);
    let mut rows: Vec<u32> = behind.take(ROWS as usize + 1).collect();
    let is_cut = rows.len() > ROWS as usize;
    rows.truncate(ROWS as usize);
    let next = rows.last().filter(|_| is_cut).map(|n| u64::from(*n));
    Ok(Portion { rows, next })
}

/// The next lines of what is kept; of the chosen rows alone, where some were.
pub(crate) fn portion(
    reads: &Reads,
    act: &Export,
    chosen: Option<Portion<u32>>,
) -> Result<ExportPortion, ReadError> {
    let &Export { what, after, with_handles, .. } = act;
    let skipped = reads.skipped();
    let mut lines = match what {
        ExportKind::Tasks => tasks(reads, calls(reads, after, chosen)?, with_handles)?,
        ExportKind::Requests => requests(reads, asked(reads, after, chosen)?, with_handles)?,
        ExportKind::Answers => answers(reads, asked(reads, after, chosen)?, with_handles)?,
        ExportKind::Decisions => decisions(reads, after)?,
    };
    lines.left_out += reads.skipped() - skipped;
    let left_out = u32::try_from(lines.left_out).unwrap_or(u32::MAX);
    Ok(ExportPortion { lines: lines.lines, next: lines.next, left_out })
}

#[derive(Default)]
struct Lines {
    lines: Vec<Json>,
    bytes: usize,
    next: Option<u64>,
    left_out: u64,
}

impl Lines {
    /// One line for each row that has one, until the portion is full. `number` is what a portion goes on behind.
    fn of<T>(
        portion: Portion<T>,
        number: impl Fn(&T) -> u64,
        mut line: impl FnMut(&mut Self, T) -> Option<Json>,
    ) -> Self {
        let mut lines = Self { next: portion.next, ..Self::default() };
        let mut rows = portion.rows.into_iter().peekable();
        while let Some(row) = rows.next() {
            let n = number(&row);
            if let Some(line) = line(&mut lines, row) {
                lines.bytes += line.text().len();
                lines.lines.push(line);
            }
            if lines.bytes >= BYTES && rows.peek().is_some() {
                lines.next = Some(n);
                break;
            }
        }
        lines
    }
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(tag = "kind", rename = "task", rename_all = "camelCase")]
struct TaskLine {
    id: CallId,
    server: String,
    wire: Option<Wire>,
    task_id: Option<String>,
    tool: String,
    origin: Origin,
    arguments: Option<Raw>,
    status: Status,
    status_text: Option<String>,
    outcome: Option<Outcome>,
    tracking: Tracking,
    note: Option<Worded>,
    tags: Option<Vec<Tag>>,
    remark: Option<String>,
    status_message: Option<String>,
    created_at: Timestamp,
    last_updated_at: Option<Timestamp>,
    /// The inner none is `null`: unlimited.
    ttl_ms: Option<Option<i64>>,
    poll_interval_ms: Option<i64>,
    expires_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    result: Option<Raw>,
    error: Option<Raw>,
    create: Option<Raw>,
    last: Option<Raw>,
}

fn calls(reads: &Reads, after: u64, chosen: Option<Portion<u32>>) -> Result<Portion<Call>, ReadError> {
    let Some(Portion { rows, next }) = chosen else { return reads.export_calls(after, ROWS) };
    let ids: Vec<CallId> = rows.into_iter().map(CallId).collect();
    Ok(Portion { rows: reads.calls_of(&ids)?.into_iter().map(|(call, _)| call).collect(), next })
}

fn tasks(reads: &Reads, portion: Portion<Call>, with_handles: bool) -> Result<Lines, ReadError> {
    let names = names(reads)?;
    let mut failed = None;
    let lines = Lines::of(
        portion,
        |call| call.id.0.into(),
        |lines, call| {
            let server = name(&names, call.server);
            let line = task_line(reads, call, server, with_handles, &mut lines.left_out);
            line.map(|line| Json::of(&line)).map_err(|error| failed = Some(error)).ok()
        },
    );
    failed.map_or(Ok(lines), Err)
}

/// The line of one task; a payload that is damaged is not in it, and `left_out` counts it.
fn task_line(
    reads: &Reads,
    call: Call,
    server: String,
    with_handles: bool,
    left_out: &mut u64,
) -> Result<TaskLine, ReadError> {
    let mask = mask(&call, with_handles);
    let is_unlimited = kept::is_unlimited(reads, &call)?;
    let mut payload = |kind| match reads.payload(call.id, kind) {
        Ok(json) => Ok(json.map(|json| Raw(mask.json(json)))),
        Err(ReadError::PayloadFile { .. }) => {
            *left_out += 1;
            Ok(None)
        }
        Err(error) => Err(error),
    };
    let is_there = |raw: &Raw| !raw.is_null();
    let tags = reads.tags_of([call.id])?.remove(&call.id).map(Vec::from);
    let remark = reads.remark(call.id)?.map(|text| mask.text(text));
    let task = call.task;
    let of = |number: fn(&Task) -> Option<i64>| task.as_ref().and_then(number);
    Ok(TaskLine {
        id: call.id,
        server,
        wire: call.wire,
        task_id: task.as_ref().filter(|_| with_handles).map(|task| task.task_id.clone()),
        tool: call.tool,
        origin: call.origin,
        arguments: payload(PayloadKind::Arguments)?.filter(is_there),
        status: call.status,
        status_text: call.status_text.map(|text| mask.text(text)),
        outcome: call.outcome,
        tracking: call.tracking,
        note: call.note.map(|note| note.map_texts(|text| mask.text(text)).into()),
        tags,
        remark,
        created_at: call.created_at,
        ttl_ms: of(|task| task.ttl_ms).map(Some).or(is_unlimited.then_some(None)),
        poll_interval_ms: of(|task| task.poll_interval_ms),
        last_updated_at: task.as_ref().and_then(|task| task.last_updated_at),
        expires_at: task.as_ref().and_then(|task| task.expires_at),
        status_message: task.and_then(|task| task.status_message).map(|text| mask.text(text)),
        ended_at: call.ended_at,
        result: payload(PayloadKind::Result)?.filter(is_there),
        error: payload(PayloadKind::Error)?.filter(is_there),
        create: if with_handles { payload(PayloadKind::Create)? } else { None },
        last: if with_handles { payload(PayloadKind::Last)? } else { None },
    })
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(tag = "kind", rename = "request", rename_all = "camelCase")]
struct RequestLine {
    id: RequestId,
    task: Option<CallId>,
    server: String,
    identity: Identity,
    method: String,
    mode: Mode,
    message: String,
    schema: Option<Raw>,
    url: Option<String>,
    state: RequestState,
    reason: Option<CloseReason>,
    opened_at: Timestamp,
    closed_at: Option<Timestamp>,
    raw: Option<Raw>,
}

fn asked(
    reads: &Reads,
    after: u64,
    chosen: Option<Portion<u32>>,
) -> Result<Portion<InputRequest>, ReadError> {
    let Some(Portion { rows, next }) = chosen else { return reads.export_requests(after, ROWS) };
    let read = |id| reads.request(RequestId(id)).map(|found| found.map(|(request, _)| request));
    let rows = rows.into_iter().filter_map(|id| read(id).transpose()).collect::<Result<_, _>>()?;
    Ok(Portion { rows, next })
}

fn requests(reads: &Reads, portion: Portion<InputRequest>, with_handles: bool) -> Result<Lines, ReadError> {
    each_request(reads, portion, with_handles, |request, server, mask| {
        let message = kept::message(&request.raw, &request.message);
        let InputRequest { id, call, identity, method, mode, schema, url, raw, .. } = request;
        Some(Json::of(&RequestLine {
            id,
            task: call,
            server,
            identity: masked(identity, mask),
            method: mask.text(method),
            mode,
            message: mask.text(message),
            schema: schema.map(|schema| Raw(mask.json(schema))),
            url: url.map(|url| mask.text(url)),
            state: request.state,
            reason: request.reason,
            opened_at: request.opened_at,
            closed_at: request.closed_at,
            raw: with_handles.then_some(Raw(raw)),
        }))
    })
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(tag = "kind", rename = "answer", rename_all = "camelCase")]
struct AnswerLine {
    request: RequestId,
    task: Option<CallId>,
    server: String,
    action: Action,
    content: Option<Raw>,
    state: RequestState,
    decided_at: Timestamp,
    sent_at: Option<Timestamp>,
    acknowledged_at: Option<Timestamp>,
    taken_at: Option<Timestamp>,
    refusal: Option<String>,
    masked: Option<Vec<Masked>>,
    remark: Option<String>,
}

fn answers(reads: &Reads, portion: Portion<InputRequest>, with_handles: bool) -> Result<Lines, ReadError> {
    each_request(reads, portion, with_handles, |request, server, mask| {
        let answer = request.answer?;
        Some(Json::of(&AnswerLine {
            request: request.id,
            task: request.call,
            server,
            action: answer.action,
            content: answer.content.map(|content| Raw(mask.json(content))),
            state: request.state,
            decided_at: answer.decided_at,
            sent_at: answer.sent_at,
            acknowledged_at: answer.acknowledged_at,
            taken_at: answer.taken_at,
            refusal: answer.refusal.map(|note| words::note(&note.map_texts(|text| mask.text(text)))),
            masked: Some(answer.masked).filter(|masked| !masked.is_empty()),
            remark: answer.remark.map(|remark| mask.text(remark)),
        }))
    })
}

/// The entry is a member of its own: its hash covers exactly what it holds. So it is as it was sealed, also where
/// somebody typed a task id into an answer.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "decision")]
struct DecisionLine<'a> {
    entry: &'a Entry,
}

fn decisions(reads: &Reads, after: u64) -> Result<Lines, ReadError> {
    let portion = reads.decisions(after, ROWS)?;
    Ok(Lines::of(portion, |entry| entry.n, |_, entry| Some(Json::of(&DecisionLine { entry: &entry }))))
}

/// A line for each question that has one, of it, the name of its server, and what is to be left out.
fn each_request(
    reads: &Reads,
    portion: Portion<InputRequest>,
    with_handles: bool,
    line: impl Fn(InputRequest, String, &Mask) -> Option<Json>,
) -> Result<Lines, ReadError> {
    let names = names(reads)?;
    let masks = masks(reads, &portion.rows, with_handles)?;
    Ok(Lines::of(
        portion,
        |request| request.id.0.into(),
        |_, request| {
            let (server, mask) = (name(&names, request.server), mask_of(&masks, &request));
            line(request, server, mask)
        },
    ))
}

fn mask(call: &Call, with_handles: bool) -> Mask {
    match &call.task {
        Some(task) if !with_handles => Mask::of(call.id, &task.task_id),
        _ => Mask::default(),
    }
}

/// What is to be left out of these questions and of the answers to them, by call.
fn masks(
    reads: &Reads,
    requests: &[InputRequest],
    with_handles: bool,
) -> Result<HashMap<Option<CallId>, Mask>, ReadError> {
    let mut masks = HashMap::from([(None, Mask::default())]);
    for call in requests.iter().filter_map(|request| request.call) {
        if let hash_map::Entry::Vacant(place) = masks.entry(Some(call)) {
            let found = reads.call(call)?.map(|(call, _)| mask(&call, with_handles));
            place.insert(found.unwrap_or_default());
        }
    }
    Ok(masks)
}

fn mask_of<'a>(masks: &'a HashMap<Option<CallId>, Mask>, request: &InputRequest) -> &'a Mask {
    masks.get(&request.call).expect("BUG: every call of a portion has its mask")
}

fn masked(identity: Identity, mask: &Mask) -> Identity {
    match identity {
        Identity::Task { call, key } => Identity::Task { call, key: mask.text(key) },
        Identity::Round { call, n, key } => Identity::Round { call, n, key: mask.text(key) },
        Identity::Wire { session, rpc } => Identity::Wire { session, rpc: mask.text(rpc) },
    }
}

/// Also those of servers that were removed.
fn names(reads: &Reads) -> Result<HashMap<ServerId, String>, ReadError> {
    Ok(reads.servers()?.into_iter().map(|(server, _)| (server.id, server.name)).collect())
}

fn name(names: &HashMap<ServerId, String>, server: ServerId) -> String {
    names.get(&server).cloned().unwrap_or_else(|| server.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_are_named_come_in_portions_and_each_once() {
        let export = |after, what| Export {
            what,
            after,
            with_handles: false,
            filter: String::new(),
            calls: (1..=250).rev().chain([7]).map(CallId).collect(),
        };
        let first = named(&export(0, ExportKind::Tasks)).unwrap();
        assert_eq!((first.rows.len(), first.rows[6], first.next), (200, 7, Some(200)));
        let last = named(&export(200, ExportKind::Tasks)).unwrap();
        assert_eq!((last.rows.len(), last.next), (50, None));
        assert!(named(&export(0, ExportKind::Decisions)).is_err(), "only all of the log can be proved");
    }

    #[test]
    fn a_portion_ends_where_its_lines_are_long() {
        let of = |rows: Vec<u64>| {
            let portion = Portion { rows, next: None };
            let line = Json::of(&"x".repeat(BYTES / 2));
            Lines::of(portion, |row| *row, |_, _| Some(line.clone()))
        };
        let lines = of(vec![7, 8, 9]);
        assert_eq!((lines.lines.len(), lines.next), (2, Some(8)), "it goes on behind the second");
        assert!(lines.bytes < (4 << 20) + 8, "{}", lines.bytes);
        let last = of(vec![7, 8]);
        assert_eq!((last.lines.len(), last.next), (2, None), "and not behind the last");
    }
}
