//! The same desk for servers of the legacy wire, whose questions are requests that wait for a reply.

use std::time::Duration;

use serde_json::json;
use signalbox_demo::{Demo, Wires};

use super::{APPROVAL, Story, TO_THE_END, decided, open_question, open_questions};
use crate::desktop::Desktop;
use crate::spot;

async fn story() -> Story {
    let builder = Demo::builder().wires(Wires::Legacy);
    Story::around(Desktop::start().await, builder, json!({ "undoMs": 0 })).await
}

#[tokio::test]
async fn a_deployment_is_approved() {
    let story = story().await;
    let app = story.desktop.open().await;
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.press(&spot::choice("Approve", "Yes")).await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    app.gone(&open_questions("open question")).await;
    story.pass(TO_THE_END);
    story.shows(&app, &task, "outcome", "ok").await;
    assert_eq!(story.demo.taken("approval").len(), 1, "the server took it, once");
    app.terminate().await;
}

#[tokio::test]
async fn two_questions_are_answered_one_by_one() {
    let story = story().await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "two_questions", &json!({})).await;
    story.pass(Duration::from_secs(2));
    app.hear(&open_questions("2 open questions")).await;
    open_question(&app, "When may it happen?").await;
    app.button("Dismiss").await;
    decided(&app, "dismissed by you").await;
    open_question(&app, "How should the database be migrated?").await;
    app.button("Decline").await;
    decided(&app, "declined by you").await;
    app.gone(&open_questions("open question")).await;
    story.pass(Duration::from_secs(2));
    story.shows(&app, "t1", "outcome", "ok").await;
    assert_eq!(actions(&story, "strategy"), ["decline"]);
    assert_eq!(actions(&story, "window"), ["cancel"]);
    app.terminate().await;
}

#[tokio::test]
async fn a_person_plays_the_model() {
    let story = story().await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "summarize", &json!({ "topic": "the outage" })).await;
    story.pass(Duration::from_secs(1));
    app.hear(&open_questions("1 open question")).await;
    let title = "Wants a model's answer: Summarize the outage in one sentence.";
    open_question(&app, title).await;
    let question = spot::region("Question");
    app.says(&question, "You write for engineers on call.").await;
    app.says(&question, "at most 200 tokens").await;
    app.fill(&spot::field("Answer"), "A disk was full.").await;
    app.button("Review and send").await;
    // The review shows the server's own shape.
    let review = spot::dialog("Send this answer?");
    app.says(&review, "\"stopReason\": \"endTurn\"").await;
    app.says(&review, "\"text\": \"A disk was full.\"").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    story.pass(Duration::from_secs(1));
    story.shows(&app, "t1", "outcome", "ok").await;
    let taken = story.demo.taken("summary");
    assert_eq!(taken.len(), 1, "once: {taken:?}");
    assert_eq!(taken[0]["content"]["text"], "A disk was full.");
    app.terminate().await;
}

#[tokio::test]
async fn a_question_outlives_a_restart_of_the_window() {
    let story = story().await;
    let app = story.desktop.open().await;
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    app.kill().await;
    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.press(&spot::choice("Approve", "Yes")).await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    story.pass(TO_THE_END);
    story.shows(&app, &task, "outcome", "ok").await;
    assert_eq!(story.demo.taken("approval").len(), 1);
    app.terminate().await;
}

#[tokio::test]
async fn a_question_outlives_a_restart_of_the_server() {
    let mut story = story().await;
    let app = story.desktop.open().await;
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    story.demo = story.demo.stop().await.listen().await;
    open_question(&app, APPROVAL).await;
    app.press(&spot::choice("Approve", "Yes")).await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    story.pass(TO_THE_END);
    story.shows(&app, &task, "outcome", "ok").await;
    assert_eq!(story.demo.taken("approval").len(), 1, "asked again, answered once");
    app.terminate().await;
}

/// What the server took as the answers under this key. A reply to a task's question carries the task's id beside it.
fn actions(story: &Story, key: &str) -> Vec<String> {
    story.demo.taken(key).iter().map(|answer| answer["action"].as_str().unwrap().to_owned()).collect()
}
