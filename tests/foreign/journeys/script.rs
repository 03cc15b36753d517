//! `@modelcontextprotocol/server` 2.x (npm): the modern wire, tasks by hand.

use serde_json::{Value, json};
use signalbox_tests::{said, text};

use super::Desk;
use crate::kit::{BOTH, Kind, Transport};

const SOME: [&str; 3] = ["--accept", "--content", r#"{"percent":25,"note":"carefully"}"#];

async fn desk(transport: Transport) -> Desk {
    Desk::new(Kind::Script, transport).await
}

/// What a task or a call heard, as its tool tells.
fn heard(task: &Value) -> Value {
    serde_json::from_str(said(task)).unwrap()
}

#[tokio::test]
async fn it_is_listed() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let server = desk.machine.run(&["server", "check", "foreign"]).await.ok();
        assert_eq!((&server["wire"], &server["protocolVersion"]), (&json!("modern"), &json!("2026-07-28")));
        assert!(desk.tools().await.contains(&"approve_both".to_owned()));
        let done = desk.machine.run(&["call", "foreign", "at_once"]).await.ok();
        assert_eq!((said(&done), done.get("taskId")), ("here it is", None));
    }
}

#[tokio::test]
async fn a_task_is_followed_to_its_result() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let task = desk.start("slow", "{}").await;
        desk.says(&task, "digging").await;
        desk.go_on().await;
        assert_eq!(said(&desk.ends_with(&task, "ok").await), "found it");
        assert_eq!(desk.foreign.journal.count("tools/call"), 2, "each call was made once");
    }
}

#[tokio::test]
async fn questions_are_answered_once() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let (task, request) = desk.asks("approve_both", "{}").await;
        desk.answer(&request, &SOME).await;
        let other = desk.asked(&task).await;
        assert_ne!(other["id"], request["id"], "the other one stays open");
        desk.answer(&other, &["--decline"]).await;
        let done = desk.ends_with(&task, "ok").await;
        let accepted = json!({"action": "accept", "content": {"percent": 25, "note": "carefully"}});
        assert_eq!(heard(&done), json!({"release": accepted, "sure": {"action": "decline"}}));
        assert_eq!(desk.foreign.journal.count("tasks/update"), 2, "each answer was sent once");

        let (task, request) = desk.asks("visit", "{}").await;
        assert_eq!(request["url"], "https://example.com/connect?state=1", "{request}");
        desk.answer(&request, &["--accept"]).await;
        assert_eq!(heard(&desk.ends_with(&task, "ok").await), json!({"connect": {"action": "accept"}}));
    }
}

#[tokio::test]
async fn failures_are_told_apart() {
    for transport in BOTH {
        let desk = desk(transport).await;
        let task = desk.start("fail", "{}").await;
        let failed = desk.ends_with(&task, "protocol_error").await;
        assert_eq!(failed["error"], json!({"code": -32603, "message": "it broke"}));
        let task = desk.start("refuse", "{}").await;
        assert_eq!(said(&desk.ends_with(&task, "tool_error").await), "not today");
    }
}

#[tokio::test]
async fn tasks_are_cancelled() {
    for transport in BOTH {
        let desk = desk(transport).await;
        for tool in ["slow", "approve"] {
            let task = desk.start(tool, "{}").await;
            let _ = desk.machine.run(&["cancel", &task]).await.ok();
            let ended = desk.ends_with(&task, "cancelled").await;
            assert_eq!(ended["status"], "cancelled");
        }
        assert_eq!(desk.listed().await, [""; 0], "nobody is asked for a task that has ended");
    }
}

#[tokio::test]
async fn our_death_costs_nothing() {
    for transport in BOTH {
        let mut desk = desk(transport).await;
        let slow = desk.start("slow", "{}").await;
        let (asking, request) = desk.asks("approve", "{}").await;
        desk.we_die().await;
        desk.answer(&request, &SOME).await;
        desk.ends_with(&asking, "ok").await;
        desk.go_on().await;
        desk.ends_with(&slow, "ok").await;
        assert_eq!(desk.foreign.journal.count("tools/call"), 3, "no call was made again");
        assert_eq!(desk.foreign.journal.count("tasks/update"), 1);
    }
}

#[tokio::test]
async fn its_death_costs_nothing() {
    let mut desk = desk(Transport::Http).await;
    let slow = desk.start("slow", "{}").await;
    let (asking, request) = desk.asks("approve", "{}").await;
    desk.it_dies().await;
    desk.answer(&request, &["--decline"]).await;
    assert_eq!(heard(&desk.ends_with(&asking, "ok").await), json!({"release": {"action": "decline"}}));
    desk.go_on().await;
    desk.ends_with(&slow, "ok").await;
}

#[tokio::test]
async fn an_answer_waits_for_a_server_that_is_away() {
    let mut desk = desk(Transport::Http).await;
    let (asking, request) = desk.asks("approve", "{}").await;
    let port = desk.http.take().unwrap().kill().await;
    let answer = desk.machine.run(&["answer", text(&request, "id"), "--decline"]).await;
    let failure = answer.failure(4, "unreachable");
    assert_eq!(failure["retry"], "queued", "{failure}");
    desk.http = Some(desk.foreign.listen_at(port).await);
    assert_eq!(heard(&desk.ends_with(&asking, "ok").await), json!({"release": {"action": "decline"}}));
    assert_eq!(desk.foreign.journal.count("tasks/update"), 1);
}

#[tokio::test]
async fn a_plain_call_asks_in_rounds() {
    for transport in BOTH {
        let mut desk = desk(transport).await;
        let (call, request) = desk.asks("confirm", "{}").await;
        assert_eq!(request["message"], "Release to everybody?");
        // What a round needs is in the store, so that it can be answered by whoever comes next.
        desk.we_die().await;
        desk.answer(&request, &SOME).await;
        let request = desk.asked(&call).await;
        assert_eq!(request["message"], "Are you sure?");
        desk.answer(&request, &["--decline"]).await;
        let done = desk.ends_with(&call, "ok").await;
        assert_eq!(heard(&done)["known"], json!({"round": 2, "first": "accept"}));
        assert_eq!(heard(&done)["answers"], json!({"sure": {"action": "decline"}}));
        assert!(done.get("taskId").is_none(), "no task was made: {done}");
        assert_eq!(desk.foreign.journal.count("tools/call"), 3, "one call and two rounds");
    }
}
