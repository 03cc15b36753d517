//! The call: root of everything. One tool call we made or one handle we adopted, with at most one task.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{CallId, Json, Note, ServerId, Timestamp, Wire, Word};

/// One tool call we made, or one task handle we adopted. Narrow: payloads are kept beside it (see [`PayloadKind`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Our short id.
    pub id: CallId,
    /// The server that runs it.
    pub server: ServerId,
    /// The wire it runs on; none until the server's wire is known.
    pub wire: Option<Wire>,
    /// The tool's name; empty for an adopted handle.
    pub tool: String,
    /// The arguments in a few words, for lists: at most 200 characters of their values.
    pub summary: String,
    /// How we came by it.
    pub origin: Origin,
    /// When the person started or adopted it, by our clock.
    pub created_at: Timestamp,
    /// How far the `tools/call` request got.
    pub delivery: Delivery,
    /// The specification's status.
    pub status: Status,
    /// The status as received, when it is none of the five.
    pub status_text: Option<String>,
    /// How it ended; none while it has not.
    pub outcome: Option<Outcome>,
    /// What we know of following it.
    pub tracking: Tracking,
    /// Why it is as it is, where `status`, `outcome` and `tracking` alone do not say.
    pub note: Option<Note>,
    /// The task handle with its last seen state.
    pub task: Option<Task>,
    /// A person's wish to cancel it.
    pub cancel: Option<Cancel>,
    /// When it ended, by our clock.
    pub ended_at: Option<Timestamp>,
    /// The earliest next `tasks/get` (server's interval, backoff, Retry-After), kept so that a restart honours it.
    pub next_poll_at: Option<Timestamp>,
    /// Input requests that wait for a person who has not put them off.
    pub open_requests: u32,
    /// When the oldest of those was first seen.
    pub waiting_since: Option<Timestamp>,
    /// How far the server last said it is.
    pub progress: Option<ProgressReport>,
}

impl Call {
    /// A call that nothing was done for yet.
    #[must_use]
    pub fn new(id: CallId, server: ServerId, origin: Origin, created_at: Timestamp) -> Self {
        Self {
            id,
            server,
            wire: None,
            tool: String::new(),
            summary: String::new(),
            origin,
            created_at,
            delivery: Delivery::Queued,
            status: Status::Working,
            status_text: None,
            outcome: None,
            tracking: Tracking::Live,
            note: None,
            task: None,
            cancel: None,
            ended_at: None,
            next_poll_at: None,
            open_requests: 0,
            waiting_since: None,
            progress: None,
        }
    }

    /// Whether it has come to its end. Terminal is terminal: nothing revives it.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.outcome.is_some()
    }

    /// Whether a wish to cancel has not been acknowledged.
    #[must_use]
    pub fn wants_cancel(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.acknowledged_at.is_none())
    }

    /// When the wish to cancel it was made that stands; one that its server refused counts no more.
    #[must_use]
    pub fn cancel_requested_at(&self) -> Option<Timestamp> {
        self.cancel.as_ref().map(|cancel| cancel.requested_at)
    }

    /// Whether a question of it waits here for a person. That its server says `input_required` is not enough: its questions
    /// may be answered, put off, no longer asked, or not here yet.
    #[must_use]
    pub fn needs_person(&self) -> bool {
        !self.ended() && self.open_requests > 0
    }

    /// Text with our short id in place of the task's: a sensitive handle, which a server may quote, and which must not
    /// show on a locked screen or leave with the log of decisions.
    #[must_use]
    pub fn without_handle(&self, text: &str) -> String {
        match &self.task {
            Some(task) if !task.task_id.is_empty() => text.replace(&task.task_id, &self.id.to_string()),
            _ => text.to_owned(),
        }
    }

    /// A note with our short id in place of the task's.
    #[must_use]
    pub fn note_without_handle(&self, note: Note) -> Note {
        note.map_texts(|text| self.without_handle(&text))
    }
}

/// A report of progress (`notifications/progress` of the legacy wire). Numbers stay as they were written.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProgressReport {
    /// How far it is.
    pub progress: Option<Json>,
    /// How far it will go.
    pub total: Option<Json>,
    /// The server's text.
    pub message: Option<String>,
}

/// A task handle and its last seen state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The server's id: a sensitive handle. Never in logs, notifications, links or default exports.
    pub task_id: String,
    /// The server's message, as text.
    pub status_message: Option<String>,
    /// By the server's clock, if it said so legibly.
    pub created_at: Option<Timestamp>,
    /// By the server's clock, if it said so legibly.
    pub last_updated_at: Option<Timestamp>,
    /// Time to live in ms from the task's creation; none where the server names none.
    pub ttl_ms: Option<i64>,
    /// Whether its server says that it lives without limit; none where only what is kept of its states tells, since an
    /// earlier version wrote the row.
    pub unlimited: Option<bool>,
    /// What the server asks for, in ms.
    pub poll_interval_ms: Option<i64>,
    /// When we expect the server to forget it, by **our** clock, counted from what we observed.
    pub expires_at: Option<Timestamp>,
    /// When its state last changed, by our clock: "silent for" counts from here.
    pub seen_at: Timestamp,
}

/// How we came by a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A tool call that was started here.
    Started,
    /// A handle made elsewhere.
    Adopted,
}

/// How far our `tools/call` request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Committed here, not yet handed to a transport. After a restart it may be sent.
    Queued,
    /// Handed to a transport; whether it arrived is not known until the answer. Never sent again by itself.
    Sent,
    /// The server answered; or the call is an adopted handle.
    Answered,
}

/// Status of a task by the specification; of a call without a task by analogy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The work is under way.
    Working,
    /// Waits for answers to input requests.
    InputRequired,
    /// Ended with a result.
    Completed,
    /// Ended with an error.
    Failed,
    /// Cancelled before it completed.
    Cancelled,
    /// A word beyond the specification's five; the raw text is kept.
    Unknown,
}

impl Status {
    /// Reads the specification's word; anything else is [`Status::Unknown`].
    #[must_use]
    pub fn from_wire(text: &str) -> Self {
        Self::from_word(text).unwrap_or(Self::Unknown)
    }

    /// Whether the specification says that nothing follows.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A result without `isError`.
    Ok,
    /// A result with `isError`.
    ToolError,
    /// A JSON-RPC error, or an answer that is against the specification.
    ProtocolError,
    /// Cancelled, as the server said.
    Cancelled,
    /// Its TTL passed without a result.
    Expired,
    /// The server does not know it any more.
    Lost,
    /// We sent the call and never learnt whether it arrived.
    Unknown,
}

/// What we know of following a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Tracking {
    /// The task is polled, or the call awaited, as it should be.
    Live,
    /// The server answers, but not about this task (repeated errors).
    Stalled,
    /// The server cannot be reached; tried again with backoff.
    Unreachable,
    /// The server wants a sign-in first.
    SignInNeeded,
    /// The TTL has passed.
    Expired,
    /// The server does not know the task id.
    NotFound,
    /// Ended; nothing left to follow.
    Done,
}

/// A person's wish to cancel: *requested* until the server says.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Cancel {
    /// When the person asked.
    pub requested_at: Timestamp,
    /// When the server acknowledged the request; the task may still complete.
    pub acknowledged_at: Option<Timestamp>,
}

/// The raw JSON kept beside a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PayloadKind {
    /// The arguments we sent.
    Arguments,
    /// The server's answer to `tools/call`.
    Create,
    /// The last state from `tasks/get`.
    Last,
    /// The result of the call or of its task.
    Result,
    /// The JSON-RPC error; of a task that is not followed for that, the last answer which was refused as being against the
    /// specification, or its beginning as a text.
    Error,
}
