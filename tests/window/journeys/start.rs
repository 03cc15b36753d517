use std::time::Duration;

use serde_json::json;
use signalbox_demo::JournalEntry;

use super::Story;
use crate::spot;

#[tokio::test]
async fn a_tool_is_started_and_followed_to_its_end() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;

    app.go("Tasks").await;
    app.read("No tasks yet").await;
    app.button("Start a tool").await;
    app.holds(&spot::field("Server"), "s1").await;
    app.fill(&spot::field("Search tools"), "compiles").await;
    app.press(&spot::entry("Tools", "build")).await;
    app.see(&spot::heading("Build from source")).await;
    app.holds(&spot::field("Ref"), "main").await;
    app.fill(&spot::field("Ref"), "v2.1").await;
    app.button("Start").await;

    // It is in the list and in the detail, and both move with the server.
    let (row, now) = (spot::entry("Tasks", "build"), spot::region("Task"));
    app.says(&row, "compiled 0/120").await;
    app.says(&row, "v2.1").await;
    app.says(&row, "ci").await;
    app.says(&now, "compiled 0/120").await;
    story.pass(Duration::from_secs(15));
    app.says(&row, "compiled 60/120").await;
    app.says(&now, "compiled 60/120").await;
    let progress = app.hear(&spot::field("Progress reported by the server: 50 %")).await;
    assert_eq!(
        progress.attr("value").await.unwrap().as_deref(),
        Some("50"),
        "half of it is reported as done"
    );

    story.pass(Duration::from_secs(16));
    app.says(&row, "done").await;
    app.says(&now, "Built v2.1: 120 units, no warnings.").await;

    let calls = story.demo.journal().requests("tools/call");
    let [JournalEntry::Request { params, .. }] = &calls[..] else { panic!("it is called once: {calls:?}") };
    assert_eq!(params["arguments"], json!({ "ref": "v2.1" }), "with what was filled in");
    let task = story.show("t1").await;
    assert_eq!((&task["tool"], &task["outcome"]), (&json!("build"), &json!("ok")), "{task}");
    app.terminate().await;
}
