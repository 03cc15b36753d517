//! A response's body: one JSON message, or an event stream that ends in one.

use bytes::Bytes;
use futures_util::FutureExt as _;
use reqwest::Response;
use signalbox_model::Json;

use super::{failure, sse, status};
use crate::{
    error::Error,
    rpc::{Message, own_answer},
};

/// No announcement alone makes us set more bytes aside.
const MOST_AT_ONCE: usize = 1024 * 1024;

/// The answer to request `id`.
pub(super) async fn read(response: Response, id: u64, limit: usize) -> Result<Json, Error> {
    if let Some(error) = status::verdict(response.status(), response.headers(), response.url()) {
        return Err(error);
    }
    match status::content_type(response.headers()) {
        Some(kind) if kind.eq_ignore_ascii_case("text/event-stream") => {
            from_events(response, id, limit).await
        }
        _ => from_body(response, id, limit).await,
    }
}

async fn from_body(mut response: Response, id: u64, limit: usize) -> Result<Json, Error> {
    let status = response.status();
    let body = whole(&mut response, limit).await?;
    match Message::read(&body) {
        Ok(message) => own_answer(message, id)
            .unwrap_or_else(|| Err(garbled("the answer is to another request", json(&body)))),
        Err(_) => {
            let json_said =
                status::content_type(response.headers()).is_some_and(|kind| kind.ends_with("json"));
            if status.is_success() && json_said {
                return Err(garbled("the answer is no JSON-RPC message", json(&body)));
            }
            Err(status::without_message(status, response.headers(), &body))
        }
    }
}

/// The body; read no further than it may be large.
async fn whole(response: &mut Response, limit: usize) -> Result<Vec<u8>, Error> {
    let announced =
        response.content_length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if announced > limit {
        return Err(Error::TooLarge { limit });
    }
    let mut body = Vec::with_capacity(announced.min(MOST_AT_ONCE));
    while let Some(piece) = chunk(response).await? {
        if body.len() + piece.len() > limit {
            return Err(Error::TooLarge { limit });
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

async fn chunk(response: &mut Response) -> Result<Option<Bytes>, Error> {
    response.chunk().await.map_err(|error| failure::of_body(&error.without_url()))
}

async fn from_events(mut response: Response, id: u64, limit: usize) -> Result<Json, Error> {
    let mut reader = sse::Reader::new(limit);
    let mut illegible = false;
    while let Some(piece) = chunk(&mut response).await? {
        reader.feed(&piece).map_err(|sse::TooLarge| Error::TooLarge { limit })?;
        while let Some(event) = reader.next() {
            match Message::read(&event) {
                Ok(Message::Other { method }) => tracing::debug!(method, "message before the answer"),
                Ok(message) => {
                    if let Some(answer) = own_answer(message, id) {
                        drain(&mut response);
                        return answer;
                    }
                }
                Err(_) => illegible = true,
            }
        }
    }
    if illegible {
        return Err(garbled("the event stream held an illegible message and no answer", None));
    }
    Err(Error::Lost { message: "the event stream ended without the answer".into() })
}

/// Takes the end of the stream if it is already there, so that the connection can be used again.
fn drain(response: &mut Response) {
    while let Some(Ok(Some(_))) = response.chunk().now_or_never() {}
}

fn garbled(message: &str, raw: Option<Json>) -> Error {
    Error::Garbled { message: message.into(), raw }
}

fn json(body: &[u8]) -> Option<Json> {
    std::str::from_utf8(body).ok().and_then(|text| Json::parse(text).ok())
}
