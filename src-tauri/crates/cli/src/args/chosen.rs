//! What `cancel`, `forget` and `tag` take: which tasks they are about.

use clap::Args;

/// Ask the server to cancel a task, or several
///
/// The task counts as cancelled once the server says so. It may still complete. Code 6: it has ended, was forgotten, or
/// somebody asked to cancel it before.
///
/// Of several tasks each that cannot be cancelled is reported, and the others are; the exit code is that of the first one.
/// With --json: `{"done":["t1"],"failures":[{"task","failure"}]}`.
///
/// Of those that --filter shows, the ones that have ended, and those that somebody asked to cancel before, are left alone. How
/// many those are says `"left":{"ended","asked"}`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox cancel t12
  signalbox cancel t12 t13
  signalbox cancel --filter 'server:ci silent>1h'")]
pub(crate) struct Cancel {
    /// Which of those that are kept.
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Ask once more, although somebody asked to cancel it before. A call that the server has not answered yet is given up.
    /// Without this option the command ends with code 6
    #[arg(long, conflicts_with = "filter")]
    pub(crate) again: bool,
}

/// Delete what is kept of a task, or of several, and stop following it
///
/// The server is not told. A live task goes on there, and without its id nobody can find it again. The log of decisions
/// keeps its entries.
///
/// With --json several tasks are `{"done":["t1"],"failures":[{"task","failure"}]}`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox forget t12 t13
  signalbox forget --filter 'is:ended tool:lint' --yes")]
pub(crate) struct Forget {
    /// Which of those that are kept.
    #[command(flatten)]
    pub(crate) chosen: Chosen,
}

/// Which tasks `cancel` and `forget` are about.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Short ids or the server's task ids, at most 1,000
    #[arg(value_name = "TASK", required_unless_present = "filter", conflicts_with = "filter")]
    pub(crate) tasks: Vec<String>,
    /// Or all that match.
    #[command(flatten)]
    pub(crate) matching: Matching,
}

/// All tasks that match a filter.
#[derive(Debug, Args)]
pub(crate) struct Matching {
    /// Instead of naming tasks: all that match these tokens (`tasks --help` has the language), at most 1,000. It is said first how
    /// many those are, and you are asked
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Do not ask: all that match are meant. Elsewhere than at a terminal nothing is done without it (code 3)
    #[arg(long, requires = "filter")]
    pub(crate) yes: bool,
}
