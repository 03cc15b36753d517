//! How sessions begin, are known, and end.

use super::client::{Peer, capabilities, initialize};
use crate::common::{Http, patiently, request};
use reqwest::Method;
use serde_json::json;
use signalbox_demo::{Demo, JournalEntry, Legacy, Sessions, Wires};

#[tokio::test]
async fn a_session_begins_is_asked_for_and_ends() {
    let mut peer = Peer::stranger(Demo::builder().wires(Wires::Legacy)).await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(peer.post(&list).await.status(), 400, "no session");
    peer.session = "made-up".into();
    assert_eq!(peer.post(&list).await.status(), 404, "not ours");
    let greeting = peer.begin().await;
    assert_eq!(greeting["protocolVersion"], "2025-11-25");
    let tasks = &greeting["capabilities"]["tasks"];
    assert!(tasks["requests"]["tools"]["call"].is_object() && tasks["cancel"].is_object(), "{greeting}");
    assert_eq!(peer.ask("ping", json!({})).await["result"], json!({}));
    assert_eq!(peer.ask("resources/list", json!({})).await["error"]["code"], -32601);
    assert_eq!(peer.ask("server/discover", json!({})).await["error"]["code"], -32601);
    let first = peer.session.clone();
    peer.begin().await;
    assert_ne!(peer.session, first, "every client has its own");
    assert_eq!(patiently(peer.request(Method::DELETE).send()).await.unwrap().status(), 200);
    assert_eq!(peer.post(&list).await.status(), 404, "deleted");
    let ended = std::mem::replace(&mut peer.session, first);
    assert_eq!(peer.post(&list).await.status(), 200, "the other one lives");
    let closed = |entry: &JournalEntry| matches!(entry, JournalEntry::SessionClosed { session, why: "deleted", .. } if *session == ended);
    assert!(peer.demo.journal().entries().iter().any(closed));
    peer.demo.lose_sessions().unwrap();
    assert_eq!(peer.post(&list).await.status(), 404, "lost");
}

#[tokio::test]
async fn versions_are_negotiated() {
    let peer = Peer::stranger(Demo::builder().wires(Wires::Legacy)).await;
    for (asked, agreed, tasks) in [
        ("2025-11-25", "2025-11-25", true),
        ("2025-06-18", "2025-06-18", false),
        ("2031-01-01", "2025-11-25", true),
    ] {
        let mut body = initialize(&capabilities());
        body["params"]["protocolVersion"] = asked.into();
        let answer: serde_json::Value =
            serde_json::from_str(&peer.post(&body).await.text().await.unwrap()).unwrap();
        assert_eq!(answer["result"]["protocolVersion"], agreed, "{asked}");
        assert_eq!(answer["result"]["capabilities"]["tasks"].is_object(), tasks, "{asked}");
    }
}

#[tokio::test]
async fn sessions_can_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    for (sessions, after) in [(Sessions::Kept, 200), (Sessions::Lost, 404)] {
        let state = dir.path().join(format!("{sessions:?}"));
        let legacy = Legacy { sessions, own_tasks_only: true, ..Legacy::default() };
        let builder = || Demo::builder().wires(Wires::Legacy).legacy(legacy).state_file(&state);
        let before = Peer::of(builder()).await;
        let task = before.start("survey", json!({})).await;
        let session = before.session.clone();
        before.server.shutdown().await;
        drop(before.demo);
        let mut peer = Peer::stranger(builder()).await;
        peer.session = session;
        let get = json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": { "taskId": task } });
        assert_eq!(peer.post(&get).await.status(), after, "{sessions:?}");
        if sessions == Sessions::Kept {
            peer.advance(500);
            let mut result = peer.tasks_result(&task).await;
            let asked = result.of_method("elicitation/create").await;
            assert!(asked["id"].is_string(), "no id of the life before comes again: {asked}");
            peer.reply(&asked, json!({ "action": "decline" })).await;
            assert!(result.message().await["result"]["content"].is_array());
            assert_eq!(patiently(peer.request(Method::DELETE).send()).await.unwrap().status(), 200);
            assert_eq!(peer.post(&get).await.status(), 404, "deleted for good");
        }
        peer.begin().await;
        let unknown = peer.ask("tasks/get", json!({ "taskId": task })).await;
        assert_eq!(unknown["error"]["code"], -32602, "a task of another session: {unknown}");
    }
}

#[tokio::test]
async fn a_server_can_do_without_sessions() {
    let peer = Peer::with(Legacy { sessions: Sessions::Without, ..Legacy::default() }).await;
    assert_eq!(peer.session, "");
    let task = peer.start("build", json!({})).await;
    assert_eq!(peer.get(&task).await["status"], "working");
}

#[tokio::test]
async fn both_wires_on_one_endpoint_know_their_own_tasks_alone() {
    let http = Http::serve(Demo::builder().wires(Wires::Both)).await;
    let modern = http.start("survey", json!({})).await;
    let mut peer = Peer::stranger(Demo::builder().wires(Wires::Both)).await;
    // The same server, met by both clients.
    (peer.demo, peer.server) =
        (http.demo.clone(), http.demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap());
    peer.begin().await;
    let legacy = peer.start("survey", json!({})).await;
    assert_eq!(peer.ask("tasks/get", json!({ "taskId": modern })).await["error"]["code"], -32602);
    assert_eq!(http.ask("tasks/get", json!({ "taskId": legacy })).await["error"]["code"], -32602);
    assert_eq!(http.result("server/discover", json!({})).await["supportedVersions"], json!(["2026-07-28"]));
    let listed = peer.result("tasks/list", json!({})).await;
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 1, "{listed}");
    let old = request(1, "tools/list", json!({}));
    assert_eq!(http.send(&old, crate::common::headers(&old)).await.0, 200);
}
