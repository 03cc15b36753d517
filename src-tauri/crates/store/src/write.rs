//! What can be written: plain data, made by pure code, committed in batches.

use std::fmt;

use signalbox_model::{
    Call, CallId, Decision, Event, InputRequest, Json, PayloadKind, RequestId, Server, ServerId, Tags,
    Timestamp,
};

use crate::{CommitError, StoredSession};

/// One change. Everything is an upsert by its key unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "calls and requests, which are many, are boxed; servers change rarely"
)]
pub enum Write {
    /// A server's row. Of one that is removed its tools and its session go.
    PutServer(Server),
    /// When a server last answered: of no meaning for its tasks, so that rows which show their server are no news.
    PutHeard {
        /// The server whose row is written.
        server: ServerId,
        /// When, by our clock.
        at: Timestamp,
    },
    /// A server's tools as received.
    PutTools {
        /// The server that has the tools.
        server: ServerId,
        /// All its tools, one JSON array as received.
        tools: Json,
    },
    /// A call's narrow row.
    PutCall(Box<Call>),
    /// Raw JSON beside a call.
    PutPayload {
        /// The call that the payload belongs to.
        call: CallId,
        /// Which of its payloads.
        kind: PayloadKind,
        /// The bytes as received or sent.
        json: Json,
    },
    /// Removes raw JSON beside a call, if it is there.
    DropPayload {
        /// The call that the payload belongs to.
        call: CallId,
        /// Which of its payloads.
        kind: PayloadKind,
    },
    /// An input request. Another request with the same identity is refused: shown once, answered once. What it asks stays
    /// as it was kept where it comes without that ([`InputRequest::is_bare`]). The secrets in its answer are masked, but for a
    /// start, until they are delivered.
    PutRequest(Box<InputRequest>),
    /// Deletes an input request that is closed and that nobody has answered or begun to answer; another stays.
    DropRequest(RequestId),
    /// Lets go what an input request asked that is answered or closed: its raw JSON and its schema. Its answer stays.
    DropAsked(RequestId),
    /// Lets go the secrets of an answer that cannot be sent any more. Where that shows in the state of its question, or in that
    /// no task is hosted for it, they go by themselves.
    DropUndelivered(RequestId),
    /// An entry of a call's timeline: always added.
    AddEvent(Event),
    /// An entry of the log of decisions: always added, never changed. Numbered and sealed at the commit.
    AddDecision(Box<Decision>),
    /// Deletes a call with its payloads, rounds, requests and events. Its numbers are never used again.
    ForgetCall(CallId),
    /// A person's own tags of a call; of one that is not there, none.
    PutTags {
        /// The call that has them.
        call: CallId,
        /// All of them.
        tags: Tags,
    },
    /// What a person notes of a call, likewise.
    PutRemark {
        /// The call that it is about.
        call: CallId,
        /// The text; empty for none.
        text: String,
    },
    /// A round of a multi round-trip request.
    PutRound {
        /// The call that answered with the round.
        call: CallId,
        /// The round, from 1.
        n: u32,
        /// The `requestState` byte for byte; none when the server sent none.
        request_state: Option<String>,
        /// The whole answer as received.
        raw: Json,
        /// How long the call's task should be kept, in ms, as the person wished: it is made again with that.
        ttl_ms: Option<u32>,
    },
    /// Lets go what a server answered in the rounds of a call before this one: their questions have what was asked.
    ShortenRounds {
        /// The call whose rounds are shortened.
        call: CallId,
        /// The first round that stays as it is.
        before: u32,
    },
    /// Retention. Goes on in portions of their own transactions, between which others are committed; its batch is answered
    /// when all is done, or the rest cannot be done now. Nothing that is not over is touched, and no decision.
    Sweep {
        /// The time now, by our clock.
        at: Timestamp,
        /// Forgets calls that ended before this time, and questions without a call that closed before it.
        ended_before: Option<Timestamp>,
        /// Drops all payloads of the calls that ended first, until all payloads together have at most so many bytes. See
        /// [`Reads::payloads_dropped_at`](crate::Reads::payloads_dropped_at).
        payload_bytes: Option<u64>,
    },
    /// The session with a server of the legacy wire, in the place of the one before.
    PutSession(StoredSession),
    /// A setting of the person's, or what a window remembers.
    PutSetting {
        /// The setting's name.
        key: String,
        /// The setting's new value.
        value: Json,
    },
}

impl Write {
    /// Whether rows may go that leave much room.
    pub(crate) fn deletes(&self) -> bool {
        match self {
            Self::PutServer(server) => server.removed_at.is_some(),
            Self::ForgetCall(_)
            | Self::DropRequest(_)
            | Self::DropAsked(_)
            | Self::DropPayload { .. }
            | Self::Sweep { .. } => true,
            _ => false,
        }
    }

    /// What it brings in JSON, in bytes: of the rest a transaction can take much.
    fn bytes(&self) -> usize {
        let sum = |all: &[Option<&Json>]| all.iter().flatten().map(|json| json.text().len()).sum();
        match self {
            Self::PutPayload { json, .. }
            | Self::PutTools { tools: json, .. }
            | Self::PutRound { raw: json, .. } => json.text().len(),
            Self::PutRequest(request) => {
                let content = request.answer.as_ref().and_then(|answer| answer.content.as_ref());
                sum(&[Some(&request.raw), request.schema.as_ref(), request.draft.as_ref(), content])
            }
            Self::AddDecision(decision) => sum(&[decision.json.as_ref()]),
            _ => 0,
        }
    }
}

/// Changes that are stored together or not at all.
pub struct Batch {
    /// The changes, applied in this order.
    pub writes: Vec<Write>,
    /// What becomes of it when it cannot be committed.
    pub kind: BatchKind,
    /// Called once on the writer's thread. It must not block and must not submit (a full queue would wait for itself).
    pub done: Done,
}

impl Batch {
    /// See [`Write::bytes`].
    pub(crate) fn bytes(&self) -> usize {
        self.writes.iter().map(Write::bytes).sum()
    }
}

/// Takes the answer to a batch.
pub type Done = Box<dyn FnOnce(Result<Committed, CommitError>) + Send>;

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("writes", &self.writes)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// What becomes of a batch that cannot be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchKind {
    /// A person's wish: answered with the error at once and dropped. So are wishes queued behind an
    /// [`Observed`](Self::Observed) batch that waits, because they may build on it.
    Intent,
    /// What a server said: kept in order and tried again every second, and with every new batch, until it is committed.
    /// It is answered with an error only when it can never be committed: the schema refuses it (a bug of ours), or the
    /// store closes while it waits.
    Observed,
}

/// The answer to a batch that is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// The transaction's number: grows for ever within one database, shared by the batches of one transaction.
    pub seq: u64,
}
