//! What belongs to Streamable HTTP alone.

use crate::common::{Http, first_message, headers, patiently, request};
use serde_json::json;
use signalbox_demo::{Demo, JournalEntry, ServeError};

#[tokio::test]
async fn http_has_manners() {
    let http = Http::serve(Demo::builder()).await;
    let body = request(1, "server/discover", json!({}));
    for (name, value, status) in [
        ("origin", "https://evil.example", 403),
        ("origin", "http://localhost.evil.example", 403),
        ("origin", "http://localhost:5173", 200),
        ("content-type", "text/plain", 415),
        ("accept", "application/json", 406),
    ] {
        let mut headers = headers(&body);
        headers.insert(name, value.to_owned());
        assert_eq!(http.send(&body, headers).await.0, status, "{name}: {value}");
    }
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    assert_eq!(client.get(http.server.url()).send().await.unwrap().status(), 405);
    let notification =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert_eq!(http.send(&notification, headers(&notification)).await.0, 202);
    let everywhere = http.demo.serve_http("0.0.0.0:0".parse().unwrap()).await;
    assert!(matches!(everywhere, Err(ServeError::NotLoopback(_))), "no authentication, so loopback only");
}

#[tokio::test]
async fn answers_come_as_events_when_told_so_or_when_nothing_else_is_accepted() {
    let http = Http::serve(Demo::builder().sse(true)).await;
    let body = request(9, "server/discover", json!({}));
    let (_, response, text) = http.send(&body, headers(&body)).await;
    assert_eq!(response["content-type"], "text/event-stream");
    assert!(text.starts_with("event: message\ndata: {") && text.ends_with("}\n\n"), "{text}");
    assert_eq!(first_message(&text)["id"], 9);
    let http = Http::serve(Demo::builder()).await;
    let mut events_only = headers(&body);
    events_only.insert("accept", "text/event-stream".into());
    assert_eq!(http.send(&body, events_only).await.1["content-type"], "text/event-stream");
}

#[tokio::test]
async fn shutting_down_frees_the_port_and_ends_what_waits() {
    let http = Http::serve(Demo::builder()).await;
    let gate = http.demo.faults().hold("server/discover");
    let body = request(1, "server/discover", json!({}));
    let held = tokio::spawn(http.builder_for(&body, headers(&body)).send());
    patiently(gate.reached(1)).await;
    let (addr, demo) = (http.server.addr(), http.demo.clone());
    patiently(http.server.shutdown()).await;
    assert_eq!(held.await.unwrap().unwrap().status(), 503);
    demo.serve_http(addr).await.expect("the port should be free again");
    assert!(demo.journal().entries().iter().any(|entry| matches!(entry, JournalEntry::Abandoned { .. })));
}

#[tokio::test]
async fn a_client_that_goes_away_abandons_its_request() {
    let http = Http::serve(Demo::builder()).await;
    let body = request(3, "tools/call", json!({ "name": "slow_plain" }));
    let waiting = tokio::spawn(http.builder_for(&body, headers(&body)).send());
    patiently(http.demo.journal().until(|entries| entries.len() == 1)).await;
    waiting.abort();
    let entries = patiently(http.demo.journal().until(|entries| entries.len() == 2)).await;
    assert!(matches!(&entries[1], JournalEntry::Abandoned { id, .. } if *id == json!(3)), "{entries:?}");
}
