//! Questions of tasks, as requests of the server's.

use super::client::{Peer, RELATED};
use crate::common::patiently;
use serde_json::{Value, json};
use signalbox_demo::{AsksOn, JournalEntry, Legacy, NotTaken};

fn keys(peer: &Peer) -> Vec<String> {
    peer.demo.journal().taken().into_iter().map(|(_, key, _)| key).collect()
}

#[tokio::test]
async fn questions_come_on_the_stream_of_tasks_result() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("deploy", json!({ "service": "api" })).await;
    peer.advance(8500);
    assert_eq!(peer.get(&task).await["status"], "input_required");
    let mut result = peer.tasks_result(&task).await;
    let asked = result.of_method("elicitation/create").await;
    let params = &asked["params"];
    assert_eq!((&params["mode"], &params["_meta"][RELATED]["taskId"]), (&json!("form"), &json!(task)));
    assert!(params["requestedSchema"]["properties"]["approved"].is_object(), "{asked}");
    assert!(asked["id"].is_number(), "{asked}");
    peer.reply(&asked, json!({ "action": "accept", "content": { "approved": true, "rollout": "gradual" } }))
        .await;
    patiently(peer.demo.journal().until(|entries| entries.iter().any(|entry| entry.is_taken("approval"))))
        .await;
    assert_eq!(peer.get(&task).await["status"], "working");
    peer.advance(20_000);
    let done = result.message().await;
    assert_eq!(done["result"]["structuredContent"]["deployed"], true, "{done}");
    assert!(result.next().await.is_none(), "the stream ends with its answer");
}

#[tokio::test]
async fn a_question_that_died_with_its_stream_is_asked_again_and_taken_once() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    let first = peer.tasks_result(&task).await.of_method("elicitation/create").await;
    let mut result = peer.tasks_result(&task).await;
    let second = loop {
        // The server may not yet have noticed that nobody reads the first stream.
        let asked = tokio::select! {
            asked = result.message() => asked,
            other = async { peer.tasks_result(&task).await.of_method("elicitation/create").await } => other,
        };
        if asked["id"] != first["id"] {
            break asked;
        }
    };
    peer.reply(&first, json!({ "action": "decline" })).await;
    peer.reply(&second, json!({ "action": "accept", "content": {} })).await;
    patiently(peer.demo.journal().until(|entries| entries.iter().any(|entry| entry.is_taken("survey"))))
        .await;
    let done = peer.tasks_result(&task).await.message().await;
    assert_eq!(done["result"]["content"][0]["text"], "No answers: the survey was declined.", "{done}");
    assert_eq!(keys(&peer), ["survey"]);
}

#[tokio::test]
async fn several_questions_are_asked_at_once_and_a_wrong_answer_is_none() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("two_questions", json!({})).await;
    peer.advance(1000);
    let mut result = peer.tasks_result(&task).await;
    let (one, two) = (result.message().await, result.message().await);
    assert_ne!(one["id"], two["id"]);
    peer.reply(&one, json!({ "action": "perhaps" })).await;
    let malformed =
        |entry: &JournalEntry| matches!(entry, JournalEntry::NotTaken { why: NotTaken::Malformed, .. });
    patiently(peer.demo.journal().until(|entries| entries.iter().any(malformed))).await;
    let error = json!({ "jsonrpc": "2.0", "id": two["id"], "error": { "code": -1, "message": "no person" } });
    assert_eq!(peer.post(&error).await.status(), 202);
    patiently(
        peer.demo
            .journal()
            .until(|entries| entries.iter().any(|entry| matches!(entry, JournalEntry::Taken { .. }))),
    )
    .await;
    let again = result.of_method("elicitation/create").await;
    assert_eq!(again["params"]["message"], one["params"]["message"], "what was not taken is asked again");
}

#[tokio::test]
async fn a_question_that_needs_no_answer_any_more_is_withdrawn() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    let mut result = peer.tasks_result(&task).await;
    let asked = result.of_method("elicitation/create").await;
    let mut general = peer.listen(None).await;
    peer.result("tasks/cancel", json!({ "taskId": task })).await;
    let (mut withdrawn, mut ended) = (false, false);
    while !(withdrawn && ended) {
        // On whichever stream is read when the server comes to it.
        let message = tokio::select! {
            message = result.next(), if !ended => message,
            message = general.next() => message,
        };
        let Some(message) = message else { continue };
        if message["method"] == "notifications/cancelled" {
            assert_eq!(message["params"]["requestId"], asked["id"]);
            withdrawn = true;
        } else {
            assert!(message["error"].is_object(), "{message}");
            ended = true;
        }
    }
    peer.reply(&asked, json!({ "action": "accept", "content": {} })).await;
    let late = |entry: &JournalEntry| matches!(entry, JournalEntry::Reply { id, .. } if *id == asked["id"]);
    assert!(peer.demo.journal().entries().iter().any(late), "on record, and that is all");
    assert!(peer.demo.journal().taken().is_empty());
}

#[tokio::test]
async fn questions_can_come_bare_on_the_general_stream_while_the_task_says_working() {
    let legacy =
        Legacy { asks_on: AsksOn::Stream, related: false, says_input_required: false, ..Legacy::default() };
    let peer = Peer::with(legacy).await;
    let mut general = peer.listen(None).await;
    let task = peer.start("sign", json!({ "release": "2.0" })).await;
    peer.advance(1000);
    let asked = general.of_method("elicitation/create").await;
    assert_eq!((&asked["params"]["mode"], asked["params"].get("_meta")), (&json!("url"), None), "{asked}");
    assert!(asked["params"]["elicitationId"].is_string());
    assert_eq!(peer.get(&task).await["status"], "working");
    drop(general);
    let mut general = peer.listen(None).await;
    let again = general.of_method("elicitation/create").await;
    assert_ne!(again["id"], asked["id"], "who listens anew is asked anew");
    peer.reply(&again, json!({ "action": "accept" })).await;
    let complete = loop {
        let message = general.message().await;
        if message["method"] == "notifications/elicitation/complete" {
            break message;
        }
    };
    assert_eq!(complete["params"]["elicitationId"], asked["params"]["elicitationId"]);
    peer.advance(2000);
    assert_eq!(peer.get(&task).await["status"], "completed");
}

#[tokio::test]
async fn sampling_and_roots_are_asked_for_too() {
    let peer = Peer::with(Legacy::default()).await;
    let task = peer.start("summarize", json!({})).await;
    peer.advance(500);
    let mut result = peer.tasks_result(&task).await;
    let asked = result.of_method("sampling/createMessage").await;
    assert!(asked["params"]["messages"].is_array() && asked["params"]["_meta"][RELATED].is_object());
    let said =
        json!({ "role": "assistant", "content": { "type": "text", "text": "It broke." }, "model": "small" });
    peer.reply(&asked, said.clone()).await;
    patiently(peer.demo.journal().until(|entries| entries.iter().any(|entry| entry.is_taken("summary"))))
        .await;
    peer.advance(500);
    let summary: Value = result.message().await;
    assert_eq!(summary["result"]["structuredContent"], said);

    let mut call = peer.open(3, "tools/call", json!({ "name": "list_roots" })).await;
    let asked = call.of_method("roots/list").await;
    peer.reply(&asked, json!({ "roots": [{ "uri": "file:///home" }] })).await;
    assert_eq!(call.message().await["result"]["content"][0]["text"], "1 roots");
}

#[tokio::test]
async fn a_named_question_says_what_the_journal_calls_it_each_time_that_it_is_asked() {
    let peer = Peer::with(Legacy { named: true, ..Legacy::default() }).await;
    let task = peer.start("survey", json!({})).await;
    peer.advance(500);
    let mut told = Vec::new();
    for _ in 0..2 {
        let asked = peer.tasks_result(&task).await.of_method("elicitation/create").await;
        told.push(asked["params"]["_meta"]["signalbox-demo/ask"].as_str().unwrap().to_owned());
    }
    let asks = peer.demo.journal().entries().into_iter().filter_map(|entry| match entry {
        JournalEntry::Asked { ask, .. } => Some(ask),
        _ => None,
    });
    assert_eq!(asks.collect::<Vec<_>>(), told);
    assert_ne!(told[0], told[1], "asked again, it is another ask of the same question");
}
