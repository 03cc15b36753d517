//! A scripted HTTP server: it answers each request with bytes of the test's choice and reports what it received.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;
use signalbox_mcp::{Client, Endpoint, Options};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use url::Url;

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) line: String,
    /// By lower-case name.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
}

impl Received {
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// A JSON-RPC answer with this request's id.
    pub(crate) fn result(&self, result: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.body["id"])
    }

    pub(crate) fn error(&self, error: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, self.body["id"])
    }
}

/// A whole response; the connection ends with it.
pub(crate) fn response(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Scripted\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

pub(crate) fn ok_json(body: &str) -> Vec<u8> {
    response(200, "content-type: application/json\r\n", body)
}

/// An event stream without a length: it ends where the connection does.
pub(crate) fn stream(events: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n{events}")
        .into_bytes()
}

pub(crate) struct Server {
    pub(crate) url: Url,
    received: mpsc::UnboundedReceiver<Received>,
}

impl Server {
    /// `answer` makes the bytes to write; after them the connection is closed.
    pub(crate) async fn start(answer: impl Fn(&Received) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let (sender, received) = mpsc::unbounded_channel();
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (sender, answer) = (sender.clone(), Arc::clone(&answer));
                tokio::spawn(async move {
                    let mut connection = BufReader::new(connection);
                    if let Some(request) = read(&mut connection).await {
                        let bytes = answer(&request);
                        // The test may have heard enough.
                        let _ = sender.send(request);
                        let _ = connection.write_all(&bytes).await;
                        let _ = connection.shutdown().await;
                    }
                });
            }
        });
        let url = format!("http://{address}/mcp").parse().expect("a URL");
        Self { url, received }
    }

    pub(crate) fn client(&self, options: Options) -> Client {
        Client::new(Endpoint::Http { url: self.url.clone(), headers: Vec::new() }, options)
    }

    /// What came so far.
    pub(crate) fn received(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }
}

pub(crate) async fn read(connection: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut line = String::new();
    connection.read_line(&mut line).await.ok().filter(|length| *length > 0)?;
    let mut headers = HashMap::new();
    loop {
        let mut header = String::new();
        connection.read_line(&mut header).await.ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        // Several of one name are one list, as in HTTP.
        let all = headers.entry(name.to_lowercase());
        all.and_modify(|all: &mut String| *all += &format!(", {value}")).or_insert_with(|| value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Received { line: line.trim_end().into(), headers, body })
}
