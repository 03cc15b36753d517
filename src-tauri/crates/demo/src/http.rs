//! Streamable HTTP: one endpoint, POST only, on loopback only.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::Demo;
use crate::dispatch::Reply;
use crate::faults::{Hits, Outgoing};
use crate::protocol::{Message, Refusal};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The largest request body (bytes).
const BODY_MAX: usize = 16 * 1024 * 1024;

/// Why the HTTP server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// This server has no authentication, so it never listens where other machines could reach it.
    #[error("{0} is not a loopback address")]
    NotLoopback(SocketAddr),
    /// The address could not be bound.
    #[error("{addr}: {source}")]
    Bind {
        /// The address.
        addr: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// A running HTTP server. Dropping it stops it, too, without waiting.
#[derive(Debug)]
pub struct HttpServer {
    addr: SocketAddr,
    closing: watch::Sender<bool>,
    served: JoinHandle<()>,
}

impl HttpServer {
    /// The endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.addr)
    }

    /// The address, with the port that was chosen.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stop: requests under way are abandoned, streams end, connections close, the port is free.
    pub async fn shutdown(self) {
        self.closing.send_replace(true);
        // It ends by a panic in axum at worst, and stopped is what it is then.
        let _ = self.served.await;
    }
}

#[derive(Clone)]
struct Serving {
    demo: Demo,
    closing: watch::Receiver<bool>,
}

impl Demo {
    /// Serve `http://ADDR/mcp`; port 0 takes a free one.
    ///
    /// # Errors
    /// The address is not loopback, or cannot be bound.
    pub async fn serve_http(&self, addr: SocketAddr) -> Result<HttpServer, ServeError> {
        if !addr.ip().is_loopback() {
            return Err(ServeError::NotLoopback(addr));
        }
        let failed = |source| ServeError::Bind { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let (closing, closed) = watch::channel(false);
        let serving = Serving { demo: self.clone(), closing: closed.clone() };
        let router = Router::new()
            .route("/mcp", post(receive))
            .layer(DefaultBodyLimit::max(BODY_MAX))
            .with_state(serving);
        let server = axum::serve(listener, router).with_graceful_shutdown(until_closed(closed));
        let served = tokio::spawn(async move {
            if let Err(error) = server.await {
                tracing::error!(%error, "the HTTP server stopped");
            }
        });
        Ok(HttpServer { addr, closing, served })
    }
}

/// Returns when the server is told to stop, or was dropped.
async fn until_closed(mut closing: watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn receive(State(serving): State<Serving>, headers: HeaderMap, body: Bytes) -> Response {
    let closed = until_closed(serving.closing.clone());
    tokio::select! {
        response = serving.handle(&headers, &body) => response,
        () = closed => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

impl Serving {
    async fn handle(&self, headers: &HeaderMap, body: &[u8]) -> Response {
        if let Err(status) = acceptable(headers) {
            return status.into_response();
        }
        let accept = text(headers, "accept").unwrap_or_default();
        let events = self.demo.0.sse || !accept.contains(JSON);
        let message = match self.demo.receive(body) {
            Ok(message) => message,
            Err(refusal) => return json(refusal.http_status(), refusal.response(None).to_string()),
        };
        if message.id.is_none() {
            return StatusCode::ACCEPTED.into_response();
        }
        let hits = self.demo.faults().take(&message.method);
        if let Some((status, retry_after)) = hits.refusal() {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = status.into_response();
            if let Some(value) = retry_after.and_then(|value| value.parse().ok()) {
                response.headers_mut().insert(header::RETRY_AFTER, value);
            }
            return response;
        }
        match self.demo.answer(&message, &hits, repeated(headers, &message)).await {
            Reply::Nothing => StatusCode::ACCEPTED.into_response(),
            Reply::Response { body, status } => one(hits.spoil(body), status, events),
            Reply::Stream(messages) => many(messages, hits, until_closed(self.closing.clone())),
        }
    }
}

/// What HTTP alone demands of a request.
fn acceptable(headers: &HeaderMap) -> Result<(), StatusCode> {
    if headers.get(header::ORIGIN).is_some_and(|origin| !origin.to_str().is_ok_and(is_local)) {
        // A page of some web site, perhaps by DNS rebinding.
        return Err(StatusCode::FORBIDDEN);
    }
    if !text(headers, "content-type").is_some_and(|kind| kind.starts_with(JSON)) {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    if !text(headers, "accept").is_some_and(|accept| accept.contains(EVENTS)) {
        // JSON is preferred, but every request may be answered with events.
        return Err(StatusCode::NOT_ACCEPTABLE);
    }
    Ok(())
}

fn is_local(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).unwrap_or_default();
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| host.strip_prefix(local).is_some_and(|port| port.is_empty() || port.starts_with(':')))
}

/// The headers must repeat what the body says, so that nobody on the way was shown something else.
fn repeated(headers: &HeaderMap, message: &Message) -> Result<(), Refusal> {
    if message.method == "initialize" {
        // A legacy client knows none of these headers; it is told the versions instead.
        return Ok(());
    }
    let version = text(headers, "mcp-protocol-version");
    same("MCP-Protocol-Version", version, message.version().or(version))?;
    same("Mcp-Method", text(headers, "mcp-method"), Some(&message.method))?;
    if let Some(name) = message.name() {
        let header = text(headers, "mcp-name").map(decoded).transpose()?;
        same("Mcp-Name", header.as_deref(), Some(name))?;
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
    text.ok_or_else(|| Refusal::Header("Mcp-Name is not valid Base64 of UTF-8".into()))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn json(status: u16, body: impl Into<Body>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, JSON)], body.into()).into_response()
}

/// A single answer, as JSON or as the only event of a stream.
fn one(answer: Outgoing, status: u16, events: bool) -> Response {
    let Outgoing { bytes, html, cut, .. } = answer;
    // An error status leaves no choice: there is no stream to speak of.
    let events = events && !html && status == 200;
    let bytes = if events { event(&bytes, !cut) } else { bytes };
    let body = if cut { Body::from_stream(broken(bytes)) } else { bytes.into() };
    let kind = match (html, events) {
        (true, _) => "text/html; charset=utf-8",
        (false, true) => EVENTS,
        (false, false) => JSON,
    };
    let mut response = json(status, body);
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}

/// A stream of messages, which ends with them or with the server.
fn many(
    messages: mpsc::Receiver<Value>,
    hits: Hits,
    closed: impl Future<Output = ()> + Send + 'static,
) -> Response {
    let messages =
        stream::unfold(messages, |mut messages| async { Some((messages.recv().await?, messages)) });
    let events =
        messages.map(move |message| hits.spoil(message)).flat_map(|Outgoing { bytes, cut, .. }| {
            let whole = stream::once(async move { Ok::<_, io::Error>(event(&bytes, !cut)) });
            whole.chain(stream::iter(cut.then(|| Err(io::ErrorKind::ConnectionReset.into()))))
        });
    let headers = [(header::CONTENT_TYPE, EVENTS), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(Box::pin(events.take_until(Box::pin(closed))))).into_response()
}

fn event(data: &[u8], whole: bool) -> Vec<u8> {
    let end: &[u8] = if whole { b"\n\n" } else { b"" };
    [b"event: message\ndata: ", data, end].concat()
}

/// These bytes, and then no end.
fn broken(bytes: Vec<u8>) -> impl Stream<Item = io::Result<Vec<u8>>> {
    let end = async {
        // Let the bytes reach the wire first.
        tokio::task::yield_now().await;
        Err(io::ErrorKind::ConnectionReset.into())
    };
    stream::once(async { Ok(bytes) }).chain(stream::once(end))
}
