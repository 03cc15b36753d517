//! Servers that are not there, or not what they should be.

use serde_json::{Value, json};
use signalbox_demo::Fault;
use signalbox_tests::{Done, Machine, Stage, text};

/// Checks that every command that needs the server ends with this exit code and word, and that the message has the hint.
async fn refused(machine: &Machine, exit: i32, word: &str, hint: &str) {
    let checked = machine.run(&["server", "check", "odd"]).await;
    let tools = machine.run(&["tools", "odd"]).await;
    let called = machine.run(&["call", "odd", "echo", "--args", r#"{"text":"x"}"#]).await;
    for done in [checked, tools] {
        let failure = done.failure(exit, word);
        assert!(text(&failure, "message").contains(hint), "{hint:?} belongs into {failure}");
    }
    let called = called.exits(exit);
    assert!(called.stderr.contains(hint), "{called}");
    let task = called.document();
    assert_eq!(task["arguments"], json!({ "text": "x" }), "what was asked for is kept: {task}");
    assert_ne!(task["outcome"], "unknown", "it was certainly not sent: {task}");
}

/// A machine with the server `odd`, with and without an owner.
async fn each_way(reach: &[&str], exit: i32, word: &str, hint: &str) {
    for with_owner in [false, true] {
        let machine = Machine::new();
        let _ = machine.run(&[&["server", "add", "odd"], reach].concat()).await.ok();
        let owner = if with_owner { Some(machine.serve().await) } else { None };
        refused(&machine, exit, word, hint).await;
        drop(owner);
    }
}

/// An HTTP server that answers everything like this.
async fn answers(status: u16, kind: &'static str, body: &'static str) -> String {
    use axum::http::{StatusCode, header};

    let status = StatusCode::from_u16(status).unwrap();
    let page = move || async move { (status, [(header::CONTENT_TYPE, kind)], body) };
    let router = axum::Router::new().fallback(page);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// A port that nobody listens on.
async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}/mcp", listener.local_addr().unwrap())
}

#[tokio::test]
async fn a_port_that_nobody_listens_on() {
    each_way(&["--url", &nobody().await], 4, "unreachable", "cannot be reached").await;
}

#[tokio::test]
async fn a_web_page() {
    let url = answers(200, "text/html", "<!doctype html><title>Welcome</title>").await;
    each_way(&["--url", &url], 4, "not_mcp", "web page").await;
    let url = answers(404, "text/html", "<h1>Not found</h1>").await;
    each_way(&["--url", &url], 4, "not_mcp", "404").await;
}

#[tokio::test]
async fn something_else_that_speaks_http() {
    let url = answers(200, "application/json", r#"{"hello":"world"}"#).await;
    each_way(&["--url", &url], 4, "not_mcp", "not").await;
    let url = answers(200, "text/plain", "").await;
    each_way(&["--url", &url], 4, "not_mcp", "empty").await;
}

#[tokio::test]
async fn a_program_that_does_not_exist() {
    each_way(&["--", "no-such-program-anywhere", "stdio"], 4, "spawn_failed", "no-such-program-anywhere")
        .await;
    each_way(&["--", "/no/such/folder/program"], 4, "spawn_failed", "/no/such/folder/program").await;
}

#[tokio::test]
async fn a_program_that_ends_at_once() {
    let script = "echo 'licence expired' >&2; exit 3";
    each_way(&["--", "sh", "-c", script], 4, "spawn_failed", "licence expired").await;
    each_way(&["--", "true"], 4, "spawn_failed", "ended").await;
}

#[tokio::test]
async fn a_server_of_the_older_wire() {
    for stage in Stage::both().await {
        stage.demo.faults().set_legacy_only(true);
        let checked = stage.machine.run(&["server", "check", "demo"]).await.ok();
        assert_eq!((&checked["wire"], &checked["protocolVersion"]), (&"legacy".into(), &"2025-11-25".into()));
        let called = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
        assert_eq!(signalbox_tests::said(&called), "x", "it is spoken to as it speaks");
    }
}

#[tokio::test]
async fn a_server_that_wants_a_sign_in() {
    for stage in Stage::both().await {
        stage.demo.faults().next(usize::MAX, "*", Fault::Refuse { status: 401, retry_after: None });
        let _ = stage.machine.run(&["server", "check", "demo"]).await.failure(5, "sign_in_needed");
        let _ = stage.machine.run(&["tools", "demo"]).await.failure(5, "sign_in_needed");
        let called = stage.machine.run(&["call", "demo", "echo", "--args", "{}"]).await.exits(5);
        assert!(called.stderr.contains("sign-in"), "{called}");
    }
}

#[tokio::test]
async fn a_handle_of_a_server_that_cannot_be_reached_is_kept() {
    let machine = Machine::new();
    machine.add("odd", &nobody().await).await;
    let tracked: Done = machine.run(&["track", "odd", "786512e2"]).await.exits(4);
    let task: Value = tracked.document();
    assert_eq!((&task["taskId"], &task["tracking"]), (&json!("786512e2"), &json!("unreachable")), "{task}");
    let kept = machine.run(&["tasks"]).await.ok();
    assert_eq!(
        kept["tasks"][0]["taskId"], "786512e2",
        "a handle that nobody stored is work that nobody can find"
    );
}
