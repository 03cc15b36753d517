//! `doctor`: whatever keeps Signalbox from working. Needs nothing to work but itself.

mod findings;

use std::cell::OnceCell;
use std::sync::atomic::Ordering;

use futures_util::{StreamExt, TryStreamExt, stream};
use signalbox_api::doctor::{self, Check};
use signalbox_api::words;
use signalbox_api::{
    ApiError, Code, Desk, DeskExt as _, Home, Owner, OwnerKind, Passphrase, ServerView, Standing, Trouble,
    command::{self, Problems},
};
use signalbox_model::{Health, NoteCode, command_line};
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use crate::args::Global;
use crate::console::Console;
use crate::ends::{interrupted, reached};
use crate::exit::{Exit, Failure};
use crate::text::advice;
use crate::text::shortcut::ShortcutDocument;
use crate::{host, look, text};

pub(crate) use findings::Findings;

/// How many servers are asked side by side: a silent one takes its time.
const SIDE_BY_SIDE: usize = 8;

/// Runs `doctor`.
pub(crate) async fn run(console: &Console, global: Global) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let (findings, opened) = (Findings::on(console), OnceCell::new());
    let ended = in_time(look_at_all(global, &findings, &opened), deadline).await;
    // Told before anything else: closing takes its time, too.
    let exit = ended.and_then(|early| findings.end(early));
    if let Some(opened) = opened.into_inner() {
        opened.close_by(deadline).await;
    }
    exit
}

/// Looks until all was looked at, the time is up or somebody stops it: the exit of the last two.
pub(crate) async fn in_time(
    looking: impl Future<Output = Result<(), Failure>>,
    deadline: Option<Instant>,
) -> Result<Option<Exit>, Failure> {
    tokio::select! {
        // First of all what is to be looked at is noted.
        biased;
        looked = looking => looked.map(|()| None),
        () = interrupted() => Ok(Some(Exit::Interrupted)),
        () = reached(deadline) => Ok(Some(Exit::TimedOut)),
    }
}

async fn look_at_all(
    global: Global,
    findings: &Findings<'_>,
    opened: &OnceCell<Standing>,
) -> Result<(), Failure> {
    let from = global.passphrase_from();
    let home = match Home::resolve(global.home) {
        Ok(home) => home,
        Err(error) => {
            findings.found(failed("data_directory", &error))?;
            return findings.found(doctor::notifications().await);
        }
    };
    let of_session = home.clone();
    findings.expect(["data_directory", "free_space", "logs", "store"].into_iter().chain(WITH_A_STORE));
    findings.expect(["notifications"].into_iter().chain(OF_THE_SESSION));
    let kept = async {
        let dir = home.clone();
        let of_files = spawn_blocking(move || (doctor::directory(&dir), doctor::logs(&dir)));
        let (directory, logs) =
            of_files.await.map_err(|_| ApiError::new(Code::Internal, "Looking at the files ended early"))?;
        directory.into_iter().chain([logs]).try_for_each(|check| findings.found(check))?;
        let is_given = from.is_some();
        let passphrase = signalbox_api::passphrase(from).await;
        look_inside(home, passphrase, is_given, findings, opened).await
    };
    let notifications = async { findings.found(doctor::notifications().await) };
    let session = async {
        let checks = doctor::session(&of_session).await;
        checks.into_iter().map(advice::of_session).try_for_each(|check| findings.found(check))
    };
    tokio::try_join!(kept, notifications, session).map(drop)
}

/// What is looked at of the person's desktop session.
const OF_THE_SESSION: [&str; 5] = ["tray", "portal", "autostart", "links", "window"];

/// What only an open store can tell.
const WITH_A_STORE: [&str; 5] = ["owner", "shortcut", "decisions", "secrets", "servers"];

async fn look_inside(
    home: Home,
    passphrase: Result<Option<Passphrase>, ApiError>,
    is_given: bool,
    findings: &Findings<'_>,
    opened: &OnceCell<Standing>,
) -> Result<(), Failure> {
    // A passphrase that is none, or another, stops only what needs secrets.
    let (passphrase, mut wrong) = match passphrase {
        Ok(passphrase) => (passphrase, None),
        Err(error) => (None, Some(ApiError { code: Code::SecretsLocked, ..error })),
    };
    let desk = match host::stand(home, OwnerKind::Command, passphrase).await {
        Ok(now_open) => opened.get_or_init(|| now_open),
        Err(error) => {
            findings.forgo(&WITH_A_STORE);
            return findings.found(failed("store", &error));
        }
    };
    if is_given && desk.passphrase().is_some() {
        wrong = host::unlock(desk).await.err().filter(|error| error.code == Code::SecretsLocked);
    }
    at_the_desk(desk, desk.owner().load(Ordering::Relaxed), wrong, findings).await
}

/// What an open store can tell. `wrong`: why a passphrase that was given is of no use.
pub(crate) async fn at_the_desk(
    desk: &dyn Desk,
    ours: bool,
    wrong: Option<ApiError>,
    findings: &Findings<'_>,
) -> Result<(), Failure> {
    let overview = match look::overview(desk).await {
        Ok(overview) => overview,
        Err(error) => {
            findings.forgo(&WITH_A_STORE);
            return findings.found(failed("store", &error));
        }
    };
    findings.forgo(&["servers"]);
    findings.expect(overview.servers.iter().map(named));
    findings.found(owner(&overview.owner, ours))?;
    findings.found(text::shortcut::check(ShortcutDocument::of(&overview)))?;
    // That they are locked is said there.
    let others = overview.troubles.iter().filter(|trouble| trouble.code != Code::SecretsLocked);
    for trouble in others {
        findings.found(troubling(trouble))?;
    }
    overview.servers.iter().filter_map(environment).try_for_each(|check| findings.found(check))?;
    overview.servers.iter().filter_map(left_out).try_for_each(|check| findings.found(check))?;
    let kept = async {
        findings.found(store(desk).await)?;
        findings.found(decisions(desk).await)?;
        findings.found(match wrong {
            Some(error) => failed("secrets", &error),
            None => secrets(desk).await,
        })
    };
    let servers = stream::iter(overview.servers)
        .map(async |server| {
            findings.begin(named(&server));
            check_server(desk, server).await
        })
        .buffer_unordered(SIDE_BY_SIDE)
        .map(Ok)
        .try_for_each(async |check| findings.found(check));
    tokio::try_join!(kept, servers).map(drop)
}

/// What troubles the owner. Without notifications everything is done all the same.
fn troubling(trouble: &Trouble) -> Check {
    let name = trouble.code.as_str();
    match trouble.code {
        Code::NotificationsFailed => doctor::not_notified(name, trouble.message.clone()),
        code => failed(&name, &ApiError::new(code, trouble.message.as_str())),
    }
}

fn named(server: &ServerView) -> String {
    format!("server:{}", server.name)
}

/// Who owns the data directory. `ours`: this command does, for as long as it runs.
pub(crate) fn owner(owner: &Owner, ours: bool) -> Check {
    const NAME: &str = "owner";
    if ours {
        // Whether some are left out only an owner knows that has listened for a while.
        let message = "nobody owns the data directory: tasks are followed only while a command runs, and nobody counts the \
                       questions that are not shown";
        return Check::ok(NAME, message);
    }
    let Owner { kind, pid, version, .. } = owner;
    let message = format!("{} {version} (process {pid}) follows the tasks", text::words(kind));
    let ours = env!("CARGO_PKG_VERSION");
    if version == ours {
        return Check::ok(NAME, message);
    }
    Check::warning(NAME, format!("{message}, and this command is {ours}"), advice::OTHER_VERSION)
}

async fn store(desk: &dyn Desk) -> Check {
    const NAME: &str = "store";
    match desk.act(command::CheckStore {}).await {
        Ok(Problems { problems }) if problems.is_empty() => Check::ok(NAME, "every page and file is sound"),
        Ok(Problems { problems }) => {
            let more =
                if problems.len() > 3 { format!(" and {} more", problems.len() - 3) } else { String::new() };
            let first = problems.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("; ");
            Check::problem(
                NAME,
                format!("it is damaged: {first}{more}"),
                advice::to_mend(Code::StorageDamaged),
            )
        }
        Err(error) => failed(NAME, &error),
    }
}

async fn secrets(desk: &dyn Desk) -> Check {
    match desk.act(command::Secrets {}).await {
        Ok(secrets) => text::secrets::check(&secrets),
        Err(error) => failed("secrets", &error),
    }
}

async fn decisions(desk: &dyn Desk) -> Check {
    const NAME: &str = "decisions";
    match desk.act(command::Verify {}).await {
        Ok(verified) => match verified.findings.first() {
            None => Check::ok(
                NAME,
                format!("{} as written", text::counted(verified.entries, "entry is", "entries are")),
            ),
            Some(first) => Check::problem(NAME, first.message.clone(), advice::BROKEN_LOG),
        },
        Err(error) => failed(NAME, &error),
    }
}

/// How many variables are listed that a program lost.
const LISTED: usize = 20;

/// What a program lost by an update, which its person has not looked at yet.
fn environment(server: &ServerView) -> Option<Check> {
    let (message, advice) = text::server::withheld(server, LISTED)?;
    let seen = command_line("signalbox", &["server", "check", &server.name].map(str::to_owned));
    let advice = format!("{advice}; `{seen}` lists all, and at a terminal says it for the last time");
    Some(Check::warning(format!("environment:{}", server.name), message, advice))
}

/// It asks more than is taken: some of its questions nobody sees.
fn left_out(server: &ServerView) -> Option<Check> {
    let message = text::server::left_out(server)?;
    Some(Check::warning(format!("questions:{}", server.name), message, advice::TOO_MANY_QUESTIONS))
}

/// A server that does not answer is the person's to judge: it may be switched off today.
async fn check_server(desk: &dyn Desk, server: ServerView) -> Check {
    let name = named(&server);
    if !server.enabled {
        return Check::ok(name, "it is disabled");
    }
    let checked = match desk.act(command::CheckServer { server: server.id.to_string() }).await {
        Ok(check) => check.server,
        Err(error) => return failed(&name, &error),
    };
    let message = match &checked.health {
        Health::Ok { latency_ms, .. } => format!("it answers in {}", text::time::took((*latency_ms).into())),
        Health::Unknown { .. } => "it was not asked".to_owned(),
        Health::SignInNeeded { .. } => "it requires a sign-in".to_owned(),
        Health::Unreachable { note, .. } => format!("it cannot be reached: {}", text::server::why(note)),
        Health::Unusable { note, .. } if note.code == NoteCode::NotTrusted => {
            format!("it is not started: {}", words::note(note))
        }
        Health::Unusable { note, .. } => format!("it cannot be used: {}", words::note(note)),
    };
    match advice::of_health(&checked) {
        None => Check::ok(name, message),
        Some(advice) => Check::problem(name, message, advice),
    }
}

fn failed(name: &str, error: &ApiError) -> Check {
    Check::problem(name, error.message.as_str(), advice::to_mend(error.code))
}
