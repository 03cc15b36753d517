//! Calls and tasks, as rows of a list and one by one.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{
    CallId, Cancel, Delivery, Event, Json, Note, Origin, Outcome, PayloadKind, RequestState, ServerId,
    Status, Tag, Timestamp, Tracking, Wire,
};

use super::{RequestRow, ResultView, Stretch, TaskGroup};
use crate::ApiError;

/// A row of the task list.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    /// Our short id.
    pub id: CallId,
    /// The server that runs it.
    pub server: ServerId,
    /// The person's name for the server.
    pub server_name: String,
    /// The group of the task list that it stands in.
    pub group: TaskGroup,
    /// The wire, once known.
    pub wire: Option<Wire>,
    /// How we came by it.
    pub origin: Origin,
    /// The tool; empty for an adopted handle.
    pub tool: String,
    /// The arguments in a few words.
    pub summary: String,
    /// Whether a task was made.
    pub has_task: bool,
    /// The status of the task, or of the call while it has none.
    pub status: Status,
    /// The status as received, when it is none of the five.
    pub status_text: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What we know of following it, the server's health included.
    pub tracking: Tracking,
    /// Why it is as it is.
    pub note: Option<Note>,
    /// The server's message.
    pub status_message: Option<String>,
    /// Progress as its server counts it, else as read out of the server's message.
    pub progress: Option<Progress>,
    /// When it was started or adopted, by our clock.
    pub created_at: Timestamp,
    /// When its state last changed, by our clock.
    pub seen_at: Timestamp,
    /// When the server is expected to forget it, by our clock.
    pub expires_at: Option<Timestamp>,
    /// When it ended, by our clock.
    pub ended_at: Option<Timestamp>,
    /// The earliest next poll.
    pub next_poll_at: Option<Timestamp>,
    /// The wish to cancel.
    pub cancel: Option<Cancel>,
    /// Questions that wait for a person who has not put them off.
    pub open_requests: u32,
    /// When the oldest of those was first seen; absent where there is none.
    pub waiting_since: Option<Timestamp>,
    /// The person's own tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<Tag>>"))]
    pub tags: Vec<Tag>,
}

/// Progress that the server reported.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Progress {
    /// From 0 to 1.
    pub fraction: f64,
}

/// A task as documents list it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TaskEntry {
    /// The task as a row of the list.
    pub row: TaskRow,
    /// The server's id: a sensitive handle.
    pub task_id: Option<String>,
    /// By the server's clock.
    pub last_updated_at: Option<Timestamp>,
    /// Time to live in ms; none when it is unlimited or not known.
    pub ttl_ms: Option<i64>,
    /// Whether the server said that it lives without limit.
    pub unlimited: bool,
    /// What the server asks for, in ms.
    pub poll_interval_ms: Option<i64>,
    /// The arguments as sent.
    pub arguments: Option<PayloadInfo>,
    /// How many of its questions are not over.
    pub requests: u32,
}

impl From<&TaskDetail> for TaskEntry {
    fn from(detail: &TaskDetail) -> Self {
        let arguments = detail.payloads.iter().find(|info| info.kind == PayloadKind::Arguments);
        let is_over = |row: &RequestRow| matches!(row.state, RequestState::Answered | RequestState::Closed);
        let shown = detail.requests.iter().filter(|row| !is_over(row)).count();
        Self {
            row: detail.row.clone(),
            task_id: detail.task_id.clone(),
            last_updated_at: detail.last_updated_at,
            ttl_ms: detail.ttl_ms,
            unlimited: detail.unlimited,
            poll_interval_ms: detail.poll_interval_ms,
            arguments: arguments.cloned(),
            requests: detail.requests_more.saturating_add(u32::try_from(shown).unwrap_or(u32::MAX)),
        }
    }
}

/// All about a task.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TaskDetail {
    /// The task as a row of the list.
    pub row: TaskRow,
    /// What the person noted of it.
    pub remark: Option<String>,
    /// The server's URL or command line.
    pub place: String,
    /// How far the call got.
    pub delivery: Delivery,
    /// The server's id: a sensitive handle.
    pub task_id: Option<String>,
    /// By the server's clock.
    pub server_created_at: Option<Timestamp>,
    /// By the server's clock.
    pub last_updated_at: Option<Timestamp>,
    /// Time to live in ms; none when it is unlimited or not known.
    pub ttl_ms: Option<i64>,
    /// Whether the server said that it lives without limit.
    pub unlimited: bool,
    /// What the server asks for, in ms.
    pub poll_interval_ms: Option<i64>,
    /// The arguments as sent.
    pub arguments: Option<Json>,
    /// Whether these arguments hold a secret, as far as their names and the tool's schema tell.
    pub secret_arguments: bool,
    /// The result, read leniently. None also when what is kept of it is damaged: see its [`PayloadInfo::fault`].
    pub result: Option<ResultView>,
    /// The JSON-RPC error as received.
    pub error: Option<Json>,
    /// The run before of the same tool at the same server with the same arguments, once this one has ended: the two can be
    /// compared, see [`crate::command::Diff`]. Absent also where the arguments are over 1 MiB.
    pub run_before: Option<CallId>,
    /// The raw payloads that are kept. Those over 1 MiB come by [`crate::Command::Payload`] only.
    pub payloads: Vec<PayloadInfo>,
    /// What happened, oldest first; at most the last 500 entries, fewer where they have more than 1 MiB of text.
    pub timeline: Vec<Event>,
    /// What its time went into, oldest first, as far as the timeline tells.
    pub stretches: Vec<Stretch>,
    /// Its questions, oldest first: of those that are not over 100, what waits for a person before all else; of the others the
    /// 100 that were closed last. Fewer where their messages are long. The others come by [`crate::View::Requests`].
    pub requests: Vec<RequestRow>,
    /// How many more there are that are not over.
    pub requests_more: u32,
    /// How many more there are that are over.
    pub requests_closed_more: u32,
}

impl TaskDetail {
    /// Why this payload, of which something is kept, cannot be shown.
    #[must_use]
    pub fn fault(&self, kind: PayloadKind) -> Option<&ApiError> {
        self.payloads.iter().find(|payload| payload.kind == kind)?.fault.as_ref()
    }
}

/// One kept raw payload.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct PayloadInfo {
    /// Which of the call's payloads this is.
    pub kind: PayloadKind,
    /// Its size in bytes.
    pub bytes: u64,
    /// The text as received, unless it is over 1 MiB, or damaged.
    pub json: Option<Json>,
    /// Why it cannot be shown: what is kept of it is damaged. All else of the task is not.
    pub fault: Option<ApiError>,
}
