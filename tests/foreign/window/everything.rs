//! `@modelcontextprotocol/server-everything` (npm) over stdio.

use serde_json::{Value, json};
use signalbox_tests::window::spot;

use super::Story;
use crate::kit::{Kind, Transport};

async fn begin() -> Story {
    Story::begin(Kind::Everything, Transport::Stdio).await
}

#[tokio::test]
async fn its_task_asks_and_goes_on() {
    let story = begin().await;
    let arguments = json!({ "topic": "signal boxes", "ambiguous": true });
    let title = "The research query \"signal boxes\" could have multiple interpretations. \
                 Please clarify what you're looking for:";
    let asker = story.asks("simulate-research-query", &arguments, title).await;
    story.app.choose(&spot::field("Clarification"), "Historical perspective").await;
    let said = story.sends(&asker, "Research Report: signal boxes (historical)").await;
    assert!(said.contains("- **Clarification**: historical"), "{said}");
    ends(story).await;
}

#[tokio::test]
async fn its_long_form_goes_out_with_what_was_proposed() {
    let story = begin().await;
    let title = "Please provide inputs for the following fields:";
    let asker = story.asks("trigger-elicitation-request", &json!({}), title).await;
    story.app.button("Review and send").await;
    story.app.see(&spot::error_at("String")).await;
    story.app.fill(&spot::field("String"), "Ada").await;
    story.app.press(&spot::choice("Boolean", "Yes")).await;
    story.app.fill(&spot::field("String with email format"), "ada@example.com").await;
    story.app.fill(&spot::field("Number in range 1-1000"), "2.5").await;
    story.app.choose(&spot::field("Untitled Single Select Enum"), "Phoebe").await;
    story.sends(&asker, "User provided the requested information").await;
    let answers = story.foreign.journal.answers();
    assert_eq!(answers.len(), 2, "the list of roots, and one answer: {answers:?}");
    let filled_in = json!({
        "name": "Ada",
        "check": true,
        "firstLine": "It was a dark and stormy night.",
        "email": "ada@example.com",
        "integer": 42,
        "number": 2.5,
        "untitledSingleSelectEnum": "Phoebe",
        "untitledMultipleSelectEnum": ["Guitar"],
        "titledSingleSelectEnum": "hero-1",
        "titledMultipleSelectEnum": ["fish-1"],
        "legacyTitledEnum": "pet-1",
    });
    assert_eq!(answers[1]["result"], json!({ "action": "accept", "content": filled_in }));
    ends(story).await;
}

#[tokio::test]
async fn its_form_is_filled_in_as_a_task_of_ours() {
    let story = begin().await;
    let title = "Please provide inputs for the following fields (async task demo):";
    let asker = story.asks("trigger-elicitation-request-async", &json!({}), title).await;
    story.app.fill(&spot::field("Your Name"), "Ada").await;
    story.app.choose(&spot::field("Favorite Color"), "Green").await;
    let said = story.sends(&asker, "Favorite Color: Green").await;
    assert!(said.contains("[COMPLETED]"), "{said}");
    ends(story).await;
}

#[tokio::test]
async fn its_form_is_declined() {
    let story = begin().await;
    let title = "Please provide inputs for the following fields:";
    let asker = story.asks("trigger-elicitation-request", &json!({}), title).await;
    story.app.button("Decline").await;
    story.ends(&asker, "declined by you", "User declined to provide the requested information").await;
    ends(story).await;
}

#[tokio::test]
async fn its_model_is_played() {
    a_model("trigger-sampling-request").await;
}

#[tokio::test]
async fn its_model_is_played_as_a_task_of_ours() {
    a_model("trigger-sampling-request-async").await;
}

/// Plays the model that a tool asks.
async fn a_model(tool: &str) {
    let story = begin().await;
    let title = format!("Wants a model's answer: Resource {tool} context: Which colour?");
    let asker = story.asks(tool, &json!({ "prompt": "Which colour?" }), &title).await;
    let question = spot::region("Question");
    story.app.says(&question, "You are a helpful test server.").await;
    story.app.says(&question, "at most 100 tokens").await;
    story.app.fill(&spot::field("Answer"), "blue").await;
    let said = story.sends(&asker, "\"text\": \"blue\"").await;
    // The last of what it says is what it heard.
    let heard: Value = serde_json::from_str(&said[said.rfind("\n{").unwrap()..]).unwrap();
    assert_eq!((&heard["role"], &heard["content"]["text"]), (&json!("assistant"), &json!("blue")));
    ends(story).await;
}

async fn ends(story: Story) {
    assert_eq!(story.foreign.journal.count("tools/call"), 1, "the call was made once");
    story.app.terminate().await;
}
