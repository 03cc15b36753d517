//! The legacy wire over Streamable HTTP: sessions by header, GET and DELETE, streams that can be resumed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};

use super::events::{self, Piece, Writing};
use super::{JSON, Serving, accepts_events, json, local, refused, text, until_closed};
use crate::faults::Hits;
use crate::journal::JournalEntry;
use crate::legacy::{Out, Session};
use crate::outbox::Reader;
use crate::protocol::{Incoming, LEGACY_VERSIONS, Message, Refusal};
use crate::tools::{self, Support};
use crate::{Sessions, Wires};

pub(super) const SESSION: &str = "mcp-session-id";

/// GET: what belongs to no request, or the rest of a stream that broke.
pub(super) async fn listen(State(serving): State<Serving>, headers: HeaderMap) -> Response {
    serving.listen(&headers).unwrap_or_else(|response| *response)
}

/// DELETE: the client needs its session no more.
pub(super) async fn delete(State(serving): State<Serving>, headers: HeaderMap) -> Response {
    let deleted = || -> Result<Response, Box<Response>> {
        let session = serving.of_session(&serving.demo.faults().take("DELETE"), &headers)?;
        let closed = serving.demo.close_session(&session, "deleted");
        Ok(closed.map_or(StatusCode::INTERNAL_SERVER_ERROR, |()| StatusCode::OK).into_response())
    };
    deleted().unwrap_or_else(|response| *response)
}

impl Serving {
    /// Hear a message of a legacy client.
    pub(super) async fn hear(&self, headers: &HeaderMap, incoming: Incoming, hits: Hits) -> Response {
        let session = match self.session_for(headers, &incoming) {
            Ok(session) => session,
            Err(response) => return *response,
        };
        let Incoming::Message(message @ Message { id: Some(_), .. }) = &incoming else {
            let out = Out { to: session.general.clone(), own: false };
            self.demo.hear(&session, incoming, out, Hits::default());
            return StatusCode::ACCEPTED.into_response();
        };
        let begins = message.method == "initialize";
        let accept = text(headers, "accept").unwrap_or_default();
        let events = self.demo.0.options.sse || !accept.contains(JSON) || may_ask(message);
        let hang_up = hits.hang_up();
        let to = session.stream();
        // Read before anything is written: nothing that is asked there is asked in vain.
        let reader = to.read(Some(0));
        self.demo.hear(&session, incoming, Out { to, own: true }, hits);
        let mut response =
            if events { self.stream(reader, hang_up) } else { self.first(reader, hang_up).await };
        if begins
            && self.demo.0.options.legacy.sessions != Sessions::Without
            && let Ok(id) = HeaderValue::from_str(&session.id)
        {
            response.headers_mut().insert(SESSION, id);
        }
        response
    }

    /// The session that the message belongs to, or the one that it begins.
    fn session_for(&self, headers: &HeaderMap, incoming: &Incoming) -> Result<Arc<Session>, Box<Response>> {
        if matches!(incoming, Incoming::Message(message) if message.method == "initialize") {
            return Ok(self.demo.open_session(true));
        }
        self.known_session(headers)
    }

    fn known_session(&self, headers: &HeaderMap) -> Result<Arc<Session>, Box<Response>> {
        let fail = |status, why| Box::new(json(status, Refusal::Request(why).response(None).to_string()));
        let version = text(headers, "mcp-protocol-version");
        if version.is_some_and(|version| !LEGACY_VERSIONS.contains(&version)) {
            return Err(fail(400, "unsupported protocol version"));
        }
        if self.demo.0.options.legacy.sessions == Sessions::Without {
            return self.demo.session("").ok_or_else(|| fail(400, "the server was not initialized"));
        }
        let id = text(headers, SESSION).ok_or_else(|| fail(400, "Mcp-Session-Id is missing"))?;
        self.demo.session(id).ok_or_else(|| fail(404, "the session was not found"))
    }

    /// The session of a request without a message.
    fn of_session(&self, hits: &Hits, headers: &HeaderMap) -> Result<Arc<Session>, Box<Response>> {
        local(headers).map_err(|status| Box::new(status.into_response()))?;
        if self.demo.wires() == Wires::Modern {
            return Err(Box::new(StatusCode::METHOD_NOT_ALLOWED.into_response()));
        }
        if let Some(refused) = refused(hits) {
            return Err(Box::new(refused));
        }
        self.known_session(headers)
    }

    fn listen(&self, headers: &HeaderMap) -> Result<Response, Box<Response>> {
        let hits = self.demo.faults().take("GET");
        let session = self.of_session(&hits, headers)?;
        accepts_events(headers).map_err(|status| Box::new(status.into_response()))?;
        let last = text(headers, "last-event-id");
        let (id, given) = (session.id.clone(), last.map(str::to_owned));
        self.demo.journal().write(|at| JournalEntry::Listening { at, session: id, last_event_id: given });
        let reader = match last {
            None => session.listen(),
            Some(last) => {
                let (name, number) = last.rsplit_once('_').unwrap_or_default();
                let stream = session.stream_named(name).zip(number.parse().ok());
                let unknown = || Box::new(StatusCode::BAD_REQUEST.into_response());
                stream.map(|(stream, number)| stream.read(Some(number))).ok_or_else(unknown)?
            }
        };
        Ok(self.stream(reader, hits.hang_up()))
    }

    /// The first message alone; all as events if it is not the only one.
    async fn first(&self, mut reader: Reader, hang_up: Option<usize>) -> Response {
        match reader.next().await {
            // The request was cancelled: there is no answer.
            None => StatusCode::ACCEPTED.into_response(),
            Some((message, hits)) if message.get("method").is_none() => {
                events::one(&hits.spoil(message), 200, false)
            }
            Some(early) => self.stream_from(Some(early), reader, hang_up),
        }
    }

    fn stream(&self, reader: Reader, hang_up: Option<usize>) -> Response {
        self.stream_from(None, reader, hang_up)
    }

    /// The messages as events with ids, after a primer; ends with them, with the server, or where it is to be hung up.
    fn stream_from(
        &self,
        early: Option<(serde_json::Value, Hits)>,
        reader: Reader,
        hang_up: Option<usize>,
    ) -> Response {
        let mut writing = Writing::default();
        let at = reader.after() - u64::from(early.is_some());
        let primer = writing.primer(&format!("{}_{at}", reader.name()), self.demo.0.options.legacy.retry_ms);
        let left = hang_up.unwrap_or(usize::MAX);
        let state = Streaming { reader, early, writing, left, cut: false };
        let events = stream::unfold(state, Streaming::next).flat_map(stream::iter);
        let all = stream::once(async { primer }).chain(events);
        let closed = until_closed(self.closing.clone());
        events::response(Body::from_stream(Box::pin(all.take_until(Box::pin(closed)))))
    }
}

struct Streaming {
    reader: Reader,
    early: Option<(serde_json::Value, Hits)>,
    writing: Writing,
    left: usize,
    cut: bool,
}

impl Streaming {
    async fn next(mut self) -> Option<(Vec<Piece>, Self)> {
        if self.cut || self.left == 0 {
            return None;
        }
        self.left -= 1;
        let (message, hits) = match self.early.take() {
            Some(early) => early,
            None => self.reader.next().await?,
        };
        let id = format!("{}_{}", self.reader.name(), self.reader.after());
        let out = hits.spoil(message);
        self.cut = out.cut;
        Some((self.writing.event(&out, Some(&id)), self))
    }
}

/// Whether the answer to this request may be long in coming, with questions before it.
fn may_ask(message: &Message) -> bool {
    match message.method.as_str() {
        "tasks/result" => true,
        "tools/call" => {
            let tool = tools::find(message.params["name"].as_str().unwrap_or_default());
            let plain = tool.is_some_and(|tool| tool.tasks != Support::Required);
            plain && !message.params["task"].is_object() && message.params["name"] != "echo"
        }
        _ => false,
    }
}
