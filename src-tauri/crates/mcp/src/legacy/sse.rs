//! A session over the deprecated HTTP+SSE transport of 2024-11-05: one event stream for all that comes, an endpoint that
//! it names for all that goes.

use std::sync::Arc;

use http::{HeaderValue, Method, header};
use reqwest::Response;
use signalbox_model::{Breach, Json, Obstacle};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{event::Channel, fire_and_forget::FireAndForget, inbound::Inbound, own_request::OwnRequest};
use crate::{
    endpoint::Options,
    error::{Error, Hint},
    http::{Events, Http, answer, content_type},
    pending::{Pending, handed_over},
    rpc::{self, Message},
    stdio::GivenUp,
    view::quote,
};

/// The longest address of an endpoint, in bytes: it goes with every message.
const LONGEST_ENDPOINT: usize = 8 * 1024;

/// One connection, which is the session.
pub(crate) struct Sse {
    http: Arc<Http>,
    endpoint: Url,
    pending: Pending,
    fire_and_forget: FireAndForget,
}

impl Sse {
    /// Opens the stream and waits for the endpoint. The stream is read until `stop` is cancelled.
    pub(super) async fn open(
        http: Arc<Http>,
        inbound: Arc<Inbound>,
        options: &Options,
        stop: CancellationToken,
    ) -> Result<Arc<Self>, Error> {
        let mut headers = http.base().clone();
        headers.remove(header::CONTENT_TYPE);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        let response = timeout(
            options.request_timeout,
            http.exchange(Method::GET, http.url(), || headers.clone(), Vec::new()),
        )
        .await
        .map_err(|_| Error::lost(Obstacle::NoStream))??;
        answer::refused(&response)?;
        if !response.status().is_success() || !Events::are_in(&response) {
            return Err(no_stream_of_ours(&response));
        }
        let other = no_stream_of_ours(&response);
        let mut events = Events::new(response, http.taking(http.limit()));
        let endpoint = timeout(options.probe_timeout, endpoint(&mut events, http.url()))
            .await
            .unwrap_or(Ok(None))?
            .ok_or(other)?;
        let this =
            Arc::new(Self { http, endpoint, pending: Pending::new(), fire_and_forget: FireAndForget::new() });
        let reader = Arc::clone(&this);
        tokio::spawn(async move {
            let ended = tokio::select! {
                () = stop.cancelled() => Error::Closed,
                ended = reader.read(&mut events, &inbound) => ended,
            };
            reader.pending.end(&ended);
            inbound.end(&match ended {
                Error::Lost { why } => Error::session(why),
                other => other,
            });
        });
        Ok(this)
    }

    /// Sends a request; the answer comes on the stream.
    pub(super) async fn request(self: &Arc<Self>, request: OwnRequest) -> Result<Json, Error> {
        let OwnRequest { id, body, once, given_up, .. } = request;
        let mut answer = self.pending.wait_for(id, None)?;
        let waiting = Waiting { id, session: self, tell: given_up != GivenUp::Silent };
        let answer = tokio::select! {
            biased;
            answer = &mut answer => answer,
            posted = self.post(body, id, once) => match posted {
                Ok(None) => answer.await,
                Ok(Some(result)) => return waiting.settled(Ok(result)),
                Err(error) => return waiting.settled(Err(error)),
            },
        };
        handed_over(answer.expect("BUG: a place is answered before it is taken away"))
    }

    /// Sends a message that has no answer here.
    pub(super) async fn tell(&self, body: Vec<u8>) -> Result<(), Error> {
        // No request has this id.
        self.post(body, 0, false).await.map(drop)
    }

    /// Sends a message, to which an answer may come at once, where it is refused.
    async fn post(&self, body: Vec<u8>, id: u64, once: bool) -> Result<Option<Json>, Error> {
        let headers = || self.http.base().clone();
        let mut response = self.http.exchange(Method::POST, &self.endpoint, headers, body).await?;
        self.http.note_date(&response);
        if response.status().is_success() {
            return Ok(None);
        }
        if let Err(refusal) = answer::refused(&response) {
            let taking = self.http.taking(self.http.limit());
            return answer::in_spite_of(refusal, response, (id, once), taking).await.map(Some);
        }
        if response.status() == 404 {
            return Err(Error::session(Obstacle::SessionForgotten));
        }
        let body = answer::whole(&mut response, self.http.taking(self.http.limit())).await?;
        answer::of_body(response, &body, id).await.map(Some)
    }

    /// Reads the stream to its end, and says how that came.
    async fn read(self: &Arc<Self>, events: &mut Events, inbound: &Inbound) -> Error {
        loop {
            let event = match events.next().await {
                Ok(Some(event)) => event,
                Ok(None) => return Error::lost(Obstacle::StreamEnded),
                Err(error) => return error,
            };
            let (permit, mut replies) = (event.message.permit(), Vec::new());
            for message in rpc::parts_of(event.message).await {
                match message {
                    Ok(Message::Answer { id: Some(id), outcome }) => {
                        if !self.pending.answer(id, outcome.map_err(Error::from), Some(permit.clone())) {
                            tracing::debug!("an answer for which nobody waits");
                        }
                    }
                    Ok(Message::Answer { id: None, .. }) => tracing::warn!("an answer without an id"),
                    Ok(Message::Unasked(message)) => {
                        replies.extend(inbound.take(message, Channel::Shared).await);
                    }
                    Err(_) => tracing::debug!("an illegible event"),
                }
            }
            // The server takes these when it likes.
            drop(permit);
            let replies = replies.into_iter().map(|reply| {
                let this = Arc::clone(self);
                async move { this.tell(reply).await }
            });
            self.fire_and_forget.send_all(replies).await;
        }
    }
}

/// What came is no stream of this transport.
fn no_stream_of_ours(response: &Response) -> Error {
    Error::NotMcp {
        status: Some(response.status().as_u16()),
        content_type: content_type(response.headers()).map(str::to_owned),
        hint: Hint::Other,
    }
}

/// The address that the first event of this transport names; none where no such event comes.
///
/// # Errors
/// [`Error::Protocol`] for another origin's, where our headers would go, and for one that is too long.
async fn endpoint(events: &mut Events, base: &Url) -> Result<Option<Url>, Error> {
    while let Some(event) = events.next().await? {
        if event.name == b"endpoint" {
            if event.message.bytes().len() > LONGEST_ENDPOINT {
                return Err(foreign(Breach::LongEndpoint { limit: LONGEST_ENDPOINT as u64 }));
            }
            let text = String::from_utf8_lossy(event.message.bytes()).into_owned();
            let url = base.join(text.trim()).ok().filter(Url::has_host);
            return match url.map(|url| (url.origin(), url)) {
                Some((origin, url)) if origin == base.origin() => Ok(Some(url)),
                Some((origin, _)) => {
                    Err(foreign(Breach::ForeignEndpoint { origin: quote(origin.ascii_serialization()) }))
                }
                None => Err(foreign(Breach::NoEndpoint)),
            };
        }
    }
    Ok(None)
}

fn foreign(breach: Breach) -> Error {
    Error::protocol(breach, None)
}

/// A request's place; dropping it tells the server that nobody waits any more.
struct Waiting<'a> {
    id: u64,
    session: &'a Arc<Sse>,
    tell: bool,
}

impl Waiting<'_> {
    /// The response to the request itself says what there is to say.
    fn settled(mut self, answer: Result<Json, Error>) -> Result<Json, Error> {
        self.tell = false;
        answer
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let unanswered = self.session.pending.forget(self.id);
        if unanswered && self.tell {
            let (session, notice) = (Arc::clone(self.session), rpc::cancelled(self.id));
            self.session.fire_and_forget.send_later(async move { session.tell(notice).await });
        }
    }
}
