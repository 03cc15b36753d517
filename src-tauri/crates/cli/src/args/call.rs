//! What `call` and `again` take.

use clap::Args;

/// Call a tool and wait for its end
///
/// At a terminal it asks you field by field: for required arguments that are missing, and for every question of the server.
/// Elsewhere, or with --no-input, a question ends the waiting with code 3. The work goes on. Answer with `answer`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox call ci deploy --args '{\"service\":\"web\"}'
  signalbox call ci deploy --args @arguments.json --json
  signalbox call ci deploy --detach")]
pub(crate) struct Call {
    /// The server's name
    pub(crate) server: String,
    /// The tool's name
    pub(crate) tool: String,
    /// How it is called.
    #[command(flatten)]
    pub(crate) how: Calling,
}

/// Run a task's tool once more at the same server, and wait for its end
///
/// Without --args the arguments are those of the task, exactly as they were sent. It is a new task: nothing becomes of the old
/// one. Where the task was adopted, it is not known what started it: code 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox again t12
  signalbox again t12 --args '{\"service\":\"api\"}'
  signalbox again t12 --detach")]
pub(crate) struct Again {
    /// A short id or the server's task id
    pub(crate) task: String,
    /// How it is called.
    #[command(flatten)]
    pub(crate) how: Calling,
}

/// How a tool is called.
#[derive(Debug, Args)]
pub(crate) struct Calling {
    /// The arguments: a JSON object, a file with one, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) args: Option<String>,
    /// Return as soon as the server has taken the call. The owner of the data directory follows it
    #[arg(long)]
    pub(crate) detach: bool,
    /// Never ask at the terminal: exit with code 3 when the server asks
    #[arg(long)]
    pub(crate) no_input: bool,
    /// The time to live to ask for, in milliseconds (legacy wire only)
    #[arg(long, value_name = "MS")]
    pub(crate) ttl: Option<u32>,
}
