//! The timeline: what happened to a call, in order.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{CallId, Note, RequestId, Timestamp};

/// One entry of a call's timeline.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The call whose timeline this is.
    pub call: CallId,
    /// When, by our clock.
    pub at: Timestamp,
    /// What kind of thing happened.
    pub kind: EventKind,
    /// The question it is about.
    pub request: Option<RequestId>,
    /// A value beside it: a status message, the action of an answer, the word of why an answer was not sent. What we say
    /// ourselves is the kind and the note, for which each host has words; a text of an earlier version stays as it is.
    pub text: Option<String>,
    /// Why it happened, where there is a reason.
    pub note: Option<Note>,
}

/// What kind of thing happened to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The person started the call.
    Called,
    /// The person adopted a handle.
    Adopted,
    /// The server made a task of it.
    TaskCreated,
    /// The status or its message changed.
    Status,
    /// The server asked.
    Asked,
    /// The person decided.
    Answered,
    /// The person took the answer back within the undo window.
    Undone,
    /// The answer was still within its undo window when nobody was left to send it: it is a draft again. Why, is the word
    /// of [`crate::Unsent`] in the text.
    Lapsed,
    /// The server acknowledged the answer.
    Acknowledged,
    /// The server stopped asking: the answer was taken.
    Taken,
    /// The server keeps asking although it acknowledged.
    NotTaken,
    /// The server refused the answer.
    Refused,
    /// The question closed without our answer.
    Closed,
    /// The person asked to cancel.
    CancelRequested,
    /// The server acknowledged the wish to cancel.
    CancelAcknowledged,
    /// The server could not be reached, or not about this task.
    Trouble,
    /// The server asks more than is taken of a task and of a server: what does not fit is left out for now.
    LeftOut,
    /// The server says completed, and gives no result.
    NoResult,
    /// The TTL passed while the server could not be asked.
    TtlPassed,
    /// The server wanted the answer within a time that has passed.
    AnswerTimePassed,
    /// The server sent a request that we do not take. In the text: its method, and the beginning of what came.
    RequestRefused,
    /// The server has said so much that the timeline leaves out what else it says.
    TimelineFull,
    /// The trouble is over.
    Recovered,
    /// The call ended.
    Ended,
    /// The connection on which the question came is gone; it comes back when the server asks again.
    Orphaned,
    /// The answer was sent, and whether it arrived is not known.
    Unknown,
}
