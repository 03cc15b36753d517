//! What `track` takes.

use clap::Args;

/// Adopt a task that was started elsewhere
///
/// Without a task id it lists the server's tasks that are not followed yet. Only some servers of 2025-11-25 can list their
/// tasks.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox track ci
  signalbox track ci 786512e2-9e0d-44bd-8f29-789f320fe840
  pbpaste | signalbox track ci -
  signalbox track ci --all")]
pub(crate) struct Track {
    /// The server's name
    pub(crate) server: String,
    /// The server's task id; @FILE or - (stdin) keep it out of the process list
    #[arg(value_name = "TASK_ID|@FILE|-")]
    pub(crate) task_id: Option<String>,
    /// Adopt every task that the server lists
    #[arg(long, conflicts_with = "task_id")]
    pub(crate) all: bool,
}
