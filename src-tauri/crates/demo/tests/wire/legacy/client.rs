//! A hand-written legacy client over Streamable HTTP. It knows the protocol from its text, not from the server's code.
#![allow(clippy::unwrap_used, reason = "a test helper that fails fails its test")]

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use signalbox_demo::{Builder, Demo, HttpServer, Legacy, ManualClock, Wires};

use crate::common::{clock, patiently};

pub(super) const RELATED: &str = "io.modelcontextprotocol/related-task";

/// A client that can do everything.
pub(super) fn capabilities() -> Value {
    json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": {},
        "roots": {},
        "tasks": { "list": {}, "cancel": {}, "requests": {
            "elicitation": { "create": {} }, "sampling": { "createMessage": {} },
        } },
    })
}

pub(super) fn initialize(capabilities: &Value) -> Value {
    let info = json!({ "name": "raw", "version": "0" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

pub(super) struct Peer {
    pub(super) demo: Demo,
    pub(super) clock: ManualClock,
    pub(super) server: HttpServer,
    pub(super) session: String,
    client: Client,
}

impl Peer {
    pub(super) async fn with(legacy: Legacy) -> Self {
        Self::of(Demo::builder().wires(Wires::Legacy).legacy(legacy)).await
    }

    pub(super) async fn of(builder: Builder) -> Self {
        let mut peer = Self::stranger(builder).await;
        peer.begin().await;
        peer
    }

    /// Without a session.
    pub(super) async fn stranger(builder: Builder) -> Self {
        let clock = clock();
        let demo = builder.clock(clock.clone()).build().unwrap();
        let server = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let client = Client::builder().no_proxy().build().unwrap();
        Self { demo, clock, server, client, session: String::new() }
    }

    /// Another client of the same server, in a session of its own.
    pub(super) async fn begin(&mut self) -> Value {
        self.session.clear();
        let response = self.post(&initialize(&capabilities())).await;
        let session = response.headers().get("mcp-session-id");
        self.session = session.map(|id| id.to_str().unwrap().to_owned()).unwrap_or_default();
        let answer: Value = serde_json::from_str(&patiently(response.text()).await.unwrap()).unwrap();
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(&initialized).await.status(), 202);
        answer["result"].clone()
    }

    pub(super) fn request(&self, method: Method) -> RequestBuilder {
        let request = self.client.request(method, self.server.url()).header("accept", "text/event-stream");
        let request = request.header("mcp-protocol-version", "2025-11-25");
        if self.session.is_empty() { request } else { request.header("mcp-session-id", &self.session) }
    }

    pub(super) async fn post(&self, body: &Value) -> Response {
        let request = self.client.post(self.server.url()).body(body.to_string());
        let request = request
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25");
        let request =
            if self.session.is_empty() { request } else { request.header("mcp-session-id", &self.session) };
        patiently(request.send()).await.unwrap()
    }

    /// Send a request; its answer and what comes before it are read from there.
    pub(super) async fn open(&self, id: u64, method: &str, params: Value) -> Events {
        Events::of(
            self.post(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await,
        )
    }

    /// The whole JSON-RPC response to a request that asks nothing.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Value {
        self.open(7, method, params).await.message().await
    }

    pub(super) async fn result(&self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params).await;
        assert!(response["result"].is_object(), "{method} should have a result: {response}");
        response["result"].clone()
    }

    /// Call a tool as a task; its id.
    pub(super) async fn start(&self, tool: &str, arguments: Value) -> String {
        let params = json!({ "name": tool, "arguments": arguments, "task": { "ttl": 60_000 } });
        let created = self.result("tools/call", params).await;
        assert_eq!(created["task"]["status"], "working", "{created}");
        created["task"]["taskId"].as_str().unwrap().to_owned()
    }

    pub(super) async fn get(&self, task: &str) -> Value {
        self.result("tasks/get", json!({ "taskId": task })).await
    }

    pub(super) fn advance(&self, ms: u64) {
        self.clock.advance(Duration::from_millis(ms));
    }

    pub(super) async fn tasks_result(&self, task: &str) -> Events {
        self.open(8, "tasks/result", json!({ "taskId": task })).await
    }

    pub(super) async fn listen(&self, last: Option<&str>) -> Events {
        let request = self.request(Method::GET);
        let request = if let Some(last) = last { request.header("last-event-id", last) } else { request };
        let response = patiently(request.send()).await.unwrap();
        assert_eq!(response.status(), 200);
        Events::of(response)
    }

    /// Reply to a request of the server's.
    pub(super) async fn reply(&self, request: &Value, result: Value) {
        let reply = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        assert_eq!(self.post(&reply).await.status(), 202, "{reply}");
    }

    pub(super) async fn notify(&self, method: &str, params: Value) {
        let notification = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert_eq!(self.post(&notification).await.status(), 202);
    }
}

/// The messages of a body, whether it is one document or an event stream.
pub(super) struct Events {
    response: Response,
    text: String,
    /// The id of the last event.
    pub(super) id: String,
    pub(super) retry: Option<u64>,
}

impl Events {
    pub(super) fn of(response: Response) -> Self {
        Self { response, text: String::new(), id: String::new(), retry: None }
    }

    /// The next message; none when the body is over.
    pub(super) async fn next(&mut self) -> Option<Value> {
        if self.response.headers()["content-type"] == "application/json" {
            let chunk = patiently(self.response.chunk()).await.unwrap()?;
            self.text += std::str::from_utf8(&chunk).unwrap();
            while let Some(chunk) = patiently(self.response.chunk()).await.unwrap() {
                self.text += std::str::from_utf8(&chunk).unwrap();
            }
            return Some(serde_json::from_str(&std::mem::take(&mut self.text)).unwrap());
        }
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let mut data = String::new();
                for line in event.lines() {
                    match line.split_once(':').map(|(field, value)| (field, value.trim_start())) {
                        Some(("id", id)) => self.id = id.to_owned(),
                        Some(("retry", ms)) => self.retry = Some(ms.parse().unwrap()),
                        Some(("data", line)) => data += line,
                        _ => {}
                    }
                }
                if !data.is_empty() {
                    return Some(serde_json::from_str(&data).unwrap());
                }
            }
            let chunk = patiently(self.response.chunk()).await.unwrap()?;
            self.text += std::str::from_utf8(&chunk).unwrap();
        }
    }

    /// The data of the next event, which is of this kind and no message.
    pub(super) async fn text_of(&mut self, kind: &str) -> String {
        while !self.text.contains("\n\n") {
            let chunk = patiently(self.response.chunk()).await.unwrap().unwrap();
            self.text += std::str::from_utf8(&chunk).unwrap();
        }
        let (event, rest) = self.text.split_once("\n\n").unwrap();
        let data = event.strip_prefix(&format!("event: {kind}\ndata: ")).unwrap().to_owned();
        self.text = rest.to_owned();
        data
    }

    /// The whole body.
    pub(super) async fn text(self) -> reqwest::Result<String> {
        self.response.text().await
    }

    pub(super) async fn message(&mut self) -> Value {
        self.next().await.expect("the server should say more")
    }

    /// The next message, which is a request or notification of this method.
    pub(super) async fn of_method(&mut self, method: &str) -> Value {
        let message = self.message().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }
}
