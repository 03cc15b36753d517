//! A response that is an event stream, read event by event.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use reqwest::Response;

use super::{Taking, failure, sse, status};
use crate::{
    error::Error,
    flight::{Arrived, FREE, Spool},
};

/// The events of one response.
pub(crate) struct Events {
    response: Response,
    reader: sse::Reader,
    limit: usize,
    /// What has come of the data of the next event, as far as the reader does not have it.
    spool: Spool,
    /// The name of an event whose data are whole.
    whole: Option<Vec<u8>>,
}

/// A complete event.
pub(crate) struct Came {
    /// Its name; empty is `message`.
    pub(crate) name: Vec<u8>,
    /// The data of the event, as a message.
    pub(crate) message: Arrived,
}

impl Events {
    pub(crate) fn new(response: Response, taking: Taking<'_>) -> Self {
        let Taking { limit, flight } = taking;
        Self { response, reader: sse::Reader::new(limit), limit, spool: flight.spool(), whole: None }
    }

    /// Bytes that one event may have.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether a response is an event stream at all.
    pub(crate) fn are_in(response: &Response) -> bool {
        status::content_type(response.headers())
            .is_some_and(|kind| kind.eq_ignore_ascii_case("text/event-stream"))
    }

    /// The next event; none where the stream ends. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Option<Came>, Error> {
        self.spool.flight().ready().await;
        loop {
            if self.whole.is_some() {
                let message = self.spool.complete().await?;
                let name = self.whole.take().unwrap_or_default();
                // An address is used and not shown.
                let message = if name == b"endpoint" { message } else { message.masked() };
                return Ok(Some(Came { name, message }));
            }
            if let Some(event) = self.reader.next() {
                self.set(event)?;
                continue;
            }
            if self.reader.held() > FREE {
                let data = self.reader.hand_on();
                self.spool.push(&data)?;
            }
            match chunk(&mut self.response).await? {
                Some(piece) => {
                    self.reader
                        .feed(&piece)
                        .map_err(|sse::TooLarge| Error::TooLarge { limit: self.limit })?;
                }
                None => match self.reader.end() {
                    Some(event) => self.set(event)?,
                    None => return Ok(None),
                },
            }
        }
    }

    fn set(&mut self, event: sse::Event) -> Result<(), Error> {
        let sse::Event { name, data } = event;
        self.spool.take(data)?;
        self.whole = Some(name);
        Ok(())
    }

    /// The id of the last event: where to go on after a cut.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.reader.last_id()
    }

    /// How long the server wants us to wait before we come again.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.reader.retry()
    }

    /// Takes the end of the stream if it is already there, so that the connection can be used again.
    pub(crate) fn drain(mut self) {
        while let Some(Ok(Some(_))) = self.response.chunk().now_or_never() {}
    }
}

/// The next piece of a body.
pub(super) async fn chunk(response: &mut Response) -> Result<Option<Bytes>, Error> {
    response.chunk().await.map_err(|error| failure::of_body(&error.without_url()))
}
