use serde_json::json;
use signalbox_demo::Fault;

use super::{APPROVAL, Story};
use crate::spot;

#[tokio::test]
async fn a_page_that_dies_is_loaded_again_where_it_was() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "deploy"), "waiting for approval").await;
    app.page_dies().await;
    app.says(&spot::entry("Tasks", "deploy"), "waiting for approval").await;
    app.go("Inbox").await;
    app.see(&spot::heading(APPROVAL)).await;

    // The third death within a minute is the person's.
    app.page_dies().await;
    app.page_dies_at_once();
    story.desktop.answer_dialog("Signalbox cannot show its window", 0).await;
    app.page_is_back().await;
    app.see(&spot::heading(APPROVAL)).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_page_that_hangs_is_closed_by_a_dialog_of_the_system() {
    let story = Story::begin().await;
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    let app = story.desktop.open().await;
    drop(story.desktop.call("ci", "forever", &json!({})).await);
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.page_hangs();
    story.desktop.close_front_window().await;
    story.desktop.answer_dialog("Close Signalbox?", 0).await;
    app.ended_well().await;
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "closing cancels nothing");
}
