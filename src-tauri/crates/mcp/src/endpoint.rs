//! Where a server is, and the limits under which we talk to it.

use std::{path::PathBuf, time::Duration};

use http::{HeaderName, HeaderValue};
use url::Url;

use crate::{Network, Room};

/// The longest answer to `resources/read`, in bytes: a person wants to look at it, and it is kept nowhere.
pub(crate) const LONGEST_RESOURCE: usize = 16 * 1024 * 1024;

/// How to reach a server. Has no `Debug`: header and environment values are secrets.
#[derive(Clone)]
pub enum Endpoint {
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: Url,
        /// Extra headers; values should be marked sensitive. The protocol's own headers win over these.
        headers: Vec<(HeaderName, HeaderValue)>,
    },
    /// A child process that speaks newline-delimited JSON on its standard streams.
    Stdio {
        /// A path, or a name looked up in the login shell's `PATH`.
        program: String,
        /// Its arguments, exactly; no shell reads them.
        args: Vec<String>,
        /// Its environment, beside what every child gets of ours ([`inherited`](crate::inherited)) and the login shell's
        /// `PATH`; this wins.
        env: Vec<(String, String)>,
        /// Its working directory; else the person's home.
        cwd: Option<PathBuf>,
    },
}

/// The limits of a [`crate::Client`]: every wait and every buffer has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What we call ourselves in `clientInfo` and `User-Agent`.
    pub client_name: String,
    /// Our version in `clientInfo` and `User-Agent`.
    pub client_version: String,
    /// The way to the server, over HTTP.
    pub network: Network,
    /// Hard maximum of one short request (everything but `tools/call`), from the first byte sent to the last received.
    pub request_timeout: Duration,
    /// Hard maximum of one `tools/call`, which may be held open by the server while the tool works.
    pub call_timeout: Duration,
    /// Maximum for a connection (DNS, TCP, TLS) to stand.
    pub connect_timeout: Duration,
    /// On stdio: silence to `server/discover` after which a legacy `initialize` is tried beside it. Over HTTP: how long
    /// the beginning of a legacy event stream is awaited.
    pub probe_timeout: Duration,
    /// Bytes one message of the server may have.
    pub message_limit: usize,
    /// Room in memory for what servers send: the same for all that are to share it.
    pub room: Room,
    /// Pages one list may have.
    pub page_limit: usize,
    /// Bytes one list may have, in all its pages together.
    pub list_limit: usize,
    /// Bytes kept of what a child writes to its standard error.
    pub stderr_limit: usize,
    /// How long a child gets to leave after its input is closed, and again after it is told to terminate.
    pub close_grace: Duration,
    /// The folder in which it is noted which children run, for [`LeftBehind`](crate::LeftBehind); none: they are not.
    pub programs: Option<PathBuf>,
    /// Wait before a child that ended is started again; doubles up to `restart_delay_max`, starts over after a
    /// child has lived a minute.
    pub restart_delay: Duration,
    /// The longest such wait.
    pub restart_delay_max: Duration,
    /// What servers are told that we can do.
    pub declared: Declared,
    /// Events of one server that may wait to be read, and requests of it that may wait for an answer. Together they have
    /// at most `message_limit` bytes.
    pub event_limit: usize,
    /// How long a server that floods us is held up before its messages are dropped.
    pub event_patience: Duration,
    /// Wait before an event stream that ended is taken up again, where the server names none; doubles up to
    /// `reconnect_delay_max` while that is in vain.
    pub reconnect_delay: Duration,
    /// The longest such wait.
    pub reconnect_delay_max: Duration,
    /// Where an earlier run may have asked before, ids of requests are greater than this: on the modern wire, since a
    /// round's retry must not have the id of the call; in a session that is gone on with, since none may come twice in
    /// it. To be greater than any id of any earlier client of the server, and far below 2^53. First questions and the
    /// sessions that they open begin with 1 all the same: some servers know 32 bits only.
    pub ids_above: u64,
}

/// What we declare beyond elicitation (form and URL mode) and following tasks, on either wire. Whoever declares something
/// has to answer it: what is not declared is refused without asking anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declared {
    /// We answer `sampling/createMessage`.
    pub sampling: bool,
    /// We answer `roots/list`.
    pub roots: bool,
    /// Tasks of ours for a server's questions (legacy wire).
    pub host_tasks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            client_name: "signalbox".into(),
            client_version: env!("CARGO_PKG_VERSION").into(),
            network: Network::default(),
            request_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_secs(60 * 60),
            connect_timeout: Duration::from_secs(10),
            probe_timeout: Duration::from_secs(3),
            message_limit: 64 * 1024 * 1024,
            room: Room::default(),
            page_limit: 100,
            list_limit: 4 * 1024 * 1024,
            stderr_limit: 64 * 1024,
            close_grace: Duration::from_secs(2),
            programs: None,
            restart_delay: Duration::from_millis(100),
            restart_delay_max: Duration::from_secs(30),
            declared: Declared::default(),
            event_limit: 1024,
            event_patience: Duration::from_secs(1),
            reconnect_delay: Duration::from_secs(1),
            reconnect_delay_max: Duration::from_secs(60),
            ids_above: 0,
        }
    }
}
