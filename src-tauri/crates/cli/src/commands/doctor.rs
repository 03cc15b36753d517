//! `doctor`: whatever keeps Signalbox from working. Needs nothing to work but itself.

use serde::Serialize;
use signalbox_api::doctor::{self, Check, CheckState};
use signalbox_api::{
    ApiError, Code, Command as Act, Desk, Home, Opened, Owner, OwnerKind, Passphrase, Reply, Retry,
    SecretText, SecretsState, ServerView,
};
use signalbox_model::{Health, command_line};
use tokio::time::Instant;

use crate::args::Global;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::run::{interrupted, late, reached};
use crate::text::{Hue, sanitise};
use crate::{look, text};

/// `{"checks":[{"name","state","message","advice"}]}`
#[derive(Serialize)]
struct Document {
    checks: Vec<Check>,
}

/// `doctor`
pub(crate) async fn run(console: &Console, global: Global) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let checks = tokio::select! {
        checks = all(global) => checks,
        () = interrupted() => return Ok(Exit::Interrupted),
        () = reached(deadline) => return late(console, "the time was up", Retry::Later),
    };
    let sick = checks.iter().any(|check| check.state == CheckState::Problem);
    if console.json {
        console.document(&Document { checks })?;
    } else {
        for check in &checks {
            print(console, check)?;
        }
    }
    Ok(if sick { Exit::Failed } else { Exit::Done })
}

fn print(console: &Console, check: &Check) -> std::io::Result<()> {
    let hue = match check.state {
        CheckState::Ok => Hue::Green,
        CheckState::Warning => Hue::Amber,
        CheckState::Problem => Hue::Red,
    };
    let (word, name) = (text::words(&check.state), sanitise::line(&check.name));
    console.text(&format!(
        "{}  {name}: {}\n",
        console.paint().on(hue, &format!("{word:<7}")),
        sanitise::line(&check.message)
    ))?;
    match &check.advice {
        Some(advice) => console.text(&format!("         {}\n", sanitise::line(advice))),
        None => Ok(()),
    }
}

async fn all(global: Global) -> Vec<Check> {
    let from = global.passphrase_from();
    let is_given = from.is_some();
    let passphrase = signalbox_api::passphrase(from).await;
    let home = match Home::resolve(global.home) {
        Ok(home) => home,
        Err(error) => return vec![failed("data_directory", &error), doctor::notifications().await],
    };
    let mut checks = doctor::directory(&home);
    // A passphrase that is none, or another, stops only what needs secrets.
    let (passphrase, mut wrong) = match passphrase {
        Ok(passphrase) => (passphrase, None),
        Err(error) => (None, Some(ApiError { code: Code::SecretsLocked, ..error })),
    };
    match signalbox_api::open_with(&home, OwnerKind::Command, passphrase.clone()).await {
        Ok(opened) => {
            let desk = opened.desk();
            if let Some(given) = passphrase.filter(|_| is_given) {
                // What is wrong with the file itself is no mistake of who gave it.
                let refused = unlock(desk.as_ref(), &given).await.err();
                wrong = refused.filter(|error| error.code == Code::SecretsLocked);
            }
            at_the_desk(desk.as_ref(), opened.is_owner(), wrong, &mut checks).await;
            drop(desk);
            Opened::close(opened).await;
        }
        Err(error) => checks.push(failed("store", &error)),
    }
    checks.extend([doctor::notifications().await, doctor::logs(&home)]);
    checks
}

/// Opens the encrypted file with a passphrase that was given, if it waits for one.
async fn unlock(desk: &dyn Desk, passphrase: &Passphrase) -> Result<(), ApiError> {
    match desk.call(Act::Secrets).await? {
        Reply::Secrets { secrets } if secrets.state == SecretsState::Locked => {
            let passphrase = SecretText(passphrase.expose().to_owned());
            desk.call(Act::UnlockSecrets { passphrase }).await.map(drop)
        }
        _ => Ok(()),
    }
}

/// What an open store can tell. `wrong`: why a passphrase that was given is of no use.
async fn at_the_desk(desk: &dyn Desk, ours: bool, wrong: Option<ApiError>, checks: &mut Vec<Check>) {
    let overview = match look::overview(desk).await {
        Ok(overview) => overview,
        Err(error) => return checks.push(failed("store", &error)),
    };
    checks.push(owner(&overview.owner, ours));
    checks.push(store(desk).await);
    checks.push(decisions(desk).await);
    checks.push(match wrong {
        Some(error) => failed("secrets", &error),
        None => secrets(desk).await,
    });
    // That they are locked is said there.
    let others = overview.troubles.iter().filter(|trouble| trouble.code != Code::SecretsLocked);
    checks.extend(others.map(|trouble| {
        failed(&trouble.code.as_str(), &ApiError::new(trouble.code, trouble.message.as_str()))
    }));
    checks.extend(overview.servers.iter().filter_map(environment));
    for server in overview.servers {
        checks.push(check_server(desk, server).await);
    }
}

fn owner(owner: &Owner, ours: bool) -> Check {
    const NAME: &str = "owner";
    if ours {
        let message = "nobody owns the data directory: tasks are followed only while a command looks at them";
        return Check::ok(NAME, message);
    }
    let Owner { kind, pid, version, .. } = owner;
    Check::ok(NAME, format!("{} {version} (process {pid}) follows the tasks", text::words(kind)))
}

async fn store(desk: &dyn Desk) -> Check {
    const NAME: &str = "store";
    match desk.call(Act::CheckStore).await {
        Ok(Reply::Problems { problems }) if problems.is_empty() => {
            Check::ok(NAME, "every page and file is sound")
        }
        Ok(Reply::Problems { problems }) => {
            let more =
                if problems.len() > 3 { format!(" and {} more", problems.len() - 3) } else { String::new() };
            let first = problems.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("; ");
            Check::problem(NAME, format!("it is damaged: {first}{more}"), SALVAGE)
        }
        Ok(_) => failed(NAME, &look::odd()),
        Err(error) => failed(NAME, &error),
    }
}

async fn secrets(desk: &dyn Desk) -> Check {
    match desk.call(Act::Secrets).await {
        Ok(Reply::Secrets { secrets }) => doctor::secrets(&secrets),
        Ok(_) => failed("secrets", &look::odd()),
        Err(error) => failed("secrets", &error),
    }
}

async fn decisions(desk: &dyn Desk) -> Check {
    const NAME: &str = "decisions";
    match desk.call(Act::Verify).await {
        Ok(Reply::Verified { verified }) => match verified.findings.first() {
            None => Check::ok(NAME, format!("the log of {} entries holds", verified.entries)),
            Some(first) => Check::problem(
                NAME,
                format!("the log does not hold: {}", first.message),
                "`signalbox verify` tells more; a backup from before has the entries as they were",
            ),
        },
        Ok(_) => failed(NAME, &look::odd()),
        Err(error) => failed(NAME, &error),
    }
}

/// What a program lost by an update, which its person has not looked at yet.
fn environment(server: &ServerView) -> Option<Check> {
    let (message, advice) = text::server::withheld(server)?;
    let seen = command_line("signalbox", &["server", "check", &server.name].map(str::to_owned));
    let advice = format!("{advice}; `{seen}` says this for the last time");
    Some(Check::warning(format!("environment:{}", server.name), message, advice))
}

/// A server that does not answer is the person's to judge: it may be switched off today.
async fn check_server(desk: &dyn Desk, server: ServerView) -> Check {
    let name = format!("server:{}", server.name);
    if !server.enabled {
        return Check::ok(name, "it is disabled");
    }
    let checked = match desk.call(Act::CheckServer { server: server.id.to_string() }).await {
        Ok(Reply::Check { check }) => check.server,
        Ok(_) => return failed(&name, &look::odd()),
        Err(error) => return failed(&name, &error),
    };
    match checked.health {
        Health::Ok { latency_ms, .. } => Check::ok(name, format!("it answers in {latency_ms} ms")),
        Health::Unknown { .. } => Check::ok(name, "it was not asked"),
        Health::SignInNeeded { .. } => Check::problem(
            name,
            "it wants a sign-in",
            "give it a header with a token: `signalbox server edit`",
        ),
        Health::Unreachable { message, .. } => Check::problem(
            name,
            format!("it cannot be reached: {message}"),
            "start it, or `signalbox server disable` it",
        ),
        Health::Unusable { code, message, .. } if code == "not_trusted" => Check::problem(
            name,
            format!("it is not started: {message}"),
            "`signalbox server trust` confirms it",
        ),
        Health::Unusable { message, .. } => Check::problem(
            name,
            format!("it cannot be used: {message}"),
            "`signalbox server edit` says anew how to reach it",
        ),
    }
}

const SALVAGE: &str = "close Signalbox, then `signalbox restore FILE` a backup, or `signalbox salvage` what can be had; nothing is overwritten";

fn failed(name: &str, error: &ApiError) -> Check {
    let advice = match error.code {
        Code::StorageDamaged => SALVAGE,
        Code::StorageNewer => "update Signalbox",
        Code::StorageFull => "free some space",
        Code::StorageDenied => {
            "choose another data directory with --home, or mend whose it is and who may write there"
        }
        Code::SecretsLocked => "give the right passphrase; without one all is done that needs no secrets",
        Code::StorageInUse | Code::OwnerGone => "end the program that has it, then try again",
        Code::VersionMismatch => "end the older Signalbox and start it again",
        _ => "`signalbox doctor --json` for a bug report",
    };
    Check::problem(name, error.message.as_str(), advice)
}
