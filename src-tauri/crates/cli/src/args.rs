//! What can be typed. The help texts are the reference, the man pages are made of them.

mod export;
mod status;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use signalbox_demo::{Legacy, Oddity, Speed, Wires};
use signalbox_model::RequestId;

pub use export::{Export, Format, What};
pub use status::StatusWord;

const EXIT_CODES: &str = "\
Exit codes:
  0    done (for `cancel` and `answer`: recorded and acknowledged)
  1    the work that was waited for failed, was cancelled, returned an error, expired or is lost;
       for `verify` and `doctor`: a problem was found; for `export`: something damaged is not in it
  2    usage
  3    input needed
  4    server unreachable (an answer stays queued: do not repeat it)
  5    sign-in needed
  6    task or request unknown, expired or already closed
  7    data directory in use, damaged, newer, full or not ours
  8    --timeout has passed (the work goes on)
  130  interrupted (the work goes on)";

/// Follow long-running MCP tasks, answer what their servers ask, and never lose a handle.
///
/// Signalbox holds every task handle durably, follows each task to its end and keeps its result. The window, `serve`
/// and all commands share one data directory: whoever runs first owns it, the others talk to the owner. Without an
/// owner a command is the owner while it runs.
#[derive(Debug, Parser)]
#[command(name = "signalbox", version, after_long_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that may stand anywhere before a bare `--`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The data directory. Default: $SIGNALBOX_HOME, else the platform's data directory
    #[arg(long, value_name = "DIR", global = true)]
    pub home: Option<PathBuf>,
    /// Print one JSON document on stdout (`watch` and `export`: one per line); messages go to stderr
    #[arg(long, global = true)]
    pub json: bool,
    /// Stop waiting after this long and exit with code 8. The work goes on
    #[arg(long, value_name = "SECONDS", global = true, value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// The text is no number of seconds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a number of seconds")]
struct BadSeconds;

fn seconds(text: &str) -> Result<Duration, BadSeconds> {
    let seconds: f64 = text.parse().map_err(|_| BadSeconds)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| BadSeconds)
}

/// Takes their names, and lists them to whoever gives another one.
fn oddities() -> impl TypedValueParser<Value = Oddity> {
    PossibleValuesParser::new(Oddity::all().map(|oddity| oddity.name)).try_map(|name| name.parse::<Oddity>())
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// At the desk.
    #[command(flatten)]
    AtDesk(AtDesk),
    /// Own the data directory and follow everything without a window, until stopped
    ///
    /// Waits for a command that owns it; another `serve` or a window does not leave by itself (code 7).
    Serve,
    /// Look for whatever keeps Signalbox from working: works also when nothing else does
    ///
    /// Data directory, store, log of decisions, keychain, notifications, logs, and every server. Code 1: a problem was found.
    Doctor,
    /// Check the log of decisions: that nothing was changed, taken out or put in
    ///
    /// Without FILE the one that is kept, and every answer that was sent with it. Code 1: it does not hold.
    Verify {
        /// The lines of an export instead, wherever they come from
        file: Option<PathBuf>,
    },
    /// Put a backup in the place of the database, which is moved aside
    ///
    /// What was decided since the backup stays in the log of decisions. Code 1: something damaged did not come over.
    Restore {
        /// What `backup` wrote, or a database that was moved aside
        file: PathBuf,
    },
    /// Make a new database of all that a damaged one still gives; the damaged one is moved aside
    ///
    /// Rows are read from both ends of each table up to the damage. What cannot be had: a table whose entry in the file's own
    /// list of tables is lost (the pages alone do not tell whose they are), and all when the first page is. Code 1: something
    /// was lost. Code 7: nothing can be had, and nothing was changed.
    Salvage,
    /// The scripted MCP server: something to try Signalbox with
    #[command(subcommand)]
    Demo(Demo),
    /// Print the completion script of a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the man pages
    Man {
        /// The folder to write into; created where it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

/// The commands that act on a data directory and look at it, whoever owns it.
#[derive(Debug, Subcommand)]
pub enum AtDesk {
    /// Register servers and see how they are
    #[command(subcommand)]
    Server(Server),
    /// List the tools of a server
    Tools {
        /// The server's name
        server: String,
    },
    /// Call a tool and wait for its end
    ///
    /// At a terminal, missing required arguments and every question of the server are asked field by field. Off a
    /// terminal, or with --no-input, a question ends the waiting with code 3: the work goes on, answer with `answer`.
    #[command(after_help = "\
Examples:
  signalbox call ci deploy --args '{\"service\":\"web\"}'
  signalbox call ci deploy --args @arguments.json --json
  signalbox call ci deploy --detach")]
    Call(Call),
    /// Adopt a task that was started elsewhere
    #[command(after_help = "\
Examples:
  signalbox track ci 786512e2-9e0d-44bd-8f29-789f320fe840
  pbpaste | signalbox track ci -")]
    Track {
        /// The server's name
        server: String,
        /// The server's task id; @FILE or - (stdin) keep it out of the process list
        #[arg(value_name = "TASK_ID|@FILE|-")]
        task_id: String,
    },
    /// List tasks
    Tasks {
        /// Only of this server
        #[arg(long)]
        server: Option<String>,
        /// Only with this status
        #[arg(long, value_enum)]
        status: Option<StatusWord>,
    },
    /// Show all about a task, or a question
    Show {
        /// A short id (t12, or r3 for a question) or the server's task id
        #[arg(value_name = "TASK")]
        item: String,
    },
    /// Print every change as it comes; with TASKs until all of them have ended
    Watch {
        /// Short ids or the servers' task ids. Default: all tasks and questions, until interrupted
        #[arg(value_name = "TASK")]
        tasks: Vec<String>,
    },
    /// Ask the server to cancel a task
    ///
    /// Cancelling is a request: the task counts as cancelled once the server says so, and may still complete.
    Cancel {
        /// A short id or the server's task id
        task: String,
    },
    /// Delete what is kept of a task, and follow it no more
    ///
    /// The server is not told: a live task goes on there, and nobody can find it again without its id.
    Forget {
        /// A short id or the server's task id
        task: String,
    },
    /// List the questions that wait for you
    Inbox {
        /// Answered and closed ones, too
        #[arg(long)]
        all: bool,
    },
    /// Print all that is kept, one JSON document per line
    ///
    /// Every line has a `kind`: task, request, answer or decision. Unless asked for, task ids are left out, and replaced
    /// by the short id of the task wherever else they stand: whoever has one may read and cancel the task. Only decisions
    /// are exported as sealed, with arguments and answers as they were sent: `verify` needs every byte. Code 1: something
    /// damaged is not in it.
    #[command(after_help = "\
Examples:
  signalbox export --what decisions --out decisions.jsonl
  signalbox export --what tasks --format csv > tasks.csv")]
    Export(Export),
    /// Copy all that is kept into one new file, while everything runs
    ///
    /// Code 1: something damaged is not in it.
    Backup {
        /// The file to make; nothing is ever overwritten
        file: PathBuf,
    },
    /// Answer a question
    ///
    /// The content is checked against the question's schema before anything is sent. At a terminal, --accept without
    /// --content asks field by field. When the server cannot be reached, the answer is kept and delivered later (code
    /// 4): do not repeat it.
    #[command(after_help = "\
Examples:
  signalbox answer r3 --accept --content '{\"approve\":true}'
  signalbox answer r3 --decline")]
    Answer(Answer),
}

/// `server …`
#[derive(Debug, Subcommand)]
pub enum Server {
    /// Register a server
    #[command(after_help = REACH_EXAMPLES)]
    #[command(group = clap::ArgGroup::new("way").required(true).args(["url", "command"]))]
    Add {
        /// Your name for it
        name: String,
        /// How to reach it.
        #[command(flatten)]
        reach: Reach,
    },
    /// List servers
    List,
    /// Say anew how a server is reached (replaces all of it), or which roots it is told
    #[command(after_help = REACH_EXAMPLES)]
    Edit {
        /// The server's name
        name: String,
        /// How to reach it from now on.
        #[command(flatten)]
        reach: Reach,
        /// What it is told of when it asks for roots, such as file:///home/me/project; may be repeated
        #[arg(long = "root", value_name = "URI")]
        roots: Vec<String>,
        /// Tell it of no roots any more
        #[arg(long, conflicts_with = "roots")]
        no_roots: bool,
    },
    /// Give a server another name
    Rename {
        /// Its name so far
        name: String,
        /// Its new name
        new_name: String,
    },
    /// Remove a server and its keychain entries. Refused while it has live tasks
    Remove {
        /// The server's name
        name: String,
    },
    /// Connect now and say what was found
    Check {
        /// The server's name
        name: String,
    },
    /// Connect to a disabled server again
    Enable {
        /// The server's name
        name: String,
    },
    /// Keep a server, but do not connect to it
    Disable {
        /// The server's name
        name: String,
    },
}

const REACH_EXAMPLES: &str = "\
A value V is env:VAR (read from the environment when connecting), @FILE (read from the file), or the value itself, \
which goes to the OS keychain. Arguments can be seen by other programs: prefer the first two.

Examples:
  signalbox server add ci --url https://ci.example.com/mcp --header Authorization=env:CI_TOKEN
  signalbox server add local --env API_KEY=@key.txt -- npx some-mcp-server stdio";

/// How a server is reached: one of the two ways.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Reach {
    /// Its MCP endpoint
    #[arg(long, conflicts_with = "command")]
    pub url: Option<String>,
    /// An extra header; may be repeated
    #[arg(long = "header", value_name = "K=V", requires = "url", conflicts_with = "command")]
    pub headers: Vec<String>,
    /// An extra environment variable of its program; may be repeated
    #[arg(long, value_name = "K=V", requires = "command", conflicts_with = "url")]
    pub env: Vec<String>,
    /// The working directory of its program. Default: your home directory
    #[arg(long, value_name = "DIR", requires = "command", conflicts_with = "url")]
    pub cwd: Option<PathBuf>,
    /// The program of a stdio server with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// `call`
#[derive(Debug, Args)]
pub struct Call {
    /// The server's name
    pub server: String,
    /// The tool's name
    pub tool: String,
    /// The arguments: a JSON object, a file with one, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub args: Option<String>,
    /// Return as soon as the server has taken the call; the owner of the data directory follows it
    #[arg(long)]
    pub detach: bool,
    /// Never ask at the terminal: exit with code 3 when the server asks
    #[arg(long)]
    pub no_input: bool,
    /// The wished time to live of the task in milliseconds (legacy wire only)
    #[arg(long, value_name = "MS")]
    pub ttl: Option<u32>,
}

/// `answer`
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("action").required(true)))]
pub struct Answer {
    /// The question's short id (r3)
    #[arg(value_name = "REQUEST")]
    pub request: RequestId,
    /// Yes, with content where a form asks for it
    #[arg(long, group = "action")]
    pub accept: bool,
    /// The content of the form: a JSON object, a file with one, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-", conflicts_with_all = ["decline", "cancel"])]
    pub content: Option<String>,
    /// No
    #[arg(long, group = "action")]
    pub decline: bool,
    /// Dismiss it without a decision
    #[arg(long, group = "action")]
    pub cancel: bool,
}

/// `demo …`
#[derive(Debug, Subcommand)]
pub enum Demo {
    /// Serve one client over stdin and stdout
    Stdio {
        /// What can be set.
        #[command(flatten)]
        options: DemoOptions,
    },
    /// Serve Streamable HTTP on the loopback interface, until stopped
    Http {
        /// The port; 0 chooses a free one
        #[arg(long, value_name = "N", default_value_t = 0)]
        port: u16,
        /// Answer requests with event streams instead of JSON
        #[arg(long)]
        sse: bool,
        /// What can be set.
        #[command(flatten)]
        options: DemoOptions,
    },
}

/// What both kinds of `demo` take.
#[derive(Debug, Args)]
pub struct DemoOptions {
    /// Keep the tasks in this file, so that they survive a restart
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Append what is received and taken to this file, one JSON document per line
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// How many times faster than told the stories run: a whole number, or `instant`
    #[arg(long, value_name = "X", default_value = "1")]
    pub speed: Speed,
    /// Which wires it speaks: `modern`, `legacy` or `both`
    #[arg(long, value_name = "WIRE", default_value = "modern")]
    pub wire: Wires,
    /// Its manners on the legacy wire, words with commas between: `ask-on-stream`, `no-sessions`, …
    #[arg(long, value_name = "WORDS")]
    pub legacy: Option<Legacy>,
    /// Make the first fitting message odd in this way (repeatable); an unknown NAME lists all
    #[arg(long, value_name = "NAME", value_parser = oddities(), hide_possible_values = true)]
    pub odd: Vec<Oddity>,
}
