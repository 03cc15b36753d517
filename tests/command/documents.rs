//! The documents compared with what is promised: names, absent against null, times.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use signalbox_tests::{Stage, text};

/// Raw JSON of servers, where anything may stand.
const THEIRS: [&str; 7] = ["arguments", "result", "error", "raw", "schema", "inputSchema", "capabilities"];

const TASK: &[&str] = &[
    "id",
    "server",
    "wire",
    "taskId",
    "tool",
    "origin",
    "arguments",
    "status",
    "outcome",
    "progress",
    "tracking",
    "statusMessage",
    "createdAt",
    "lastUpdatedAt",
    "ttlMs",
    "pollIntervalMs",
    "expiresAt",
    "waitingSince",
    "tags",
    "inputRequests",
];
const WHOLE_TASK: &[&str] =
    &["result", "error", "workedMs", "waitedMs", "timeline", "raw", "remark", "failure", "requestLog"];
const REQUEST: &[&str] = &[
    "id",
    "task",
    "server",
    "identity",
    "key",
    "method",
    "mode",
    "message",
    "schema",
    "url",
    "state",
    "reason",
    "openedAt",
    "expiresAt",
    "attention",
    "snoozed",
    "returnsAt",
];
const PAGE: [&str; 9] =
    ["web", "host", "loopback", "serverHost", "asked", "reads", "scripts", "warnings", "askedBefore"];
const SERVER: &[&str] = &[
    "id",
    "name",
    "origin",
    "command",
    "wire",
    "protocolVersion",
    "health",
    "heardAt",
    "capabilities",
    "supportsTasks",
    "push",
    "roots",
    "trusted",
    "tools",
    "enabled",
    "failure",
];

/// Checks that a document has these members and no others than the allowed ones.
fn has(document: &Value, required: &[&str], allowed: &[&[&str]]) {
    let members: BTreeSet<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    for member in required {
        assert!(members.contains(member), "{member} is promised: {document}");
    }
    let allowed: BTreeSet<&str> = allowed.iter().flat_map(|names| names.iter().copied()).collect();
    let strangers: Vec<_> = members.difference(&allowed).collect();
    assert!(strangers.is_empty(), "{strangers:?} are not promised: {document}");
}

/// Checks what holds for every document: no null but an unlimited TTL, times as promised.
fn sound(document: &Value) {
    let Some(members) = document.as_object() else {
        if let Some(elements) = document.as_array() {
            elements.iter().for_each(sound);
        }
        return;
    };
    for (name, value) in members {
        assert!(!value.is_null() || name == "ttlMs", "{name} should be absent, not null: {document}");
        if name.ends_with("At") || name == "at" {
            let time = value.as_str().unwrap_or_else(|| panic!("{name} is a time: {document}"));
            assert!(time.ends_with('Z'), "{name} is in UTC: {time}");
            let _: jiff::Timestamp =
                time.parse().unwrap_or_else(|e| panic!("{name} is RFC 3339: {time}: {e}"));
        }
        if !THEIRS.contains(&name.as_str()) {
            sound(value);
        }
    }
}
#[tokio::test]
async fn documents_are_as_promised() {
    let stage = Stage::served().await;
    let run = async |args: &[&str]| {
        let done = stage.machine.run(args).await;
        let document = done.document();
        sound(&document);
        document
    };
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    sound(&asked);
    let required = [
        "id",
        "server",
        "wire",
        "taskId",
        "tool",
        "origin",
        "arguments",
        "status",
        "tracking",
        "statusMessage",
        "createdAt",
        "lastUpdatedAt",
        "ttlMs",
        "pollIntervalMs",
        "expiresAt",
        "waitingSince",
        "inputRequests",
        "workedMs",
        "waitedMs",
        "timeline",
        "raw",
        "failure",
    ];
    has(&asked, &required, &[TASK, WHOLE_TASK]);
    has(&asked["raw"], &["create", "last"], &[&["create", "last", "result"]]);
    has(&asked["timeline"][0], &["at", "kind"], &[&["at", "kind", "request", "text", "note"]]);

    let inbox = run(&["inbox"]).await;
    let question = [
        "id",
        "task",
        "server",
        "identity",
        "key",
        "method",
        "mode",
        "message",
        "schema",
        "state",
        "openedAt",
        "expiresAt",
        "attention",
    ];
    has(&inbox["requests"][0], &question, &[REQUEST]);
    let shown = run(&["show", text(&inbox["requests"][0], "id")]).await;
    has(&shown, &[question.as_slice(), &["raw"]].concat(), &[REQUEST, &["raw", "earlierAnswers", "remark"]]);
    assert!(shown.get("earlierAnswers").is_none(), "it was never asked before: {shown}");
    let put_off = run(&["snooze", text(&shown, "id"), "1h"]).await;
    let snoozed = [question.as_slice(), &["raw", "snoozed", "returnsAt"]].concat();
    has(&put_off, &snoozed, &[REQUEST, &["raw"]]);
    assert_eq!(put_off["attention"], "snoozed", "it can be told from what needs its person: {put_off}");
    let back = run(&["snooze", text(&shown, "id"), "off"]).await;
    assert_eq!(
        (&back["attention"], back.get("snoozed")),
        (&inbox["requests"][0]["attention"], None),
        "{back}"
    );

    let signing = stage.asks("sign", "{}").await;
    let shown = run(&["show", text(&signing["inputRequests"][0], "id")]).await;
    has(&shown, &["url", "raw", "page"], &[REQUEST, &["raw", "page"]]);
    has(&shown["page"], &PAGE[..5], &[&PAGE]);

    let unlimited = stage.start("forever", "{}").await;
    assert!(unlimited["ttlMs"].is_null() && unlimited.as_object().unwrap().contains_key("ttlMs"));
    assert!(unlimited.get("expiresAt").is_none(), "{unlimited}");
    let tasks = run(&["tasks"]).await;
    has(&tasks, &["tasks"], &[&["tasks"]]);
    for task in tasks["tasks"].as_array().unwrap() {
        has(task, &["id", "server", "status", "tracking", "createdAt", "inputRequests"], &[TASK]);
    }

    let done = run(&["call", "demo", "build"]).await;
    has(&done, &["outcome", "result", "timeline", "raw"], &[TASK, WHOLE_TASK]);
    let with_log = run(&["show", text(&done, "id"), "--requests"]).await;
    let log = &with_log["requestLog"];
    let members = ["since", "leftOut", "exchanges", "states"];
    has(log, &members, &[&members]);
    let exchange = ["method", "times", "firstAt", "at", "tookMs", "bytes", "brought"];
    has(&log["exchanges"][0], &exchange, &[&exchange]);
    has(&log["states"][0], &["at", "raw"], &[&["at", "raw"]]);
    has(&done["raw"], &["create", "last", "result"], &[&["create", "last", "result"]]);
    assert_eq!(done["raw"]["result"], done["result"]);
    let id = text(&done, "id");
    assert_eq!(run(&["show", id, "--result"]).await, done["result"]);
    let file = stage.machine.path("result.txt");
    let out = ["show", id, "--result", "--part", "1", "--out", file.to_str().unwrap()];
    let saved = run(&out).await;
    has(&saved["saved"], &["file", "bytes"], &[&["file", "bytes"]]);
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(done["result"]["content"][0]["text"], written.as_str(), "the text itself, and no JSON");
    let _ = stage.machine.run(&out).await.failure(2, "usage");
    let _ = stage.machine.run(&["show", id, "--result", "--part", "99"]).await.failure(6, "unknown_item");
    let failed = stage.machine.run(&["call", "demo", "crash"]).await.document();
    sound(&failed);
    has(&failed, &["outcome", "error"], &[TASK, WHOLE_TASK]);

    let servers = run(&["server", "list"]).await;
    has(
        &servers["servers"][0],
        &["id", "name", "origin", "health", "wire", "protocolVersion", "capabilities"],
        &[SERVER],
    );
    has(&run(&["server", "check", "demo"]).await, &["tools"], &[SERVER]);
    let tools = run(&["tools", "demo"]).await;
    let tool = ["name", "title", "description", "destructive", "inputSchema"];
    has(&tools["tools"][0], &["name", "inputSchema"], &[&tool]);

    let again = stage.asks("deploy", r#"{"service":"api"}"#).await;
    let one = text(&again["inputRequests"][0], "id");
    let together = run(&["answer", "--same", one, "--decline", "--yes"]).await;
    has(&together, &["requests", "failures"], &[&["requests", "failures"]]);
    assert_eq!(together["requests"].as_array().map(Vec::len), Some(2), "{together}");
    has(&together["requests"][0], &["id", "state"], &[REQUEST, &["raw"]]);

    let failure = run(&["show", "t99"]).await;
    has(&failure, &["failure"], &[&["failure"]]);
    has(&failure["failure"], &["code", "message", "retry"], &[&["code", "message", "retry", "detail"]]);
}

#[tokio::test]
async fn what_a_server_sent_is_shown_byte_for_byte() {
    let stage = Stage::served().await;
    let done = stage
        .machine
        .run(&["call", "demo", "echo", "--args", r#"{"text":"a\u00e9b","n":1.50}"#])
        .await
        .exits(0);
    assert!(done.stdout.contains(r#""arguments":{"text":"a\u00e9b","n":1.50}"#), "what we sent: {done}");
}

#[tokio::test]
async fn a_link_in_a_result_is_read_from_its_server_when_that_is_asked_for() {
    let linked: fn(&mut Value) = |message| {
        message["result"]["content"] =
            json!([{ "type": "resource_link", "name": "log", "uri": "file:///log" }]);
    };
    // The demo has no resources of its own.
    let there: fn(Vec<u8>) -> Vec<u8> = |bytes| {
        let mut message: Value = serde_json::from_slice(&bytes).unwrap();
        let answer = message.as_object_mut().unwrap();
        answer.remove("error");
        let contents = json!([{ "uri": "file:///log", "text": "all of it\n" }]);
        answer.insert("result".to_owned(), json!({ "resultType": "complete", "contents": contents }));
        message.to_string().into_bytes()
    };
    for stage in Stage::both().await {
        let machine = &stage.machine;
        stage.demo.faults().next(1, "tools/call", signalbox_demo::Fault::Edit(linked));
        let done = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"hello"}"#]).await.ok();
        let read = ["show", text(&done, "id"), "--result", "--part", "1", "--read"];
        let _ = machine.run(&read).await.failure(1, "server_error");
        stage.demo.faults().next(1, "resources/read", signalbox_demo::Fault::Bytes(there));
        let contents = machine.run(&read).await.ok();
        let wanted = json!({ "contents": [{ "uri": "file:///log", "text": "all of it\n", "bytes": 10 }] });
        assert_eq!(contents, wanted);
        stage.demo.faults().next(1, "resources/read", signalbox_demo::Fault::Bytes(there));
        let plain = machine.run_plain(&read).await.exits(0);
        assert_eq!(plain.stdout, "resource file:///log\nall of it\n");
    }
}
