//! Tasks that clients ask for, to every kind of end.

use super::client::{Peer, RELATED};
use serde_json::{Value, json};
use signalbox_demo::{Demo, DemoWire, JournalEntry, Legacy, Wires};

async fn peer() -> Peer {
    Peer::with(Legacy::default()).await
}

#[tokio::test]
async fn tools_say_whether_they_can_be_tasks() {
    let peer = peer().await;
    let page = peer.result("tools/list", json!({})).await;
    assert_eq!(page["tools"][0]["execution"]["taskSupport"], "required", "deploy");
    assert_eq!(page["tools"][1]["execution"]["taskSupport"], "optional", "build");
    let plain = peer.ask("tools/call", json!({ "name": "survey" })).await;
    assert_eq!(plain["error"]["code"], -32601, "required: {plain}");
    let params = json!({ "name": "echo", "arguments": { "text": "x" }, "task": {} });
    assert_eq!(peer.ask("tools/call", params).await["error"]["code"], -32601, "forbidden");
    let echo = peer.result("tools/call", json!({ "name": "echo", "arguments": { "text": "x" } })).await;
    assert_eq!((&echo["content"][0]["text"], echo.get("resultType")), (&json!("x"), None));
}

#[tokio::test]
async fn a_task_is_nested_where_it_is_made_and_flat_elsewhere() {
    let peer = peer().await;
    let params = json!({ "name": "build", "arguments": { "ref": "v7" }, "task": { "ttl": 40_000 } });
    let created = peer.result("tools/call", params).await;
    let task = &created["task"];
    assert_eq!((&task["ttl"], &task["pollInterval"]), (&json!(40_000), &json!(1000)), "{created}");
    assert!(created["_meta"]["io.modelcontextprotocol/model-immediate-response"].is_string());
    let id = task["taskId"].as_str().unwrap();
    peer.advance(9250);
    let working = peer.get(id).await;
    assert_eq!(
        (&working["status"], &working["statusMessage"]),
        (&json!("working"), &json!("compiled 37/120"))
    );
    let mut result = peer.tasks_result(id).await;
    peer.advance(20_750);
    let result = result.message().await["result"].clone();
    assert_eq!(result["content"][0]["text"], "Built v7: 120 units, no warnings.");
    assert_eq!((&result["_meta"][RELATED]["taskId"], result.get("resultType")), (&json!(id), None));
    assert_eq!(peer.get(id).await["status"], "completed");
    peer.advance(10_000);
    assert_eq!(peer.ask("tasks/get", json!({ "taskId": id })).await["error"]["code"], -32602, "its ttl");
    let made = |entry: &JournalEntry| {
        matches!(entry, JournalEntry::Created { call, wire: DemoWire::Legacy, session: Some(session), .. }
            if call == id && *session == peer.session)
    };
    assert!(peer.demo.journal().entries().iter().any(made));
}

#[tokio::test]
async fn what_fails_fails() {
    let peer = peer().await;
    let (lint, crash) = (peer.start("lint", json!({})).await, peer.start("crash", json!({})).await);
    peer.advance(3000);
    assert_eq!(peer.get(&lint).await["status"], "failed", "on this wire a tool's error is a failure");
    assert_eq!(peer.tasks_result(&lint).await.message().await["result"]["isError"], true);
    assert_eq!(peer.get(&crash).await["status"], "failed");
    let error = peer.tasks_result(&crash).await.message().await;
    assert_eq!((&error["error"]["code"], &error["error"]["data"]["exitCode"]), (&json!(-32603), &json!(139)));
}

#[tokio::test]
async fn cancelling_is_final_and_at_once() {
    let peer = peer().await;
    let task = peer.start("forever", json!({})).await;
    let mut result = peer.tasks_result(&task).await;
    let cancelled = peer.result("tasks/cancel", json!({ "taskId": task })).await;
    assert_eq!((&cancelled["status"], &cancelled["taskId"]), (&json!("cancelled"), &json!(task)));
    assert!(result.message().await["error"].is_object(), "it never had a result");
    let again = peer.ask("tasks/cancel", json!({ "taskId": task })).await;
    assert_eq!(again["error"]["code"], -32602, "{again}");
}

#[tokio::test]
async fn tasks_are_listed_in_pages() {
    let peer = peer().await;
    let mut made = Vec::new();
    for _ in 0..12 {
        made.push(peer.start("forever", json!({})).await);
        peer.advance(1);
    }
    let ids = |page: &Value| -> Vec<String> {
        let tasks = page["tasks"].as_array().unwrap().iter();
        tasks.map(|task| task["taskId"].as_str().unwrap().to_owned()).collect()
    };
    let first = peer.result("tasks/list", json!({})).await;
    assert_eq!(ids(&first), made[..10]);
    let last = peer.result("tasks/list", json!({ "cursor": first["nextCursor"] })).await;
    assert_eq!((ids(&last), last.get("nextCursor")), (made[10..].to_vec(), None));
    assert_eq!(peer.ask("tasks/list", json!({ "cursor": "x" })).await["error"]["code"], -32602);
    let silent = Peer::with(Legacy { lists: false, ..Legacy::default() }).await;
    silent.start("forever", json!({})).await;
    assert_eq!(silent.result("tasks/list", json!({})).await, json!({ "tasks": [] }));
}

#[tokio::test]
async fn tasks_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let builder = || Demo::builder().wires(Wires::Legacy).state_file(dir.path().join("state"));
    let before = Peer::of(builder()).await;
    let task = before.start("two_questions", json!({})).await;
    before.server.shutdown().await;
    drop(before.demo);
    let after = Peer::of(builder()).await;
    after.advance(1000);
    assert_eq!(after.get(&task).await["status"], "input_required", "also for another session");
}
