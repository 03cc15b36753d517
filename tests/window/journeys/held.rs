//! Answers that are still within their undo time when the window goes.

use serde_json::json;

use super::{APPROVAL, Story, open_question, open_questions};
use crate::app::App;
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn a_clean_end_takes_a_held_answer_back_to_a_draft_and_says_so_before() {
    let closing = async |story: &Story, _: &App| story.desktop.close_front_window().await;
    taken_back(Desktop::start().await, closing, "Close").await;
}

#[tokio::test]
async fn quitting_takes_it_back_from_the_background_too() {
    let quitting = async |_: &Story, app: &App| app.control('q').await;
    taken_back(Desktop::with_tray().await, quitting, "Quit").await;
}

/// An answer is within its undo time when the person ends it all.
async fn taken_back(desktop: Desktop, ends: impl AsyncFn(&Story, &App), word: &str) {
    let story = Story::on(desktop, json!({ "undoMs": 60_000 })).await;
    let app = story.desktop.open().await;
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    app.button("Review and send").await;
    app.button("Send").await;
    app.read("Sending in").await;

    ends(&story, &app).await;
    let dialog = spot::dialog(&format!("{word} Signalbox?"));
    app.says(&dialog, "1 answer is within its undo time.").await;
    app.ends_by(&spot::button(word).within(&dialog)).await;

    let question = story.show("r1").await;
    assert_eq!((&question["state"], &question["task"]), (&json!("open"), &json!(task)));
    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.read("Your answer was not sent").await;
    app.holds(&spot::field("Maximum error rate"), "1.5").await;
    assert_eq!(story.demo.journal().requests("tasks/update").len(), 0, "nothing of it left");
    app.terminate().await;
}
