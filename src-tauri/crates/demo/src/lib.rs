//! A scripted MCP server on both task wires, over stdio and HTTP: the first run's server, the independent counterpart in
//! tests, and a model for people who write servers with tasks. It shares no code with the client: what both get wrong
//! together, no test would find.
//!
//! - `tools`: one table; each tool's scenario is a list of `Step`s and nothing else. None knows a wire.
//! - `script`: what a call looks like at a moment is a pure function of its start, the moment and the answers taken, so
//!   no task costs a timer. `work` plays it for calls on record.
//! - `calls`: the calls (and kept sessions) on record, optionally in a file that a restart replays.
//! - `modern` and `legacy`: what each wire makes of that. `http` and `stdio` carry both.
//! - `authority` (a feature, for tests): a door before the server, with the authorization server that it relies on.
//! - [`Journal`]: what was received, asked and taken. [`Faults`]: what goes wrong on demand; [`Oddity`]s by name.

#[cfg(feature = "authority")]
pub mod authority;
mod calls;
mod clock;
mod dispatch;
mod faults;
mod http;
mod journal;
mod legacy;
mod log;
mod modern;
mod options;
mod outbox;
mod protocol;
mod script;
mod stdio;
mod tools;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

pub use clock::{Clock, ManualClock, ParseSpeedError, Speed};
pub use faults::{Carrier, Fault, Faults, Gate, Leaves, Oddity, ParseOddityError, Style};
pub use http::{HttpServer, ServeError};
pub use journal::{Journal, JournalEntry, NotTaken};
pub use options::{
    AsksOn, DemoWire, Legacy, Notices, ParseLegacyError, ParseWiresError, ScriptOptions, Sessions, Wires,
};

/// Why a demo server could not be built.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The state or journal file could not be opened, read or written.
    #[error("{} cannot be read or written: {source}", path.display())]
    File {
        /// The state or journal file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The state file exists and was not written by this server; it is left as it is.
    #[error("{} is not a state file of this server", .0.display())]
    NotOurs(PathBuf),
}

/// Sets up a [`Demo`].
#[derive(Debug, Default)]
pub struct Builder {
    options: ScriptOptions,
    clock: Clock,
}

impl Builder {
    /// How many times faster than told the scenarios run. Default: as told.
    #[must_use]
    pub fn speed(mut self, speed: Speed) -> Self {
        self.options.speed = speed;
        self
    }

    /// Keep calls and the answers taken in this file, so that they survive a restart.
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.state = Some(path.into());
        self
    }

    /// Append the journal to this file, one JSON document per line, each flushed.
    #[must_use]
    pub fn journal_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.journal = Some(path.into());
        self
    }

    /// Answer Streamable HTTP requests with event streams instead of JSON.
    #[must_use]
    pub fn sse(mut self, sse: bool) -> Self {
        self.options.sse = sse;
        self
    }

    /// Which wires are spoken. Default: the modern one.
    #[must_use]
    pub fn wires(mut self, wires: Wires) -> Self {
        self.options.wires = wires;
        self
    }

    /// The manners on the legacy wire.
    #[must_use]
    pub fn legacy(mut self, legacy: Legacy) -> Self {
        self.options.legacy = legacy;
        self
    }

    /// What is odd about the first message that each of these is about.
    #[must_use]
    pub fn odd(mut self, odd: impl IntoIterator<Item = Oddity>) -> Self {
        self.options.odd = odd.into_iter().collect();
        self
    }

    /// Take the time from here. Default: the system's clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Into<Clock>) -> Self {
        self.clock = clock.into();
        self
    }

    /// Open the files and build the server.
    ///
    /// # Errors
    /// A file cannot be used, or the state file is not ours.
    pub fn build(self) -> Result<Demo, DemoError> {
        let Self { options, clock } = self;
        Ok(Demo(Arc::new(Inner {
            calls: calls::Calls::open(options.state.as_deref())?,
            journal: Journal::open(clock.clone(), options.journal.as_deref())?,
            faults: Faults::of(&options.odd),
            sessions: legacy::Sessions::default(),
            edition: watch::Sender::new(0),
            endings: watch::Sender::new(0),
            options,
            clock,
        })))
    }
}

/// The server. Cheap to clone; all clones and all transports share one state.
#[derive(Debug, Clone)]
pub struct Demo(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    calls: calls::Calls,
    journal: Journal,
    faults: Faults,
    sessions: legacy::Sessions,
    /// Counts the changes of the list of tools.
    edition: watch::Sender<u32>,
    /// Counts the ends of all subscriptions.
    endings: watch::Sender<u32>,
    options: ScriptOptions,
    clock: Clock,
}

impl Demo {
    /// Start setting one up.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Build with what the command line gave.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn open(options: ScriptOptions) -> Result<Self, DemoError> {
        Builder { options, clock: Clock::default() }.build()
    }

    /// What was received and taken so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.0.journal
    }

    /// What is to go wrong.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// Forget a task at once, as if its TTL had passed. False if it was not known.
    ///
    /// # Errors
    /// The state file could not be written.
    pub fn forget(&self, task_id: &str) -> std::io::Result<bool> {
        self.0.calls.forget(task_id)
    }

    /// Publish a new edition of the tools: `region_status` wants another `Mcp-Param-*` header from now on, and whoever
    /// listens to `toolsListChanged` is told.
    pub fn change_tools(&self) {
        self.0.edition.send_modify(|edition| *edition += 1);
    }

    /// Forget every legacy session at once: its streams end, and its id is answered with 404. Tasks stay, unless they
    /// are only their session's ([`Legacy::own_tasks_only`]).
    ///
    /// # Errors
    /// The state file could not be written.
    pub fn lose_sessions(&self) -> std::io::Result<()> {
        self.close_sessions("lost")
    }
}
