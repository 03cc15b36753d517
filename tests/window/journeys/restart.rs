use serde_json::json;

use super::{Story, TO_THE_END, decided, open_questions};
use crate::app::App;
use crate::spot;

#[tokio::test]
async fn after_a_logout_everything_is_where_it_was() {
    interrupted(async |app| app.terminate().await).await;
}

#[tokio::test]
async fn after_a_power_cut_everything_is_where_it_was() {
    interrupted(async |app| app.kill().await).await;
}

/// The program ends in the middle of an answer and is started again.
async fn interrupted(end: impl AsyncFnOnce(App)) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let first = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    let second = story.deploy("payments").await;
    app.hear(&open_questions("2 open questions")).await;
    let rate = spot::field("Maximum error rate");
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", "payments")).await;
    app.says(&spot::region("Question"), "payments latest is ready").await;
    app.fill(&rate, "2.25").await;
    app.read("Draft saved").await;
    end(app).await;

    // Both tasks went on at the server without anybody looking.
    let app = story.desktop.open().await;
    app.hear(&open_questions("2 open questions")).await;
    app.says(&spot::entry("Questions", "payments"), "draft kept").await;
    app.says(&spot::region("Question"), "payments latest is ready").await;
    app.holds(&rate, "2.25").await;
    app.read("Draft kept").await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;

    app.button("Next question").await;
    app.says(&spot::region("Question"), "checkout latest is ready").await;
    app.holds(&rate, "0.5").await;
    app.press(&spot::choice("Approve", "No")).await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    app.gone(&open_questions("open question")).await;

    story.pass(TO_THE_END);
    story.shows(&app, &first, "outcome", "ok").await;
    story.shows(&app, &second, "outcome", "ok").await;
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "payments")).await;
    app.says(&spot::region("Task"), "Deployed payments latest to eu-west.").await;
    app.press(&spot::entry("Tasks", "checkout")).await;
    app.says(&spot::region("Task"), "Not deployed: the approval form said no.").await;

    let taken = story.demo.taken("approval");
    let rates: Vec<_> = taken.iter().map(|answer| answer["content"]["max_error_rate"].clone()).collect();
    assert_eq!(
        rates,
        [json!(2.25), json!(0.5)],
        "the server took each once, the first as typed before the end"
    );
    assert_eq!(story.demo.journal().requests("tools/call").len(), 2, "no call was repeated");
    app.terminate().await;
}
