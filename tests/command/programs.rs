//! Servers that are programs: children of whoever owns the data directory.

use serde_json::{Value, json};
use signalbox_tests::{Machine, said, signalbox, text};

/// A machine with the scripted server as a program that keeps its tasks in a file.
async fn machine() -> Machine {
    let machine = Machine::new();
    let program = signalbox().into_os_string().into_string().unwrap();
    let (state, journal) = (machine.path("tasks"), machine.path("journal"));
    let [state, journal] = [&state, &journal].map(|path| path.to_str().unwrap());
    let demo = ["demo", "stdio", "--speed", "instant", "--state", state, "--journal", journal];
    let add = [&["server", "add", "local", "--", &program], demo.as_slice()].concat();
    let added = machine.run(&add).await.ok();
    assert!(text(&added, "command").ends_with(&demo.join(" ")), "the exact command: {added}");
    machine
}

fn taken(machine: &Machine) -> Vec<Value> {
    let journal = std::fs::read_to_string(machine.path("journal")).unwrap();
    let entries = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries.filter(|entry| entry["kind"] == "taken").collect()
}
#[tokio::test]
async fn one_child_serves_while_there_is_an_owner() {
    let machine = machine().await;
    let owner = machine.serve().await;
    let server = machine.run(&["server", "check", "local"]).await.ok();
    assert_eq!((&server["health"]["state"], &server["tools"]), (&json!("ok"), &json!(19)));
    let args = ["call", "local", "deploy", "--args", r#"{"service":"web"}"#];
    let asked = machine.run(&[args.as_slice(), &["--no-input"]].concat()).await.exits(3).document();
    let content = r#"{"approved":true,"rollout":"gradual"}"#;
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content", content];
    let _ = machine.run(&answer).await.ok();
    let _ = machine.run(&["watch", text(&asked, "id")]).await.exits(0);
    let task = machine.run(&["show", text(&asked, "id")]).await.ok();
    assert_eq!(said(&task), "Deployed web latest to eu-west.");
    let detached = machine.run(&[args.as_slice(), &["--detach"]].concat()).await.ok();
    assert!(detached["taskId"].is_string(), "{detached}");
    let _ = owner.terminate().await.exits(0);
    assert_eq!(taken(&machine).len(), 1);
}

#[tokio::test]
async fn without_an_owner_each_command_starts_it_again() {
    let machine = machine().await;
    let args = ["call", "local", "deploy", "--args", r#"{"service":"web"}"#];
    let stopped = machine.run(&[args.as_slice(), &["--no-input"]].concat()).await.exits(3);
    assert!(stopped.stderr.contains("serve"), "it says that the program ends with the command: {stopped}");
    let asked = stopped.document();
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--decline"];
    let _ = machine.run(&answer).await.ok();
    let _ = machine.run(&["watch", text(&asked, "id")]).await.exits(0);
    assert_eq!(taken(&machine).len(), 1, "taken once over three lives of the program");
    let refused = machine.run(&[args.as_slice(), &["--detach"]].concat()).await.failure(2, "needs_owner");
    assert!(text(&refused, "message").contains("serve"), "with advice: {refused}");
}

#[tokio::test]
async fn a_program_gets_its_environment_and_folder() {
    let machine = Machine::new().with("CI_TOKEN", "from outside");
    let seen = machine.path("seen");
    let folder = machine.path("home");
    let script = format!("printf '%s|%s|%s' \"$TOKEN\" \"$PWD\" \"$1\" > {}; exit 3", seen.display());
    let add = [
        "server",
        "add",
        "odd",
        "--env",
        "TOKEN=env:CI_TOKEN",
        "--cwd",
        folder.to_str().unwrap(),
        "--",
        "sh",
        "-c",
        &script,
        "sh",
        "$HOME; no shell reads this",
    ];
    let _ = machine.run(&add).await.ok();
    let _ = machine.run(&["server", "check", "odd"]).await.exits(4);
    let seen = std::fs::read_to_string(seen).unwrap();
    assert_eq!(seen, format!("from outside|{}|$HOME; no shell reads this", folder.display()));
}

#[tokio::test]
async fn a_command_that_nobody_confirmed_is_not_started() {
    let machine = machine().await;
    let added = machine.run(&["server", "list"]).await.ok();
    assert_eq!(added["servers"][0]["trusted"], true, "typing it is consent: {added}");
    let _ = machine.run(&["salvage"]).await.ok();
    let mut owner = None;
    for _ in 0..2 {
        let checked = machine.run(&["server", "check", "local"]).await.exits(2).document();
        assert_eq!(
            (&checked["trusted"], &checked["failure"]["code"]),
            (&json!(false), &json!("not_trusted"))
        );
        let refused = machine.run(&["call", "local", "echo", "--args", r#"{"text":"x"}"#]).await;
        assert!(text(&refused.failure(2, "not_trusted"), "message").contains("server trust"), "with advice");
        let _ = machine.run(&["tools", "local"]).await.failure(2, "not_trusted");
        let asked = machine.run(&["server", "trust", "local"]).await;
        assert!(asked.stderr.contains("\"--journal\""), "exactly what would be run is shown: {asked}");
        let _ = asked.failure(3, "input_needed");
        assert!(!machine.path("journal").exists(), "it has never run");
        if owner.is_none() {
            owner = Some(machine.serve().await);
        }
    }
    let trusted = machine.run(&["server", "trust", "local", "--yes"]).await.ok();
    assert_eq!((&trusted["trusted"], &trusted["tools"]), (&json!(true), &json!(19)), "{trusted}");
    let _ = owner.unwrap().terminate().await.exits(0);
    let _ = machine.run(&["call", "local", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
}
