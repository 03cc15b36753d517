use serde_json::json;

use super::{APPROVAL, Story, TO_THE_END, decided, open_question, open_questions};
use crate::spot;

#[tokio::test]
async fn a_form_is_mended_reviewed_taken_back_sent_and_taken_once() {
    let story = Story::with(json!({ "undoMs": 60_000 })).await;
    let app = story.desktop.open().await;
    assert!(!app.has(&open_questions("open question")).await, "nothing is asked yet");
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;

    // Who asks for what is said before the form.
    open_question(&app, APPROVAL).await;
    let question = spot::region("Question");
    app.says(&question, "ci asks").await;
    app.says(&question, "deploy").await;
    app.says(&question, "checkout latest is ready to go to eu-west.").await;
    app.says(&question, "127.0.0.1").await;

    // What does not fit is said at its field, and nothing is sent.
    let rate = spot::field("Maximum error rate");
    app.holds(&rate, "0.5").await;
    app.fill(&rate, "7.5").await;
    app.button("Review and send").await;
    app.says(&spot::error_at("Maximum error rate"), "5").await;
    app.fill(&rate, "1.5").await;
    app.gone(&spot::error_at("Maximum error rate")).await;
    app.choose(&spot::field("Rollout"), "All at once").await;

    // The review shows the very text that goes out.
    let review = spot::dialog("Send this answer?");
    app.button("Review and send").await;
    app.says(&review, "\"max_error_rate\": 1.5").await;
    app.says(&review, "\"rollout\": \"all_at_once\"").await;
    app.says(&review, "you have 60 s to take it back").await;
    app.button("Keep editing").await;
    app.gone(&review).await;
    app.button("Review and send").await;
    app.button("Send").await;

    // Within the undo window it has not left, and can be taken back.
    app.read("Sending in").await;
    assert_eq!(
        story.demo.journal().requests("tasks/update").len(),
        0,
        "nothing leaves while it can be undone"
    );
    app.button("Undo").await;
    app.holds(&rate, "1.5").await;

    app.go("Settings").await;
    app.fill(&spot::field("Time to undo an answer"), "1").await;
    app.keys("\t").await;
    app.read("Saved").await;
    app.go("Inbox").await;
    app.button("Review and send").await;
    app.says(&review, "you have 1 s to take it back").await;
    app.button("Send").await;

    // Once it has left there is a receipt, and nothing is open any more.
    decided(&app, "accepted by you").await;
    app.gone(&open_questions("open question")).await;
    let content = json!({ "approved": true, "rollout": "all_at_once", "max_error_rate": 1.5 });
    let taken = story.demo.taken("approval");
    assert_eq!(taken, [json!({ "action": "accept", "content": content })], "the server took it, once");

    app.button("Show task").await;
    app.says(&spot::region("Task"), "rolling out").await;
    story.pass(TO_THE_END);
    app.says(&spot::region("Task"), "Deployed checkout latest to eu-west.").await;
    assert_eq!(story.demo.journal().requests("tasks/update").len(), 1, "and was told once");
    assert_eq!(story.show(&task).await["outcome"], "ok");
    app.terminate().await;
}
