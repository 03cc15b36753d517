//! Servers out of the configurations of other clients: proposed, never run.

use std::fs;

use serde_json::{Value, json};
use signalbox_tests::{Machine, Stage, each, signalbox, text};

/// A client's configuration in this machine's home folder: a program that leaves a mark when it is started, and the server of
/// the stage.
fn configured(machine: &Machine, url: &str) {
    let script =
        format!("touch '{}'; exec '{}' demo stdio", machine.path("started").display(), signalbox().display());
    let config = json!({ "mcpServers": {
        "lab": { "command": "sh", "args": ["-c", script], "env": { "KEY": "${LAB_KEY}" } },
        "billing": { "url": url, "headers": { "X-Token": "${env:BILLING_TOKEN}" } },
        "asks": { "command": "npx", "env": { "KEY": "${input:key}" } },
    } });
    let folder = machine.path("home").join(".cursor");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mcp.json"), format!("// mine\n{config}")).unwrap();
}

fn was_started(machine: &Machine) -> bool {
    machine.path("started").exists()
}

fn names<'a>(document: &'a Value, list: &str) -> Vec<&'a str> {
    each(&document[list], "name")
}

#[tokio::test]
async fn what_another_client_has_is_taken_over_and_waits_for_consent() {
    for owned in [false, true] {
        let mut stage = Stage::alone().await;
        stage.machine = stage.machine.with("BILLING_TOKEN", "b-token").with("LAB_KEY", "a-key");
        configured(&stage.machine, &stage.demo.url());
        if owned {
            stage.serve().await;
        }
        let machine = &stage.machine;
        let planned = machine.run(&["import", "cursor", "--dry-run"]).await.ok();
        assert_eq!(names(&planned, "servers"), ["lab", "billing"], "{planned}");
        assert_eq!(planned["servers"][0]["env"], json!(["KEY"]), "what it would be given is named");
        let listed = machine.run(&["server", "list"]).await.ok();
        assert_eq!(names(&listed, "servers"), ["demo"], "a dry run registers nothing");

        let imported = machine.run(&["import"]).await.exits(1).document();
        assert_eq!(names(&imported, "servers"), ["lab", "billing"], "one was not imported: {imported}");
        assert_eq!(imported["servers"][0]["trusted"], false, "{imported}");
        assert_eq!(names(&imported, "skipped"), ["asks"]);
        assert!(text(&imported["skipped"][0], "why").contains("${input:key}"), "{imported}");

        let checked = machine.run(&["server", "check", "lab"]).await.exits(2).document();
        assert_eq!(checked["failure"]["code"], "not_trusted", "{checked}");
        let _ = machine.run(&["tools", "lab"]).await.failure(2, "not_trusted");
        assert!(!was_started(machine), "nobody has confirmed it");
        let trusted = machine.run(&["server", "trust", "lab", "--yes"]).await.ok();
        assert_eq!(trusted["tools"], 19, "{trusted}");
        assert!(was_started(machine), "now somebody has");
        let billing = machine.run(&["server", "check", "billing"]).await.ok();
        assert_eq!(billing["tools"], 19, "a URL needs no consent: {billing}");

        let again = machine.run(&["import", "cursor"]).await.exits(1).document();
        assert_eq!(again["servers"], json!([]));
        assert_eq!(names(&again, "skipped"), ["asks", "lab", "billing"]);
        assert!(text(&again["skipped"][1], "why").contains("registered already"), "{again}");
    }
}

#[tokio::test]
async fn what_cannot_be_taken_over_is_said_and_harms_nothing() {
    let stage = Stage::alone().await;
    let machine = &stage.machine;
    let none = machine.run(&["import"]).await.failure(2, "usage");
    assert!(text(&none, "message").contains("claude_desktop_config.json"), "where it looked: {none}");
    let _ = machine.run(&["import", "/no/such/file"]).await.failure(2, "usage");
    for content in ["<html>", "{}", r#"{"mcpServers": {"#] {
        let file = machine.file("page", content);
        let _ = machine.run(&["import", &file]).await.failure(2, "usage");
    }
    let taken = json!({ "servers": {
        "demo": { "url": "https://example.com/mcp" },
        "s1": { "command": "true" },
        "page": { "url": "ftp://example.com" },
        "fine": { "command": "true" },
    } });
    let file = machine.file("mcp.json", &taken.to_string());
    let imported = machine.run(&["import", &file]).await.exits(1).document();
    assert_eq!(names(&imported, "servers"), ["fine"], "{imported}");
    let skipped = names(&imported, "skipped");
    assert_eq!(skipped, ["demo", "s1", "page"], "{imported}");
    assert!(text(&imported["skipped"][0], "why").contains("has this name"), "{imported}");
    let listed = machine.run(&["server", "list"]).await.ok();
    assert_eq!(names(&listed, "servers"), ["demo", "fine"]);
}

#[tokio::test]
async fn values_in_the_clear_are_kept_where_secrets_are_kept() {
    let machine = Machine::new();
    let passphrase = machine.file("passphrase", "correct horse battery");
    let config = json!({ "mcpServers": { "lab": { "url": "https://example.com", "headers": { "A": "hunter2-hunter2" } } } });
    let file = machine.file("mcp.json", &config.to_string());
    let refused = machine.run(&["import", &file]).await.exits(1).document();
    assert!(text(&refused["skipped"][0], "why").contains("--plain"), "what else can be done: {refused}");
    let _ = machine.run(&["secrets", "keep", "file", "--passphrase-file", &passphrase]).await.ok();
    let imported = machine.run(&["import", &file, "--passphrase-file", &passphrase]).await.ok();
    assert_eq!(names(&imported, "servers"), ["lab"], "{imported}");
    for entry in fs::read_dir(machine.data()).unwrap() {
        let content = fs::read(entry.unwrap().path()).unwrap_or_default();
        let found = content.windows(15).any(|part| part == b"hunter2-hunter2");
        assert!(!found, "the value stands in no file in the clear");
    }
}

#[tokio::test]
async fn every_value_has_another_way_than_a_keychain() {
    let machine = Machine::new();
    let env = json!({ "LEVEL": "debug", "API_KEY": "hunter2-hunter2", "JUNK": "x" });
    let config = json!({ "mcpServers": { "lab": { "command": "true", "env": env } } });
    let file = machine.file("mcp.json", &config.to_string());
    let _ = machine.run(&["import", &file, "--plain", "API_KEY"]).await.failure(2, "usage");
    let ways = ["--plain", "LEVEL", "--from-env", "lab:API_KEY=LAB_KEY", "--leave-out", "JUNK"];
    let line: Vec<&str> = ["import", &file].into_iter().chain(ways).collect();
    let imported = machine.run(&line).await.ok();
    let given = json!([{ "name": "LEVEL", "value": "debug" }, { "name": "API_KEY", "from": "env:LAB_KEY" }]);
    assert_eq!(imported["servers"][0]["env"], given, "{imported}");
    assert_eq!(imported["servers"][0]["trusted"], false, "and it waits for consent: {imported}");
}
