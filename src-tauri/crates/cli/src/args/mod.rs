//! What can be typed. The help texts are the reference, the man pages are made of them: so all commands stand here, one
//! after the other. What a command takes beside a word or two stands with its help in the file of its type.

mod answer;
mod call;
mod chosen;
mod demo;
mod export;
mod import;
mod list;
mod notifications;
mod own;
mod secrets;
mod serve;
mod server;
mod show;
mod snooze;
mod status;
mod switch;
mod track;
mod window;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use signalbox_api::PassphraseFrom;
use signalbox_model::RequestId;

pub(crate) use answer::Answer;
pub(crate) use call::{Again, Call, Calling};
pub(crate) use chosen::{Cancel, Chosen, Forget, Matching};
pub(crate) use demo::{Demo, DemoAct, DemoOptions, DemoServer};
pub(crate) use export::{Backup, Export, Format, What};
pub(crate) use import::{Import, Source};
pub(crate) use list::{Inbox, Tab, Tasks};
pub(crate) use notifications::{Notifications, Pause, Quiet};
pub(crate) use own::{Note, Tag};
pub(crate) use secrets::{Place, Secrets};
pub(crate) use serve::Serve;
pub(crate) use server::sounds_like_a_secret;
pub(crate) use server::{Access, Dropped, Reach, Server};
pub(crate) use show::{Show, ShownPart};
pub(crate) use snooze::{Snooze, Until};
pub(crate) use status::StatusWord;
use switch::switch;
pub(crate) use track::Track;
pub(crate) use window::{Autostart, Open, Shortcut};

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
    Serve(Serve),
    /// End Signalbox: what follows everything in the background, and the window
    ///
    /// It says first what would stop, and asks at a terminal. Tasks at servers with a URL go on, but nobody follows them. Tasks
    /// whose servers are programs are lost, since those programs end too. What becomes of calls that still wait for their answer,
    /// nobody will know. An answer within its undo time is not sent: it is a draft again, and its question waits. Servers whose
    /// secrets or sign-ins are kept for this run only are named: these have to be given again. If Signalbox is not running, that
    /// is said: code 0. If it does not answer, it is waited for; code 7 if it never does. If it is another version, nobody can
    /// say what would stop: you are asked, and it is ended, unless it is a window.
    Quit {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Find out what keeps Signalbox from working; works even when nothing else does
    ///
    /// It checks the data directory, the store, the log of decisions, secrets, notifications, logs, what it uses of the desktop
    /// session (tray, portal, start at login, links, the window's program), and every server, several at a time. Each finding
    /// is printed as it is made; with --json all come in one document at the end. Code 1: a problem was found. Code 8: --timeout
    /// has passed; what was not checked in time is named.
    ///
    /// `environment:SERVER` names variables that the server's program has not got since an update.
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
    Import(Import),
    /// List the tools of a server
    Tools {
        /// The server's name
        server: String,
    },
    Call(Call),
    Again(Again),
    Track(Track),
    Tasks(Tasks),
    Show(Show),
    /// Compare what came of a task with the run before it
    ///
    /// The run before is the last one of the same tool at the same server, with the same arguments, that has ended. Blanks and the order
    /// of members make no other arguments. Lines are told as `diff -u` tells them. JSON has a line for each member; what is no text is compared by its digest.
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
    Cancel(Cancel),
    Forget(Forget),
    Tag(Tag),
    Note(Note),
    Inbox(Inbox),
    Export(Export),
    Backup(Backup),
    Open(Open),
    /// Bring the window forward, or open it
    ///
    /// For scripts, and for a key of your window manager.
    Focus,
    /// Show the next question that needs you in the window
    ///
    /// For scripts, and for a key of your window manager. If no question needs you, nothing is opened.
    Next,
    Autostart(Autostart),
    Shortcut(Shortcut),
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
    Snooze(Snooze),
    /// Put away a question that is no longer asked
    ///
    /// If its server asks again, that is a new question.
    PutAway {
        /// The question's short id (r3)
        #[arg(value_name = "REQUEST")]
        request: RequestId,
    },
}
