//! What can go wrong with a request, in terms of what the caller can do about it.

use std::time::Duration;

use signalbox_model::{Breach, Hindrance, Json, Obstacle, Part, Stray, Unit};

use crate::view::RpcError;

/// Whether the server can have acted on the request that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// Certainly not: it never left, or was refused at the door.
    No,
    /// Perhaps: it left, and no answer of the server came.
    Maybe,
    /// The server answered it.
    Yes,
}

/// How far the way to the server was found before it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// The address itself cannot be used.
    Address,
    /// A secret that its configuration refers to is not there. Said by who makes the endpoint.
    Secret,
    /// A variable that its configuration refers to is not set. Said by who makes the endpoint.
    Variable {
        /// The variable's name.
        name: String,
    },
    /// The keychain that keeps a secret of its configuration is not there or does not open. Said by who makes the
    /// endpoint.
    Keychain,
    /// What keeps a secret of its configuration waits for its passphrase. Said by who makes the endpoint.
    Locked,
    /// The host's name does not resolve.
    Dns,
    /// No connection: refused, no route, no answer.
    Connect,
    /// No trusted TLS connection.
    Tls,
    /// The proxy cannot be reached, has no way to the server, or wants something of us first.
    Proxy,
    /// The program does not start.
    Spawn {
        /// The program as configured.
        program: String,
    },
    /// Something answers, but not to the question what it is: nothing else was sent.
    Discover,
    /// The session of the legacy wire is over (the server forgot it, or its only channel ended): open another with
    /// [`crate::Client::connect`]. What was asked in it is gone with it, and perhaps its tasks.
    Session,
}

/// What an answer that is not MCP looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// A web page: the URL may lack its path.
    Page,
    /// A redirect, which is never followed.
    Redirect {
        /// Where to, without query and fragment; none when the server does not say it legibly.
        location: Option<String>,
    },
    /// An answer without a body.
    Empty,
    /// A body that is no JSON-RPC message.
    Other,
    /// A child that says nothing we understand.
    Silent,
}

/// Why a request has no result. Never sent again by this crate; [`Error::sent`] tells whether the caller may.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The server answered with a JSON-RPC error.
    #[error("the server answered with error {code}: {message}")]
    Rpc {
        /// The code; 0 when it is not legible.
        code: i64,
        /// The server's text, or the beginning of it where it is longer than 4 KiB.
        message: String,
        /// More, in a shape of the server's choice.
        data: Option<Json>,
        /// The error object as received.
        raw: Json,
    },
    /// There is no way to the server; nothing was sent.
    #[error("{why}")]
    Unreachable {
        /// The stage on the way to the server that failed.
        stage: Stage,
        /// What was in the way.
        why: Hindrance,
        /// When it can be tried again, if there is a wait.
        retry_after: Option<Duration>,
    },
    /// The child process ended.
    #[error("the program ended{}", .code.map(|code| format!(" with code {code}")).unwrap_or_default())]
    Exited {
        /// Its exit code; none when a signal ended it.
        code: Option<i32>,
        /// The last lines it wrote.
        stderr: String,
        /// Whether the request can have reached it.
        sent: Sent,
        /// When it is started again at the earliest; a request before that fails at once.
        retry_after: Option<Duration>,
    },
    /// The request was sent and its answer never came whole.
    #[error("the answer never came: {why}")]
    Lost {
        /// What cut the answer off.
        why: Hindrance,
    },
    /// No answer within the time of [`crate::Options`].
    #[error("no answer within {}", waited(*ms))]
    Timeout {
        /// How long was waited, in ms.
        ms: u64,
    },
    /// Something answers there, but it is no MCP server.
    #[error("what answers there is not an MCP server")]
    NotMcp {
        /// The HTTP status.
        status: Option<u16>,
        /// The content type.
        content_type: Option<String>,
        /// What it looks like.
        hint: Hint,
    },
    /// An MCP server that speaks only an older version.
    #[error("the server speaks only {}", .version.as_deref().unwrap_or("an older MCP version"))]
    LegacyOnly {
        /// The version it offers.
        version: Option<String>,
    },
    /// The server wants a sign-in (or a better one) first.
    #[error("the server wants a sign-in (HTTP {status})")]
    SignInNeeded {
        /// 401 or 403.
        status: u16,
        /// The `WWW-Authenticate` header, at most 8 KiB; of several, joined by commas.
        challenge: Option<String>,
    },
    /// The server has too much to do. An answer that comes with that counts for first calls of tools alone, which are made
    /// once: see [`Error::Rpc`].
    #[error("the server asks to slow down (HTTP {status})")]
    Throttled {
        /// 429 or 503.
        status: u16,
        /// How long, at most a day.
        retry_after: Option<Duration>,
    },
    /// The answer is larger than allowed.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// [`crate::Options::message_limit`], in bytes.
        limit: usize,
    },
    /// What the server sends is more than is taken of such a thing: a list with too many pages, say. No setting is about
    /// that.
    #[error("{of} has more than {}", .unit.counted(*.most))]
    TooMuch {
        /// What it is, of the server.
        of: Part,
        /// How much of it is taken.
        most: u64,
        /// What that is counted in.
        unit: Unit,
    },
    /// The server answered against the specification.
    #[error("{breach}")]
    Protocol {
        /// What is wrong.
        breach: Breach,
        /// What it answered, where that is JSON.
        raw: Option<Json>,
    },
    /// Something came instead of the answer: no message, or another request's. What became of the request is not known.
    #[error("{stray}")]
    Garbled {
        /// What is wrong.
        stray: Stray,
        /// What came, where that is JSON.
        raw: Option<Json>,
    },
    /// [`crate::Client::close`] was called.
    #[error("the connection was closed")]
    Closed,
}

/// `30 s`, `250 ms`.
fn waited(ms: u64) -> String {
    if ms > 0 && ms.is_multiple_of(1_000) { format!("{} s", ms / 1_000) } else { format!("{ms} ms") }
}

impl Error {
    /// Whether the server can have acted on the request.
    #[must_use]
    pub fn sent(&self) -> Sent {
        match self {
            Self::Rpc { .. } | Self::TooLarge { .. } | Self::TooMuch { .. } | Self::Protocol { .. } => {
                Sent::Yes
            }
            Self::Unreachable { .. } | Self::LegacyOnly { .. } | Self::SignInNeeded { .. } | Self::Closed => {
                Sent::No
            }
            Self::Exited { sent, .. } => *sent,
            Self::Lost { .. } | Self::Timeout { .. } => Sent::Maybe,
            // A gateway may say 503 after it has passed the request on; 3xx and 4xx are refusals.
            Self::Throttled { status, .. } if *status == 429 => Sent::No,
            Self::NotMcp { status: Some(300..=499), .. } => Sent::No,
            Self::Throttled { .. } | Self::NotMcp { .. } | Self::Garbled { .. } => Sent::Maybe,
        }
    }

    /// Whether the server itself said that, as far as can be told: not the way to it, not a gateway or a firewall on it.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        match self {
            Self::Rpc { .. }
            | Self::LegacyOnly { .. }
            | Self::TooLarge { .. }
            | Self::TooMuch { .. }
            | Self::Protocol { .. }
            | Self::Garbled { .. } => true,
            Self::SignInNeeded { status, challenge } => *status == 401 || challenge.is_some(),
            Self::Throttled { status, .. } => *status == 429,
            Self::Unreachable { .. }
            | Self::Exited { .. }
            | Self::Lost { .. }
            | Self::Timeout { .. }
            | Self::NotMcp { .. }
            | Self::Closed => false,
        }
    }

    /// How long the other side wants us to wait, if it does.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Throttled { retry_after, .. }
            | Self::Unreachable { retry_after, .. }
            | Self::Exited { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the session is over within which the request was to be: [`Stage::Session`].
    #[must_use]
    pub fn session_is_over(&self) -> bool {
        matches!(self, Self::Unreachable { stage: Stage::Session, .. })
    }

    pub(crate) fn lost(obstacle: Obstacle) -> Self {
        Self::Lost { why: obstacle.into() }
    }

    pub(crate) fn timeout(limit: Duration) -> Self {
        Self::Timeout { ms: limit.as_millis().try_into().unwrap_or(u64::MAX) }
    }

    pub(crate) fn session(why: impl Into<Hindrance>) -> Self {
        Self::Unreachable { stage: Stage::Session, why: why.into(), retry_after: None }
    }

    pub(crate) fn protocol(breach: Breach, raw: Option<Json>) -> Self {
        Self::Protocol { breach, raw }
    }
}

impl From<RpcError> for Error {
    fn from(error: RpcError) -> Self {
        let RpcError { code, message, data, raw } = error;
        Self::Rpc { code, message, data, raw }
    }
}
