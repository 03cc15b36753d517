use std::time::Duration;

use serde_json::json;

use super::{APPROVAL, Story, TO_THE_APPROVAL, TO_THE_END, decided, open_questions};
use crate::page::{ENTER, ESCAPE};
use crate::spot;

#[tokio::test]
async fn everything_can_be_done_without_a_mouse() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    app.see(&spot::place("Inbox")).await;

    // Start: go to the tasks, `s`, search, the first tool, its form.
    app.keys("gt").await;
    app.read("No tasks yet").await;
    app.keys("s").await;
    app.see(&spot::entry("Tools", "deploy")).await;
    app.keys("j").await;
    app.see(&spot::heading("Deploy a service")).await;
    app.keys(&ENTER.to_string()).await;
    app.focused(&spot::field("Service")).await;
    app.keys("checkout").await;
    app.control(ENTER).await;
    app.says(&spot::region("Task"), "resolving checkout latest").await;

    // Two more, from a terminal; then the inbox with `g i`, up and down with `j` and `k`.
    story.desktop.call("ci", "deploy", &json!({ "service": "payments" })).await;
    story.pass(TO_THE_APPROVAL);
    app.hear(&open_questions("2 open questions")).await;
    app.keys("gi").await;
    app.see(&spot::heading(APPROVAL)).await;
    let question = spot::region("Question");
    app.says(&question, "checkout latest is ready").await;
    app.keys("j").await;
    app.says(&question, "payments latest is ready").await;
    app.keys("k").await;
    app.says(&question, "checkout latest is ready").await;

    // Enter goes into the form, Escape out of it, `1` reviews, Enter sends.
    app.keys(&ENTER.to_string()).await;
    app.until("the focus to be in the form", async || {
        let tag = app.0.active_element().await.ok()?.tag_name().await.ok()?;
        (tag == "input" || tag == "select").then_some(())
    })
    .await;
    app.keys(&ESCAPE.to_string()).await;
    app.keys("1").await;
    app.see(&spot::dialog("Send this answer?")).await;
    app.keys(&ENTER.to_string()).await;
    decided(&app, "accepted by you").await;

    // `n` goes on, `3` declines.
    app.keys("n").await;
    app.says(&question, "payments latest is ready").await;
    app.keys("3").await;
    decided(&app, "declined by you").await;
    app.gone(&open_questions("open question")).await;
    let actions: Vec<_> =
        story.demo.taken("approval").iter().map(|answer| answer["action"].clone()).collect();
    assert_eq!(actions, [json!("accept"), json!("decline")]);

    // `x` asks whether to cancel the task in hand. Enter lets it run.
    story.pass(TO_THE_END);
    story.desktop.call("ci", "forever", &json!({})).await;
    app.keys("gt").await;
    app.press(&spot::entry("Tasks", "forever")).await;
    app.says(&spot::region("Task"), "watching the queue").await;
    let dialog = spot::dialog("Cancel this task?");
    app.keys("x").await;
    app.focused(&spot::button("Let it run")).await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&dialog).await;
    assert!(story.demo.journal().requests("tasks/cancel").is_empty(), "the server hears nothing of it");
    app.keys("x").await;
    app.focused(&spot::button("Let it run")).await;
    app.keys("\t").await;
    app.focused(&spot::button("Cancel the task")).await;
    app.keys(&ENTER.to_string()).await;
    story.demo.received("tasks/cancel", 1).await;
    story.pass(Duration::from_secs(1));
    app.says(&spot::region("Task"), "cancelled on request").await;
    app.terminate().await;
}
