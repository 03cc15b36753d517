//! The bare loop: what anybody would write with `reqwest` and `serde_json`. It keeps nothing, decides nothing and
//! recovers from nothing; it sends what our client sends and reads the answer into a [`Value`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

/// A client without anything behind it.
#[derive(Clone)]
pub(crate) struct Bare {
    client: reqwest::Client,
    sent: Arc<AtomicUsize>,
}

impl Bare {
    pub(crate) fn new() -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { client, sent: Arc::default() }
    }

    async fn ask(&self, url: &str, method: &str, name: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "bare", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {
                "elicitation": { "form": {}, "url": {} },
                "extensions": { "io.modelcontextprotocol/tasks": {} },
            },
        });
        let id = self.sent.fetch_add(1, Ordering::Relaxed);
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .header("mcp-name", name)
            .body(serde_json::to_vec(&body).unwrap());
        let response = request.send().await.unwrap();
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
    }

    /// Starts tasks that work until somebody cancels them; their ids.
    pub(crate) async fn start(&self, url: &str, count: usize) -> Vec<String> {
        let mut ids = Vec::with_capacity(count);
        for _ in 0..count {
            let answer = self.ask(url, "tools/call", "forever", json!({ "name": "forever" })).await;
            ids.push(answer["result"]["taskId"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Looks at tasks in turn, so many times in all, so many at a time.
    pub(crate) async fn look(&self, url: &str, ids: &[String], times: usize, at_a_time: usize) {
        let (ids, next): (Arc<[String]>, _) = (ids.into(), Arc::new(AtomicUsize::new(0)));
        let mut loops = tokio::task::JoinSet::new();
        for _ in 0..at_a_time {
            let (bare, url, ids, next) = (self.clone(), url.to_owned(), Arc::clone(&ids), Arc::clone(&next));
            loops.spawn(async move {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= times {
                        return;
                    }
                    let id = &ids[n % ids.len()];
                    let answer = bare.ask(&url, "tasks/get", id, json!({ "taskId": id })).await;
                    assert_eq!(answer["result"]["status"], "working");
                }
            });
        }
        loops.join_all().await;
    }
}
