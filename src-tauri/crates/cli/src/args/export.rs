//! What `export` and `backup` take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Print everything that is kept, one JSON document per line
///
/// Every line has a `kind`: task, request, answer or decision. Whoever has a task id may read and cancel the task. So
/// task ids are left out unless you ask for them, and short ids take their place in other texts. Decisions are exported
/// as they were sealed, with arguments and answers as they were sent, because `verify` needs every byte.
/// It also works where the data directory cannot be written, as on a read-only medium or a full disk.
/// Code 1: something damaged was left out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox export --what decisions --out decisions.jsonl
  signalbox export --what tasks --format csv > tasks.csv")]
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

/// Copy everything that is kept into one new file, while everything runs
///
/// It also works where the data directory cannot be written, as on a read-only medium or a full disk.
/// Code 1: something damaged was left out.
///
/// An answer that is not delivered yet is in the copy whole, with its secrets: so that it can still be sent once the copy
/// is restored. Whoever can read the file can read them. No later delivery takes them out of it.
#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The file to make; nothing is ever overwritten
    pub(crate) file: PathBuf,
}
