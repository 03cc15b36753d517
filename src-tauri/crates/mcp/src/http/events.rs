//! A response that is an event stream, read event by event.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use reqwest::Response;

use super::{failure, sse, status};
use crate::error::Error;

/// The events of one response.
pub(crate) struct Events {
    response: Response,
    reader: sse::Reader,
    limit: usize,
}

impl Events {
    /// `limit` is in bytes of one event.
    pub(crate) fn new(response: Response, limit: usize) -> Self {
        Self { response, reader: sse::Reader::new(limit), limit }
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
    pub(crate) async fn next(&mut self) -> Result<Option<sse::Event>, Error> {
        loop {
            if let Some(event) = self.reader.next() {
                return Ok(Some(event));
            }
            let Some(piece) = chunk(&mut self.response).await? else { return Ok(self.reader.end()) };
            self.reader.feed(&piece).map_err(|sse::TooLarge| Error::TooLarge { limit: self.limit })?;
        }
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
