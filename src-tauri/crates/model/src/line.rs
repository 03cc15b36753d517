//! Calls and input requests as lists know them.

use crate::{
    Actor, Answer, Attention, Call, CallId, CloseReason, Identity, InputRequest, Json, Mode, Origin, Outcome,
    RequestId, RequestState, ServerId, Snoozed, Status, Tags, Timestamp, Tracking, Wire,
};

/// A call as far as lists are filtered and sorted by it. Its texts are beginnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallBrief {
    /// Our short id.
    pub id: CallId,
    /// The server that runs it.
    pub server: ServerId,
    /// The wire it runs on.
    pub wire: Option<Wire>,
    /// How we came by it.
    pub origin: Origin,
    /// The tool's name.
    pub tool: String,
    /// The arguments in a few words.
    pub summary: String,
    /// The specification's status.
    pub status: Status,
    /// How the call ended; none while it has not.
    pub outcome: Option<Outcome>,
    /// What we know of following it.
    pub tracking: Tracking,
    /// Input requests that wait for a person who has not put them off.
    pub open_requests: u32,
    /// When the person started or adopted it.
    pub created_at: Timestamp,
    /// When the state of its task last changed; none without a task.
    pub seen_at: Option<Timestamp>,
    /// When its task is expected to be forgotten.
    pub expires_at: Option<Timestamp>,
    /// When the call ended, by our clock; none while it has not.
    pub ended_at: Option<Timestamp>,
    /// The server's message of its task.
    pub message: Option<String>,
    /// The person's own tags.
    pub tags: Tags,
}

impl From<&Call> for CallBrief {
    fn from(call: &Call) -> Self {
        let task = call.task.as_ref();
        Self {
            id: call.id,
            server: call.server,
            wire: call.wire,
            origin: call.origin,
            tool: call.tool.clone(),
            summary: call.summary.clone(),
            status: call.status,
            outcome: call.outcome,
            tracking: call.tracking,
            open_requests: call.open_requests,
            created_at: call.created_at,
            seen_at: task.map(|task| task.seen_at),
            expires_at: task.and_then(|task| task.expires_at),
            ended_at: call.ended_at,
            message: task.and_then(|task| task.status_message.clone()),
            // Nobody who follows a call knows them.
            tags: Tags::default(),
        }
    }
}

/// An input request without what lists do not show: above all its raw JSON, which may be as long as a message of a
/// server. What stands there again only where it was asked for is in [`RequestText`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLine {
    /// Our short id.
    pub id: RequestId,
    /// The server that asks.
    pub server: ServerId,
    /// For which call; none when a question cannot be assigned.
    pub call: Option<CallId>,
    /// What makes it the same question when it is seen again.
    pub identity: Identity,
    /// The method as received.
    pub method: String,
    /// How it wants to be answered.
    pub mode: Mode,
    /// The server's question, as text.
    pub message: String,
    /// The full URL as received (URL mode).
    pub url: Option<String>,
    /// Where it stands.
    pub state: RequestState,
    /// Why, once it is closed; or open again.
    pub reason: Option<CloseReason>,
    /// When we first saw it.
    pub opened_at: Timestamp,
    /// See [`InputRequest::closed_at`].
    pub closed_at: Option<Timestamp>,
    /// The person's answer with its delivery.
    pub answer: Option<Answer>,
    /// See [`InputRequest::expires_at`].
    pub expires_at: Option<Timestamp>,
    /// When its page was last opened in the person's browser (URL mode).
    pub visited_at: Option<Timestamp>,
    /// When a browser was last asked to open its page without having said whether it did.
    pub visiting_at: Option<Timestamp>,
    /// Whether the person has typed something.
    pub has_draft: bool,
    /// How much it wants its person now.
    pub attention: Attention,
    /// The person has put it off.
    pub snoozed: Option<Snoozed>,
}

/// An input request as far as lists are filtered and sorted by it. Its texts are beginnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBrief {
    /// Our short id.
    pub id: RequestId,
    /// The server that asks.
    pub server: ServerId,
    /// The call that the question belongs to; none when it cannot be assigned.
    pub call: Option<CallId>,
    /// The tool of that call; empty without one.
    pub tool: String,
    /// The arguments of that call in a few words; empty without one.
    pub summary: String,
    /// How it wants to be answered.
    pub mode: Mode,
    /// The server's question, as text.
    pub message: String,
    /// Where it stands.
    pub state: RequestState,
    /// When we first saw it.
    pub opened_at: Timestamp,
    /// See [`InputRequest::closed_at`].
    pub closed_at: Option<Timestamp>,
    /// When its task is expected to be forgotten, or the task is over that we host for its answer.
    pub expires_at: Option<Timestamp>,
    /// How much it wants its person now.
    pub attention: Attention,
    /// A number of its schema: the same for the same bytes. None where it is like no other, whatever that asks ([`crate::Alike`]).
    pub schema: Option<u64>,
}

/// The long parts of an input request, each of them only where it was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestText {
    /// The requested schema (form mode).
    pub schema: Option<Json>,
    /// The whole request as received.
    pub raw: Option<Json>,
    /// What the person has typed so far.
    pub draft: Option<Json>,
}

impl RequestLine {
    /// Whether nobody waits for its answer now, since its connection is gone.
    #[must_use]
    pub fn stranded(&self) -> bool {
        self.state.stranded(self.closed_at)
    }

    /// Who decided its answer. What needs no person is answered by the rules.
    #[must_use]
    pub fn decided_by(&self) -> Option<Actor> {
        self.answer.as_ref().map(|answer| answer.decided_by(&self.method))
    }
}

impl From<&InputRequest> for RequestLine {
    fn from(request: &InputRequest) -> Self {
        Self {
            id: request.id,
            server: request.server,
            call: request.call,
            identity: request.identity.clone(),
            method: request.method.clone(),
            mode: request.mode,
            message: request.message.clone(),
            url: request.url.clone(),
            state: request.state,
            reason: request.reason,
            opened_at: request.opened_at,
            closed_at: request.closed_at,
            answer: request.answer.clone(),
            expires_at: request.expires_at,
            visited_at: request.visited_at,
            visiting_at: request.visiting_at,
            has_draft: request.draft.is_some(),
            attention: request.attention(),
            snoozed: request.snoozed,
        }
    }
}
