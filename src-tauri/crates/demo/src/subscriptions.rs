//! `subscriptions/listen` for tasks: pushes a task whenever it looks different, until the last one has ended.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::Demo;
use crate::protocol::{Client, META_SUBSCRIPTION, Refusal, response};
use crate::script::Object;

/// Messages that may wait for a slow reader; a task that changed meanwhile is pushed as it looks then.
const WAITING: usize = 16;

/// Open a subscription: the acknowledgement, then `notifications/tasks`, at last the response.
pub(crate) fn listen(
    demo: &Demo,
    id: &Value,
    params: &Value,
    client: Client,
) -> Result<mpsc::Receiver<Value>, Refusal> {
    let filter = params["notifications"]
        .as_object()
        .ok_or_else(|| Refusal::Params("notifications must be an object".into()))?;
    let asked = match filter.get("taskIds") {
        None => &Vec::new(),
        Some(ids) => {
            client.needs_tasks()?;
            ids.as_array().ok_or_else(|| Refusal::Params("taskIds must be an array".into()))?
        }
    };
    let now = demo.0.clock.now_ms();
    let known = asked.iter().filter_map(Value::as_str).filter(|id| demo.known_task(id, now).is_some());
    let watched = known.map(|id| Watched { id: id.to_owned(), last: None }).collect();
    let (out, messages) = mpsc::channel(WAITING);
    tokio::spawn(push(demo.clone(), id.clone(), watched, out));
    Ok(messages)
}

struct Watched {
    id: String,
    last: Option<Object>,
}

/// Ends when every task has ended, or when nobody listens any more.
async fn push(demo: Demo, id: Value, mut watched: Vec<Watched>, out: mpsc::Sender<Value>) {
    let meta = json!({ META_SUBSCRIPTION: id });
    let ids: Vec<&str> = watched.iter().map(|task| task.id.as_str()).collect();
    let agreed = if ids.is_empty() { json!({}) } else { json!({ "taskIds": ids }) };
    let acknowledged = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": { "notifications": agreed, "_meta": meta },
    });
    if out.send(acknowledged).await.is_err() {
        return;
    }
    let mut changes = demo.0.calls.changes();
    while !watched.is_empty() {
        changes.borrow_and_update();
        let now = demo.0.clock.now_ms();
        let mut wake = i64::MAX;
        let mut news = Vec::new();
        watched.retain_mut(|task| {
            let Some((call, steps)) = demo.known_task(&task.id, now) else { return false };
            let (view, until) = demo.view(&call, steps, now);
            let expiry = call.ttl_ms.map_or(i64::MAX, |ttl| call.created_at.saturating_add(ttl));
            wake = wake.min(until.unwrap_or(i64::MAX)).min(expiry);
            let ended = matches!(view["status"].as_str(), Some("completed" | "failed" | "cancelled"));
            if task.last.as_ref() != Some(&view) {
                let mut params = view.clone();
                params.insert("_meta".into(), meta.clone());
                news.push(json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": params }));
                task.last = Some(view);
            }
            !ended
        });
        for message in news {
            if out.send(message).await.is_err() {
                return;
            }
        }
        if watched.is_empty() {
            break;
        }
        tokio::select! {
            () = demo.0.clock.until(wake) => {}
            _ = changes.changed() => {}
            () = out.closed() => return,
        }
    }
    let end = json!({ "resultType": "complete", "_meta": meta });
    // Nobody left to read it is no failure.
    let _ = out.send(response(&id, end)).await;
}
