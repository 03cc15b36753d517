//! What people mistype.

use serde_json::json;
use signalbox_tests::{Machine, Stage, each, text};

#[tokio::test]
async fn a_command_line_that_is_none() {
    let machine = Machine::untouched();
    let lines: [&[&str]; 15] = [
        &[],
        &["dance"],
        &["--colour"],
        &["call"],
        &["call", "demo"],
        &["server"],
        &["server", "add", "ci"],
        &["server", "add", "ci", "--url", "http://127.0.0.1/", "--", "program"],
        &["answer", "r1"],
        &["answer", "r1", "--accept", "--decline"],
        &["answer", "r1", "--decline", "--content", "{}"],
        &["answer", "first", "--decline"],
        &["tasks", "--timeout", "soon"],
        &["tasks", "--timeout", "-1"],
        &["demo", "http", "--port", "70000"],
    ];
    for line in lines {
        let failure = machine.run(line).await.failure(2, "usage");
        assert_eq!(failure["retry"], "never", "{line:?}");
        let plain = machine.run_plain(line).await.exits(2);
        assert!(plain.stdout.is_empty() && !plain.stderr.is_empty(), "{plain}");
    }
    assert!(!machine.data().exists(), "a line that cannot be read makes nothing");
}

#[tokio::test]
async fn a_server_that_is_not_registered() {
    let machine = Machine::new();
    let lines: [&[&str]; 8] = [
        &["tools", "nowhere"],
        &["call", "nowhere", "deploy", "--args", "{}"],
        &["call", "nowhere", "deploy"],
        &["track", "nowhere", "abc"],
        &["server", "check", "nowhere"],
        &["server", "rename", "nowhere", "somewhere"],
        &["server", "remove", "nowhere"],
        &["server", "disable", "nowhere"],
    ];
    for line in lines {
        let failure = machine.run(line).await.failure(2, "unknown_server");
        assert!(text(&failure, "message").contains("nowhere"), "it says which: {failure}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_registered() {
    let stage = Stage::alone().await;
    let url = stage.demo.url();
    let _ = stage.machine.run(&["server", "add", "demo", "--url", &url]).await.failure(2, "name_taken");
    let long = "x".repeat(65);
    let wrong: [&[&str]; 9] = [
        &["", "--url", &url],
        &["  ", "--url", &url],
        &[&long, "--url", &url],
        &["two\nlines", "--url", &url],
        &["s7", "--url", &url],
        &["ci", "--url", "not a url"],
        &["ci", "--url", "ftp://example.com/mcp"],
        &["ci", "--url", "https://user:secret@example.com/mcp"],
        &["ci", "--", ""],
    ];
    for line in wrong {
        let add = [&["server", "add"], line].concat();
        let _ = stage.machine.run(&add).await.failure(2, "usage");
    }
    for value in ["Authorization", "=x"] {
        let add = ["server", "add", "ci", "--url", &url, "--header", value];
        let _ = stage.machine.run(&add).await.failure(2, "usage");
    }
    let listed = stage.machine.run(&["server", "list"]).await.ok();
    assert_eq!(each(&listed["servers"], "name"), ["demo"], "nothing was half registered");
}

#[tokio::test]
async fn arguments_that_are_no_json_object() {
    let stage = Stage::served().await;
    let not_text = stage.machine.path("not text");
    std::fs::write(&not_text, [0xff, 0xfe, b'{', b'}']).unwrap();
    let not_text = format!("@{}", not_text.display());
    for given in
        [r#"{"service":"#, "service=web", "", "[1,2]", "\"web\"", "null", "42", "@/no/such/file", &not_text]
    {
        let call = ["call", "demo", "deploy", "--args", given];
        let failure = stage.machine.run(&call).await.failure(2, "usage");
        assert!(text(&failure, "message").contains("--args"), "it says what is wrong: {failure}");
    }
    let call = ["call", "demo", "deploy", "--args", "-"];
    let _ = stage.machine.run_with(&call, "{\"service\":").await.failure(2, "usage");
    assert_eq!(stage.demo.journal().requests("tools/call"), [], "nothing was called");
    assert_eq!(stage.machine.run(&["tasks"]).await.ok(), json!({ "tasks": [] }), "and nothing kept");

    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let request = text(&asked["inputRequests"][0], "id");
    for given in ["{", "[]", "yes"] {
        let answer = ["answer", request, "--accept", "--content", given];
        let failure = stage.machine.run(&answer).await.failure(2, "usage");
        assert!(text(&failure, "message").contains("--content"), "{failure}");
    }
    assert_eq!(stage.demo.journal().requests("tasks/update"), []);
}

#[tokio::test]
async fn arguments_that_a_tool_refuses_are_its_own_error() {
    let stage = Stage::served().await;
    let call = ["call", "demo", "deploy", "--args", r#"{"service":7,"region":"moon"}"#];
    let done = stage.machine.run(&call).await;
    assert!(matches!(done.code, Some(1 | 2)), "a tool error, or refused before it is sent: {done}");
    assert!(done.stdout.contains("service") && done.stdout.contains("region"), "which fields: {done}");
}

#[tokio::test]
async fn a_task_that_the_server_does_not_know() {
    for stage in Stage::both().await {
        let failure = stage.machine.run(&["track", "demo", "no-such-task"]).await.failure(6, "unknown_item");
        assert!(!text(&failure, "message").is_empty());
        assert_eq!(stage.machine.run(&["tasks"]).await.ok(), json!({ "tasks": [] }), "nothing of it is kept");
        let _ = stage.machine.run(&["track", "demo", "  "]).await.failure(2, "usage");
        for line in
            [["show", "t7"], ["cancel", "t7"], ["forget", "t7"], ["watch", "t7"], ["show", "no-such-task"]]
        {
            let _ = stage.machine.run(&line).await.failure(6, "unknown_item");
        }
    }
}

#[tokio::test]
async fn a_server_has_no_name_that_reads_otherwise_than_it_is() {
    let machine = Machine::new();
    for name in ["x\u{202e}evil", "a\u{200b}b", "tab\tbed"] {
        let refused = machine.run(&["server", "add", name, "--url", "http://127.0.0.1:9/mcp"]).await;
        let failure = refused.failure(2, "usage");
        assert!(text(&failure, "message").contains("characters that nobody sees"), "{failure}");
    }
    let _ = machine
        .run(&["server", "add", "Grüße 世界 👩\u{200d}🔧", "--url", "http://127.0.0.1:9/mcp"])
        .await
        .ok();
}
