//! Event streams that break, are resumed, and the transport of 2024-11-05.

use super::client::{Events, Peer, capabilities, initialize};
use crate::common::patiently;
use reqwest::{Client, Method};
use serde_json::json;
use signalbox_demo::{Demo, Fault, JournalEntry, Legacy, Wires};

#[tokio::test]
async fn a_stream_that_is_hung_up_is_resumed_where_it_was() {
    let peer = Peer::with(Legacy { retry_ms: 50, ..Legacy::default() }).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    peer.demo.faults().next(1, "tasks/result", Fault::HangUp(1));
    let mut result = peer.tasks_result(&task).await;
    let asked = result.of_method("elicitation/create").await;
    assert!(result.next().await.is_none(), "hung up behind one message");
    assert_eq!(result.retry, Some(50));
    peer.reply(&asked, json!({ "action": "decline" })).await;
    let last = result.id.clone();
    let mut rest = peer.listen(Some(&last)).await;
    let done = rest.message().await;
    assert_eq!((&done["id"], done["result"].is_object()), (&json!(8), true), "the answer: {done}");
    assert!(rest.next().await.is_none(), "the stream ends with it");
    let mut again = peer.listen(Some(&last)).await;
    assert_eq!(again.message().await, done, "and can be read once more");
    let resumed = |entry: &JournalEntry| matches!(entry, JournalEntry::Listening { last_event_id: Some(id), .. } if *id == last);
    assert!(peer.demo.journal().entries().iter().any(resumed));
    let unknown = peer.request(Method::GET).header("last-event-id", "nonsense").send();
    assert_eq!(patiently(unknown).await.unwrap().status(), 400);
}

#[tokio::test]
async fn the_general_stream_keeps_what_nobody_read_and_replays_what_was_lost() {
    let peer = Peer::with(Legacy::default()).await;
    peer.demo.change_tools();
    // It is told to whoever listens next.
    let mut general = peer.listen(None).await;
    general.of_method("notifications/tools/list_changed").await;
    let first = general.id.clone();
    peer.demo.change_tools();
    general.of_method("notifications/tools/list_changed").await;
    let mut replayed = peer.listen(Some(&first)).await;
    replayed.of_method("notifications/tools/list_changed").await;
    assert!(general.next().await.is_none(), "one reader at a time");
}

#[tokio::test]
async fn an_event_can_break_off_in_the_middle() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("lint", json!({})).await;
    peer.advance(3000);
    peer.demo.faults().next(1, "tasks/result", Fault::Cut);
    let cut = peer.open(1, "tasks/result", json!({ "taskId": task })).await;
    let text = async { cut.text().await };
    assert!(patiently(text).await.is_err(), "half an event is none");
    assert!(peer.tasks_result(&task).await.message().await["result"].is_object(), "asked for again");
}

#[tokio::test]
async fn the_transport_of_2024_carries_everything_on_one_stream() {
    let peer = Peer::stranger(Demo::builder().wires(Wires::Legacy)).await;
    let url = peer.server.old_url();
    let client = Client::builder().no_proxy().build().unwrap();
    assert_eq!(patiently(client.post(&url).send()).await.unwrap().status(), 405, "by which clients know it");
    let stream = patiently(client.get(&url).header("accept", "text/event-stream").send()).await.unwrap();
    let mut stream = Events::of(stream);
    let endpoint = stream.text_of("endpoint").await;
    let post = format!("http://{}{endpoint}", peer.server.addr());
    let send = async |body: serde_json::Value| {
        let request = client.post(&post).header("content-type", "application/json").body(body.to_string());
        assert_eq!(patiently(request.send()).await.unwrap().status(), 202);
    };
    send(initialize(&capabilities())).await;
    assert_eq!(stream.message().await["result"]["protocolVersion"], "2025-11-25");
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "confirm" } })).await;
    let asked = stream.of_method("elicitation/create").await;
    send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": "decline" } })).await;
    assert_eq!(stream.message().await["result"]["content"][0]["text"], "Volume scratch stays.");
    drop(stream);
    let gone = |entry: &JournalEntry| matches!(entry, JournalEntry::SessionClosed { why: "gone", .. });
    patiently(peer.demo.journal().until(|entries| entries.iter().any(gone))).await;
    let late = client.post(&post).header("content-type", "application/json").body("{}");
    assert_eq!(patiently(late.send()).await.unwrap().status(), 404);
}
