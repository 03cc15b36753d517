use std::time::Duration;

use serde_json::json;

use super::{Story, decided, open_question, open_questions};
use crate::spot;

const STRATEGY: &str = "How should the database be migrated?";
const WINDOW: &str = "When may it happen?";

#[tokio::test]
async fn declining_dismissing_and_closing_the_window_are_three_different_things() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "two_questions", &json!({})).await;
    story.pass(Duration::from_secs(2));
    app.hear(&open_questions("2 open questions")).await;

    // Closing with a question in front says nothing to anybody.
    open_question(&app, WINDOW).await;
    story.desktop.close_front_window().await;
    app.see(&spot::dialog("Close Signalbox?")).await;
    app.ends_by(&spot::button("Close").within(&spot::dialog("Close Signalbox?"))).await;
    assert_eq!(
        story.demo.journal().requests("tasks/update").len(),
        0,
        "a closed window has answered nothing"
    );
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "and cancelled nothing");

    let app = story.desktop.open().await;
    app.hear(&open_questions("2 open questions")).await;
    open_question(&app, STRATEGY).await;
    app.button("Decline").await;
    decided(&app, "declined by you").await;
    app.hear(&open_questions("1 open question")).await;
    app.button("Next question").await;
    app.see(&spot::heading(WINDOW)).await;
    app.press(&spot::button("Dismiss")).await;
    decided(&app, "dismissed by you").await;
    app.gone(&open_questions("open question")).await;

    app.press(&spot::tab("Answered")).await;
    app.says(&spot::entry("Questions", STRATEGY), "declined").await;
    app.says(&spot::entry("Questions", WINDOW), "dismissed").await;

    assert_eq!(story.demo.taken("strategy"), [json!({ "action": "decline" })]);
    assert_eq!(story.demo.taken("window"), [json!({ "action": "cancel" })]);
    story.pass(Duration::from_secs(2));
    app.button("Show task").await;
    app.says(&spot::region("Task"), "Strategy: decline. Window: cancel.").await;
    app.terminate().await;
}
