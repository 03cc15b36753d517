//! Calls without a task: held requests that tell progress and ask on their own stream.

use super::client::{Peer, capabilities, initialize};
use crate::common::patiently;
use serde_json::{Value, json};
use signalbox_demo::{Demo, JournalEntry, Legacy, Wires};

#[tokio::test]
async fn progress_is_told_to_who_gave_a_token() {
    let peer = Peer::with(Legacy::default()).await;
    let params = json!({ "name": "slow_progress", "_meta": { "progressToken": "p" } });
    let mut call = peer.open(1, "tools/call", params).await;
    for n in 0..5 {
        let told = call.of_method("notifications/progress").await;
        let expected = json!({ "progressToken": "p", "progress": n, "total": 5, "message": format!("copied {n}/5 volumes") });
        assert_eq!(told["params"], expected);
        peer.advance(1000);
    }
    assert_eq!(call.message().await["result"]["content"][0]["text"], "Copied 5 volumes.");
    let mut quiet =
        peer.open(2, "tools/call", json!({ "name": "slow_plain", "arguments": { "ms": 0 } })).await;
    assert_eq!(quiet.message().await["id"], 2);
}

#[tokio::test]
async fn a_plain_call_asks_on_its_own_stream() {
    let peer = Peer::with(Legacy::default()).await;
    let mut call = peer.open(1, "tools/call", json!({ "name": "confirm" })).await;
    let sure = call.of_method("elicitation/create").await;
    assert!(sure["params"].get("_meta").is_none(), "there is no task to relate to: {sure}");
    peer.reply(&sure, json!({ "action": "accept", "content": { "sure": true } })).await;
    let (one, two) = (call.message().await, call.message().await);
    for asked in [&one, &two] {
        let name = asked["params"]["requestedSchema"]["properties"]["name"].is_object();
        let content = if name { json!({ "name": "scratch" }) } else { json!({}) };
        peer.reply(asked, json!({ "action": "accept", "content": content })).await;
    }
    assert_eq!(call.message().await["result"]["content"][0]["text"], "Volume scratch is deleted.");
    assert_eq!(peer.demo.journal().taken().len(), 3);
}

#[tokio::test]
async fn cancelling_the_request_withdraws_its_question() {
    let peer = Peer::with(Legacy::default()).await;
    let mut general = peer.listen(None).await;
    let mut call = peer.open(5, "tools/call", json!({ "name": "confirm" })).await;
    let asked = call.of_method("elicitation/create").await;
    peer.notify("notifications/cancelled", json!({ "requestId": 5 })).await;
    let withdrawn =
        |entry: &JournalEntry| matches!(entry, JournalEntry::Withdrawn { id, .. } if *id == asked["id"]);
    patiently(peer.demo.journal().until(|entries| entries.iter().any(withdrawn))).await;
    let abandoned =
        |entry: &JournalEntry| matches!(entry, JournalEntry::Abandoned { id, .. } if *id == json!(5));
    assert!(peer.demo.journal().entries().iter().any(abandoned));
    let told: Option<Value> = tokio::select! {
        told = call.next() => told,
        told = general.next() => told,
    };
    assert!(told.is_none_or(|told| told["method"] == "notifications/cancelled"), "and nothing else");
}

#[tokio::test]
async fn a_page_that_must_be_opened_first_is_an_error_or_a_request() {
    let peer = Peer::with(Legacy::default()).await;
    let call = json!({ "name": "connect_account", "arguments": {} });
    let error = peer.ask("tools/call", call.clone()).await["error"].clone();
    assert_eq!(error["code"], -32042, "{error}");
    let page = &error["data"]["elicitations"][0];
    assert_eq!(page["mode"], "url");
    assert!(page["elicitationId"].is_string() && page["url"].is_string(), "{page}");
    let again = peer.result("tools/call", call.clone()).await;
    assert_eq!(again["content"][0]["text"], "The account is connected.");
    assert_eq!(peer.ask("tools/call", call.clone()).await["error"]["code"], -32042, "every call anew");

    let peer = Peer::with(Legacy { url_errors: false, ..Legacy::default() }).await;
    let mut held = peer.open(1, "tools/call", call).await;
    let asked = held.of_method("elicitation/create").await;
    assert_eq!(asked["params"]["mode"], "url");
    peer.reply(&asked, json!({ "action": "cancel" })).await;
    assert_eq!(held.message().await["result"]["content"][0]["text"], "The account stays unconnected.");
}

#[tokio::test]
async fn who_cannot_be_asked_is_told_so() {
    let mut peer = Peer::stranger(Demo::builder().wires(Wires::Legacy)).await;
    let mut less = capabilities();
    less["elicitation"] = json!({ "form": {} });
    less.as_object_mut().unwrap().remove("sampling");
    let response = peer.post(&initialize(&less)).await;
    peer.session = response.headers()["mcp-session-id"].to_str().unwrap().into();
    for tool in ["sign", "summarize"] {
        let refused = peer.ask("tools/call", json!({ "name": tool, "task": {} })).await;
        assert_eq!(refused["error"]["code"], -32603, "{tool}: {refused}");
    }
    peer.start("survey", json!({})).await;
}
