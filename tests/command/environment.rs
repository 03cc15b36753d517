//! What a program gets of our environment: what programs need, what its configuration says, and nothing of others.

use std::collections::BTreeMap;
use std::fs;
use std::sync::mpsc;

use serde_json::{Value, json};
use signalbox_model::{Server, ServerId, Transport};
use signalbox_store::{Batch, BatchKind, Store, Write};
use signalbox_tests::{Machine, each, signalbox, text};

/// A program that writes down its environment, and is the scripted server then.
fn script(machine: &Machine) -> String {
    format!("env > '{}'; exec '{}' demo stdio", machine.path("seen").display(), signalbox().display())
}

/// What the program got when it was started last.
fn seen(machine: &Machine) -> BTreeMap<String, String> {
    let seen = fs::read_to_string(machine.path("seen")).expect("it was started");
    fs::remove_file(machine.path("seen")).unwrap();
    let pairs = seen.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn machine() -> Machine {
    let ours = [
        ("SECRET_OF_OTHER", "hunter2"),
        ("LC_SECRET", "hunter2"),
        ("PYTHONPATH", "/ours"),
        ("LD_PRELOAD", ""),
        ("LC_TIME", "C"),
        ("TZ", "UTC"),
        ("HTTPS_PROXY", "http://me:hunter2@127.0.0.1:9"),
        ("no_proxy", "127.0.0.1,localhost"),
        ("GIVEN", "as named"),
    ];
    ours.iter().fold(Machine::new(), |machine, (name, value)| machine.with(name, *value))
}

/// Registers the program `lab`, and another server that refers to two of our variables.
async fn register(machine: &Machine) {
    let url = "http://127.0.0.1:9/mcp";
    let (header, other) = ("Authorization=env:SECRET_OF_OTHER", "X-Key=env:LC_SECRET");
    let add = ["server", "add", "other", "--url", url, "--header", header, "--header", other];
    let _ = machine.run(&add).await.ok();
    let (script, own) = (script(machine), "OWN=env:GIVEN");
    let add = ["server", "add", "lab", "--env", own, "--env-plain", "MODE=fast", "--", "sh", "-c", &script];
    let _ = machine.run(&add).await.ok();
}

#[tokio::test]
async fn a_program_does_not_see_what_is_meant_for_another() {
    for served in [true, false] {
        let machine = machine();
        register(&machine).await;
        let owner = if served { Some(machine.serve().await) } else { None };
        let _ = machine.run(&["server", "check", "lab"]).await.ok();
        let env = seen(&machine);
        let of = |name: &str| env.get(name).map(String::as_str);
        for name in ["SECRET_OF_OTHER", "LC_SECRET", "PYTHONPATH", "LD_PRELOAD", "SIGNALBOX_HOME", "GIVEN"] {
            assert_eq!(of(name), None, "{name}: {env:?}");
        }
        assert!(!env.values().any(|value| value.contains("hunter2")), "under no name: {env:?}");
        assert_eq!((of("OWN"), of("MODE")), (Some("as named"), Some("fast")), "what its configuration says");
        for name in ["HOME", "PATH", "LANG", "LC_TIME", "TZ", "TMPDIR", "XDG_RUNTIME_DIR", "no_proxy"] {
            assert!(of(name).is_some_and(|value| !value.is_empty()), "{name}: {env:?}");
        }
        assert_eq!(of("HTTPS_PROXY"), Some("http://127.0.0.1:9"), "without who we are to it");

        let given = machine.run(&["server", "edit", "lab", "--env-pass", "PYTHONPATH"]).await.ok();
        assert_eq!(each(&given["env"], "name"), ["OWN", "MODE", "PYTHONPATH"], "beside the others: {given}");
        assert_eq!(given["env"][2]["from"], "env:PYTHONPATH");
        let _ = machine.run(&["server", "check", "lab"]).await.ok();
        let env = seen(&machine);
        assert_eq!(env.get("PYTHONPATH").map(String::as_str), Some("/ours"), "{env:?}");
        assert_eq!(env.get("SECRET_OF_OTHER"), None, "{env:?}");
        let refused = machine.run(&["server", "edit", "other", "--env-pass", "PYTHONPATH"]).await;
        let _ = refused.failure(2, "usage");
        if let Some(owner) = owner {
            let _ = owner.terminate().await.exits(0);
        }
    }
}

#[tokio::test]
async fn what_is_named_later_is_kept_from_the_next_start() {
    let machine = machine();
    let _ = machine.run(&["server", "add", "lab", "--", "sh", "-c", &script(&machine)]).await.ok();
    let owner = machine.serve().await;
    let _ = machine.run(&["server", "check", "lab"]).await.ok();
    assert_eq!(
        seen(&machine).get("LC_SECRET").map(String::as_str),
        Some("hunter2"),
        "a locale, for all we know"
    );
    let url = "http://127.0.0.1:9/mcp";
    let _ = machine.run(&["server", "add", "other", "--url", url, "--header", "X=env:LC_SECRET"]).await.ok();
    for switch in ["disable", "enable", "check"] {
        let _ = machine.run(&["server", switch, "lab"]).await.ok();
    }
    assert_eq!(seen(&machine).get("LC_SECRET"), None);
    let _ = owner.terminate().await.exits(0);
}

/// Keeps a server as a version did that gave programs all of its environment.
fn known_before(machine: &Machine, transport: Transport) {
    let store = Store::open(&machine.data()).unwrap();
    let (done, committed) = mpsc::channel();
    let writes = vec![Write::PutServer(Server::new(ServerId(1), "lab", transport))];
    let done = Box::new(move |result| done.send(result).unwrap());
    store.submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
    committed.recv().unwrap().unwrap();
    store.close();
}

/// What `doctor` says of the environment of `lab`.
async fn told(machine: &Machine) -> Option<Value> {
    let doctor: Value = serde_json::from_str(&machine.run(&["doctor"]).await.stdout).unwrap();
    doctor["checks"].as_array().unwrap().iter().find(|check| check["name"] == "environment:lab").cloned()
}

#[tokio::test]
async fn of_servers_known_before_what_they_lose_is_said_until_it_was_seen() {
    let machine = machine();
    let args = vec!["-c".to_owned(), script(&machine)];
    known_before(&machine, Transport::Stdio { command: "sh".into(), args, env: Vec::new(), cwd: None });
    let later = ["server", "add", "later", "--", "sh", "-c", "exit"];
    let _ = machine.run(&later).await.ok();

    let doctor = machine.run(&["doctor"]).await;
    assert!(!doctor.stdout.contains("hunter2"), "names only: {doctor}");
    assert!(!doctor.stdout.contains("environment:later"), "of later ones there is nothing to say: {doctor}");
    let lost = told(&machine).await.expect("doctor says it");
    assert_eq!(lost["state"], "warning", "{lost}");
    let message = text(&lost, "message");
    let proxy = "it gets HTTPS_PROXY without the user name and the password in it";
    let all = "This program no longer gets GIVEN, LD_PRELOAD, PYTHONPATH, SECRET_OF_OTHER";
    assert_eq!(message, format!("{all}; {proxy}"));
    assert!(
        text(&lost, "advice").contains("`signalbox server edit lab --env-pass GIVEN` gives one back"),
        "{lost}"
    );

    let checked = machine.run(&["server", "check", "lab"]).await.ok();
    assert_eq!(checked["withheld"]["names"].as_array().unwrap().len(), 4, "{checked}");
    assert!(told(&machine).await.is_some(), "a script is no person");
    let _ =
        machine.run(&["server", "edit", "lab", "--env-pass", "GIVEN", "--env-pass", "LD_PRELOAD"]).await.ok();
    let left = told(&machine).await.expect("the others are still said");
    let others = format!("This program no longer gets PYTHONPATH, SECRET_OF_OTHER; {proxy}");
    assert_eq!(text(&left, "message"), others);

    let shown = machine.run_plain(&["server", "check", "lab"]).await.exits(0);
    assert!(shown.stdout.contains(&format!("{others}.")), "{shown}");
    assert!(told(&machine).await.is_some(), "what went to a pipe was seen by nobody");
    let rest = ["PYTHONPATH", "SECRET_OF_OTHER", "HTTPS_PROXY"].map(|name| ["--env-pass", name]).concat();
    let _ = machine.run(&[&["server", "edit", "lab"], &rest[..]].concat()).await.ok();
    assert_eq!(told(&machine).await, None, "all were given back");
    assert_eq!(seen(&machine).get("GIVEN").map(String::as_str), Some("as named"), "it was given back");
    let checked = machine.run(&["server", "check", "lab"]).await.ok();
    assert_eq!(checked.get("withheld"), None, "{checked}");
    assert_eq!(checked["trusted"], json!(true));
}
