//! `mcp` 1.x (PyPI).

use serde_json::{Value, json};
use signalbox_tests::window::spot;

use super::Story;
use crate::kit::{BOTH, Kind};

#[tokio::test]
async fn a_question_of_a_task() {
    a_form("approve", "Release to everybody?").await;
}

#[tokio::test]
async fn a_question_that_wants_a_task_of_ours() {
    a_form("approve_as_task", "Release, as a task?").await;
}

#[tokio::test]
async fn a_question_of_a_call_without_a_task() {
    a_form("approve_now", "Right now?").await;
}

#[tokio::test]
async fn a_model_is_played() {
    a_model("sample").await;
}

#[tokio::test]
async fn a_model_is_played_as_a_task_of_ours() {
    a_model("sample_as_task").await;
}

/// Fills in the form of a tool.
async fn a_form(tool: &str, title: &str) {
    for transport in BOTH {
        let story = Story::begin(Kind::Python, transport).await;
        let asker = story.asks(tool, &json!({}), title).await;
        story.app.fill(&spot::field("Share"), "25").await;
        story.app.fill(&spot::field("note"), "carefully").await;
        let heard = heard(&story.sends(&asker, "carefully").await);
        assert_eq!(heard["action"], "accept");
        assert_eq!(heard["content"], json!({ "percent": 25, "note": "carefully" }));
        assert_eq!(story.foreign.journal.count("tools/call"), 1, "the call was made once");
        story.app.terminate().await;
    }
}

/// Plays the model that a tool asks.
async fn a_model(tool: &str) {
    for transport in BOTH {
        let story = Story::begin(Kind::Python, transport).await;
        let asker = story.asks(tool, &json!({}), "Wants a model's answer: Which colour?").await;
        story.app.says(&spot::region("Question"), "at most 50 tokens").await;
        story.app.fill(&spot::field("Answer"), "blue").await;
        let heard = heard(&story.sends(&asker, "blue").await);
        assert_eq!((&heard["role"], &heard["content"]["text"]), (&json!("assistant"), &json!("blue")));
        assert_eq!(story.foreign.journal.count("tools/call"), 1, "the call was made once");
        story.app.terminate().await;
    }
}

/// What its tools heard, as they tell.
fn heard(said: &str) -> Value {
    serde_json::from_str(said).unwrap()
}
