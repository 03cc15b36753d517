//! The log of decisions: what people decided, what was sent for it, and what became of it.

use serde::{Deserialize, Serialize};

use crate::{CallId, Json, Note, RequestId, ServerId, Timestamp};

/// One entry for the log of decisions. It is only ever added, and outlives its call: whoever must answer for a
/// deployment next year still finds who approved what.
///
/// Task ids are sensitive handles and are in no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// When, by our clock.
    pub at: Timestamp,
    /// Who acted: the person, the server, or Signalbox by its rules.
    pub by: Actor,
    /// What kind of decision or event this is.
    pub kind: DecisionKind,
    /// The server that it concerns.
    pub server: ServerId,
    /// The call that it concerns, if any.
    pub call: Option<CallId>,
    /// The question that it is about, if any.
    pub request: Option<RequestId>,
    /// The tool's schema, or the one that was answered: the log keeps its SHA-256. Where it is not given for an answer, the
    /// store takes that of the question's row.
    pub schema: Option<Json>,
    /// The exact JSON of it: the arguments of a call, the response to a question, where the log before ended. The store masks
    /// the secrets in a response.
    pub json: Option<Json>,
    /// A word or a name beside it: the tool's name, an action, why an answer was not sent.
    pub text: Option<String>,
    /// Why, where there is a reason: the server's refusal, what kept a call from being sent.
    pub note: Option<Note>,
    /// What the person noted beside it.
    pub remark: Option<String>,
}

/// Who made a decision or caused an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The person, through the window or a command.
    Person,
    /// The server, by what it sent.
    Server,
    /// We, by the rules.
    Signalbox,
}

/// What was decided, or became of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// The person started a call, with these arguments.
    Called,
    /// The person adopted a handle made elsewhere.
    Adopted,
    /// The person answered a question, with this response.
    Answered,
    /// The person took the answer back within the undo window.
    Undone,
    /// The answer was still within its undo window when nobody was left to send it: it was not sent, and is a draft again.
    /// Why, is the word of [`crate::Unsent`] in the text.
    Lapsed,
    /// This response went to the wire. The same bytes once more, because a look showed the question still asked, carry
    /// no JSON and the text "again"; of many such sendings only the second, the third, the fifth, the ninth … are entered.
    /// Without a question it is the wish to cancel that was sent, by the same rules, with the text "cancel" or "cancel again".
    Sent,
    /// The call was certainly not acted on: it never left, or was refused at the door. Why, is in the note.
    NotSent,
    /// The server acknowledged the response.
    Acknowledged,
    /// The server stopped asking: the response was taken.
    Taken,
    /// The server keeps asking although it acknowledged.
    NotTaken,
    /// The server refused the response.
    Refused,
    /// The question closed before the response could be seen taken.
    Closed,
    /// The person asked to cancel.
    CancelRequested,
    /// The server acknowledged the wish to cancel.
    CancelAcknowledged,
    /// The server refused the wish to cancel.
    CancelRefused,
    /// It was sent, and whether it arrived is not known.
    Unknown,
    /// The person had the call forgotten: its rows are gone, its decisions are not.
    Forgotten,
    /// A backup was put in the place of a database whose log goes another way, or cannot be read. The JSON has that log's
    /// `end`, the number and the hash of its last entry, where anything tells it.
    Restored,
    /// The database was made anew from what could be read of a damaged one. The JSON has how many entries were `kept`, and the
    /// `end` as above.
    Salvaged,
}
