//! The document of a task.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{ApiError, Code, RequestDetail, TaskDetail};
use signalbox_forms::Verdict;
use signalbox_model::{
    CallId, EventKind, Json, Outcome, PayloadKind, RequestId, Status, Timestamp, Tracking, Wire,
};

use super::{Raw, Request};

/// `id server wire taskId tool arguments status outcome tracking statusMessage createdAt lastUpdatedAt ttlMs
/// pollIntervalMs expiresAt inputRequests[]`, in `show` and `call` also `result error timeline raw{create,last,result}`,
/// `outputCheck` where the tool is known to promise an `outputSchema`, and `resultError` in place of a result of which
/// what is kept is damaged. `createdAt` is when it was started or adopted here; `lastUpdatedAt` is the server's. Without
/// `taskId` when no task was made, without `ttlMs` where nothing is known of it.
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
    /// Those that wait for a person first, each kind oldest first.
    input_requests: Vec<Request>,
    #[serde(flatten)]
    whole: Option<Whole>,
    /// Why a command stopped waiting for it.
    pub(crate) failure: Option<ApiError>,
}

/// What only `show` and `call` print.
#[skip_serializing_none]
#[derive(Serialize)]
struct Whole {
    result: Option<Raw>,
    #[serde(rename = "resultError")]
    result_error: Option<Fault>,
    /// How the structured content compares with what the tool promises.
    #[serde(rename = "outputCheck")]
    output_check: Option<Verdict>,
    error: Option<Raw>,
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

#[skip_serializing_none]
#[derive(Serialize)]
struct Entry {
    at: Timestamp,
    kind: EventKind,
    request: Option<RequestId>,
    text: Option<String>,
}

impl Task {
    /// For lists and `watch`.
    pub(crate) fn brief(detail: &TaskDetail, arguments: Option<Json>, requests: &[RequestDetail]) -> Self {
        let row = &detail.row;
        Self {
            id: row.id,
            server: row.server_name.clone(),
            wire: row.wire,
            task_id: detail.task_id.clone(),
            tool: Some(row.tool.clone()).filter(|tool| !tool.is_empty()),
            arguments: arguments.map(Raw),
            status: row.status,
            outcome: row.outcome,
            tracking: row.tracking,
            status_message: row.status_message.clone(),
            created_at: row.created_at,
            last_updated_at: detail.last_updated_at,
            ttl_ms: detail.ttl_ms.map(Some).or(detail.unlimited.then_some(None)),
            poll_interval_ms: detail.poll_interval_ms,
            expires_at: row.expires_at,
            input_requests: requests.iter().map(Request::brief).collect(),
            whole: None,
            failure: None,
        }
    }

    /// For `show` and `call`.
    pub(crate) fn whole(
        detail: &TaskDetail,
        arguments: Option<Json>,
        requests: &[RequestDetail],
        payloads: Payloads,
    ) -> Self {
        let entry = |event: &signalbox_model::Event| Entry {
            at: event.at,
            kind: event.kind,
            request: event.request,
            text: event.text.clone(),
        };
        let whole = Whole {
            result: said(&payloads.result),
            result_error: detail
                .fault(PayloadKind::Result)
                .map(|fault| Fault { code: fault.code, message: fault.message.clone() }),
            output_check: detail.result.as_ref().and_then(|result| result.output.clone()),
            error: said(&payloads.error),
            timeline: detail.timeline.iter().map(entry).collect(),
            raw: payloads,
        };
        Self {
            input_requests: requests.iter().map(Request::whole).collect(),
            whole: Some(whole),
            ..Self::brief(detail, arguments, requests)
        }
    }
}

fn said(received: &Option<Raw>) -> Option<Raw> {
    received.clone().filter(|raw| !raw.is_null())
}
