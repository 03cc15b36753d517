use std::time::Duration;

use serde_json::json;
use signalbox_demo::Demo;

use super::{Story, decided, open_questions};
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn a_kind_that_nobody_knows_is_shown_and_declined() {
    let builder = Demo::builder().odd(["unknown_question_beside".parse().unwrap()]);
    let story = Story::around(Desktop::start().await, builder, json!({ "undoMs": 0 })).await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "two_questions", &json!({})).await;
    story.pass(Duration::from_secs(2));
    app.hear(&open_questions("open questions")).await;
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", "can only be refused")).await;
    let question = spot::region("Question");
    app.says(&question, "weather/ask").await;
    // What a no means is said before it is pressed.
    app.says(&question, "The server hears nothing").await;
    app.button("Decline").await;
    decided(&app, "declined by you").await;
    assert_eq!(story.demo.journal().requests("tasks/update").len(), 0, "nothing was said to the server");
    app.terminate().await;
}
