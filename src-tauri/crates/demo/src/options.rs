//! What can be set before the server runs.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Oddity, Speed};

/// The two ways of speaking about tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DemoWire {
    /// MCP 2026-07-28 with the extension `io.modelcontextprotocol/tasks`.
    #[default]
    Modern,
    /// MCP 2025-11-25 with its experimental tasks.
    Legacy,
}

/// Which wires a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wires {
    /// The modern one alone.
    #[default]
    Modern,
    /// The legacy one alone.
    Legacy,
    /// Each client's own: who sends `initialize` (and, on HTTP, whatever carries its session or version) is legacy.
    Both,
}

/// The text names no wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a wire is \"modern\", \"legacy\" or \"both\"")]
pub struct ParseWiresError;

impl FromStr for Wires {
    type Err = ParseWiresError;

    fn from_str(text: &str) -> Result<Self, ParseWiresError> {
        match text {
            "modern" => Ok(Self::Modern),
            "legacy" => Ok(Self::Legacy),
            "both" => Ok(Self::Both),
            _ => Err(ParseWiresError),
        }
    }
}

/// What the command line can set of a scripted server. See [`Builder`](crate::Builder) for the meaning of each.
#[derive(Debug, Clone, Default)]
pub struct ScriptOptions {
    /// How many times faster than told the scenarios run.
    pub speed: Speed,
    /// Where calls are kept over a restart.
    pub state: Option<PathBuf>,
    /// Where the journal is appended, one JSON document per line.
    pub journal: Option<PathBuf>,
    /// Answer Streamable HTTP requests with event streams instead of JSON.
    pub sse: bool,
    /// Which wires are spoken.
    pub wires: Wires,
    /// The manners on the legacy wire.
    pub legacy: Legacy,
    /// What is odd about the first message that each is about.
    pub odd: Vec<Oddity>,
}

/// The manners of this server on the legacy wire: servers in the field differ in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legacy {
    /// Where a task's questions are asked.
    pub asks_on: AsksOn,
    /// Whether questions say by `_meta` to which task they belong.
    pub related: bool,
    /// Whether requests of ours say by `_meta` what the journal calls them.
    pub named: bool,
    /// Whether `tasks/get` says `input_required` while a question is open, or goes on saying `working`.
    pub says_input_required: bool,
    /// Whether questions are asked with `params.task` of clients that can host tasks.
    pub hosted: bool,
    /// Whether a plain call that needs a page opened fails with -32042, or asks by a request.
    pub url_errors: bool,
    /// What is told of tasks unasked.
    pub notices: Notices,
    /// How long sessions live.
    pub sessions: Sessions,
    /// Whether a task is known only to the session that made it.
    pub own_tasks_only: bool,
    /// Whether `tasks/list` lists anything.
    pub lists: bool,
    /// What event streams tell a client to wait before it connects again (ms).
    pub retry_ms: u32,
}

impl Default for Legacy {
    fn default() -> Self {
        Self {
            asks_on: AsksOn::Result,
            related: true,
            named: false,
            says_input_required: true,
            hosted: false,
            url_errors: true,
            notices: Notices::Off,
            sessions: Sessions::Lost,
            own_tasks_only: false,
            lists: true,
            retry_ms: 500,
        }
    }
}

/// A word is none of the manners.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not one of {known}, retry=MS", word = .0, known = MANNERS.map(|(word, _)| word).join(", "))]
pub struct ParseLegacyError(String);

type Manner = (&'static str, fn(&mut Legacy));

/// The words for manners that are not the default.
const MANNERS: [Manner; 13] = [
    ("ask-on-stream", |legacy| legacy.asks_on = AsksOn::Stream),
    ("unrelated", |legacy| legacy.related = false),
    ("named", |legacy| legacy.named = true),
    ("says-working", |legacy| legacy.says_input_required = false),
    ("hosted", |legacy| legacy.hosted = true),
    ("url-requests", |legacy| legacy.url_errors = false),
    ("notices", |legacy| legacy.notices = Notices::On),
    ("early-notices", |legacy| legacy.notices = Notices::Early),
    ("shuffled-notices", |legacy| legacy.notices = Notices::Shuffled),
    ("keep-sessions", |legacy| legacy.sessions = Sessions::Kept),
    ("no-sessions", |legacy| legacy.sessions = Sessions::Without),
    ("own-tasks-only", |legacy| legacy.own_tasks_only = true),
    ("empty-list", |legacy| legacy.lists = false),
];

/// From words with commas between them, such as `ask-on-stream,unrelated,retry=50`.
impl FromStr for Legacy {
    type Err = ParseLegacyError;

    fn from_str(text: &str) -> Result<Self, ParseLegacyError> {
        let mut legacy = Self::default();
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let unknown = || ParseLegacyError(word.to_owned());
            if let Some(ms) = word.strip_prefix("retry=") {
                legacy.retry_ms = ms.parse().map_err(|_| unknown())?;
                continue;
            }
            let (_, set) = MANNERS.iter().find(|(known, _)| *known == word).ok_or_else(unknown)?;
            set(&mut legacy);
        }
        Ok(legacy)
    }
}

/// Where a task's questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsksOn {
    /// On the stream of an open `tasks/result`, and not before there is one.
    #[default]
    Result,
    /// As soon as they come up, on the stream of `GET` (on stdio there is only one stream).
    Stream,
}

/// What is told of tasks unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notices {
    /// Nothing is told unasked.
    #[default]
    Off,
    /// Every change of status, when it comes about.
    On,
    /// As `On`, and the first comes before the response that names the task.
    Early,
    /// As `On`, each pair in the wrong order; so even an ended task is once more said to work.
    Shuffled,
}

/// How long sessions over Streamable HTTP live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sessions {
    /// As long as the server.
    #[default]
    Lost,
    /// In the state file, over restarts.
    Kept,
    /// There are none: no `Mcp-Session-Id`, one state for all.
    Without,
}
