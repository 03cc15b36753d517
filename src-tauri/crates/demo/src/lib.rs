//! A scripted MCP server on the modern wire (2026-07-28 with the extension `io.modelcontextprotocol/tasks`), over stdio
//! and Streamable HTTP: the first run's server, the independent counterpart in tests, and a model for people who write
//! servers with tasks. It shares no code with the client: what both get wrong together, no test would find.
//!
//! - `tools`: one table; each tool's scenario is a list of `Step`s and nothing else.
//! - `script`: what a task looks like at a moment is a pure function of its start, the moment and the answers taken, so
//!   no task costs a timer.
//! - `calls`: the calls on record, optionally in a file that a restart replays.
//! - `dispatch`: methods to results. `http` and `stdio` carry them; `subscriptions` pushes.
//! - [`Journal`]: what was received and what was taken. [`Faults`]: what goes wrong on demand.

mod calls;
mod clock;
mod dispatch;
mod faults;
mod http;
mod journal;
mod log;
mod protocol;
mod script;
mod stdio;
mod subscriptions;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

pub use clock::{Clock, ManualClock, ParseSpeedError, Speed};
pub use faults::{Fault, Faults, Gate};
pub use http::{HttpServer, ServeError};
pub use journal::{Entry, Journal, NotTaken};

/// Why a demo server could not be built.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The state or journal file could not be opened, read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The state file exists and was not written by this server; it is left as it is.
    #[error("{}: not a state file of this server", .0.display())]
    NotOurs(PathBuf),
}

/// What the command line can set. See [`Builder`] for the meaning of each.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How many times faster than told the scenarios run.
    pub speed: Speed,
    /// Where calls are kept over a restart.
    pub state: Option<PathBuf>,
    /// Where the journal is appended, one JSON document per line.
    pub journal: Option<PathBuf>,
    /// Answer Streamable HTTP requests with event streams instead of JSON.
    pub sse: bool,
}

/// Sets up a [`Demo`].
#[derive(Debug, Default)]
pub struct Builder {
    options: Options,
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
            faults: Faults::default(),
            speed: options.speed,
            sse: options.sse,
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
    speed: Speed,
    sse: bool,
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
    pub fn open(options: Options) -> Result<Self, DemoError> {
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
}
