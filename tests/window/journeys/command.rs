use serde_json::json;

use super::{APPROVAL, Story, TO_THE_END, decided, open_question, open_questions};
use crate::spot;

#[tokio::test]
async fn what_a_terminal_answers_the_window_shows() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.see(&spot::button("Review and send")).await;

    let content = json!({ "approved": true, "rollout": "gradual", "max_error_rate": 3 });
    let answer = ["answer", "r1", "--accept", "--content", &content.to_string()];
    drop(story.desktop.machine.run(&answer).await.ok());

    // The form that was in front has become a receipt, without a hand on the window.
    decided(&app, "accepted from another window or command").await;
    app.says(&spot::region("Question"), "\"max_error_rate\": 3").await;
    app.gone(&spot::button("Review and send")).await;
    app.gone(&open_questions("open question")).await;

    story.pass(TO_THE_END);
    app.button("Show task").await;
    app.says(&spot::region("Task"), "Deployed checkout latest to eu-west.").await;
    assert_eq!(story.demo.taken("approval"), [json!({ "action": "accept", "content": content })]);
    assert_eq!(story.show(&task).await["outcome"], "ok");
    app.terminate().await;
}
