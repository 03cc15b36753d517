//! What hosts look at. A view is asked for with a cursor and answered with what changed since.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::FormSpec;
use signalbox_model::{
    Answer, CallId, Cancel, CloseReason, Delivery, Event, Health, Identity, ItemRef, Json, Mode, Note,
    Origin, Outcome, Peer, RequestId, RequestState, ServerId, Status, Timestamp, Tracking, Transport, Wire,
};
use ts_rs::TS;

use crate::{Code, Settings};

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum View {
    /// Counts, servers, settings, troubles: what is always on screen.
    Overview,
    /// A window of rows of the task list.
    Tasks {
        /// Which tasks.
        filter: TaskFilter,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
    },
    /// A window of rows of the inbox.
    Inbox {
        /// Which questions.
        tab: InboxTab,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
    },
    /// One task with all about it.
    Task {
        /// Which.
        call: CallId,
    },
    /// One question with its form.
    Request {
        /// Which.
        request: RequestId,
    },
    /// What the window is asked to show (a notification's "Review", a second start).
    Forward,
}

/// Which tasks a list shows. Empty means all.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase", default)]
pub struct TaskFilter {
    /// Only of these servers.
    pub servers: Vec<ServerId>,
    /// Only with this status.
    pub status: Option<Status>,
    /// Only in this group.
    pub group: Option<TaskGroup>,
    /// Only with this text in tool, summary or status message.
    pub text: Option<String>,
}

/// The groups of the task list, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskGroup {
    /// Waits for a person.
    NeedsYou,
    /// Under way.
    Working,
    /// Over.
    Ended,
}

/// The tabs of the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum InboxTab {
    /// Waits for a person, or is on its way to the server.
    NeedsYou,
    /// Answered or closed.
    Answered,
    /// Both.
    All,
}

/// Where a host stands. Opaque: hand back what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cursor {
    /// The owner's run; another one means a fresh view.
    pub epoch: u64,
    /// The last change included.
    pub seq: u64,
    /// A digest of what has no number of its own (order, totals).
    #[ts(type = "string")]
    #[serde(with = "text")]
    pub shape: u64,
}

mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What changed in a view.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Changes {
    /// To hand back next time.
    pub cursor: Cursor,
    /// The changes; none when nothing changed while waiting.
    pub data: Option<ViewData>,
}

/// What a view holds. Lists carry the ids of the whole window of rows, and only those rows that changed.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ViewData {
    /// All of it.
    Overview {
        /// The overview.
        overview: Box<Overview>,
    },
    /// A window of the task list.
    Tasks {
        /// The page.
        page: Page<CallId, TaskRow>,
    },
    /// A window of the inbox.
    Inbox {
        /// The page.
        page: Page<RequestId, RequestRow>,
    },
    /// All of a task; none when there is no such task.
    Task {
        /// The task.
        task: Option<Box<TaskDetail>>,
    },
    /// All of a question; none when there is no such question.
    Request {
        /// The question.
        request: Option<Box<RequestDetail>>,
    },
    /// The window is asked to come forward.
    Forward {
        /// Counts the wishes; a host acts when it grows.
        wish: u32,
        /// What to show.
        item: Option<ItemRef>,
    },
}

/// A window of rows.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct Page<I, R> {
    /// The ids of all rows of the window, in order.
    pub ids: Vec<I>,
    /// The rows that changed since the cursor.
    pub rows: Vec<R>,
    /// How many rows the whole list has.
    pub total: u32,
    /// How many of each group the whole list has, for a task list without text or status filter.
    pub groups: Option<Counts>,
}

/// How many tasks in each group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Wait for a person.
    pub needs_you: u32,
    /// Are under way.
    pub working: u32,
    /// Are over.
    pub ended: u32,
}

/// What is always on screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Open questions.
    pub inbox: u32,
    /// Tasks by group.
    pub tasks: Counts,
    /// Servers by name.
    pub servers: Vec<ServerView>,
    /// The settings.
    pub settings: Settings,
    /// What is wrong with ourselves: disk, notifications.
    pub troubles: Vec<Trouble>,
    /// Who owns the data directory.
    pub owner: Owner,
}

/// A server for people.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct ServerView {
    /// Our short id.
    pub id: ServerId,
    /// The person's name for it.
    pub name: String,
    /// Its URL, or its command line.
    pub place: String,
    /// How to reach it. Secrets are references.
    pub transport: Transport,
    /// Whether it may be connected to.
    pub enabled: bool,
    /// How it was last seen.
    pub health: Health,
    /// The wire it speaks.
    pub wire: Option<Wire>,
    /// The protocol version it speaks.
    pub protocol_version: Option<String>,
    /// What it says of itself: a claim.
    pub peer: Option<Peer>,
    /// Its capabilities as received.
    pub capabilities: Option<Json>,
    /// Whether it declared the tasks extension.
    pub supports_tasks: bool,
    /// Its tasks by group.
    pub tasks: Counts,
}

/// Something that is wrong with ourselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Trouble {
    /// From the closed list.
    pub code: Code,
    /// What happened, what it means, what to do.
    pub message: String,
}

/// Who owns the data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Owner {
    /// What kind of program.
    pub kind: OwnerKind,
    /// Its process id.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// The data directory.
    pub home: String,
}

/// What kind of program owns the data directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OwnerKind {
    /// The window.
    Window,
    /// `signalbox serve`.
    Serve,
    /// A command, while it runs.
    Command,
}

/// A row of the task list.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    /// Our short id.
    pub id: CallId,
    /// Its server.
    pub server: ServerId,
    /// The person's name for the server.
    pub server_name: String,
    /// Its group.
    pub group: TaskGroup,
    /// The wire, once known.
    pub wire: Option<Wire>,
    /// The tool; empty for an adopted handle.
    pub tool: String,
    /// The arguments in a few words.
    pub summary: String,
    /// Whether a task was made.
    pub has_task: bool,
    /// The status.
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
    /// Progress as read out of the server's message.
    pub progress: Option<Progress>,
    /// When it was started or adopted, by our clock.
    pub created_at: Timestamp,
    /// When its state last changed, by our clock.
    pub seen_at: Timestamp,
    /// When the server is expected to forget it, by our clock.
    pub expires_at: Option<Timestamp>,
    /// When it ended, by our clock.
    pub ended_at: Option<Timestamp>,
    /// The earliest next look.
    pub next_poll_at: Option<Timestamp>,
    /// The wish to cancel.
    pub cancel: Option<Cancel>,
    /// Questions that wait for a person.
    pub open_requests: u32,
}

/// Progress that the server reported in words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct Progress {
    /// From 0 to 1.
    pub fraction: f64,
}

/// All about a task.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct TaskDetail {
    /// Its row.
    pub row: TaskRow,
    /// The server's URL or command line.
    pub place: String,
    /// How we came by it.
    pub origin: Origin,
    /// How far the call got.
    pub delivery: Delivery,
    /// The server's id: a sensitive handle.
    pub task_id: Option<String>,
    /// By the server's clock.
    pub server_created_at: Option<Timestamp>,
    /// By the server's clock.
    pub last_updated_at: Option<Timestamp>,
    /// Time to live in ms; none is unlimited (or no task).
    pub ttl_ms: Option<i64>,
    /// What the server asks for, in ms.
    pub poll_interval_ms: Option<i64>,
    /// The arguments as sent.
    pub arguments: Option<Json>,
    /// The result, read leniently.
    pub result: Option<ResultView>,
    /// The JSON-RPC error as received.
    pub error: Option<Json>,
    /// The raw payloads that are kept. Those over 1 MiB come by [`crate::Command::Payload`] only.
    pub payloads: Vec<PayloadInfo>,
    /// What happened, oldest first; at most the last 500 entries.
    pub timeline: Vec<Event>,
    /// Its questions, oldest first.
    pub requests: Vec<RequestRow>,
}

/// One kept raw payload.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct PayloadInfo {
    /// Which.
    pub kind: signalbox_model::PayloadKind,
    /// Its size in bytes.
    pub bytes: u64,
    /// The text as received, unless it is over 1 MiB.
    pub json: Option<Json>,
}

/// A tool's result, read leniently. Texts are the server's.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// Whether the tool said that it failed.
    pub is_error: bool,
    /// Its parts, in order.
    pub content: Vec<ContentPart>,
    /// The structured content as received.
    pub structured: Option<Json>,
}

/// One part of a result.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ContentPart {
    /// Text.
    Text {
        /// The text, cut at 256 KiB.
        text: String,
    },
    /// Anything else, as JSON.
    Other {
        /// As received, unless it is over 256 KiB.
        json: Option<Json>,
        /// Its `type` as received.
        r#type: String,
    },
}

/// A row of the inbox.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct RequestRow {
    /// Our short id.
    pub id: RequestId,
    /// Its task.
    pub call: Option<CallId>,
    /// Who asks.
    pub server: ServerId,
    /// The person's name for the server.
    pub server_name: String,
    /// The tool that was called.
    pub tool: String,
    /// The call's arguments in a few words.
    pub summary: String,
    /// The server's question.
    pub message: String,
    /// How it wants to be answered.
    pub mode: Mode,
    /// The host of the URL (URL mode).
    pub host: Option<String>,
    /// Where it stands.
    pub state: RequestState,
    /// Why it is closed.
    pub reason: Option<CloseReason>,
    /// When we first saw it.
    pub opened_at: Timestamp,
    /// When it was answered or closed.
    pub closed_at: Option<Timestamp>,
    /// Its task's end of life, by our clock.
    pub expires_at: Option<Timestamp>,
    /// The answer with its delivery.
    pub answer: Option<Answer>,
    /// Whether the person has typed something already.
    pub has_draft: bool,
}

/// All about a question.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct RequestDetail {
    /// Its row.
    pub row: RequestRow,
    /// The server's URL or command line: who really asks.
    pub place: String,
    /// The server's wire and version, in words.
    pub protocol_version: Option<String>,
    /// What makes it the same question.
    pub identity: Identity,
    /// Its method as received.
    pub method: String,
    /// When the call was started.
    pub call_created_at: Option<Timestamp>,
    /// Time to live of the task in ms.
    pub ttl_ms: Option<i64>,
    /// The server's last status message of the task.
    pub status_message: Option<String>,
    /// The call's arguments as sent.
    pub arguments: Option<Json>,
    /// The form (form mode).
    pub form: Option<FormSpec>,
    /// The schema as received.
    pub schema: Option<Json>,
    /// The URL, taken apart (URL mode).
    pub url: Option<UrlView>,
    /// The request as received.
    pub raw: Json,
    /// What the person has typed so far.
    pub draft: Option<Json>,
    /// The other open questions of the same task.
    pub siblings: Vec<RequestId>,
}

/// A URL for a careful look. Never fetched, never opened without a person's act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UrlView {
    /// As received.
    pub full: String,
    /// What stands before the host.
    pub before: String,
    /// The host, to be emphasised; empty when the URL has none.
    pub host: String,
    /// What stands behind the host.
    pub after: String,
    /// What to be wary of.
    pub warnings: Vec<UrlWarning>,
}

/// What to be wary of in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UrlWarning {
    /// It is no URL that a browser understands.
    Malformed,
    /// It is not `https`.
    NotHttps,
    /// The host is written in punycode.
    Punycode,
    /// The host mixes scripts or holds characters beyond ASCII.
    MixedScript,
    /// A user name or password stands before the host.
    UserInfo,
    /// The host is an address, not a name.
    IpAddress,
    /// It names an unusual port.
    OddPort,
}
