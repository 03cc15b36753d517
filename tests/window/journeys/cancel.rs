use std::time::Duration;

use serde_json::json;

use super::Story;
use crate::spot;

#[tokio::test]
async fn a_running_task_is_cancelled_and_only_then_says_so() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "forever", &json!({})).await;
    app.go("Tasks").await;
    let (row, task) = (spot::entry("Tasks", "forever"), spot::region("Task"));
    app.press(&row).await;
    app.says(&task, "watching the queue").await;
    app.button("Cancel task…").await;
    let dialog = spot::dialog("Cancel this task?");
    app.says(&dialog, "ci is asked to cancel it").await;
    app.press(&spot::button("Cancel the task").within(&dialog)).await;

    // A wish, until the server says otherwise.
    app.see(&spot::button("Cancel requested")).await;
    app.says(&row, "cancelling").await;
    story.demo.received("tasks/cancel", 1).await;
    app.says(&task, "The server took your request to cancel").await;
    story.pass(Duration::from_secs(1));
    app.says(&row, "cancelled").await;
    app.says(&task, "cancelled on request").await;
    app.gone(&spot::button("Cancel requested")).await;

    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 1, "the server is told once");
    assert_eq!(story.show("t1").await["outcome"], "cancelled");
    app.terminate().await;
}
