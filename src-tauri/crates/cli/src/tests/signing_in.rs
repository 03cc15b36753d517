//! `server login` and `server logout`.

use signalbox_api::{ApiError, Code, Command, Reply, ServerCheck, command};
use signalbox_model::Health;

use super::desk::{Scripted, World, http};
use super::{Trial, at};
use crate::exit::Exit;

const PAGE: &str = "https://login.example.com/authorize?state=1";

fn check(health: Health) -> Reply {
    let mut server = http();
    server.health = health;
    Reply::Check { check: ServerCheck { server, tools: None } }
}

#[tokio::test]
async fn a_login_shows_the_address_and_waits_for_the_end() {
    let since = at("2026-07-28T10:00:00Z");
    let table = [
        (Health::Ok { latency_ms: 3, clock_ahead_ms: None }, Exit::Done),
        (Health::SignInNeeded { since }, Exit::SignInNeeded),
    ];
    for (health, exit) in table {
        let desk = Scripted::new(World::default(), move |_, command| match command {
            Command::SignIn(_) => {
                Ok(Reply::SignIn(command::SignInBegun { url: Some(PAGE.into()), attempt: "7-2".into() }))
            }
            Command::AwaitSignIn(command::AwaitSignIn { attempt, .. }) if attempt == "7-2" => {
                Ok(check(health.clone()))
            }
            other => panic!("a login has no reason for {other:?}"),
        });
        let trial = Trial::json();
        assert_eq!(trial.run(&desk, &["server", "login", "ci"]).await.unwrap(), exit);
        assert!(trial.err.text().contains(PAGE), "a person must see where to go: {}", trial.err.text());
        assert_eq!(trial.document()["name"], "ci", "and stdout is for the document alone");
        let asked: Vec<_> = desk.world().commands.iter().map(|command| format!("{command:?}")).collect();
        assert_eq!(asked.len(), 2, "begun once, awaited once: {asked:?}");
    }
}

#[tokio::test]
async fn a_login_that_fails_says_why() {
    let desk = Scripted::new(World::default(), |_, command| match command {
        Command::SignIn(_) => Ok(Reply::SignIn(command::SignInBegun { url: None, attempt: "7-1".into() })),
        _ => Err(ApiError::new(Code::SignInNeeded, "the authorization server refused (access_denied)")),
    });
    let trial = Trial::text();
    let failure = trial.run(&desk, &["server", "login", "ci"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::SignInNeeded);
    assert!(failure.to_string().contains("access_denied"), "{failure}");
    assert_eq!(trial.err.text(), "", "a machine signs in without an address");
}

#[tokio::test]
async fn a_logout_says_what_stays_valid() {
    let world = World { servers: vec![http()], ..World::default() };
    let desk = Scripted::new(world, |_, command| match command {
        Command::SignOut(_) => Ok(Reply::SignedOut(command::SignedOut {
            valid_still: Some("the authorization server takes nothing back".into()),
        })),
        other => panic!("a logout has no reason for {other:?}"),
    });
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &["server", "logout", "ci"]).await.unwrap(), Exit::Done);
    assert!(trial.err.text().contains("stays valid"), "{}", trial.err.text());
    assert_eq!(trial.document()["name"], "ci");
}

#[tokio::test]
async fn an_edit_replaces_what_signing_in_takes() {
    let desk = Scripted::new(World::default(), |_, command| match command {
        Command::SetAccess(_) => Ok(Reply::Server { server: http() }),
        other => panic!("nothing else was named: {other:?}"),
    });
    let line = [
        "server",
        "edit",
        "ci",
        "--client-id",
        "signalbox",
        "--client-secret",
        "env:SECRET",
        "--machine",
        "--scope",
        "tasks",
        "--scope",
        "tools",
        "--ca",
        "/etc/ca.pem",
        "--proxy",
        "http://proxy:3128",
    ];
    Trial::json().run(&desk, &line).await.unwrap();
    Trial::json().run(&desk, &["server", "edit", "ci", "--no-access"]).await.unwrap();
    let world = desk.world();
    let accesses: Vec<_> = world
        .commands
        .iter()
        .map(|command| match command {
            Command::SetAccess(command::SetAccess { access, .. }) => serde_json::to_value(access).unwrap(),
            other => panic!("{other:?}"),
        })
        .collect();
    let named = serde_json::json!({
        "caCertificates": ["/etc/ca.pem"],
        "proxy": "http://proxy:3128",
        "clientId": "signalbox",
        "clientSecret": { "kind": "reference", "secret": { "kind": "env", "var": "SECRET" } },
        "scopes": ["tasks", "tools"],
        "machine": true,
    });
    let none = serde_json::json!({ "caCertificates": [], "scopes": [], "machine": false });
    assert_eq!(accesses, [named, none]);
}
