//! The bare loop: what anybody would write with `reqwest` and `serde_json`. It keeps nothing, decides nothing and
//! recovers from nothing; it sends what our client sends and reads the answer into a [`Value`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use signalbox_demo::DemoWire;

/// A client without anything behind it.
#[derive(Clone)]
pub(crate) struct Bare {
    client: reqwest::Client,
    sent: Arc<AtomicUsize>,
}

/// A server, as it is spoken to.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) url: String,
    /// On the legacy wire.
    session: Option<String>,
}

impl Bare {
    pub(crate) fn new() -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { client, sent: Arc::default() }
    }

    /// Begins to speak to a server.
    pub(crate) async fn reach(&self, url: &str, wire: DemoWire) -> Line {
        let line = Line { url: url.to_owned(), session: None };
        if wire == DemoWire::Modern {
            return line;
        }
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": { "form": {}, "url": {} } },
            "clientInfo": { "name": "bare", "version": "0" },
        });
        let response = self.send(self.post(&line), "initialize", &params).await;
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        Line { session: Some(session), ..line }
    }

    fn post(&self, line: &Line) -> RequestBuilder {
        let request = self.client.post(&line.url).header("content-type", "application/json");
        request.header("accept", "application/json, text/event-stream")
    }

    async fn send(&self, request: RequestBuilder, method: &str, params: &Value) -> Response {
        let id = self.sent.fetch_add(1, Ordering::Relaxed);
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        request.body(serde_json::to_vec(&body).unwrap()).send().await.unwrap()
    }

    async fn ask(&self, line: &Line, method: &str, name: &str, mut params: Value) -> Value {
        let request = match &line.session {
            Some(session) => {
                self.post(line).header("mcp-protocol-version", "2025-11-25").header("mcp-session-id", session)
            }
            None => {
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": { "name": "bare", "version": "0" },
                    "io.modelcontextprotocol/clientCapabilities": {
                        "elicitation": { "form": {}, "url": {} },
                        "extensions": { "io.modelcontextprotocol/tasks": {} },
                    },
                });
                let request = self.post(line).header("mcp-protocol-version", "2026-07-28");
                request.header("mcp-method", method).header("mcp-name", name)
            }
        };
        let response = self.send(request, method, &params).await;
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
    }

    /// Starts tasks that work until somebody cancels them; their ids.
    pub(crate) async fn start(&self, line: &Line, count: usize) -> Vec<String> {
        let mut ids = Vec::with_capacity(count);
        // On the modern wire it is the server that decides on a task.
        let (params, id) = match line.session {
            Some(_) => (json!({ "name": "forever", "task": {} }), "/result/task/taskId"),
            None => (json!({ "name": "forever" }), "/result/taskId"),
        };
        for _ in 0..count {
            let answer = self.ask(line, "tools/call", "forever", params.clone()).await;
            ids.push(answer.pointer(id).and_then(Value::as_str).unwrap().to_owned());
        }
        ids
    }

    /// Polls tasks in turn, so many times in all, so many at a time.
    pub(crate) async fn poll(&self, line: &Line, ids: &[String], times: usize, at_a_time: usize) {
        let (ids, next): (Arc<[String]>, _) = (ids.into(), Arc::new(AtomicUsize::new(0)));
        let mut loops = tokio::task::JoinSet::new();
        for _ in 0..at_a_time {
            let (bare, line, ids, next) = (self.clone(), line.clone(), Arc::clone(&ids), Arc::clone(&next));
            loops.spawn(async move {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= times {
                        return;
                    }
                    let id = &ids[n % ids.len()];
                    let answer = bare.ask(&line, "tasks/get", id, json!({ "taskId": id })).await;
                    assert_eq!(answer["result"]["status"], "working");
                }
            });
        }
        loops.join_all().await;
    }
}
