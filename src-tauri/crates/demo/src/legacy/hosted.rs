//! Tasks that the client hosts for us: it answered a question with a task, and we poll it as any client would.

use serde_json::{Value, json};

use super::questions::Posed;
use crate::journal::JournalEntry;

/// The longest we wait between two looks, as told (ms).
const POLL_MS: i64 = 1000;

/// What the client's task comes to: the result of the question, or its error; none if it is needed no more.
pub(super) async fn fetch(posed: &Posed, created: &Value) -> Option<Result<Value, Value>> {
    let demo = &posed.demo;
    let task = &created["taskId"];
    let (session, call, key) = (posed.session.id.clone(), posed.call.id.clone(), posed.key.clone());
    demo.journal().write(|at| JournalEntry::Hosted { at, session, call, key, task: task.clone() });
    let fetched = follow(posed, task, created["pollInterval"].as_i64()).await;
    if fetched.is_none() {
        // Nobody needs it any more: the person must not be left with it. Its answer is waited for by nobody.
        let (id, _) = posed.session.expect();
        let cancel =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tasks/cancel", "params": { "taskId": task } });
        posed.session.general.send(cancel, demo.faults().take("tasks/cancel"));
    }
    fetched
}

async fn follow(posed: &Posed, task: &Value, interval: Option<i64>) -> Option<Result<Value, Value>> {
    let demo = &posed.demo;
    loop {
        let seen = match posed.send("tasks/get", json!({ "taskId": task })).await? {
            Ok(seen) => seen,
            Err(error) => return Some(Err(error)),
        };
        if !matches!(seen["status"].as_str(), Some("working" | "input_required")) {
            return posed.send("tasks/result", json!({ "taskId": task })).await;
        }
        let told = seen["pollInterval"].as_i64().or(interval).unwrap_or(POLL_MS).clamp(1, POLL_MS);
        let pause = demo.0.options.speed.scaled(told).max(1);
        demo.0.clock.until(demo.now_ms() + pause).await;
    }
}
