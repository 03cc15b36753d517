//! What belongs to stdio alone.

use std::time::Duration;

use crate::common::{Stdio, clock, first_message, patiently, request};
use serde_json::{Value, json};
use signalbox_demo::{Demo, Fault, JournalEntry};

#[tokio::test]
async fn stdio_carries_a_task_to_its_end() {
    let clock = clock();
    let demo = Demo::builder().clock(clock.clone()).build().unwrap();
    let mut stdio = Stdio::serve(demo);
    let created = stdio.ask(1, "tools/call", json!({ "name": "survey" })).await;
    let task = created["result"]["taskId"].clone();
    clock.advance(Duration::from_millis(500));
    assert_eq!(
        stdio.ask(2, "tasks/get", json!({ "taskId": task })).await["result"]["status"],
        "input_required"
    );
    let decline = json!({ "survey": { "action": "decline" } });
    let ack = stdio.ask(3, "tasks/update", json!({ "taskId": task, "inputResponses": decline })).await;
    assert_eq!((&ack["id"], &ack["result"]["resultType"]), (&json!(3), &json!("complete")));
    assert_eq!(stdio.ask(4, "tasks/get", json!({ "taskId": task })).await["result"]["status"], "completed");
    stdio.write("this is no JSON").await;
    let refused = stdio.message().await;
    assert_eq!((&refused["error"]["code"], refused.get("id")), (&json!(-32700), None));
    stdio.close().await;
}

#[tokio::test]
async fn a_held_request_on_stdio_delays_no_other_and_can_be_cancelled() {
    let demo = Demo::builder().build().unwrap();
    let gate = demo.faults().hold("tools/list");
    let mut stdio = Stdio::serve(demo.clone());
    stdio.write(&request(1, "tools/list", json!({})).to_string()).await;
    patiently(gate.reached(1)).await;
    assert_eq!(stdio.ask(2, "server/discover", json!({})).await["id"], 2);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    stdio.write(&cancel.to_string()).await;
    let abandoned =
        |entry: &JournalEntry| matches!(entry, JournalEntry::Abandoned { id, .. } if *id == json!(1));
    patiently(demo.journal().until(|entries| entries.iter().any(abandoned))).await;
    gate.open();
    assert_eq!(stdio.ask(3, "tools/list", json!({})).await["id"], 3, "nothing more is said of request 1");
    stdio.close().await;
}

#[tokio::test]
async fn stdio_writes_junk_and_breaks_off_when_told_to() {
    let demo = Demo::builder().build().unwrap();
    let mut stdio = Stdio::serve(demo.clone());
    demo.faults().next(1, "*", Fault::Junk("Server listening (really)".into()));
    stdio.write(&request(1, "server/discover", json!({})).to_string()).await;
    assert_eq!(stdio.line().await.unwrap(), "Server listening (really)");
    assert_eq!(stdio.message().await["id"], 1);
    demo.faults().next(1, "*", Fault::Cut);
    stdio.write(&request(2, "server/discover", json!({})).to_string()).await;
    let half = stdio.line().await.unwrap();
    assert!(serde_json::from_str::<Value>(&half).is_err(), "half a line: {half}");
    assert_eq!(stdio.line().await, None, "and then the server is gone");
    patiently(stdio.served).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_closed_input_still_gets_its_answers() {
    let demo = Demo::builder().build().unwrap();
    let (reply, replies) = tokio::io::duplex(64 * 1024);
    let input = format!("{}\n", request(1, "server/discover", json!({})));
    patiently(demo.serve_stdio(input.as_bytes(), reply)).await.unwrap();
    let mut text = String::new();
    patiently(tokio::io::AsyncReadExt::read_to_string(&mut { replies }, &mut text)).await.unwrap();
    assert_eq!(first_message(text.trim())["id"], 1, "{text}");
}
