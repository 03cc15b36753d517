//! What is told unasked.

use super::client::Peer;
use serde_json::{Value, json};
use signalbox_demo::{Legacy, Notices};

const STATUS: &str = "notifications/tasks/status";

async fn peer(notices: Notices) -> Peer {
    Peer::with(Legacy { notices, ..Legacy::default() }).await
}

#[tokio::test]
async fn every_change_of_status_can_be_told() {
    let peer = peer(Notices::On).await;
    let mut general = peer.listen(None).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    let told = general.of_method(STATUS).await;
    assert_eq!(
        (&told["params"]["taskId"], &told["params"]["status"]),
        (&json!(task), &json!("input_required"))
    );
    peer.result("tasks/cancel", json!({ "taskId": task })).await;
    loop {
        let told = general.message().await;
        if told["params"]["status"] == "cancelled" {
            break;
        }
    }
}

#[tokio::test]
async fn a_notice_can_come_before_the_answer_that_names_the_task() {
    let peer = peer(Notices::Early).await;
    let mut call = peer.open(1, "tools/call", json!({ "name": "forever", "task": {} })).await;
    let early = call.of_method(STATUS).await;
    let created = call.message().await;
    assert_eq!(early["params"]["taskId"], created["result"]["task"]["taskId"]);
}

#[tokio::test]
async fn notices_can_come_in_the_wrong_order() {
    let peer = peer(Notices::Shuffled).await;
    let mut general = peer.listen(None).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    // The herald must have seen the question before the cancellation overtakes it.
    let mut result = peer.tasks_result(&task).await;
    result.of_method("elicitation/create").await;
    peer.result("tasks/list", json!({})).await;
    peer.result("tasks/cancel", json!({ "taskId": task })).await;
    let mut seen = Vec::new();
    while seen.len() < 2 {
        let told: Value = general.message().await;
        if told["method"] == STATUS {
            seen.push(told["params"]["status"].clone());
        }
    }
    assert_eq!(seen, [json!("cancelled"), json!("input_required")], "the older one is late");
}

#[tokio::test]
async fn a_task_tells_its_progress_on_the_general_stream() {
    let peer = peer(Notices::Off).await;
    let mut general = peer.listen(None).await;
    let params = json!({ "name": "build", "task": {}, "_meta": { "progressToken": 4 } });
    let task = peer.result("tools/call", params).await["task"]["taskId"].clone();
    let told = general.of_method("notifications/progress").await;
    assert_eq!((&told["params"]["progressToken"], &told["params"]["total"]), (&json!(4), &json!(120)));
    assert_eq!(told["params"]["_meta"][super::client::RELATED]["taskId"], task);
}

#[tokio::test]
async fn a_new_edition_of_the_tools_is_told() {
    let peer = peer(Notices::Off).await;
    let mut general = peer.listen(None).await;
    peer.demo.change_tools();
    general.of_method("notifications/tools/list_changed").await;
}
