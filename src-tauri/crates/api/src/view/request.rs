//! Questions, as rows of the inbox and one by one.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::FormSpec;
use signalbox_model::{
    Actor, Answer, Attention, CallId, CloseReason, Identity, Json, Mode, NO_SCHEMA, RequestId, RequestState,
    SamplingView, ServerId, Snooze, Timestamp, Ways,
};

use super::UrlView;

/// A row of the inbox.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct RequestRow {
    /// Our short id.
    pub id: RequestId,
    /// The call that the question belongs to; none when it cannot be assigned.
    pub call: Option<CallId>,
    /// The server that asks.
    pub server: ServerId,
    /// The person's name for the server.
    pub server_name: String,
    /// The tool that was called.
    pub tool: String,
    /// The call's arguments in a few words.
    pub summary: String,
    /// Its method as received, such as `elicitation/create`.
    pub method: String,
    /// The server's question. In the inbox it has at most 320 characters and elsewhere 16 KiB, and `…` at its end where it
    /// was cut.
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
    /// When its page was last opened for the person (URL mode).
    pub visited_at: Option<Timestamp>,
    /// When opening its page began of which nobody saw the end: it may be open.
    pub visiting_at: Option<Timestamp>,
    /// The answer with its delivery. In the inbox it has neither its content nor why it was refused.
    pub answer: Option<Answer>,
    /// Who decided that: a person, or Signalbox by the rules (which folders a server may see). None without an answer.
    pub decided_by: Option<Actor>,
    /// Its connection is gone, and nobody waits for an answer now: it stands above those that are answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub stranded: bool,
    /// Whether the person has typed something already.
    pub has_draft: bool,
    /// How much it wants its person.
    pub attention: Attention,
    /// Until when the person has put it off.
    pub snoozed: Option<Snooze>,
    /// When it comes back by itself where it was put off; none where no time brings it back.
    pub returns_at: Option<Timestamp>,
}

impl RequestRow {
    /// Whether it waits for a person, as it stands.
    #[must_use]
    pub fn waits(&self) -> bool {
        use RequestState::{NotTaken, Open, Refused, Unknown};
        matches!(self.state, Open | NotTaken | Refused | Unknown) && !self.stranded
    }
}

/// A question with what documents say of it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct RequestEntry {
    /// The question as a row of the inbox.
    pub row: RequestRow,
    /// What makes it the same question.
    pub identity: Identity,
    /// The full URL as received (URL mode).
    pub url: Option<String>,
    /// The schema as received.
    pub schema: Option<Json>,
    /// The request as received; only where all was asked for.
    pub raw: Option<Json>,
    /// What the person has typed so far; only where all was asked for.
    pub draft: Option<Json>,
}

impl From<&RequestDetail> for RequestEntry {
    fn from(detail: &RequestDetail) -> Self {
        Self {
            row: detail.row.clone(),
            identity: detail.identity.clone(),
            url: detail.url.as_ref().map(|url| url.full.clone()),
            schema: detail.schema.clone(),
            raw: Some(detail.raw.clone()),
            draft: detail.draft.clone(),
        }
    }
}

/// All about a question.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct RequestDetail {
    /// The question as a row of the inbox.
    pub row: RequestRow,
    /// The server's URL or command line: who really asks.
    pub place: String,
    /// The server's wire and version, in words.
    pub protocol_version: Option<String>,
    /// What makes it the same question.
    pub identity: Identity,
    /// When the call was started.
    pub call_created_at: Option<Timestamp>,
    /// Its call has a task: without one it can be put off only until a time. No row has this, since it comes with the task.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub has_task: bool,
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
    /// What a model would be asked (sampling): to be shown whole before it is answered in the model's place.
    pub sampling: Option<SamplingView>,
    /// The URL, taken apart (URL mode).
    pub url: Option<UrlView>,
    /// When the same call asked for a page at the same host before and got an answer, or its page was opened: the last 500 times,
    /// the oldest first (URL mode).
    pub asked_before: Vec<Timestamp>,
    /// The request as received.
    pub raw: Json,
    /// Stands for all that it asks, as its server words it. Asked in other words, or for something else, it is another text.
    pub asks: String,
    /// What can be said to it now.
    pub ways: Ways,
    /// The tool says that it may destroy something, as its server listed it last: a yes takes a second gesture.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub destructive: bool,
    /// The tool is not among those that its server listed last, so nobody knows yet whether it says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub unlisted: bool,
    /// The secrets in its answer are still kept, since it may go out yet. Its row has none of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub keeps_secrets: bool,
    /// What the person has typed so far.
    pub draft: Option<Json>,
    /// The other questions of the same task that wait for a person: at most 500.
    pub siblings: Vec<RequestId>,
    /// The round that it is part of; none where it is answered on its own.
    pub round: Option<RoundView>,
}

impl RequestDetail {
    /// The text of its schema, or of one for which everything fits.
    #[must_use]
    pub fn schema_text(&self) -> &str {
        self.schema.as_ref().map_or(NO_SCHEMA, Json::text)
    }
}

/// A round of questions on a call itself: their answers go out together, with the call made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RoundView {
    /// Which round of its call, from 1.
    pub n: u32,
    /// All questions of the round, in the server's order.
    pub requests: Vec<RequestId>,
    /// Those of them that are not decided yet, or are within their undo window.
    pub undecided: Vec<RequestId>,
    /// The server wants pages visited before it takes the call (-32042): the call is made again without answers.
    pub paged: bool,
}
