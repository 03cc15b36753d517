//! The deprecated HTTP+SSE transport of 2024-11-05: one event stream by GET carries everything to the client, and says
//! first where to post.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};

use super::events::{self, Piece, Writing};
use super::{JSON, Serving, local, refused, text, until_closed};
use crate::faults::Hits;
use crate::legacy::{Out, Session};
use crate::outbox::Reader;
use crate::protocol::Incoming;
use crate::{Demo, Wires};

/// Where its clients connect, and where they are told to post.
pub(super) const STREAM: &str = "/sse";
pub(super) const MESSAGES: &str = "/messages";
const PARAMETER: &str = "session_id=";

pub(super) async fn connect(State(serving): State<Serving>, headers: HeaderMap) -> Response {
    if let Err(status) = local(&headers) {
        return status.into_response();
    }
    if serving.demo.wires() == Wires::Modern {
        return StatusCode::NOT_FOUND.into_response();
    }
    let hits = serving.demo.faults().take("GET");
    if let Some(refused) = refused(&hits) {
        return refused;
    }
    let session = serving.demo.open_session(false);
    let endpoint = format!("event: endpoint\ndata: {MESSAGES}?{PARAMETER}{}\n\n", session.id).into_bytes();
    let reader = session.general.read(None);
    let connection = Connection { demo: serving.demo.clone(), session };
    let events = stream::unfold((reader, Writing::default(), connection), next).flat_map(stream::iter);
    let all = stream::once(async { Ok(endpoint) }).chain(events).take(hits.hang_up().unwrap_or(usize::MAX));
    let closed = until_closed(serving.closing.clone());
    events::response(Body::from_stream(Box::pin(all.take_until(Box::pin(closed)))))
}

async fn next(
    (mut reader, mut writing, connection): (Reader, Writing, Connection),
) -> Option<(Vec<Piece>, (Reader, Writing, Connection))> {
    let (message, hits) = reader.next().await?;
    Some((writing.event(&hits.spoil(message), None), (reader, writing, connection)))
}

pub(super) async fn receive(
    State(serving): State<Serving>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(status) = local(&headers) {
        return status.into_response();
    }
    if !text(&headers, "content-type").is_some_and(|kind| kind.starts_with(JSON)) {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    let id = uri.query().and_then(|query| query.strip_prefix(PARAMETER)).unwrap_or_default();
    let Some(session) = serving.demo.session(id) else { return StatusCode::NOT_FOUND.into_response() };
    let Ok(incoming) = serving.demo.receive(&body, Some(id)) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let hits = match &incoming {
        Incoming::Message(message) if message.id.is_some() => serving.demo.faults().take(&message.method),
        _ => Hits::default(),
    };
    if let Some(refused) = refused(&hits) {
        return refused;
    }
    let out = Out { to: session.general.clone(), own: false };
    serving.demo.hear(&session, incoming, out, hits);
    (StatusCode::ACCEPTED, "Accepted").into_response()
}

/// The session lives as long as its stream.
struct Connection {
    demo: Demo,
    session: std::sync::Arc<Session>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Err(error) = self.demo.close_session(&self.session, "gone") {
            tracing::error!(%error, "the state file could not be written");
        }
    }
}
