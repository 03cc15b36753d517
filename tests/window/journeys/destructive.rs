//! A tool that says that it may destroy something: each yes to it takes a gesture of its own, whatever is chosen in the
//! settings and however many questions are alike.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Story, decided, open_question, open_questions};
use crate::page::ENTER;
use crate::spot::{self, Spot};

const ORDERS: &str = "Drop database orders, with all that is in it?";
const TANK: &str = "Delete volume tank? This cannot be undone.";
const DESTROYS: &str = "The tool says that it may destroy something";

#[tokio::test]
async fn a_yes_that_may_destroy_something_is_reviewed_and_ticked_on_its_own() {
    let story = Story::with(json!({ "undoMs": 1_000 })).await;
    let app = story.desktop.open().await;
    app.go("Settings").await;
    let unreviewed = spot::text("Send a yes or no without a review");
    app.reach(&unreviewed).await;
    app.press(&unreviewed).await;
    story.desktop.call("ci", "confirm", &json!({ "volume": "tank" })).await;
    for database in ["orders", "invoices"] {
        story.desktop.call("ci", "drop_database", &json!({ "database": database })).await;
    }
    story.pass(Duration::from_secs(2));
    app.hear(&open_questions("3 open questions")).await;

    // Another yes goes without a review, by a press on purpose.
    let review = spot::dialog("Send this answer?");
    open_question(&app, TANK).await;
    app.press(&spot::choice("Yes, delete it", "Yes")).await;
    app.control(ENTER).await;
    app.read("Sending in").await;
    assert!(!app.has(&review).await, "it goes at once");
    decided(&app, "accepted by you").await;

    // Both ask the same, but cannot be answered together: neither by a button nor by the key.
    open_question(&app, ORDERS).await;
    let question = spot::region("Question");
    app.says(&question, DESTROYS).await;
    app.read(
        "One more is like this. The tool says that it may destroy something, so each is answered on its own.",
    )
    .await;
    app.press(&spot::heading(ORDERS)).await;
    app.keys("=").await;
    app.drawn().await;
    assert!(!app.has(&spot::dialog("Send one answer to all of these?")).await, "its key does nothing");
    for label in ["Answer both together…", "Decline both…"] {
        assert!(!app.has(&spot::button(label)).await, "{label}");
    }

    // The same press on purpose asks, and only the tick lets it go.
    app.press(&spot::choice("Yes, drop it", "Yes")).await;
    app.control(ENTER).await;
    app.says(&review, DESTROYS).await;
    let tick =
        Spot("//label[contains(., 'I have read this answer and want the tool to have it')]/input".to_owned());
    app.focused(&tick).await;
    story.desktop.picture("destructive-review").await;
    app.keys(&ENTER.to_string()).await;
    app.control(ENTER).await;
    app.drawn().await;
    assert!(app.has(&review).await, "without the tick no key sends it");
    let send = app.see(&spot::button("Send").within(&review)).await;
    assert!(!send.is_enabled().await.unwrap(), "nor does a press");
    assert_eq!(story.demo.taken("drop"), [] as [Value; 0], "its server has heard nothing");
    app.keys(" ").await;
    app.keys(&ENTER.to_string()).await;
    decided(&app, "accepted by you").await;
    assert_eq!(story.demo.taken("drop"), [json!({ "action": "accept", "content": { "sure": true } })]);
    // The other of its kind, and the two that came after the first yes.
    app.hear(&open_questions("3 open questions")).await;
    story.pass(Duration::from_secs(3));
    app.button("Show task").await;
    app.says(&spot::region("Task"), "Database orders is dropped.").await;
    app.terminate().await;
}
