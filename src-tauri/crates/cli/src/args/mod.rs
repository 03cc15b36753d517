//! What can be typed. The help texts are the reference, the man pages are made of them: so all commands stand here, one
//! after the other.

mod demo;
mod export;
mod import;
mod list;
mod notifications;
mod own;
mod part;
mod secrets;
mod server;
mod snooze;
mod status;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use signalbox_api::PassphraseFrom;
use signalbox_model::RequestId;

pub(crate) use demo::{Demo, DemoAct, DemoOptions, DemoServer};
pub(crate) use export::{Export, Format, What};
pub(crate) use import::source;
pub(crate) use import::{Source, Values};
pub(crate) use list::Tasks;
pub(crate) use notifications::{Notifications, Pause, Quiet, Switch};
pub(crate) use own::{Chosen, Matching, Note, Tag};
pub(crate) use part::ShownPart;
pub(crate) use secrets::{Place, Secrets};
pub(crate) use server::sounds_like_a_secret;
pub(crate) use server::{Access, Dropped, Reach, Server};
pub(crate) use snooze::Until;
pub(crate) use status::StatusWord;

const EXIT_CODES: &str = "\
Exit codes:
  0    done (for `cancel` and `answer`: recorded, and acknowledged where the wire can)
  1    the work that you waited for failed, was cancelled, returned an error, expired or is lost;
       for `verify` and `doctor`: a problem was found; for `export`: something damaged was left out
  2    usage
  3    input needed
  4    server unreachable (an answer stays queued: do not repeat it)
  5    sign-in needed, or the passphrase of the encrypted file that keeps secrets
  6    task or question unknown, expired, already closed, or answered, changed, cancelled or forgotten meanwhile
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
pub(crate) struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that may stand anywhere before a bare `--`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The data directory. Default: $SIGNALBOX_HOME, else the platform's data directory
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) home: Option<PathBuf>,
    /// Print one JSON document on stdout (`watch` and `export`: one per line). Messages go to stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Stop waiting after this long and exit with code 8. The work goes on. `tasks`, `inbox` and `show` ask servers for at most
    /// half of it, then print what is kept
    #[arg(long, value_name = "SECONDS", global = true, value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Read the passphrase of the encrypted file that keeps secrets (`secrets keep file`) from this file
    ///
    /// Without it and without --passphrase-fd, the service manager's credential `signalbox-passphrase` is used
    /// ($CREDENTIALS_DIRECTORY). Where there is none, you are asked at the terminal.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "passphrase_fd")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Read that passphrase from this file descriptor, to its end
    #[arg(long, value_name = "N", global = true)]
    pub(crate) passphrase_fd: Option<u32>,
}

impl Global {
    /// Where the passphrase was said to be.
    pub(crate) fn passphrase_from(&self) -> Option<PassphraseFrom> {
        let file = self.passphrase_file.clone().map(PassphraseFrom::File);
        file.or(self.passphrase_fd.map(PassphraseFrom::Descriptor))
    }
}

/// The text is no number of seconds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a number of seconds")]
struct BadSeconds;

fn seconds(text: &str) -> Result<Duration, BadSeconds> {
    let seconds: f64 = text.parse().map_err(|_| BadSeconds)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| BadSeconds)
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// At the desk.
    #[command(flatten)]
    AtDesk(AtDesk),
    /// Follow everything without a window, until stopped
    ///
    /// Owns the data directory meanwhile. If a command owns it, `serve` waits until that command ends. If another `serve` or a
    /// window owns it, `serve` ends with code 7.
    Serve {
        /// Show an icon in the tray: what needs you, what runs, and the way to the window
        ///
        /// The window starts `serve --tray` by itself where the desktop has a tray, so that closing the window stops nothing.
        /// Without a desktop it is `serve`. Only on Linux: elsewhere the window's own program has the icon.
        #[arg(long)]
        tray: bool,
    },
    /// End what follows everything in the background, or the window
    ///
    /// It says first what stops. Tasks go on at their servers, and nobody sees them. Tasks of servers that are programs are lost,
    /// since those end as well. Of calls that wait for their answer nobody learns what became of them. At a terminal you are
    /// asked. A window closes with its owner, and takes over nothing. If nobody owns the data directory, that is said: code 0.
    Quit {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Find out what keeps Signalbox from working; works even when nothing else does
    ///
    /// Data directory, store, log of decisions, secrets, notifications, logs, what is used of the desktop session (tray, portal,
    /// starting with it, links, the window's program), and every server, several of them side by side. Each finding is printed as it is found; with --json all are one document at the end. Code 1: a problem was
    /// found. Code 8: --timeout has passed; what was not checked in time is named.
    ///
    /// `environment:SERVER` names the variables that the server's program no longer gets since an update.
    /// `questions:SERVER` says how many of its questions are not shown, because it asks more than Signalbox takes at a time.
    /// A running `serve` or window counts them; without one, nobody does.
    Doctor,
    /// Check that nothing in the log of decisions was changed, removed or added
    ///
    /// Without FILE it checks the log that is kept here, and compares every answer that was sent with it. It also works where
    /// the data directory cannot be written, as on a read-only medium or a full disk. Code 1: a problem was found.
    Verify {
        /// An export of the log to check instead, wherever it comes from
        file: Option<PathBuf>,
    },
    /// Replace the database by a backup; the old database is moved aside
    ///
    /// The log of decisions keeps what was decided since the backup. Code 1: something damaged could not be restored.
    Restore {
        /// What `backup` wrote, or a database that was moved aside
        file: PathBuf,
    },
    /// Make a new database from what can still be read of a damaged one; the damaged one is moved aside
    ///
    /// Rows are read from both ends of each table up to the damage. A table is lost when its entry in the file's own list
    /// of tables is lost, because the pages alone do not tell whose they are. Everything is lost when the first page is.
    /// Of a file that lost its end, everything before that is read, except a last page that is cut.
    /// Code 1: something was lost. Code 7: nothing can be read, and nothing was changed.
    Salvage,
    /// Try Signalbox with a scripted MCP server
    #[command(
        subcommand,
        after_help = "\
Examples:
  signalbox demo start       # registered and at work; `signalbox inbox` shows its question
  signalbox demo remove      # nothing of it is left
  signalbox demo http        # the server alone, for other clients"
    )]
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
pub(crate) enum AtDesk {
    /// `demo start` and `demo remove`, which stand beside what needs no desk.
    #[command(skip)]
    Demo(DemoAct),
    /// Register servers and see how they are
    #[command(subcommand)]
    Server(Server),
    /// Add the servers that another MCP client has in its configuration
    ///
    /// Nothing is run: a program waits until its command is confirmed (`server trust`). Values in the clear are kept as
    /// secrets. Variables are kept as references. What cannot be imported is named, with the reason. If an option names a
    /// value that no server has in the clear, nothing is imported.
    #[command(after_help = "\
Examples:
  signalbox import --dry-run            # what there is
  signalbox import claude-desktop
  signalbox import ./mcp.json
  signalbox import cursor --plain LOG_LEVEL --from-env lab:API_KEY=LAB_KEY

Exit code 1: something that could be imported was not. What is registered already, or switched off in that client, does
not count.")]
    Import {
        /// claude-desktop, claude-code, cursor, vscode, windsurf, or a file with `mcpServers` or `servers`. Default:
        /// all of these clients on this machine, and the project in this folder
        #[arg(value_name = "CLIENT|FILE", value_parser = source)]
        from: Option<Source>,
        /// Only say what would be imported
        #[arg(long)]
        dry_run: bool,
        /// What becomes of values that stand there in the clear.
        #[command(flatten)]
        values: Values,
    },
    /// List the tools of a server
    Tools {
        /// The server's name
        server: String,
    },
    /// Call a tool and wait for its end
    ///
    /// At a terminal it asks you field by field: for required arguments that are missing, and for every question of the server.
    /// Elsewhere, or with --no-input, a question ends the waiting with code 3. The work goes on. Answer with `answer`.
    #[command(after_help = "\
Examples:
  signalbox call ci deploy --args '{\"service\":\"web\"}'
  signalbox call ci deploy --args @arguments.json --json
  signalbox call ci deploy --detach")]
    Call(Call),
    /// Run a task's tool once more at the same server, and wait for its end
    ///
    /// Without --args the arguments are those of the task, exactly as they were sent. It is a new task: nothing becomes of the old
    /// one. Where the task was adopted, it is not known what started it: code 2.
    #[command(after_help = "\
Examples:
  signalbox again t12
  signalbox again t12 --args '{\"service\":\"api\"}'
  signalbox again t12 --detach")]
    Again(Again),
    /// Adopt a task that was started elsewhere
    ///
    /// Without a task id it lists the server's tasks that are not followed yet. Only some servers of 2025-11-25 can list their
    /// tasks.
    #[command(after_help = "\
Examples:
  signalbox track ci
  signalbox track ci 786512e2-9e0d-44bd-8f29-789f320fe840
  pbpaste | signalbox track ci -
  signalbox track ci --all")]
    Track {
        /// The server's name
        server: String,
        /// The server's task id; @FILE or - (stdin) keep it out of the process list
        #[arg(value_name = "TASK_ID|@FILE|-")]
        task_id: Option<String>,
        /// Adopt every task that the server lists
        #[arg(long, conflicts_with = "task_id")]
        all: bool,
    },
    /// List tasks
    ///
    /// With --json each task has its first 100 open questions. `inputRequestsMore` is how many more there are.
    #[command(after_help = list::help())]
    Tasks(Tasks),
    /// Show everything about a task or a question
    ///
    /// Where a server repeated a secret that Signalbox had given it, `[redacted]` is shown. The server may also have written
    /// `[redacted]` itself.
    ///
    /// With --json a task has its open questions and those that are over, at most 1,000 of each. `inputRequestsMore` and
    /// `inputRequestsClosedMore` are how many more there are.
    Show {
        /// A short id (t12, or r3 for a question) or the server's task id
        #[arg(value_name = "TASK")]
        item: String,
        /// Of a task, also what went between Signalbox and its server: when, how long, how much, and how it ended
        ///
        /// The owner of the data directory remembers the last 20 exchanges of every task, and 200 of one that somebody looks at, with
        /// its last 20 different states. It keeps them in memory: when it ends they are gone. Polls that bring nothing are one line.
        #[arg(long, conflicts_with = "result")]
        requests: bool,
        /// Show only what the task returned. With --json the result as its server sent it
        #[arg(long)]
        result: bool,
        /// Of the result this part, whole: 1 for the first, or `structured` for the structured content
        #[arg(long, value_name = "PART", requires = "result")]
        part: Option<ShownPart>,
        /// Write it to this file instead: text as text, pictures and the like as their bytes, all else as JSON. Nothing is
        /// ever overwritten
        #[arg(long, value_name = "FILE", requires = "result")]
        out: Option<PathBuf>,
    },
    /// Compare what came of a task with the run before it
    ///
    /// The run before is the last one of the same tool at the same server, with the same arguments, that has ended. Lines are told as
    /// `diff -u` tells them. JSON has a line for each member; what is no text is compared by its digest.
    Diff {
        /// A short id or the server's task id. It has ended
        task: String,
    },
    /// Print every change as it comes; with TASKs until all of them have ended
    Watch {
        /// Short ids or the servers' task ids. Default: all tasks and questions, until interrupted
        #[arg(value_name = "TASK")]
        tasks: Vec<String>,
    },
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
    #[command(after_help = "\
Examples:
  signalbox cancel t12
  signalbox cancel t12 t13
  signalbox cancel --filter 'server:ci silent>1h'")]
    Cancel {
        /// Which of those that are kept.
        #[command(flatten)]
        chosen: Chosen,
        /// Ask once more, although somebody asked to cancel it before. A call that the server has not answered yet is given up.
        /// Without this option the command ends with code 6
        #[arg(long, conflicts_with = "filter")]
        again: bool,
    },
    /// Delete what is kept of a task, or of several, and stop following it
    ///
    /// The server is not told. A live task goes on there, and without its id nobody can find it again. The log of decisions
    /// keeps its entries.
    ///
    /// With --json several tasks are `{"done":["t1"],"failures":[{"task","failure"}]}`.
    #[command(after_help = "\
Examples:
  signalbox forget t12 t13
  signalbox forget --filter 'is:ended tool:lint' --yes")]
    Forget(Chosen),
    /// Put tags of your own on a task, or on several
    ///
    /// No server hears of them. `tasks --filter tag:WORD` finds what has one. A task has at most 16. No tag can be put on here that
    /// reads like a short id, such as t12.
    ///
    /// With --json several tasks, and those that --filter shows, are `{"done":["t1"],"failures":[{"task","failure"}]}`.
    #[command(
        override_usage = "\
signalbox tag [OPTIONS] TASK [WORD]...
       signalbox tag [OPTIONS] TASK... WORD...
       signalbox tag [OPTIONS] --filter TOKENS WORD...",
        after_help = "\
Examples:
  signalbox tag t12 release eu
  signalbox tag t12 t13 release
  signalbox tag t12 eu --remove
  signalbox tag --filter 'tool:deploy outcome:ok' shipped
  signalbox tasks --filter 'tag:release -tag:eu'"
    )]
    Tag(Tag),
    /// Note something of your own about a task
    ///
    /// No server hears of it. `show` and `export` print it. Words of it find the task in the window's list and with `tasks --filter`.
    ///
    /// The note that it replaces is printed beside it (with --json as `replaced`). Code 6: the note was changed while the command ran, and
    /// stays as it is.
    #[command(after_help = "\
Examples:
  signalbox note t12 'waits for the new certificate'
  signalbox note t12 --remove")]
    Note(Note),
    /// List the questions that wait for you
    ///
    /// Questions that are no longer asked come last: nobody waits for their answers now.
    #[command(after_help = list::help_of_questions())]
    Inbox(Inbox),
    /// Print everything that is kept, one JSON document per line
    ///
    /// Every line has a `kind`: task, request, answer or decision. Whoever has a task id may read and cancel the task. So
    /// task ids are left out unless you ask for them, and short ids take their place in other texts. Decisions are exported
    /// as they were sealed, with arguments and answers as they were sent, because `verify` needs every byte.
    /// It also works where the data directory cannot be written, as on a read-only medium or a full disk.
    /// Code 1: something damaged was left out.
    #[command(after_help = "\
Examples:
  signalbox export --what decisions --out decisions.jsonl
  signalbox export --what tasks --format csv > tasks.csv")]
    Export(Export),
    /// Copy everything that is kept into one new file, while everything runs
    ///
    /// It also works where the data directory cannot be written, as on a read-only medium or a full disk.
    /// Code 1: something damaged was left out.
    ///
    /// An answer that is not delivered yet is in the copy whole, with its secrets: so that it can still be sent once the copy
    /// is restored. Whoever can read the file can read them. No later delivery takes them out of it.
    Backup {
        /// The file to make; nothing is ever overwritten
        file: PathBuf,
    },
    /// Show a task, a question or a place in the window, or where a link leads
    ///
    /// The window is opened, or comes forward. Places are `inbox` and `tasks`. A link does nothing by itself:
    /// `signalbox://open/t12` shows that task, `signalbox://open/tasks` the list,
    /// `signalbox://add?name=ci&url=https%3A%2F%2F…` or `…?command=…` shows the server that it offers. It is for the usual data
    /// directory alone. Code 6: there is no such task or question.
    #[command(after_help = "\
Examples:
  signalbox open t12
  signalbox open tasks
  signalbox open 'signalbox://open/r7'")]
    Open {
        /// A short id (t12, or r7 for a question), a place (inbox, tasks), or a link
        #[arg(value_name = "ITEM|PLACE|LINK")]
        item: String,
    },
    /// Bring the window forward, or open it
    ///
    /// For scripts, and for a key of your window manager.
    Focus,
    /// Show the next question that needs you in the window
    ///
    /// For scripts, and for a key of your window manager. Where no question needs you, nothing is opened.
    Next,
    /// Show whether your session starts Signalbox, or have it do so
    ///
    /// It then starts hidden when you log in, and follows your tasks. On Linux that is a file of yours for this data directory,
    /// `autostart/signalbox.desktop` among your configuration; what your desktop says of it counts.
    Autostart {
        /// Default: show how it stands
        #[arg(value_enum)]
        state: Option<Switch>,
    },
    /// Show the system-wide shortcut that brings Signalbox forward, and whether it is held; choose one
    ///
    /// A press brings the window forward, or opens it, at the next question that needs you where one waits. On X11 the window
    /// holds it, or `serve --tray`. On Wayland Signalbox cannot: there, have a key of your desktop run `signalbox next` or
    /// `signalbox focus`.
    Shortcut {
        /// Such as Ctrl+Alt+S, with Super or two of Ctrl, Alt and Shift; or off. Default: show how it stands
        #[arg(value_name = "KEYS|off")]
        keys: Option<String>,
    },
    /// Show where secrets are kept and whether they can be read; choose the place or unlock it
    ///
    /// Header and environment values, client secrets and sign-ins are kept in the OS keychain, unless another place is
    /// chosen for this data directory.
    Secrets {
        /// What to do. Default: show the place
        #[command(subcommand)]
        act: Option<Secrets>,
    },
    /// Show what notifications tell and what became of the last ones; choose levels and quiet hours, pause them, try one
    ///
    /// The window and `serve` raise notifications. What became of them is remembered by the program that owns the data
    /// directory, for as long as it runs: the last 200.
    Notifications {
        /// What to do. Default: show how they stand
        #[command(subcommand)]
        act: Option<Notifications>,
    },
    /// Answer a question
    ///
    /// The content is checked against the question's schema before anything is sent. At a terminal, --accept without
    /// --content asks field by field. If the server cannot be reached, the answer is kept and sent later (code 4): do not
    /// repeat it. `undo` takes back an answer that has not gone out.
    ///
    /// A secret that a form asks for (a password, a token, a card number) is warned of, since a server must ask for it on a page
    /// of its own. At a terminal it is not shown, and you are asked once more, also with --content. It is kept only until it is delivered.
    ///
    /// `show` says how a question can be answered. Only an elicitation can be declined so that the server is told. Declining anything else
    /// gives a server of 2025-11-25 an error. On 2026-07-28 it gives up a call that asks. If a task asks, the server hears
    /// nothing, and the task waits until it is cancelled.
    ///
    /// The answer is for the question as this command has read it. If its server asks something else by then, nothing is sent: code 6.
    #[command(after_help = "\
Examples:
  signalbox answer r3 --accept --content '{\"approve\":true}'
  signalbox answer r4 --accept --content '{\"text\":\"A model would say this\"}'
  signalbox answer r4 --accept --content '{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"Yes\"},\"model\":\"m\"}'
  signalbox answer r4 --open
  signalbox answer r3 --decline --note 'asked Ada first'
  signalbox answer --same r3 --accept --content '{\"approve\":true}'")]
    Answer(Answer),
    /// Take back an answer that has not gone out
    ///
    /// An answer may wait for the other answers of its round, or for its server. Taken back, it is kept as a draft. Code 6:
    /// there is no answer, it has gone out, or another one was given meanwhile.
    Undo {
        /// The question's short id (r3)
        #[arg(value_name = "REQUEST")]
        request: RequestId,
    },
    /// Put a question off until later, or bring it back
    ///
    /// It stands on the tab "snoozed" until then, and nobody is reminded of it. Whatever is given, it is back five minutes
    /// before it expires. An answer ends it, too. A question of a call without a task cannot wait for a change: it takes a time.
    #[command(after_help = "\
Examples:
  signalbox snooze r3 1h
  signalbox snooze r3 tomorrow
  signalbox snooze r3 off")]
    Snooze {
        /// The question's short id (r3)
        #[arg(value_name = "REQUEST")]
        request: RequestId,
        /// A length (30m, 1h, 2d), tomorrow (at 9:00), change (until its task changes), before-expiry (five minutes), a time
        /// such as 2026-12-01T09:00:00Z, or off
        #[arg(value_name = "UNTIL", value_parser = snooze::read)]
        until: Until,
    },
    /// Put away a question that is no longer asked
    ///
    /// If its server asks again, that is a new question.
    PutAway {
        /// The question's short id (r3)
        #[arg(value_name = "REQUEST")]
        request: RequestId,
    },
}

/// What `inbox` takes.
#[derive(Debug, Args)]
pub(crate) struct Inbox {
    /// Also list answered and closed questions, the newest first
    #[arg(long, group = "listed")]
    pub(crate) all: bool,
    /// List only one tab. A question that expires soon is on two of them
    #[arg(long, value_enum, group = "listed")]
    pub(crate) tab: Option<Tab>,
    /// List at most this many. Default: 1000. The output says how many more there are (`requestsMore`)
    #[arg(long, value_name = "N", requires = "listed", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// List only the questions after this one, where the last list ended
    #[arg(long, value_name = "REQUEST", requires = "all")]
    pub(crate) after: Option<RequestId>,
    /// Only those that this shows, such as `server:ci left<10m`; with --all also answered and closed ones
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true, conflicts_with = "after")]
    pub(crate) filter: Option<String>,
}

/// A tab of the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tab {
    /// Waits for you, or its answer is on its way
    NeedsYou,
    /// Waits for you, and expires in less than five minutes
    Expiring,
    /// Put off until later
    Snoozed,
    /// Answered, closed or no longer asked
    Answered,
}

/// What `call` takes.
#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The server's name
    pub(crate) server: String,
    /// The tool's name
    pub(crate) tool: String,
    /// How it is called.
    #[command(flatten)]
    pub(crate) how: Calling,
}

/// What `again` takes.
#[derive(Debug, Args)]
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

/// What `answer` takes.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("action").required(true)))]
pub(crate) struct Answer {
    /// The question's short id (r3)
    #[arg(value_name = "REQUEST")]
    pub(crate) request: RequestId,
    /// Accept. A form takes --content; for a page this says that you have been there
    #[arg(long, group = "action")]
    pub(crate) accept: bool,
    /// The content of the form: a JSON object, a file with one, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-", conflicts_with_all = ["decline", "cancel"])]
    pub(crate) content: Option<String>,
    /// Open the page that it asks for (URL mode) in your browser, and accept
    ///
    /// If no browser starts, nothing is sent. If a call waits until you have visited a page, use --accept once you have
    /// finished there.
    #[arg(long, group = "action", conflicts_with = "content")]
    pub(crate) open: bool,
    /// Decline. `show` says what that means for the server
    #[arg(long, group = "action")]
    pub(crate) decline: bool,
    /// Dismiss it without a decision
    #[arg(long, group = "action")]
    pub(crate) cancel: bool,
    /// Answer although an earlier answer may have arrived, or agree to a page although its task has asked for one at the same
    /// host twice before
    ///
    /// The server may then get both answers. Without this option the command ends with code 6, and for such a page with code 3.
    #[arg(long)]
    pub(crate) again: bool,
    /// Accept although the tool says that it may destroy something, or its server could not be asked whether it does
    ///
    /// At a terminal you are asked instead. Elsewhere the command ends with code 3 without this option.
    #[arg(long, conflicts_with_all = ["decline", "cancel", "same"])]
    pub(crate) destructive: bool,
    /// Your note, for your own log of decisions: at most 2,000 characters. It is never sent
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Give the same answer to all open questions like this one: of the same server and tool, with the same schema
    ///
    /// It shows how they differ and what each of them gets, and asks. At most 200 are answered at a time. Pages, questions to a
    /// model, snoozed questions and those of a tool that may destroy something are answered one by one, also where its server could
    /// not be asked whether it may. So is one that something was typed into. An answer with a secret goes to one question alone. Each
    /// that cannot be answered is reported, and the others go.
    #[arg(long, conflicts_with_all = ["open", "again"])]
    pub(crate) same: bool,
    /// With --same: do not ask
    #[arg(long, requires = "same")]
    pub(crate) yes: bool,
}
