//! A server that grows without an end, over HTTP, with nothing of ours but a JSON library.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::kind::{Kind, filled};
use crate::moment::sleep;
use crate::proxy::http;

/// Between two things that it tells by itself. Those who are told set the pace; this leaves them the machine.
const PAUSE: Duration = Duration::from_millis(5);

/// A listening server. Dropped, it is gone with all its connections.
pub(super) struct Growing {
    addr: SocketAddr,
    _listening: JoinSet<()>,
}

impl Growing {
    pub(super) async fn start(kind: Kind) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let (addr, count) = (listener.local_addr()?, Arc::new(AtomicUsize::new(1)));
        let mut listening = JoinSet::new();
        listening.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let count = Arc::clone(&count);
                // A connection that breaks is over, and nothing else.
                connections.spawn(async move { drop(serve(kind, stream, &count).await) });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self { addr, _listening: listening })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.addr)
    }
}

async fn serve(kind: Kind, stream: TcpStream, count: &AtomicUsize) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    while let Some(request) = http::read(&mut read).await? {
        let n = count.fetch_add(1, Ordering::Relaxed);
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let (id, method) = (&message["id"], message["method"].as_str().unwrap_or_default());
        if request.verb() == "GET" || method == "subscriptions/listen" {
            if !kind.tells() {
                write.write_all(&answer(405, "", "")).await?;
                continue;
            }
            write
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
                .await?;
            let wanted = &message["params"]["notifications"];
            let tasks = wanted["taskIds"].as_array().cloned().unwrap_or_default();
            if !id.is_null() {
                let meta = json!({ "io.modelcontextprotocol/subscriptionId": id });
                let params = json!({ "notifications": wanted, "_meta": meta });
                let told = json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params });
                write.write_all(&event(&told)).await?;
            }
            loop {
                let n = count.fetch_add(1, Ordering::Relaxed);
                write.write_all(&event(&kind.tells_now(id, &tasks, n))).await?;
                sleep(PAUSE).await;
            }
        }
        if id.is_null() || method.is_empty() {
            write.write_all(&answer(202, "", "")).await?;
            continue;
        }
        if kind == Kind::Sessions && method != "initialize" && method != "server/discover" {
            write.write_all(&answer(404, "", "")).await?;
            continue;
        }
        let body = match kind.answer(method, &message["params"], n) {
            Some(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            None => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no" } }),
        };
        let session =
            if method == "initialize" { format!("mcp-session-id: s{n}\r\n") } else { String::new() };
        write.write_all(&answer(200, &session, &filled(&body.to_string()))).await?;
    }
    Ok(())
}

fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
    format!("HTTP/1.1 {status} -\r\n{kind}{headers}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn event(message: &Value) -> Vec<u8> {
    format!("data: {}\n\n", filled(&message.to_string())).into_bytes()
}
