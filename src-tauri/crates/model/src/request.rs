//! Input requests: what servers ask people, and the answers.
//!
//! A question whose connection is gone is *stranded*. It is `orphaned` when no answer was sent, else `unknown` with the
//! time when the connection went. It waits for nobody, no count has it, lists show it below the others, and a person
//! can put it away. An orphan is the same question when the server asks again. After one whose answer may have arrived
//! there is a new question, with what was said as its draft.

use serde::{Deserialize, Serialize};

use crate::{Action, Actor, Answer, Attention, CallId, Json, ROOTS, RequestId, ServerId, Snoozed, Timestamp};

/// The schema of whoever gives none: nothing is asked for, and everything fits.
pub const NO_SCHEMA: &str = "{}";

/// One question of a server. Shown once, answered once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRequest {
    /// Our short id.
    pub id: RequestId,
    /// The server that asks.
    pub server: ServerId,
    /// For which call; none when a question cannot be assigned.
    pub call: Option<CallId>,
    /// What makes it the same question when it is seen again.
    pub identity: Identity,
    /// The method as received, such as `elicitation/create`.
    pub method: String,
    /// How it wants to be answered.
    pub mode: Mode,
    /// The server's question, as text: of one above [`crate::LONGEST_TEXT`] the beginning, as `raw` has all of it.
    pub message: String,
    /// The requested schema (form mode).
    pub schema: Option<Json>,
    /// The full URL as received (URL mode). Never fetched, never opened without a person's act.
    pub url: Option<String>,
    /// The whole request as received; `null` where it is left to the store, see [`Self::is_bare`].
    pub raw: Json,
    /// Where it stands.
    pub state: RequestState,
    /// Why, once it is closed; or open again.
    pub reason: Option<CloseReason>,
    /// When we first saw it.
    pub opened_at: Timestamp,
    /// When it was answered or closed; or, while it is not known whether its answer arrived, when the connection was gone
    /// on which it was asked (legacy wire).
    pub closed_at: Option<Timestamp>,
    /// The person's answer with its delivery.
    pub answer: Option<Answer>,
    /// What the person has typed so far, kept over restarts.
    pub draft: Option<Json>,
    /// The task that we host for its answer, where the server wanted one (legacy wire).
    pub hosted: Option<Hosted>,
    /// When its page was last opened in the person's browser (URL mode).
    pub visited_at: Option<Timestamp>,
    /// When a browser was last asked to open its page without having said whether it did.
    pub visiting_at: Option<Timestamp>,
    /// The answer before this one, which did not get through or may have: what taking this one back leads to.
    pub earlier: Option<Box<Earlier>>,
    /// When it is of no use any more, whatever becomes of its call: the task that we host for its answer is over then.
    pub expires_at: Option<Timestamp>,
    /// The person has put it off.
    pub snoozed: Option<Snoozed>,
    /// How much it wants its person while it waits for one; see [`Self::attention`].
    pub wants: Attention,
    /// The last deadline that the person was reminded of.
    pub reminded_of: Option<Timestamp>,
}

/// A task of ours for the answer to a question, as its server knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hosted {
    /// Our id of it.
    pub task_id: String,
    /// Its ids before the server asked again: who looks at one of them sees the same task.
    pub before: Vec<String>,
    /// The JSON-RPC ids, as written, of the server's requests for its result that wait for the person. They last as long
    /// as their session.
    pub waiting: Vec<String>,
}

impl Hosted {
    /// A task that nobody has looked at yet.
    #[must_use]
    pub fn new(task_id: String) -> Self {
        Self { task_id, before: Vec::new(), waiting: Vec::new() }
    }

    /// Whether this is one of its ids.
    #[must_use]
    pub fn goes_by(&self, task_id: &str) -> bool {
        self.task_id == task_id || self.before.iter().any(|before| before == task_id)
    }
}

/// An answer in whose place the person gave another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// Where the question stood.
    pub state: RequestState,
    /// The answer that was replaced, with its delivery.
    pub answer: Answer,
}

impl InputRequest {
    /// A question that was asked just now, of which nothing is read yet.
    #[must_use]
    pub fn new(id: RequestId, server: ServerId, identity: Identity, opened_at: Timestamp) -> Self {
        let call = match identity {
            Identity::Task { call, .. } | Identity::Round { call, .. } => Some(call),
            Identity::Wire { .. } => None,
        };
        Self {
            id,
            server,
            call,
            identity,
            method: String::new(),
            mode: Mode::Other,
            message: String::new(),
            schema: None,
            url: None,
            raw: Json::of(&()),
            state: RequestState::Open,
            reason: None,
            opened_at,
            closed_at: None,
            answer: None,
            draft: None,
            hosted: None,
            visited_at: None,
            visiting_at: None,
            earlier: None,
            expires_at: None,
            snoozed: None,
            wants: Attention::NeedsYou,
            reminded_of: None,
        }
    }

    /// Whether the store alone has what it asks. Kept in this shape, a question leaves there what stands there: message,
    /// schema, URL and raw JSON.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.raw.text() == "null"
    }

    /// The text of its schema, or of one for which everything fits.
    #[must_use]
    pub fn schema_text(&self) -> &str {
        self.schema.as_ref().map_or(NO_SCHEMA, Json::text)
    }

    /// Leaves what it asks to the store. A page stays, since it can be opened again.
    pub fn strip(&mut self) {
        self.message = String::new();
        self.schema = None;
        self.raw = Json::of(&());
        if self.mode != Mode::Url {
            self.url = None;
        }
    }

    /// Whether a person can answer it now.
    #[must_use]
    pub fn answerable(&self) -> bool {
        self.state.answerable()
    }

    /// When its last answer was decided. An answer that was taken back, or never left, counts no more.
    #[must_use]
    pub fn decided_at(&self) -> Option<Timestamp> {
        self.answer.as_ref().map(|answer| answer.decided_at)
    }

    /// Whether the answer that was decided then is this question's, or was until another was given in its place. One that was
    /// taken back is not.
    #[must_use]
    pub fn has_decision(&self, at: Timestamp) -> bool {
        let earlier = self.earlier.as_ref().map(|earlier| earlier.answer.decided_at);
        self.decided_at() == Some(at) || earlier == Some(at)
    }

    /// Whether its answer was handed to the transport.
    #[must_use]
    pub fn sent(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.sent_at.is_some())
    }

    /// Whether it waits for a person who can decide something.
    #[must_use]
    pub fn needs_person(&self) -> bool {
        self.state.needs_person(self.closed_at)
    }

    /// How much it wants its person now.
    #[must_use]
    pub fn attention(&self) -> Attention {
        if self.needs_person() { self.wants } else { Attention::None }
    }

    /// Whether it waits for a person who has not put it off.
    #[must_use]
    pub fn wants_person(&self) -> bool {
        matches!(self.attention(), Attention::NeedsYou | Attention::Expiring)
    }

    /// Whether nobody waits for its answer now, since its connection is gone: the server may ask again, or never.
    #[must_use]
    pub fn stranded(&self) -> bool {
        self.state.stranded(self.closed_at)
    }

    /// Who decided its answer. What needs no person is answered by the rules.
    #[must_use]
    pub fn decided_by(&self) -> Option<Actor> {
        self.answer.as_ref().map(|answer| answer.decided_by(&self.method))
    }

    /// Whether its answer may have an undo window: a page that was opened cannot be unopened.
    #[must_use]
    pub fn may_be_held(&self, action: Action) -> bool {
        !(self.mode == Mode::Url && action == Action::Accept)
    }

    /// Whether its answer can be taken back: certainly none of it has left.
    #[must_use]
    pub fn can_be_taken_back(&self) -> bool {
        match self.state {
            RequestState::Held => true,
            RequestState::Sending => !self.sent() && self.method != ROOTS,
            _ => false,
        }
    }
}

/// What makes a question the same question.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Identity {
    /// A key among a task's `inputRequests`; unique per task.
    Task {
        /// The task's call.
        call: CallId,
        /// The server's key: any text, any length.
        key: String,
    },
    /// A key within one round of a multi round-trip request.
    Round {
        /// The call that waits for this round.
        call: CallId,
        /// The round, from 1.
        n: u32,
        /// The server's key.
        key: String,
    },
    /// A request the server sent on a legacy session.
    Wire {
        /// The session it came on (our number for it, not the sensitive session id).
        session: u32,
        /// The server's JSON-RPC id as text.
        rpc: String,
    },
}

impl Identity {
    /// The server's key (or JSON-RPC id).
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Task { key, .. } | Self::Round { key, .. } => key,
            Self::Wire { rpc, .. } => rpc,
        }
    }
}

/// How a question wants to be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Elicitation with a schema.
    Form,
    /// Elicitation by a page in the person's browser.
    Url,
    /// Anything else: shown as JSON.
    Other,
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RequestState {
    /// Waits for a person.
    Open,
    /// Answered by the person, still within the undo window: not sent.
    Held,
    /// Committed and on its way.
    Sending,
    /// The server acknowledged the answer.
    Answered,
    /// Acknowledged, yet the server keeps asking: it can be answered again.
    NotTaken,
    /// The server refused the answer with an error: it can be answered again.
    Refused,
    /// Over without our answer; see [`CloseReason`].
    Closed,
    /// Its connection is gone and it has not been asked again.
    Orphaned,
    /// Sent, arrival not known: the person decides.
    Unknown,
}

impl RequestState {
    /// Each of them.
    pub const ALL: [Self; 9] = [
        Self::Open,
        Self::Held,
        Self::Sending,
        Self::Answered,
        Self::NotTaken,
        Self::Refused,
        Self::Closed,
        Self::Orphaned,
        Self::Unknown,
    ];

    /// See [`InputRequest::answerable`].
    #[must_use]
    pub fn answerable(self) -> bool {
        matches!(self, Self::Open | Self::NotTaken | Self::Refused)
    }

    /// See [`InputRequest::needs_person`]. `closed_at` is the request's.
    #[must_use]
    pub fn needs_person(self, closed_at: Option<Timestamp>) -> bool {
        self.answerable() || self == Self::Unknown && !self.stranded(closed_at)
    }

    /// See [`InputRequest::stranded`]. `closed_at` is the request's.
    #[must_use]
    pub fn stranded(self, closed_at: Option<Timestamp>) -> bool {
        match self {
            Self::Orphaned => true,
            Self::Unknown => closed_at.is_some(),
            _ => false,
        }
    }
}

/// Why a question is closed, or open again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// Its task came to an end.
    TaskEnded,
    /// The server stopped asking, and we did not answer: somebody else did.
    AnsweredElsewhere,
    /// A later round or question took its place.
    Superseded,
    /// Declined in a way that the wire has no shape for.
    DeclinedByUs,
    /// Its connection was gone, and the person put it away.
    PutAway,
    /// Not closed but open again: the answer was still within its undo window when nobody was left to send it. It was not
    /// sent, and is the draft now.
    Lapsed,
}
