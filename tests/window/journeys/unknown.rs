use serde_json::json;

use super::{APPROVAL, Story, TO_THE_END, decided, open_question, open_questions};
use crate::spot;

#[tokio::test]
async fn a_kind_that_nobody_knows_is_shown_and_declined() {
    let story = Story::begin().await;
    story.demo.faults().odd(usize::MAX, &"unknown_question_beside".parse().unwrap());
    let app = story.desktop.open().await;
    let task = story.deploy("billing").await;
    app.hear(&open_questions("2 open questions")).await;
    open_question(&app, "Asks something unknown: weather/ask").await;
    let question = spot::region("Question");
    app.says(&question, "\"where\"").await;
    // What a no means is said before it is pressed.
    app.read("The server hears nothing").await;
    app.button("Decline").await;
    decided(&app, "declined by you").await;
    app.hear(&open_questions("1 open question")).await;
    assert_eq!(story.demo.journal().requests("tasks/update").len(), 0, "nothing was said to the server");

    // What it knows beside it is answered as ever, and leads to the end.
    open_question(&app, APPROVAL).await;
    app.button("Decline").await;
    decided(&app, "declined by you").await;
    story.pass(TO_THE_END);
    story.shows(&app, &task, "outcome", "ok").await;
    assert_eq!(story.demo.taken("approval"), [json!({ "action": "decline" })]);
    app.terminate().await;
}
