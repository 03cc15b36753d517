//! `@modelcontextprotocol/server-everything` (npm) over stdio.

use serde_json::json;
use signalbox_mcp::{ServerAsk, TaskSupport};
use signalbox_model::{Mode, Status, Wire};

use super::{Opened, result, said, value};
use crate::kit::{Kind, Transport};

const TOOL: &str = "simulate-research-query";

/// Connects, and tells the roots: it asks for them first of all where they are declared.
async fn opened() -> Opened {
    let mut opened = Opened::new(Kind::Everything, Transport::Stdio).await;
    let asked = opened.asked().await;
    assert_eq!(asked.ask, ServerAsk::Roots);
    opened.reply(&asked.id, &json!({"roots": []})).await;
    opened
}

#[tokio::test]
async fn it_is_found_to_be_legacy_with_one_tool_that_makes_tasks() {
    let opened = opened().await;
    let found = &opened.found;
    assert_eq!((found.wire, found.server.protocol_version.as_str()), (Wire::Legacy, "2025-11-25"));
    assert!(found.server.tasks && found.lists_tasks && found.cancels_tasks, "{found:?}");
    let tools = opened.session.list_tools().await.unwrap();
    let of_tasks: Vec<_> =
        tools.iter().filter(|tool| tool.task_support() != TaskSupport::Forbidden).collect();
    assert_eq!(of_tasks.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), [TOOL]);
    assert_eq!(of_tasks[0].task_support(), TaskSupport::Required);
}

#[tokio::test]
async fn a_task_runs_to_its_result() {
    let mut opened = opened().await;
    let id = opened.call(TOOL, &json!({"topic": "x"})).await;
    assert_eq!(opened.told().await.task_id.as_deref(), Some(&*id));
    let ended = result(opened.held(&id)).await;
    assert!(said(&ended).contains('x'), "{ended:?}");
    assert_eq!(opened.task(&id).await.status, Status::Completed);
}

#[tokio::test]
async fn its_question_is_answered_once() {
    let mut opened = opened().await;
    let id = opened.call(TOOL, &json!({"topic": "x", "ambiguous": true})).await;
    let held = opened.held(&id);
    let asked = opened.asked().await;
    let ServerAsk::Elicitation(question) = &asked.ask else { panic!("{asked:?}") };
    assert_eq!(question.mode, Mode::Form);
    let schema = value(question.schema.as_ref().unwrap());
    assert!(schema["properties"]["interpretation"].is_object(), "{schema}");
    assert_eq!(opened.task(&id).await.status, Status::InputRequired);
    opened.reply(&asked.id, &json!({"action": "accept", "content": {"interpretation": "technical"}})).await;
    let ended = result(held).await;
    assert!(said(&ended).contains("technical"), "{ended:?}");
    let answers = opened.foreign.journal.answers();
    assert_eq!(answers.len(), 2, "the roots, and one answer: {answers:?}");
}

#[tokio::test]
async fn a_task_is_cancelled() {
    let opened = opened().await;
    let id = opened.call(TOOL, &json!({"topic": "x", "ambiguous": true})).await;
    opened.session.cancel_task(&id).await.unwrap();
    assert_eq!(opened.task(&id).await.status, Status::Cancelled);
}
