//! What `export` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `export` takes.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// What to export
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) what: What,
    /// The format; a table (csv) takes one kind
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: Format,
    /// Include task ids, and what the servers sent with them
    #[arg(long)]
    pub(crate) with_handles: bool,
    /// Only what matches all of these tokens, which `tasks --help` and `inbox --help` explain; choose one kind with --what, but not decisions
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Write into this new file instead of stdout; only you can read it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// What an export is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Calls and their tasks, with arguments and results
    Tasks,
    /// Questions of servers
    Requests,
    /// Answers to them
    Answers,
    /// The log of decisions
    Decisions,
    /// All of these
    All,
}

/// As what an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON document per line
    Jsonl,
    /// A table with a header row
    Csv,
}
