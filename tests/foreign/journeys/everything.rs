//! `@modelcontextprotocol/server-everything` (npm) over stdio.

use serde_json::json;
use signalbox_tests::said;

use super::Desk;
use crate::kit::{Kind, Transport};

const TOOL: &str = "simulate-research-query";
const AMBIGUOUS: &str = r#"{"topic":"x","ambiguous":true}"#;

async fn desk() -> Desk {
    Desk::new(Kind::Everything, Transport::Stdio).await
}

#[tokio::test]
async fn it_is_listed_and_a_task_is_followed() {
    let desk = desk().await;
    let server = desk.machine.run(&["server", "check", "foreign"]).await.ok();
    assert_eq!((&server["wire"], &server["protocolVersion"]), (&json!("legacy"), &json!("2025-11-25")));
    assert!(desk.tools().await.contains(&TOOL.to_owned()));
    let task = desk.start(TOOL, r#"{"topic":"signal boxes"}"#).await;
    assert!(said(&desk.ends_with(&task, "ok").await).contains("signal boxes"));
}

#[tokio::test]
async fn its_question_is_answered_once() {
    let desk = desk().await;
    let (task, request) = desk.asks(TOOL, AMBIGUOUS).await;
    desk.answer(&request, &["--accept", "--content", r#"{"interpretation":"technical"}"#]).await;
    assert!(said(&desk.ends_with(&task, "ok").await).contains("technical"));
    assert_eq!(desk.foreign.journal.answers().len(), 2, "the list of roots, and one answer");
}

#[tokio::test]
async fn a_task_is_cancelled() {
    let desk = desk().await;
    let (task, _) = desk.asks(TOOL, AMBIGUOUS).await;
    let _ = desk.machine.run(&["cancel", &task]).await.ok();
    desk.ends_with(&task, "cancelled").await;
    assert_eq!(desk.listed().await, [""; 0]);
}

#[tokio::test]
async fn our_death_is_its_end_and_its_task_is_lost() {
    let mut desk = desk().await;
    let (task, _) = desk.asks(TOOL, AMBIGUOUS).await;
    desk.we_die().await;
    desk.ends_with(&task, "lost").await;
    assert_eq!(desk.listed().await, [""; 0], "nobody could be told");
    let (task, request) = desk.asks(TOOL, AMBIGUOUS).await;
    desk.answer(&request, &["--accept", "--content", r#"{"interpretation":"technical"}"#]).await;
    desk.ends_with(&task, "ok").await;
}
