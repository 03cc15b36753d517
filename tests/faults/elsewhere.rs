//! Tasks that somebody else makes, past us and our proxies: their handles are adopted.

use std::net::SocketAddr;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::answer::Answer;
use crate::proxy::http;

/// Has a server make a task; its id. None where the server is away.
pub(crate) async fn make(server: SocketAddr, tool: &str, nonce: &str) -> Option<String> {
    let body = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": tool,
            "arguments": { "nonce": nonce, "service": "web" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "somebody else", "version": "0" },
                "io.modelcontextprotocol/clientCapabilities": {
                    "extensions": { "io.modelcontextprotocol/tasks": {} },
                    "elicitation": { "form": {}, "url": {} },
                },
            },
        },
    })
    .to_string();
    let head = [
        "POST /mcp HTTP/1.1".to_owned(),
        format!("host: {server}"),
        "content-type: application/json".to_owned(),
        "accept: application/json, text/event-stream".to_owned(),
        "mcp-protocol-version: 2026-07-28".to_owned(),
        "mcp-method: tools/call".to_owned(),
        format!("mcp-name: {tool}"),
        format!("content-length: {}", body.len()),
        "connection: close".to_owned(),
    ];
    let request = format!("{}\r\n\r\n{body}", head.join("\r\n"));
    let mut stream = TcpStream::connect(server).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    Answer::read(&http::answer(&mut stream).await?.message?).task
}
