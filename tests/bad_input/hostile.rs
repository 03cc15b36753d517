//! Servers that send what they should not: shown harmless, refused with a reason, and never believed.

use serde_json::json;
use signalbox_demo::Fault;
use signalbox_tests::{Done, Machine, Stage, text};

use crate::beside::Beside;

/// Escape sequences, a bell, a direction override, an isolate: none may reach a terminal.
const TRICKS: &str = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\u{202e}evil\u{2066}\r\n$(reboot)";

fn harmless(done: &Done) {
    for (what, text) in [("stdout", &done.stdout), ("stderr", &done.stderr)] {
        let bad = text.chars().find(|c| {
            (c.is_control() && *c != '\n' && *c != '\t')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(bad, None, "{what} would obey a server: {done}");
    }
}

#[tokio::test]
async fn texts_that_would_command_a_terminal() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let tricks = |name: &str| json!({ name: TRICKS }).to_string();
        let asked = stage.asks("deploy", &tricks("service")).await;
        assert!(
            text(&asked["inputRequests"][0], "message").contains('\u{202e}'),
            "documents hold what was sent"
        );
        let (task, request) = (text(&asked, "id"), text(&asked["inputRequests"][0], "id"));
        let echo = tricks("text");
        let lines: [&[&str]; 9] = [
            &["show", task],
            &["show", request],
            &["tasks"],
            &["inbox"],
            &["call", "demo", "echo", "--args", &echo],
            &["call", "demo", TRICKS, "--args", "{}"],
            &["answer", request, "--accept", "--content", "{}"],
            &["answer", request, "--decline"],
            &["watch", task],
        ];
        for line in lines {
            let done = machine.run_plain(line).await;
            harmless(&done);
            assert!(!done.stdout.is_empty() || !done.stderr.is_empty(), "it says something: {done}");
        }
        let failed = machine.run(&["call", "demo", TRICKS, "--args", "{}"]).await;
        assert_eq!(failed.documents().len(), 1, "one document, on one line: {failed}");
    }
}

#[tokio::test]
async fn answers_to_a_call_that_are_none() {
    let faults = [
        (Fault::Garbage, "garbage"),
        (Fault::HtmlPage, "a page"),
        (Fault::NoId, "an answer to nobody"),
        (Fault::Cut, "half an answer"),
    ];
    for (fault, what) in faults {
        let stage = Stage::served().await;
        // Found out what it is before it goes wrong.
        let _ = stage.machine.run(&["server", "check", "demo"]).await.ok();
        stage.demo.faults().next(1, "tools/call", fault);
        let called = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await;
        assert!(matches!(called.code, Some(1 | 4)), "{what}: {called}");
        let task = called.document();
        assert!(["unknown", "protocol_error"].contains(&text(&task, "outcome")), "{what}: {task}");
        let ended = task["timeline"].as_array().unwrap().last().unwrap();
        assert!(!text(ended, "text").is_empty(), "{what}: a person is told why: {ended}");
        let _ = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    }
}

#[tokio::test]
async fn an_answer_above_the_limit_is_refused_with_the_limit() {
    let stage = Stage::alone().await;
    stage.machine.set(&json!({ "pollFloorMs": 100, "messageLimit": 65_536 }));
    stage.demo.faults().next(1, "tools/call", Fault::Huge(200_000));
    let called = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.exits(1);
    assert!(called.stderr.contains("65536"), "it names the limit: {called}");

    // The result of a task: the task is kept, and fetched once the limit allows it.
    stage.demo.faults().next(
        usize::MAX,
        "subscriptions/listen",
        Fault::Refuse { status: 405, retry_after: None },
    );
    stage.demo.faults().next(usize::MAX, "tasks/get", Fault::Huge(200_000));
    let task = stage.start("build", "{}").await;
    let mut watch = stage.machine.start(&["watch", text(&task, "id")]);
    watch.until("it is stalled", |line| line["task"]["tracking"] == "stalled").await;
    let _ = watch.interrupt().await.exits(130);
    stage.machine.set(&json!({ "pollFloorMs": 100 }));
    let done = stage.ends_well(text(&task, "id")).await;
    assert_eq!(done["result"]["content"][1]["text"].as_str().unwrap().len(), 200_000);
}

#[tokio::test]
async fn a_server_that_has_megabytes_to_say_of_itself() {
    const LONG: usize = 4_000_000;
    let info = || json!({ "name": "x".repeat(LONG), "version": "y".repeat(LONG) });
    let modern = json!({ "supportedVersions": ["2026-07-28"], "tools": [], "serverInfo": info() });
    let answers = [
        ("itself", "result", modern),
        ("its version", "result", json!({ "protocolVersion": "v".repeat(LONG), "serverInfo": info() })),
        ("its trouble", "error", json!({ "code": -32603, "message": "e".repeat(LONG) })),
    ];
    for (what, member, says) in answers {
        let answer = move |body: String| async move {
            let request: serde_json::Value = serde_json::from_str(&body).unwrap();
            json!({ "jsonrpc": "2.0", "id": request["id"], member: says }).to_string()
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let router = axum::Router::new().fallback(answer);
        tokio::spawn(async move { axum::serve(listener, router).await });
        let beside = Beside::with(&["--url", &url]).await;
        beside.meanwhile(beside.check()).await;
        let call = ["call", "odd", "echo", "--args", r#"{"text":"x"}"#];
        for line in [["server", "check", "odd"].as_slice(), &["server", "list"], &call, &["tasks"]] {
            for done in [beside.machine.run(line).await, beside.machine.run_plain(line).await] {
                assert!(
                    done.stdout.len() + done.stderr.len() < 64 * 1024,
                    "{what}: {} bytes",
                    done.stdout.len()
                );
            }
        }
    }
}

#[tokio::test]
async fn junk_between_the_lines_of_a_program() {
    let machine = Machine::new();
    let program = signalbox_tests::signalbox().into_os_string().into_string().unwrap();
    let script = "echo Welcome to the demo!; echo '[1,2'; exec \"$0\" demo stdio --speed instant";
    let _ = machine.run(&["server", "add", "chatty", "--", "sh", "-c", script, &program]).await.ok();
    let _ = machine.run(&["call", "chatty", "build"]).await.ok();
}
