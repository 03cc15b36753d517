//! `doctor`: servers side by side, told as found, and an end in its time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Cursor, Desk, Owner, OwnerKind, Reply, ServerCheck,
    ServerView, Trouble, Verified, View, command, doctor::CheckState,
};
use signalbox_model::{Health, Hindrance, Note, NoteCode, Reason, ServerId, Timestamp};
use tokio::sync::Barrier;
use tokio::time::Instant;

use super::Trial;
use super::desk::{Scripted, World, http};
use crate::commands::doctor::{self, Findings, at_the_desk, in_time};
use crate::exit::Exit;

/// Some servers answer a check only in the company of so many others, some never.
struct Servers {
    desk: Scripted,
    company: Barrier,
    silent: BTreeSet<ServerId>,
    under_way: AtomicUsize,
    most: AtomicUsize,
}

impl Servers {
    fn new(count: u32, company: usize, silent: impl IntoIterator<Item = u32>) -> Self {
        let server = |n| ServerView { id: ServerId(n), name: format!("s{n}"), ..http() };
        let world = World { servers: (1..=count).map(server).collect(), ..World::default() };
        Self {
            desk: Scripted::showing(world),
            company: Barrier::new(company),
            silent: silent.into_iter().map(ServerId).collect(),
            under_way: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    async fn check(&self, named: &str) -> Result<Reply, ApiError> {
        let found = self.desk.world().servers.iter().find(|server| server.id.to_string() == named).cloned();
        let server = found.unwrap();
        let under_way = self.under_way.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(under_way, Ordering::Relaxed);
        if self.silent.contains(&server.id) {
            std::future::pending::<()>().await;
        }
        self.company.wait().await;
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        Ok(Reply::Check { check: ServerCheck { server, tools: Some(0) } })
    }
}

impl Desk for Servers {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            match command {
                Command::CheckServer(command::CheckServer { server }) => self.check(&server).await,
                Command::CheckStore(_) => Ok(Reply::Problems(command::Problems { problems: Vec::new() })),
                Command::Verify(_) => {
                    let verified = Verified { entries: 3, answers: 1, count: 0, findings: Vec::new() };
                    Ok(Reply::Verified { verified })
                }
                other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
            }
        })
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        self.desk.changes(view, after, wait)
    }
}

/// The states of what was looked at, by name.
fn states(document: &Value) -> Vec<(&str, &str)> {
    let checks = document["checks"].as_array().unwrap().iter();
    checks.map(|check| (check["name"].as_str().unwrap(), check["state"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn servers_are_looked_at_side_by_side_but_not_all_at_once() {
    let servers = Servers::new(24, 8, []);
    let trial = Trial::json();
    let findings = Findings::on(&trial.console);
    let looking = at_the_desk(&servers, false, None, &findings);
    let ended = tokio::time::timeout(Duration::from_secs(60), in_time(looking, None)).await;
    assert!(matches!(ended, Ok(Ok(None))), "each waits for seven others: {ended:?}");
    assert_eq!(servers.most.load(Ordering::Relaxed), 8);
    assert_eq!(findings.end(None).unwrap(), Exit::Failed, "this desk knows of no secrets");
    let document = trial.document();
    let names: Vec<&str> = states(&document)
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("server:"))
        .collect();
    let all: Vec<String> = (1..=24).map(|n| format!("server:s{n}")).collect();
    assert_eq!(names, all, "in their order, whoever was first");
}

#[tokio::test(start_paused = true)]
async fn when_the_time_is_up_it_says_what_it_found_and_what_it_did_not_look_at() {
    let begun = Instant::now();
    let trial = Trial::json();
    let findings = Findings::on(&trial.console);
    let servers = Servers::new(12, 1, (1..=12).filter(|n| *n != 3));
    let looking = at_the_desk(&servers, false, None, &findings);
    let early = in_time(looking, Some(begun + Duration::from_secs(5))).await.unwrap();
    assert_eq!(begun.elapsed(), Duration::from_secs(5), "in its time");
    assert_eq!(findings.end(early).unwrap(), Exit::TimedOut, "although there was a problem");
    let document = trial.document();
    let found = states(&document);
    assert!(found.contains(&("store", "ok")) && found.contains(&("server:s3", "ok")), "{document}");
    let with = |message| {
        let checks = document["checks"].as_array().unwrap().iter();
        checks.filter(|check| check["message"] == message).count()
    };
    assert_eq!(with("it did not answer within 5 s"), 8, "those that were asked: {document}");
    assert_eq!(with("not checked in time"), 3, "those whose turn had not come: {document}");
    assert!(trial.err.text().contains("the time was up"), "{}", trial.err.text());
}

#[tokio::test(start_paused = true)]
async fn people_read_it_as_it_is_found() {
    let trial = Trial::text();
    let findings = Findings::on(&trial.console);
    let servers = Servers::new(2, 1, [1]);
    let looking = at_the_desk(&servers, false, None, &findings);
    let early = in_time(looking, Some(Instant::now() + Duration::from_secs(5))).await.unwrap();
    let before = trial.out.text();
    assert!(before.contains("store: every page") && before.contains("server:s2: it answers"), "{before}");
    assert_eq!(findings.end(early).unwrap(), Exit::TimedOut);
    let all = trial.out.text();
    assert!(all.starts_with(&before), "once each");
    assert!(all[before.len()..].contains("server:s1: it did not answer within 5 s"), "{all}");
}

#[tokio::test]
async fn a_server_that_asks_more_than_is_taken_is_told() {
    let trial = Trial::json();
    let findings = Findings::on(&trial.console);
    let servers = [(1, "calm"), (2, "noisy")].map(|(id, name)| ServerView {
        id: ServerId(id),
        name: name.into(),
        left_out: (name == "noisy").then_some(7),
        ..http()
    });
    let world = World { servers: servers.into(), ..World::default() };
    let servers = Servers { desk: Scripted::showing(world), ..Servers::new(0, 1, []) };
    at_the_desk(&servers, false, None, &findings).await.unwrap();
    findings.end(None).unwrap();
    let document = trial.document();
    let told: Vec<_> =
        states(&document).into_iter().filter(|(name, _)| name.starts_with("questions:")).collect();
    assert_eq!(told, [("questions:noisy", "warning")], "{document}");
    let checks = document["checks"].as_array().unwrap().iter();
    let message = checks
        .filter_map(|check| check["message"].as_str())
        .find(|text| text.contains("more than Signalbox takes"));
    assert!(message.is_some_and(|text| text.contains("7 questions are not shown")), "{document}");
}

#[tokio::test]
async fn where_nobody_counts_the_questions_that_are_not_shown_it_says_so() {
    for ours in [true, false] {
        let trial = Trial::text();
        let findings = Findings::on(&trial.console);
        at_the_desk(&Servers::new(1, 1, []), ours, None, &findings).await.unwrap();
        findings.end(None).unwrap();
        let text = trial.out.text();
        let says =
            text.lines().any(|line| line.contains("owner:") && line.contains("nobody counts the questions"));
        assert_eq!(says, ours, "an owner that goes on counts them: {text}");
        assert!(!text.contains("questions:s1"), "of a server nothing is said that nobody knows: {text}");
    }
}

#[tokio::test]
async fn an_owner_that_cannot_notify_anybody_is_no_problem() {
    let trial = Trial::json();
    let findings = Findings::on(&trial.console);
    let trouble = |code: Code| Trouble { code, message: "why".to_owned(), detail: None };
    let troubles = vec![trouble(Code::NotificationsFailed), trouble(Code::StorageFull)];
    let desk = Scripted::showing(World { troubles, ..World::default() });
    let servers = Servers { desk, ..Servers::new(0, 1, []) };
    at_the_desk(&servers, false, None, &findings).await.unwrap();
    findings.end(None).unwrap();
    let document = trial.document();
    let states = states(&document);
    assert!(states.contains(&("notifications_failed", "warning")), "all else is done: {document}");
    assert!(states.contains(&("storage_full", "problem")), "{document}");
}

#[test]
fn each_kind_of_trouble_has_its_own_advice() {
    let advice = |reason: Note| {
        let health =
            Health::Unreachable { note: reason, since: Timestamp(0), tried_at: None, retry_at: Timestamp(0) };
        crate::text::advice::of_health(&ServerView { name: "the lab".into(), health, ..http() }).unwrap()
    };
    let said = || Hindrance::from("why");
    for (reason, part) in [
        (Reason::VariableNotSet { name: "MY_TOKEN".into() }, "Set MY_TOKEN where Signalbox starts"),
        (Reason::NotStarted { program: "x".into(), said: said() }, "Check its path, or install it"),
        (Reason::ProgramEnded { exit: None, wrote: None }, "Run the program at a terminal"),
        (Reason::HostNotFound { said: said() }, "Check the address"),
        (Reason::SecretMissing { said: said() }, "gives it the secret again"),
        (
            Reason::Unreachable { said: said() },
            "Start it, or switch it off here with `signalbox server disable",
        ),
    ] {
        let advice = advice(reason.into());
        assert!(advice.contains(part) && advice.contains("'the lab'"), "{part}: {advice}");
    }
    let locked = advice(Reason::SecretsLocked { said: said() }.into());
    assert!(locked.contains("signalbox secrets unlock"), "{locked}");
    let earlier = advice(Note::said(NoteCode::Unreachable, said().to_string()));
    assert!(earlier.contains("Start it"), "what an earlier version kept: {earlier}");
}

#[test]
fn an_owner_of_another_version_is_told_although_it_answers() {
    let owner = |version: &str| {
        let owner = Owner {
            kind: OwnerKind::Serve,
            pid: 42,
            version: version.into(),
            home: String::new(),
            logs: None,
        };
        doctor::owner(&owner, false)
    };
    assert_eq!(owner(env!("CARGO_PKG_VERSION")).state, CheckState::Ok);
    let other = owner("0.0.9");
    assert_eq!(other.state, CheckState::Warning);
    assert!(
        other.message.contains("0.0.9") && other.message.contains(env!("CARGO_PKG_VERSION")),
        "{}",
        other.message
    );
    assert!(other.advice.is_some_and(|advice| advice.contains("signalbox quit")), "and what can be done");
}
