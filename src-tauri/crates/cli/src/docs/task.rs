//! The document of a task.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{ApiError, Code, Progress, Raw, RequestEntry, TaskDetail, TaskEntry, TimeSpent};
use signalbox_forms::Verdict;
use signalbox_model::{
    CallId, EventKind, Json, Note, Origin, Outcome, PayloadKind, RequestId, Status, Tag, Timestamp, Tracking,
    Wire,
};

use super::exchange::Log;
use super::request::Request;
use crate::text::event::said;

/// `id server wire taskId tool origin arguments status outcome tracking statusMessage createdAt lastUpdatedAt ttlMs
/// pollIntervalMs expiresAt waitingSince progress{fraction} inputRequests[] inputRequestsMore`, where the person has put some
/// on it `tags`, in `show` and `call` also `result error timeline raw{create,last,result}`, `remark` where the person noted something,
/// `workedMs` and `waitedMs` (for a person), which make up its time from its start to its end or to now, with `unseenMs` where the
/// timeline no longer has its beginning,
/// `outputCheck` where the tool is known to promise an `outputSchema`, and `resultError` in place of a result of which
/// what is kept is damaged. `createdAt` is when it was started or adopted here; `lastUpdatedAt` is the server's. Without
/// `taskId` when no task was made, without `ttlMs` where nothing is known of it. `waitingSince` is when the oldest question came
/// that needs a person who has not put it off. `progress.fraction`, from 0 to 1, is as the server
/// reports it: by `notifications/progress` with a total, else in its status message. Absent where it does not.
///
/// `inputRequests` has the questions that are not over, in lists the first 100. `show` and `call` have 1,000, and after them
/// those that are over, of which the 1,000 that were closed last. How many more there are of each says `inputRequestsMore`
/// and `inputRequestsClosedMore`, absent where there are none. `show --requests` adds `requestLog`.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Task {
    id: CallId,
    /// The person's name for it.
    server: String,
    wire: Option<Wire>,
    task_id: Option<String>,
    /// Absent for an adopted handle.
    tool: Option<String>,
    origin: Origin,
    arguments: Option<Raw>,
    status: Status,
    outcome: Option<Outcome>,
    tracking: Tracking,
    status_message: Option<String>,
    created_at: Timestamp,
    last_updated_at: Option<Timestamp>,
    /// The inner none is `null`: unlimited.
    ttl_ms: Option<Option<i64>>,
    poll_interval_ms: Option<i64>,
    expires_at: Option<Timestamp>,
    /// Absent where nothing of it needs a person now.
    waiting_since: Option<Timestamp>,
    progress: Option<Progress>,
    /// The person's own.
    tags: Option<Vec<Tag>>,
    /// Those that wait for a person first, those that are over last, each kind oldest first.
    input_requests: Vec<Request>,
    /// How many more there are that are not over.
    input_requests_more: Option<u32>,
    #[serde(flatten)]
    whole: Option<Whole>,
    /// Only of `show --requests`.
    pub(crate) request_log: Option<Log>,
    /// Why a command stopped waiting for it.
    pub(crate) failure: Option<ApiError>,
}

/// What only `show` and `call` print.
#[skip_serializing_none]
#[derive(Serialize)]
struct Whole {
    /// What the person noted of it.
    remark: Option<String>,
    /// How many more questions there are that are over.
    #[serde(rename = "inputRequestsClosedMore")]
    input_requests_closed_more: Option<u32>,
    result: Option<Raw>,
    #[serde(rename = "resultError")]
    result_error: Option<Fault>,
    /// How the structured content compares with what the tool promises.
    #[serde(rename = "outputCheck")]
    output_check: Option<Verdict>,
    error: Option<Raw>,
    #[serde(rename = "workedMs")]
    worked_ms: u64,
    /// How long a question waited for a person.
    #[serde(rename = "waitedMs")]
    waited_ms: u64,
    /// How much of its time the timeline no longer tells.
    #[serde(rename = "unseenMs")]
    unseen_ms: Option<u64>,
    timeline: Vec<Entry>,
    raw: Payloads,
}

/// Why something that is kept cannot be shown.
#[derive(Serialize)]
struct Fault {
    code: Code,
    message: String,
}

/// The raw payloads, gathered whole.
#[skip_serializing_none]
#[derive(Clone, Default, Serialize)]
pub(crate) struct Payloads {
    pub(crate) create: Option<Raw>,
    pub(crate) last: Option<Raw>,
    pub(crate) result: Option<Raw>,
    #[serde(skip)]
    pub(crate) error: Option<Raw>,
}

/// The questions of a task, as many as its document carries.
#[derive(Default)]
pub(crate) struct Questions {
    pub(crate) open: Vec<RequestEntry>,
    pub(crate) open_more: u32,
    /// Those that are over, oldest first.
    pub(crate) closed: Vec<RequestEntry>,
    pub(crate) closed_more: u32,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct Entry {
    at: Timestamp,
    kind: EventKind,
    request: Option<RequestId>,
    /// What stands beside it; where that is a note, its sentence.
    text: Option<String>,
    note: Option<Note>,
}

impl Task {
    /// For lists and `watch`.
    pub(crate) fn brief(entry: &TaskEntry, arguments: Option<Json>, questions: Questions) -> Self {
        Self::with(entry, arguments, questions.open.into_iter().map(Request::brief), questions.open_more)
    }

    fn with(
        entry: &TaskEntry,
        arguments: Option<Json>,
        requests: impl Iterator<Item = Request>,
        more: u32,
    ) -> Self {
        let row = &entry.row;
        Self {
            id: row.id,
            server: row.server_name.clone(),
            wire: row.wire,
            task_id: entry.task_id.clone(),
            tool: Some(row.tool.clone()).filter(|tool| !tool.is_empty()),
            origin: row.origin,
            arguments: arguments.map(Raw),
            status: row.status,
            outcome: row.outcome,
            tracking: row.tracking,
            status_message: row.status_message.clone(),
            created_at: row.created_at,
            last_updated_at: entry.last_updated_at,
            ttl_ms: entry.ttl_ms.map(Some).or(entry.unlimited.then_some(None)),
            poll_interval_ms: entry.poll_interval_ms,
            expires_at: row.expires_at,
            waiting_since: row.waiting_since,
            progress: row.progress,
            tags: Some(row.tags.clone()).filter(|tags| !tags.is_empty()),
            input_requests: requests.collect(),
            input_requests_more: Some(more).filter(|more| *more > 0),
            whole: None,
            request_log: None,
            failure: None,
        }
    }

    /// For `show` and `call`, at this moment.
    pub(crate) fn whole(
        detail: &TaskDetail,
        now: Timestamp,
        arguments: Option<Json>,
        questions: Questions,
        payloads: Payloads,
    ) -> Self {
        let entry = |event: &signalbox_model::Event| Entry {
            at: event.at,
            kind: event.kind,
            request: event.request,
            text: said(event),
            note: event.note.clone(),
        };
        let Questions { open, open_more, closed, closed_more } = questions;
        let requests = open.into_iter().chain(closed).map(Request::whole);
        let spent = TimeSpent::of(&detail.stretches, now);
        let whole = Whole {
            remark: detail.remark.clone(),
            input_requests_closed_more: Some(closed_more).filter(|more| *more > 0),
            result: received(&payloads.result),
            result_error: detail
                .fault(PayloadKind::Result)
                .map(|fault| Fault { code: fault.code, message: fault.message.clone() }),
            output_check: detail.result.as_ref().and_then(|result| result.output.clone()),
            error: received(&payloads.error),
            worked_ms: spent.working,
            waited_ms: spent.waiting,
            unseen_ms: Some(spent.unseen).filter(|ms| *ms > 0),
            timeline: detail.timeline.iter().map(entry).collect(),
            raw: payloads,
        };
        Self { whole: Some(whole), ..Self::with(&detail.into(), arguments, requests, open_more) }
    }
}

fn received(raw: &Option<Raw>) -> Option<Raw> {
    raw.clone().filter(|raw| !raw.is_null())
}
