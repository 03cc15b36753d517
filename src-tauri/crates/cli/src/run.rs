//! From what was typed to an exit code: one desk, one deadline, one place for failures.
//!
//! A command that owns the directory stays, once its own work is done, for tool calls of its guests that wait for their
//! answer, and says so: leaving would lose these.

use std::cell::Cell;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;
use signalbox_api::{Local, OwnerKind, ReadOnly, Retry};
use tokio::time::Instant;

use crate::args::{AtDesk, Call, Cli, Command, Demo, Global, Server, Track};
use crate::commands::{self, Context, call, demo, doctor, quit, rescue, secrets, serve, shell};
use crate::console::Console;
use crate::ends::{UNSAID, interrupted, late, reached, report};
use crate::exit::{Exit, Failure};
use crate::{host, text};

/// After a deadline or an interrupt the last words may take this long.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Runs the command of this process.
#[must_use]
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let console = Console::of_process(wants_json(&args), signalbox_engine::wall);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            console.say(&format!("cannot start: {error}"));
            return Exit::Failed.into();
        }
    };
    let exit = runtime.block_on(async {
        if let Err(error) = signalbox_api::outlive_file_limit() {
            console.say(&format!("a limit on file sizes would end this program: {error}"));
        }
        run(&console, args).await
    });
    // Reads of stdin never end by themselves.
    runtime.shutdown_background();
    exit.into()
}

/// Runs what was typed.
pub(crate) async fn run(console: &Console, args: Vec<OsString>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return not_parsed(console, &error),
    };
    if let Some(file) =
        cli.global.passphrase_file.as_deref().filter(|file| signalbox_api::others_may_read(file))
    {
        let file = file.display();
        console.say(&format!("others may read the passphrase in {file}: `chmod go= {file}` keeps it yours"));
    }
    let done = match cli.command {
        Command::Completions { shell } => shell::completions(console, shell),
        Command::Man { out } => shell::man(&out),
        Command::Demo(Demo::Act(act)) => Box::pin(at_the_desk(console, cli.global, AtDesk::Demo(act))).await,
        Command::Demo(Demo::Serve(server)) => demo::serve(console, cli.global, server).await,
        Command::Serve(given) => Box::pin(serve::run(console, cli.global, given)).await,
        Command::Quit { yes } => Box::pin(quit::run(console, cli.global, yes)).await,
        Command::Doctor => Box::pin(doctor::run(console, cli.global)).await,
        Command::Verify { file } => Box::pin(rescue::verify(console, cli.global, file)).await,
        Command::Restore { file } => rescue::restore(console, cli.global, &file).await,
        Command::Salvage => rescue::salvage(console, cli.global).await,
        Command::AtDesk(command) => Box::pin(at_the_desk(console, cli.global, command)).await,
    };
    done.unwrap_or_else(|failure| failed(console, &failure))
}

/// A command line that cannot be parsed still gets its failure document, so the wish for one is read apart.
fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

fn not_parsed(console: &Console, error: &clap::Error) -> Exit {
    let is_missing = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_missing && console.json {
        return failed(console, &Failure::usage("no command is given; --help lists them"));
    }
    if !error.use_stderr() || is_missing {
        // Help that was asked for, or that takes the place of a missing command. A closed pipe wants no more of it.
        let _ = error.print();
        return if error.use_stderr() { Exit::Usage } else { Exit::Done };
    }
    if console.json {
        let text = error.render().to_string();
        let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        return failed(console, &Failure::usage(message.trim()));
    }
    console.block(error.render().to_string().trim_end());
    Exit::Usage
}

/// Runs a command at the desk, until it is done, its time is up, or somebody stops it.
async fn at_the_desk(console: &Console, global: Global, command: AtDesk) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let delivers = matches!(command, AtDesk::Answer(_) | AtDesk::Cancel(_));
    let may_need_secrets = secrets::may_need(&command);
    let is_to_unlock = secrets::is_to_unlock(&command) && global.passphrase_from().is_some();
    let home = global.home.clone();
    let asked = global.timeout.and_then(|timeout| asked(&command, timeout));
    let hosted = tokio::select! {
        hosted = host::open(global, OwnerKind::Command) => hosted,
        () = reached(deadline) => return late(console, "the time was up", Retry::Later),
    };
    let hosted = match hosted {
        Err(denied) if matches!(command, AtDesk::Export(_) | AtDesk::Backup(_)) => {
            let desk = host::read_only(console, home, denied).await?;
            return only_read(console, &desk, command, deadline).await;
        }
        hosted => hosted?,
    };
    let (owner, passphrase) = (hosted.owner(), hosted.passphrase());
    let (browser, waiting_for) = (signalbox_api::browser as signalbox_api::Browser, Cell::new(None));
    let context =
        Context { desk: &hosted, owner, console, passphrase, browser, waiting_for, deadline, asked };
    let work = async {
        if is_to_unlock {
            host::unlock(&hosted).await?;
        }
        if may_need_secrets && let Some(local) = hosted.local().await {
            secrets::ask_where_locked(console, &local).await;
        }
        commands::run(&context, command).await
    };
    let done = tokio::select! {
        done = work => done,
        () = interrupted() => early(&context, Exit::Interrupted, delivers).await,
        () = reached(deadline) => early(&context, Exit::TimedOut, delivers).await,
    };
    let is_stopped = matches!(done, Ok(Exit::Interrupted | Exit::TimedOut));
    if !is_stopped && let Some(local) = hosted.local().await {
        tokio::select! {
            () = stay(console, &local, done.as_ref().err()) => {}
            () = interrupted() => {}
            () = reached(deadline) => {}
        }
    }
    // Nobody waits for a program that does not end once the time is up.
    hosted.close_by(deadline).await;
    done
}

/// Of a command that asks one server, and nobody else: that it had not answered in time, and what to do.
pub(crate) fn asked(command: &AtDesk, timeout: Duration) -> Option<String> {
    let (AtDesk::Server(Server::Check { name: server })
    | AtDesk::Tools { server }
    | AtDesk::Track(Track { server, .. })
    | AtDesk::Call(Call { server, .. })) = command
    else {
        return None;
    };
    let within = text::time::within(timeout);
    Some(format!("\"{server}\" had not answered within {within}. {}", text::advice::MORE_TIME))
}

/// Runs a command that needs no writing.
async fn only_read(
    console: &Console,
    desk: &ReadOnly,
    command: AtDesk,
    deadline: Option<Instant>,
) -> Result<Exit, Failure> {
    let (owner, waiting_for) = (AtomicBool::new(false), Cell::new(None));
    let browser = signalbox_api::browser as signalbox_api::Browser;
    let context = Context {
        desk,
        owner: &owner,
        console,
        passphrase: None,
        browser,
        waiting_for,
        deadline,
        asked: None,
    };
    tokio::select! {
        done = commands::run(&context, command) => done,
        () = interrupted() => early(&context, Exit::Interrupted, false).await,
        () = reached(deadline) => early(&context, Exit::TimedOut, false).await,
    }
}

/// While others wait for the answers to their calls through us, leaving would lose these.
async fn stay(console: &Console, local: &Local, failure: Option<&Failure>) {
    let answered = local.calls_answered();
    tokio::pin!(answered);
    if tokio::time::timeout(UNSAID, &mut answered).await.is_err() {
        let end = failure.map_or_else(|| "done".to_owned(), ToString::to_string);
        console.say(&format!(
            "{end}, and stays for tool calls that wait for their answer: Ctrl-C leaves, and loses these"
        ));
        answered.await;
    }
}

/// The command was stopped before it was done.
pub(crate) async fn early(context: &Context<'_>, exit: Exit, delivers: bool) -> Result<Exit, Failure> {
    let is_late = exit == Exit::TimedOut;
    if let Some(call) = context.waiting_for.get() {
        let said = tokio::time::timeout(LAST_WORDS, call::stopped(context, call, is_late)).await;
        if let Ok(said) = said {
            said?;
            return Ok(exit);
        }
    }
    let what = if is_late { "the time was up" } else { "interrupted" };
    let message = if delivers {
        format!(
            "{what} before the server acknowledged; what was recorded is delivered later: do not repeat it"
        )
    } else if let Some(asked) = context.asked.as_ref().filter(|_| is_late) {
        format!("{what}: {asked}")
    } else {
        what.to_owned()
    };
    if is_late {
        return late(context.console, &message, if delivers { Retry::Queued } else { Retry::Later });
    }
    context.console.say(&message);
    Ok(exit)
}

fn failed(console: &Console, failure: &Failure) -> Exit {
    match failure {
        Failure::Api(error) => {
            if let Err(error) = report(console, error) {
                return Failure::from(error).exit();
            }
        }
        Failure::Output(_) if failure.exit() == Exit::Done => {}
        Failure::Output(_) => console.say(&failure.to_string()),
    }
    failure.exit()
}
