//! A response's body: one JSON message, or an event stream that ends in one.

use reqwest::Response;
use signalbox_model::{Json, Obstacle, Stray};

use super::{
    Taking,
    events::{Events, chunk},
    sse, status,
};
use crate::{
    error::Error,
    flight::{Arrived, Permit},
    rpc::{Malformed, Own, own_answer_in},
};

/// Bytes of a whole body that are read as events at a time.
const PIECE: usize = 64 * 1024;

/// The answer to request `id`, where the status does not refuse it.
pub(crate) async fn read(mut response: Response, id: u64, taking: Taking<'_>) -> Result<Json, Error> {
    if Events::are_in(&response) {
        return from_events(Events::new(response, taking), id).await;
    }
    let body = whole(&mut response, taking).await?;
    of_body(response, &body, id).await
}

/// What the status alone says.
pub(crate) fn refused(response: &Response) -> Result<(), Error> {
    status::verdict(response.status(), response.headers(), response.url()).map_or(Ok(()), Err)
}

/// What a response that is refused by its status means: that refusal; or where it asks to wait, for a request that is
/// made only once, the answer that names the request.
pub(crate) async fn in_spite_of(
    refusal: Error,
    mut response: Response,
    (id, once): (u64, bool),
    taking: Taking<'_>,
) -> Result<Json, Error> {
    if !once || !matches!(refusal, Error::Throttled { .. }) {
        return Err(refusal);
    }
    let Ok(body) = whole(&mut response, taking).await else { return Err(refusal) };
    let read = |body: &[u8]| own_answer_in(body, id).ok().flatten().or_else(|| from_events_in(body, id));
    let own = body.turn().await.read(read);
    Permit::hand_over(body.permit());
    own.filter(|own| own.named).map_or(Err(refusal), |own| own.outcome)
}

/// The answer to request `id`, from a body that is whole.
pub(crate) async fn of_body(response: Response, body: &Arrived, id: u64) -> Result<Json, Error> {
    let answer = body.turn().await.read(|bytes| answer_in(&response, bytes, id));
    Permit::hand_over(body.permit());
    answer
}

/// As [`of_body`], without its room.
pub(crate) fn answer_in(response: &Response, body: &[u8], id: u64) -> Result<Json, Error> {
    let status = response.status();
    match own_answer_in(body, id) {
        Ok(Some(own)) => own.outcome,
        Ok(None) => Err(garbled(Stray::OtherRequest, json(body))),
        Err(Malformed) => {
            if let Some(own) = from_events_in(body, id) {
                return own.outcome;
            }
            let json_said =
                status::content_type(response.headers()).is_some_and(|kind| kind.ends_with("json"));
            if status.is_success() && json_said {
                return Err(garbled(Stray::NoMessage, json(body)));
            }
            Err(status::without_message(status, response.headers(), body))
        }
    }
}

/// The answer in a body that is an event stream, whatever its type says.
fn from_events_in(body: &[u8], id: u64) -> Option<Own> {
    let (mut reader, mut answer) = (sse::Reader::new(body.len()), None);
    // Piece by piece: the events of a large body, all at once, would be many times as large.
    for piece in body.chunks(PIECE) {
        reader.feed(piece).ok()?;
        while let Some(event) = reader.next() {
            answer = Own::or(answer, own_answer_in(&event.data, id).ok().flatten());
        }
    }
    answer
}

/// The body; read no further than it may be large.
pub(crate) async fn whole(response: &mut Response, taking: Taking<'_>) -> Result<Arrived, Error> {
    let Taking { limit, flight } = taking;
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(Error::TooLarge { limit });
    }
    let mut spool = flight.spool();
    while let Some(piece) = chunk(response).await? {
        if spool.len() + piece.len() > limit {
            return Err(Error::TooLarge { limit });
        }
        spool.push(&piece)?;
    }
    spool.complete().await.map(Arrived::masked)
}

async fn from_events(mut events: Events, id: u64) -> Result<Json, Error> {
    let (mut perhaps, mut illegible) = (None, false);
    while let Some(event) = events.next().await? {
        match event.message.turn().await.read(|data| own_answer_in(data, id)) {
            Ok(Some(own)) if own.named => {
                events.drain();
                Permit::hand_over(event.message.permit());
                return own.outcome;
            }
            Ok(own) => perhaps = Own::or(perhaps, own.and_then(Own::perhaps)),
            Err(Malformed) => illegible = true,
        }
    }
    perhaps.map_or_else(|| Err(no_answer(illegible)), |own| own.outcome)
}

/// What an event stream means that ended without the answer.
pub(crate) fn no_answer(illegible: bool) -> Error {
    if illegible {
        return garbled(Stray::IllegibleEvent, None);
    }
    Error::lost(Obstacle::StreamEnded)
}

fn garbled(stray: Stray, raw: Option<Json>) -> Error {
    Error::Garbled { stray, raw }
}

fn json(body: &[u8]) -> Option<Json> {
    std::str::from_utf8(body).ok().and_then(|text| Json::parse(text).ok())
}
