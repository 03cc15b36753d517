//! Questions that the client answers with a task of its own.

use super::client::{Events, Peer};
use crate::common::patiently;
use serde_json::{Value, json};
use signalbox_demo::{JournalEntry, Legacy};

async fn asked(peer: &Peer) -> (String, Events, Value) {
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    let mut result = peer.tasks_result(&task).await;
    let asked = result.of_method("elicitation/create").await;
    assert!(asked["params"]["task"]["ttl"].is_number(), "{asked}");
    (task, result, asked)
}

async fn peer() -> Peer {
    Peer::with(Legacy { hosted: true, ..Legacy::default() }).await
}

#[tokio::test]
async fn the_server_follows_the_clients_task_to_its_result() {
    let peer = peer().await;
    let (task, mut result, asked) = asked(&peer).await;
    let hosted =
        |status: &str| json!({ "taskId": "c-1", "status": status, "pollInterval": 300, "ttl": 1000 });
    peer.reply(&asked, json!({ "task": hosted("working") })).await;
    let get = result.of_method("tasks/get").await;
    assert_eq!(get["params"]["taskId"], "c-1");
    peer.reply(&get, hosted("input_required")).await;
    let looked = |entries: &[JournalEntry]| {
        entries.iter().filter(|entry| matches!(entry, JournalEntry::Reply { .. })).count() >= 2
    };
    patiently(peer.demo.journal().until(looked)).await;
    // The clock moves until it looks again: whenever it began to wait, the wait ends.
    let get = {
        let mut next = std::pin::pin!(result.of_method("tasks/get"));
        loop {
            tokio::select! {
                get = &mut next => break get,
                () = tokio::task::yield_now() => peer.advance(300),
            }
        }
    };
    peer.reply(&get, hosted("completed")).await;
    let fetch = result.of_method("tasks/result").await;
    peer.reply(&fetch, json!({ "action": "accept", "content": { "name": "Ada" } })).await;
    let done = result.message().await;
    assert_eq!(done["result"]["structuredContent"]["name"], "Ada", "{done}");
    let hosts = |entry: &JournalEntry| {
        matches!(entry, JournalEntry::Hosted { call, key, task: hosted, .. }
            if *call == task && key == "survey" && *hosted == json!("c-1"))
    };
    assert!(peer.demo.journal().entries().iter().any(hosts));
    assert_eq!(peer.demo.journal().taken().len(), 1);
}

#[tokio::test]
async fn a_client_may_answer_at_once_all_the_same() {
    let peer = peer().await;
    let (_, mut result, asked) = asked(&peer).await;
    peer.reply(&asked, json!({ "action": "decline" })).await;
    let done = result.message().await;
    assert_eq!(done["result"]["content"][0]["text"], "No answers: the survey was declined.");
}

#[tokio::test]
async fn what_is_needed_no_more_is_cancelled_at_the_client() {
    let peer = peer().await;
    let (task, mut result, asked) = asked(&peer).await;
    peer.reply(&asked, json!({ "task": { "taskId": "c-2", "status": "working" } })).await;
    let get = result.of_method("tasks/get").await;
    let mut general = peer.listen(None).await;
    peer.result("tasks/cancel", json!({ "taskId": task })).await;
    let cancel = loop {
        let message = general.message().await;
        if message["method"] != "notifications/cancelled" {
            break message;
        }
        assert_eq!(message["params"]["requestId"], get["id"]);
    };
    assert_eq!((&cancel["method"], &cancel["params"]["taskId"]), (&json!("tasks/cancel"), &json!("c-2")));
}
