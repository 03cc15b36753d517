//! The state file and the journal's.

use std::time::Duration;

use crate::common::Http;
use serde_json::{Value, json};
use signalbox_demo::{Demo, DemoError, ScriptOptions};

#[tokio::test]
async fn tasks_and_answers_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let (state, journal) = (dir.path().join("state"), dir.path().join("journal"));
    let builder = || Demo::builder().state_file(&state).journal_file(&journal);
    let before = Http::serve(builder()).await;
    let task = before.start("two_questions", json!({})).await;
    let (forgotten, cancelled) =
        (before.start("forever", json!({})).await, before.start("forever", json!({})).await);
    before.clock.advance(Duration::from_secs(1));
    before.answer(&task, json!({ "window": { "action": "decline" } })).await;
    before.result("tasks/cancel", json!({ "taskId": cancelled })).await;
    assert!(before.demo.forget(&forgotten).unwrap());
    before.server.shutdown().await;
    drop(before.demo);
    // A crash in the middle of a line must cost only that line.
    let mut torn = std::fs::read(&state).unwrap();
    torn.extend(b"{\"event\":\"tak");
    std::fs::write(&state, torn).unwrap();

    let after = Http::serve(builder()).await;
    after.clock.advance(Duration::from_secs(2));
    let asked = after.get(&task).await;
    assert_eq!(asked["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["strategy"]);
    assert_eq!(after.get(&cancelled).await["status"], "cancelled");
    assert_eq!(after.ask("tasks/get", json!({ "taskId": forgotten })).await["error"]["code"], -32602);
    after
        .answer(&task, json!({ "strategy": { "action": "decline" }, "window": { "action": "accept" } }))
        .await;
    after.server.shutdown().await;
    drop(after.demo);

    let again = Http::serve(builder()).await;
    again.clock.advance(Duration::from_secs(60));
    assert_eq!(again.get(&task).await["result"]["structuredContent"]["window"]["action"], "decline");
    let lines = std::fs::read_to_string(&journal).unwrap();
    let kinds: Vec<Value> = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    let taken = kinds.iter().filter(|entry| entry["kind"] == "taken").map(|entry| entry["key"].clone());
    assert_eq!(taken.collect::<Vec<_>>(), ["window", "strategy"], "each once, over both lives of the server");
    assert!(kinds.iter().any(|entry| entry["kind"] == "not_taken" && entry["why"] == "already_taken"));
}

#[test]
fn a_foreign_state_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("README.md");
    std::fs::write(&path, "# Not a state file\n").unwrap();
    let opened = Demo::open(ScriptOptions { state: Some(path.clone()), ..ScriptOptions::default() });
    assert!(matches!(opened, Err(DemoError::NotOurs(_))), "{opened:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# Not a state file\n");
}
