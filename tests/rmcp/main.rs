//! rmcp's own task server as a second opinion on the modern wire: what we and our scripted server both got wrong would
//! show here.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod server;

use serde_json::{Value, json};
use signalbox_tests::{Machine, Running, said};

use crate::server::serve;

/// A machine that knows the server and follows it.
async fn followed(json_responses: bool) -> (server::Served, Machine, Running) {
    let foreign = serve(json_responses).await;
    let machine = Machine::new();
    machine.add("foreign", &foreign.url).await;
    let owner = machine.serve().await;
    (foreign, machine, owner)
}

async fn start(machine: &Machine, tool: &str) -> String {
    let task = machine.run(&["call", "foreign", tool, "--detach"]).await.ok();
    assert!(task["taskId"].is_string(), "rmcp answers with a task: {task}");
    task["id"].as_str().unwrap().to_owned()
}

async fn ends_with(machine: &Machine, id: &str, outcome: &str) -> Value {
    let mut watch = machine.start(&["watch", id]);
    watch.until("its end", |line| line["task"]["outcome"].is_string()).await;
    let code = if outcome == "ok" { 0 } else { 1 };
    let _ = watch.end().await.exits(code);
    let task = machine.run(&["show", id]).await.ok();
    assert_eq!(task["outcome"], outcome, "{task}");
    task
}

/// What the tool heard, as it tells.
fn heard(task: &Value) -> Value {
    serde_json::from_str(said(task)).unwrap()
}

#[tokio::test]
async fn it_is_found_to_be_modern_with_its_tools() {
    for json_responses in [true, false] {
        let (_foreign, machine, _owner) = followed(json_responses).await;
        let server = machine.run(&["server", "check", "foreign"]).await.ok();
        assert_eq!(
            (&server["wire"], &server["protocolVersion"], &server["tools"]),
            (&json!("modern"), &json!("2026-07-28"), &json!(5)),
            "{server}"
        );
        let tools = machine.run(&["tools", "foreign"]).await.ok();
        let names: Vec<&Value> =
            tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["slow", "approve", "fail", "at_once", "confirm"]);
    }
}

#[tokio::test]
async fn a_slow_task_is_followed_to_its_result() {
    for json_responses in [true, false] {
        let (foreign, machine, _owner) = followed(json_responses).await;
        let id = start(&machine, "slow").await;
        let mut watch = machine.start(&["watch", &id]);
        watch.until("its status message", |line| line["task"]["statusMessage"] == "digging").await;
        foreign.go_on();
        let task = ends_with(&machine, &id, "ok").await;
        assert_eq!(task["result"]["content"][0]["text"], "found it", "{task}");
        assert_eq!(task["status"], "completed");
    }
}

#[tokio::test]
async fn a_question_inside_a_task_is_answered_once() {
    let (_foreign, machine, _owner) = followed(false).await;
    let id = start(&machine, "approve").await;
    let mut watch = machine.start(&["watch", &id]);
    let asked = watch.until("its question", |line| line["request"]["state"] == "open").await;
    assert_eq!(asked["request"]["message"], "Release to everybody?");
    let request = asked["request"]["id"].as_str().unwrap();

    let refused =
        machine.run(&["answer", request, "--accept", "--content", r#"{"percent":101,"note":"all"}"#]).await;
    assert_eq!(refused.failure(2, "invalid_content")["detail"]["errors"][0]["field"], "percent");

    let content = r#"{"percent":25,"note":"carefully"}"#;
    let answered = machine.run(&["answer", request, "--accept", "--content", content]).await.ok();
    assert_eq!(answered["state"], "answered", "{answered}");
    let task = ends_with(&machine, &id, "ok").await;
    assert_eq!(
        heard(&task),
        json!({ "action": "accept", "content": { "percent": 25, "note": "carefully" } })
    );
}

#[tokio::test]
async fn a_declined_question_reaches_the_task() {
    let (_foreign, machine, _owner) = followed(true).await;
    let asked = machine.run(&["call", "foreign", "approve", "--no-input"]).await.exits(3).document();
    let request = asked["inputRequests"][0]["id"].as_str().unwrap();
    let _ = machine.run(&["answer", request, "--decline"]).await.ok();
    let task = ends_with(&machine, asked["id"].as_str().unwrap(), "ok").await;
    assert_eq!(heard(&task), json!({ "action": "decline" }), "no content goes with it");
}

#[tokio::test]
async fn cancelling_is_a_wish_that_the_task_grants() {
    let (_foreign, machine, _owner) = followed(true).await;
    for tool in ["slow", "approve"] {
        let id = start(&machine, tool).await;
        let _ = machine.run(&["cancel", &id]).await.ok();
        let task = ends_with(&machine, &id, "cancelled").await;
        assert_eq!(task["status"], "cancelled");
    }
}

#[tokio::test]
async fn a_failed_task_keeps_the_servers_error() {
    let (_foreign, machine, _owner) = followed(false).await;
    let task = machine.run(&["call", "foreign", "fail"]).await.exits(1).document();
    assert_eq!(task["outcome"], "protocol_error", "{task}");
    assert_eq!(task["error"], json!({ "code": -32603, "message": "it broke" }));
}

#[tokio::test]
async fn a_result_without_a_task_comes_at_once() {
    let (_foreign, machine, _owner) = followed(true).await;
    let done = machine.run(&["call", "foreign", "at_once"]).await.ok();
    assert_eq!(done["result"]["content"][0]["text"], "here it is");
    assert!(done.get("taskId").is_none(), "no task was made: {done}");
}

#[tokio::test]
async fn a_task_that_nobody_knows_is_said_so() {
    let (_foreign, machine, _owner) = followed(true).await;
    let tracked = machine.run(&["track", "foreign", "11111111-2222-3333-4444-555555555555"]).await;
    let _ = tracked.failure(6, "unknown_item");
    assert_eq!(machine.run(&["tasks"]).await.ok(), json!({ "tasks": [] }), "nothing of it is kept");
}

#[tokio::test]
async fn our_death_costs_nothing() {
    let (foreign, machine, owner) = followed(false).await;
    let slow = start(&machine, "slow").await;
    let asked = machine.run(&["call", "foreign", "approve", "--no-input"]).await.exits(3).document();
    owner.kill().await;
    let _owner = machine.serve().await;
    let request = asked["inputRequests"][0]["id"].as_str().unwrap();
    let _ = machine.run(&["answer", request, "--decline"]).await.ok();
    ends_with(&machine, asked["id"].as_str().unwrap(), "ok").await;
    foreign.go_on();
    assert_eq!(said(&ends_with(&machine, &slow, "ok").await), "found it");
}

#[tokio::test]
async fn its_death_loses_its_tasks_and_the_next_ones_go_on() {
    let (foreign, machine, _owner) = followed(true).await;
    let slow = start(&machine, "slow").await;
    let asked = machine.run(&["call", "foreign", "approve", "--no-input"]).await.exits(3).document();
    let foreign = foreign.again().await;
    for task in [slow.as_str(), asked["id"].as_str().unwrap()] {
        ends_with(&machine, task, "lost").await;
    }
    assert_eq!(machine.run(&["inbox"]).await.ok(), json!({ "requests": [] }), "nobody could be told");
    let slow = start(&machine, "slow").await;
    foreign.go_on();
    ends_with(&machine, &slow, "ok").await;
}

#[tokio::test]
async fn a_plain_call_asks_in_a_round() {
    for json_responses in [true, false] {
        let (_foreign, machine, owner) = followed(json_responses).await;
        let asked = machine.run(&["call", "foreign", "confirm", "--no-input"]).await.exits(3).document();
        assert!(asked.get("taskId").is_none(), "no task was made: {asked}");
        // What the round needs is in the store.
        owner.kill().await;
        let _owner = machine.serve().await;
        let request = asked["inputRequests"][0]["id"].as_str().unwrap();
        let _ = machine.run(&["answer", request, "--accept", "--content", r#"{"percent":25}"#]).await.ok();
        let done = ends_with(&machine, asked["id"].as_str().unwrap(), "ok").await;
        let answer = json!({ "action": "accept", "content": { "percent": 25 } });
        assert_eq!(heard(&done), json!({ "release": answer }));
    }
}
