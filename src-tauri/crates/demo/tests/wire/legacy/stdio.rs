//! The legacy wire on stdio.

use std::time::Duration;

use super::client::{RELATED, capabilities, initialize};
use crate::common::{Stdio, clock, patiently};
use serde_json::{Value, json};
use signalbox_demo::{AsksOn, Demo, JournalEntry, Legacy, Wires};

async fn begin(stdio: &mut Stdio) -> Value {
    stdio.write(&initialize(&capabilities()).to_string()).await;
    let greeting = stdio.message().await;
    stdio.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    greeting["result"].clone()
}

async fn ask(stdio: &mut Stdio, id: u64, method: &str, params: Value) {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    stdio.write(&request.to_string()).await;
}

#[tokio::test]
async fn who_initializes_is_legacy_and_who_does_not_is_modern() {
    let demo = Demo::builder().wires(Wires::Both).build().unwrap();
    let mut old = Stdio::serve(demo.clone());
    assert_eq!(begin(&mut old).await["protocolVersion"], "2025-11-25");
    ask(&mut old, 1, "server/discover", json!({})).await;
    assert_eq!(old.message().await["error"]["code"], -32601, "for good");
    let mut new = Stdio::serve(demo);
    let found = new.ask(1, "server/discover", json!({})).await;
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    ask(&mut new, 2, "tools/list", json!({})).await;
    assert_eq!(new.message().await["error"]["code"], -32602, "no _meta, no answer");
    old.close().await;
    new.close().await;
}

#[tokio::test]
async fn a_task_asks_only_while_its_result_is_waited_for() {
    let clock = clock();
    let demo = Demo::builder().wires(Wires::Legacy).clock(clock.clone()).build().unwrap();
    let mut stdio = Stdio::serve(demo.clone());
    ask(&mut stdio, 9, "tools/list", json!({})).await;
    assert_eq!(stdio.message().await["error"]["code"], -32600, "not before it was initialized");
    begin(&mut stdio).await;
    ask(&mut stdio, 1, "tools/call", json!({ "name": "survey", "task": {} })).await;
    let task = stdio.message().await["result"]["task"]["taskId"].clone();
    clock.advance(Duration::from_millis(500));
    ask(&mut stdio, 2, "tasks/get", json!({ "taskId": task })).await;
    assert_eq!(stdio.message().await["result"]["status"], "input_required");
    ask(&mut stdio, 3, "tasks/result", json!({ "taskId": task })).await;
    let asked = stdio.message().await;
    assert_eq!(asked["params"]["_meta"][RELATED]["taskId"], task, "{asked}");
    let give_up =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
    stdio.write(&give_up.to_string()).await;
    let abandoned = |entry: &JournalEntry| matches!(entry, JournalEntry::Abandoned { .. });
    patiently(demo.journal().until(|entries| entries.iter().any(abandoned))).await;
    ask(&mut stdio, 4, "tasks/result", json!({ "taskId": task })).await;
    let again = stdio.message().await;
    assert_eq!(again["method"], "elicitation/create");
    assert_ne!(again["id"], asked["id"]);
    let reply = json!({ "jsonrpc": "2.0", "id": again["id"], "result": { "action": "decline" } });
    stdio.write(&reply.to_string()).await;
    let mut rest = [stdio.message().await, stdio.message().await];
    rest.sort_by_key(|message| message["id"].as_u64());
    assert_eq!(rest[0]["params"]["requestId"], asked["id"], "the first asking is withdrawn: {rest:?}");
    assert_eq!(rest[1]["id"], 4);
    stdio.close().await;
    assert!(
        demo.journal()
            .entries()
            .iter()
            .any(|entry| matches!(entry, JournalEntry::SessionClosed { why: "gone", .. }))
    );
}

#[tokio::test]
async fn or_at_once_where_there_is_only_one_stream() {
    let clock = clock();
    let legacy = Legacy { asks_on: AsksOn::Stream, ..Legacy::default() };
    let demo = Demo::builder().wires(Wires::Legacy).legacy(legacy).clock(clock.clone()).build().unwrap();
    let mut stdio = Stdio::serve(demo);
    begin(&mut stdio).await;
    ask(&mut stdio, 1, "tools/call", json!({ "name": "survey", "task": {} })).await;
    stdio.message().await;
    clock.advance(Duration::from_millis(500));
    assert_eq!(stdio.message().await["method"], "elicitation/create");
    stdio.close().await;
}
