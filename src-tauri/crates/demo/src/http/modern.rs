//! The modern wire over HTTP: headers repeat the body, and a connection that ends cancels its request.

use std::io;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio::sync::mpsc;

use super::events::{self, Writing};
use super::{JSON, Serving, text, until_closed};
use crate::Demo;
use crate::faults::Hits;
use crate::modern::{self, Answer};
use crate::protocol::{Message, Refusal};

impl Serving {
    pub(super) async fn answer(&self, headers: &HeaderMap, message: &Message, hits: &Hits) -> Response {
        let accept = text(headers, "accept").unwrap_or_default();
        let wants_events = self.demo.0.options.sse || !accept.contains(JSON);
        match self.demo.answer(message, hits, repeated(&self.demo, headers, message)).await {
            Answer::Nothing => StatusCode::ACCEPTED.into_response(),
            Answer::Response { body, status } => events::one(&hits.spoil(body), status, wants_events),
            Answer::Stream(messages) => many(messages, hits.clone(), until_closed(self.closing.clone())),
        }
    }
}

/// A stream of messages, which ends with them or with the server.
fn many(
    messages: mpsc::Receiver<Value>,
    hits: Hits,
    closed: impl Future<Output = ()> + Send + 'static,
) -> Response {
    let hang_up = hits.hang_up().unwrap_or(usize::MAX);
    let messages =
        stream::unfold(messages, |mut messages| async { Some((messages.recv().await?, messages)) });
    let mut writing = Writing::default();
    let pieces = messages
        .take(hang_up)
        .flat_map(move |message| stream::iter(writing.event(&hits.spoil(message), None)));
    let until_cut = pieces.scan(false, |over, piece: io::Result<_>| {
        let piece = (!*over).then_some(piece);
        *over = piece.as_ref().is_some_and(Result::is_err);
        std::future::ready(piece)
    });
    events::response(Body::from_stream(Box::pin(until_cut.take_until(Box::pin(closed)))))
}

/// The headers must repeat what the body says, so that nobody on the way was shown something else.
fn repeated(demo: &Demo, headers: &HeaderMap, message: &Message) -> Result<(), Refusal> {
    if message.method == "initialize" {
        // A legacy client knows none of these headers; it is told the versions instead.
        return Ok(());
    }
    let version = text(headers, "mcp-protocol-version");
    same("MCP-Protocol-Version", version, message.version().or(version))?;
    same("Mcp-Method", text(headers, "mcp-method"), Some(&message.method))?;
    let name = match message.method.as_str() {
        "tools/call" => "name",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return Ok(()),
    };
    let header = text(headers, "mcp-name").map(decoded).transpose()?;
    same("Mcp-Name", header.as_deref(), Some(message.params[name].as_str().unwrap_or_default()))?;
    if message.method == "tools/call" {
        modern::repeated(demo, message, |name| text(headers, name).map(decoded).transpose())?;
    }
    Ok(())
}

fn same(name: &str, header: Option<&str>, body: Option<&str>) -> Result<(), Refusal> {
    match header {
        None => Err(Refusal::Header(format!("{name} is missing or malformed"))),
        header if header == body => Ok(()),
        Some(header) => {
            let body = body.unwrap_or_default();
            Err(Refusal::Header(format!("{name} header value '{header}' does not match body value '{body}'")))
        }
    }
}

/// Undoes `=?base64?…?=`, by which values travel that are not safe in a header.
fn decoded(value: &str) -> Result<String, Refusal> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value.to_owned());
    };
    let bytes = BASE64_STANDARD.decode(encoded).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Refusal::Header("a header is not valid Base64 of UTF-8".into()))
}
