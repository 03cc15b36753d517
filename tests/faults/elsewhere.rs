//! Tasks that somebody else makes, past us and our proxies: their handles are adopted.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::answer::Answer;
use crate::plan::Wire;
use crate::proxy::http;

/// Has a server make a task; its id. None where the server is away.
pub(crate) async fn make(server: (SocketAddr, Wire), tool: &str, nonce: &str) -> Option<String> {
    let (server, wire) = server;
    let arguments = json!({ "nonce": nonce, "service": "web" });
    let made = match wire {
        Wire::Modern => {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "somebody else", "version": "0" },
                "io.modelcontextprotocol/clientCapabilities": {
                    "extensions": { "io.modelcontextprotocol/tasks": {} },
                    "elicitation": { "form": {}, "url": {} },
                },
            });
            let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
            let headers =
                [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
            post(server, &headers, &request("tools/call", &params)).await?
        }
        Wire::Legacy => {
            let params = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "elicitation": { "form": {}, "url": {} } },
                "clientInfo": { "name": "somebody else", "version": "0" },
            });
            let begun = post(server, &[], &request("initialize", &params)).await?;
            let session = begun.header("mcp-session-id")?.to_owned();
            let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", session.as_str())];
            let params = json!({ "name": tool, "arguments": arguments, "task": {} });
            post(server, &headers, &request("tools/call", &params)).await?
        }
    };
    Answer::read(&made.message?).task
}

fn request(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

async fn post(server: SocketAddr, headers: &[(&str, &str)], body: &str) -> Option<http::Answer> {
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {server}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let mut stream = TcpStream::connect(server).await.ok()?;
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.ok()?;
    http::answer(&mut stream).await
}
