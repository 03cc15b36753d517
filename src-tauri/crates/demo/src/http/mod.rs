//! Streamable HTTP for both wires: one endpoint, on loopback only. And the transport of 2024-11-05 at another.

mod events;
mod legacy;
mod modern;
mod old;

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::faults::Hits;
use crate::protocol::{Incoming, LEGACY_VERSIONS, Refusal};
use crate::{Demo, Wires};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The largest request body (bytes).
pub(crate) const BODY_MAX: usize = 16 * 1024 * 1024;

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
    /// The URL of the MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.addr)
    }

    /// Where clients of the deprecated HTTP+SSE transport of 2024-11-05 connect: the legacy wire on one event stream.
    #[must_use]
    pub fn old_url(&self) -> String {
        format!("http://{}{}", self.addr, old::STREAM)
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
    // Boxed: axum is compiled here, and not once more in each program that serves.
    pub fn serve_http(&self, addr: SocketAddr) -> BoxFuture<'_, Result<HttpServer, ServeError>> {
        Box::pin(self.served(addr))
    }

    async fn served(&self, addr: SocketAddr) -> Result<HttpServer, ServeError> {
        if !addr.ip().is_loopback() {
            return Err(ServeError::NotLoopback(addr));
        }
        let failed = |source| ServeError::Bind { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let (closing, closed) = watch::channel(false);
        let router = self.router(closed.clone());
        let server = axum::serve(listener, router).with_graceful_shutdown(until_closed(closed));
        let served = tokio::spawn(async move {
            if let Err(error) = server.await {
                tracing::error!(%error, "the HTTP server stopped");
            }
        });
        Ok(HttpServer { addr, closing, served })
    }

    /// Its routes, until they are closed.
    pub(crate) fn router(&self, closing: watch::Receiver<bool>) -> Router {
        Router::new()
            .route("/mcp", post(receive).get(legacy::listen).delete(legacy::delete))
            .route(old::STREAM, get(old::connect))
            .route(old::MESSAGES, post(old::receive))
            .layer(DefaultBodyLimit::max(BODY_MAX))
            .with_state(Serving { demo: self.clone(), closing })
    }
}

/// Returns when the server is told to stop, or was dropped.
async fn until_closed(mut closing: watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn receive(State(serving): State<Serving>, headers: HeaderMap, body: Bytes) -> Response {
    serving.unless_closed(serving.handle(&headers, &body)).await
}

impl Serving {
    async fn unless_closed(&self, response: impl Future<Output = Response>) -> Response {
        tokio::select! {
            response = response => response,
            () = until_closed(self.closing.clone()) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        }
    }

    async fn handle(&self, headers: &HeaderMap, body: &[u8]) -> Response {
        if let Err(status) = acceptable(headers) {
            return status.into_response();
        }
        let session = text(headers, legacy::SESSION).filter(|_| self.demo.wires() != Wires::Modern);
        let incoming = match self.demo.receive(body, session) {
            Ok(incoming) => incoming,
            Err(refusal) => return json(refusal.http_status(), refusal.response(None).to_string()),
        };
        let hits = match &incoming {
            Incoming::Message(message) if message.id.is_some() => self.demo.faults().take(&message.method),
            _ => Hits::default(),
        };
        if let Some(refused) = refused(&hits) {
            return refused;
        }
        if self.is_legacy(headers, &incoming) {
            return self.hear(headers, incoming, hits).await;
        }
        match incoming {
            Incoming::Message(message) => self.answer(headers, &message, &hits).await,
            Incoming::Reply(_) => {
                let refusal = Refusal::Request("a client sends requests and notifications only");
                json(refusal.http_status(), refusal.response(None).to_string())
            }
        }
    }

    /// Whose client this is, by what only one of the wires has.
    fn is_legacy(&self, headers: &HeaderMap, incoming: &Incoming) -> bool {
        match self.demo.wires() {
            Wires::Modern => false,
            Wires::Legacy => true,
            Wires::Both => {
                let begins = matches!(incoming, Incoming::Message(message) if message.method == "initialize");
                let version = text(headers, "mcp-protocol-version");
                begins
                    || headers.contains_key(legacy::SESSION)
                    || version.is_some_and(|version| LEGACY_VERSIONS.contains(&version))
            }
        }
    }
}

/// The response of a server that will not even look at the request, if a fault says so.
fn refused(hits: &Hits) -> Option<Response> {
    let (status, retry_after) = hits.refusal()?;
    let mut response =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response();
    if let Some(value) = retry_after.and_then(|value| value.parse().ok()) {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    with(&mut response, hits.headers());
    Some(response)
}

fn with(response: &mut Response, headers: impl IntoIterator<Item = (&'static str, &'static str)>) {
    for (name, value) in headers {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
}

/// What HTTP alone demands of a request that carries a message.
fn acceptable(headers: &HeaderMap) -> Result<(), StatusCode> {
    local(headers)?;
    if !text(headers, "content-type").is_some_and(|kind| kind.starts_with(JSON)) {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    accepts_events(headers)
}

/// Refuse pages of web sites, perhaps by DNS rebinding.
fn local(headers: &HeaderMap) -> Result<(), StatusCode> {
    let foreign = headers.get(header::ORIGIN).is_some_and(|origin| !origin.to_str().is_ok_and(is_local));
    if foreign { Err(StatusCode::FORBIDDEN) } else { Ok(()) }
}

/// JSON is preferred, but every request may be answered with events.
fn accepts_events(headers: &HeaderMap) -> Result<(), StatusCode> {
    let accepts = text(headers, "accept").is_some_and(|accept| accept.contains(EVENTS));
    if accepts { Ok(()) } else { Err(StatusCode::NOT_ACCEPTABLE) }
}

fn is_local(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).unwrap_or_default();
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| host.strip_prefix(local).is_some_and(|port| port.is_empty() || port.starts_with(':')))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn json(status: u16, body: impl Into<Body>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, JSON)], body.into()).into_response()
}
