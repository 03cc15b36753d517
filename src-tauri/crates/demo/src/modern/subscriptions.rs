//! `subscriptions/listen`: pushes a task whenever it looks different, until the last one has ended, and says when the
//! list of tools changes.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::client::Client;
use super::{WAITING, response};
use crate::faults::Hits;
use crate::protocol::{META_SUBSCRIPTION, Refusal, notification};
use crate::script::Object;
use crate::{Demo, DemoWire};

/// Open a subscription: the acknowledgement, then the notifications, at last the response.
pub(super) fn listen(
    demo: &Demo,
    id: &Value,
    params: &Value,
    client: Client,
    hits: &Hits,
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
    let known = asked.iter().filter_map(Value::as_str);
    let known = known.filter(|id| !hits.refuses_ids() && demo.known_task(id, DemoWire::Modern).is_some());
    let subscription = Subscription {
        demo: demo.clone(),
        id: id.clone(),
        tasks: known.map(|id| Watched { id: id.to_owned(), last: None }).collect(),
        tools: filter.get("toolsListChanged") == Some(&json!(true)),
        stays: hits.refuses_ids(),
    };
    let (out, messages) = mpsc::channel(WAITING);
    tokio::spawn(subscription.push(out));
    Ok(messages)
}

struct Subscription {
    demo: Demo,
    id: Value,
    tasks: Vec<Watched>,
    tools: bool,
    /// It has nothing to say and does not end.
    stays: bool,
}

struct Watched {
    id: String,
    last: Option<Object>,
}

impl Subscription {
    /// Ends when nothing more can come, when all subscriptions are ended, or when nobody listens any more.
    async fn push(mut self, out: mpsc::Sender<Value>) {
        let demo = self.demo.clone();
        let (mut changes, mut edition, mut endings) =
            (demo.0.calls.changes(), demo.0.edition.subscribe(), demo.0.endings.subscribe());
        if out.send(self.acknowledged()).await.is_err() {
            return;
        }
        loop {
            changes.borrow_and_update();
            let (news, wake) = self.news();
            for (method, params) in news {
                if out.send(self.about(method, params)).await.is_err() {
                    return;
                }
            }
            if self.tasks.is_empty() && !self.tools && !self.stays {
                break;
            }
            tokio::select! {
                () = demo.0.clock.until(wake) => {}
                _ = changes.changed() => {}
                _ = edition.changed() => {
                    let changed = self.about("notifications/tools/list_changed", Object::new());
                    if self.tools && out.send(changed).await.is_err() {
                        return;
                    }
                }
                _ = endings.changed() => break,
                () = out.closed() => return,
            }
        }
        let end = json!({ "resultType": "complete", "_meta": { META_SUBSCRIPTION: self.id } });
        // Nobody left to read it is no failure.
        let _ = out.send(response(&self.id, end)).await;
    }

    fn acknowledged(&self) -> Value {
        let mut agreed = Object::new();
        if !self.tasks.is_empty() {
            let ids: Vec<&str> = self.tasks.iter().map(|task| task.id.as_str()).collect();
            agreed.insert("taskIds".into(), json!(ids));
        }
        if self.tools {
            agreed.insert("toolsListChanged".into(), true.into());
        }
        let mut params = Object::new();
        params.insert("notifications".into(), agreed.into());
        self.about("notifications/subscriptions/acknowledged", params)
    }

    fn about(&self, method: &str, mut params: Object) -> Value {
        params.insert("_meta".into(), json!({ META_SUBSCRIPTION: self.id }));
        notification(method, params.into())
    }

    /// What looks different, and when time alone will change something (ms since the epoch).
    fn news(&mut self) -> (Vec<(&'static str, Object)>, i64) {
        let mut wake = i64::MAX;
        let mut news = Vec::new();
        let demo = &self.demo;
        self.tasks.retain_mut(|task| {
            let Some((call, tool)) = demo.known_task(&task.id, DemoWire::Modern) else { return false };
            let (view, until) = demo.modern_view(&call, tool);
            let expiry = call.ttl_ms.map_or(i64::MAX, |ttl| call.created_at.saturating_add(ttl));
            wake = wake.min(until.unwrap_or(i64::MAX)).min(expiry);
            let ended = matches!(view["status"].as_str(), Some("completed" | "failed" | "cancelled"));
            if task.last.as_ref() != Some(&view) {
                news.push(("notifications/tasks", view.clone()));
                task.last = Some(view);
            }
            !ended
        });
        (news, wake)
    }
}
