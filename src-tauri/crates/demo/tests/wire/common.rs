//! Raw JSON clients for both transports. They know the protocol from its text, not from the server's code.
#![allow(clippy::unwrap_used, reason = "a test helper that fails fails its test")]

use std::collections::HashMap;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use signalbox_demo::{Builder, Demo, HttpServer, ManualClock};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

/// A test that hangs fails after this long.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) async fn patiently<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("this should have happened long ago")
}

pub(crate) fn clock() -> ManualClock {
    ManualClock::at("2026-01-01T00:00:00Z".parse().unwrap())
}

pub(crate) fn capabilities() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} }, "elicitation": { "form": {}, "url": {} } })
}

pub(crate) fn request_of(capabilities: &Value, id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(crate) fn request(id: u64, method: &str, params: Value) -> Value {
    request_of(&capabilities(), id, method, params)
}

/// The headers a conforming client sends with this body.
pub(crate) fn headers(body: &Value) -> HashMap<&'static str, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut headers = HashMap::from([
        ("content-type", "application/json".to_owned()),
        ("accept", "application/json, text/event-stream".to_owned()),
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", text(&body["method"])),
    ]);
    for member in ["name", "taskId"] {
        if body["params"][member].is_string() {
            headers.insert("mcp-name", text(&body["params"][member]));
        }
    }
    headers
}

/// The first event's data, or the body itself.
pub(crate) fn first_message(body: &str) -> Value {
    let data = body.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or(body);
    serde_json::from_str(data).unwrap_or(Value::Null)
}

pub(crate) struct Http {
    pub(crate) demo: Demo,
    pub(crate) clock: ManualClock,
    pub(crate) server: HttpServer,
    client: reqwest::Client,
}

impl Http {
    pub(crate) async fn serve(builder: Builder) -> Self {
        let clock = clock();
        let demo = builder.clock(clock.clone()).build().unwrap();
        let server = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        Self { demo, clock, server, client: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    pub(crate) fn builder_for(
        &self,
        body: &Value,
        headers: HashMap<&'static str, String>,
    ) -> reqwest::RequestBuilder {
        let request = self.client.post(self.server.url()).body(body.to_string());
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    pub(crate) async fn send(
        &self,
        body: &Value,
        headers: HashMap<&'static str, String>,
    ) -> (u16, HeaderMap, String) {
        let response = patiently(self.builder_for(body, headers).send()).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (status, headers, patiently(response.text()).await.unwrap())
    }

    /// The whole JSON-RPC response.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let body = request(1, method, params);
        let (_, _, text) = self.send(&body, headers(&body)).await;
        first_message(&text)
    }

    /// The result; fails the test if there is none.
    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params).await;
        assert!(response["result"].is_object(), "{method} should have a result: {response}");
        response["result"].clone()
    }

    /// Call a tool that answers with a task; its id.
    pub(crate) async fn start(&self, tool: &str, arguments: Value) -> String {
        let created = self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert_eq!(created["resultType"], "task", "{created}");
        assert_eq!(created["status"], "working", "{created}");
        created["taskId"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn get(&self, task: &str) -> Value {
        self.result("tasks/get", json!({ "taskId": task })).await
    }

    pub(crate) async fn after(&self, ms: u64, task: &str) -> Value {
        self.clock.advance(Duration::from_millis(ms));
        self.get(task).await
    }

    pub(crate) async fn answer(&self, task: &str, responses: Value) {
        let ack = self.result("tasks/update", json!({ "taskId": task, "inputResponses": responses })).await;
        assert_eq!(ack["resultType"], "complete", "{ack}");
    }
}

/// A client on two pipes.
pub(crate) struct Stdio {
    pub(crate) served: JoinHandle<std::io::Result<()>>,
    from_server: BufReader<ReadHalf<DuplexStream>>,
    to_server: WriteHalf<DuplexStream>,
}

impl Stdio {
    pub(crate) fn serve(demo: Demo) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let served = tokio::spawn(async move { demo.serve_stdio(reader, writer).await });
        let (from_server, to_server) = tokio::io::split(ours);
        Self { served, from_server: BufReader::new(from_server), to_server }
    }

    pub(crate) async fn write(&mut self, line: &str) {
        self.try_write(line).await.unwrap();
    }

    /// Fails when the server is gone.
    pub(crate) async fn try_write(&mut self, line: &str) -> std::io::Result<()> {
        patiently(self.to_server.write_all(format!("{line}\n").as_bytes())).await
    }

    /// The next line as it is, as far as it is text; none at the end.
    pub(crate) async fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let read = patiently(self.from_server.read_until(b'\n', &mut line)).await.unwrap();
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        (read > 0).then(|| String::from_utf8_lossy(line).into_owned())
    }

    pub(crate) async fn message(&mut self) -> Value {
        serde_json::from_str(&self.line().await.expect("the server should say more")).unwrap()
    }

    pub(crate) async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.write(&request(id, method, params).to_string()).await;
        self.message().await
    }

    pub(crate) async fn close(mut self) {
        self.to_server.shutdown().await.unwrap();
        patiently(self.served).await.unwrap().unwrap();
    }
}
