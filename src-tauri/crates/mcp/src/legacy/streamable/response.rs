//! How the answer to a request is found: in the body of its response, or on an event stream, which is taken up again where it
//! is cut. And whether a refusal means the session itself.

use std::{sync::Arc, time::Duration};

use http::Method;
use reqwest::Response;
use signalbox_model::Json;
use tokio::time::timeout;

use super::Streamable;
use crate::{
    error::Error,
    flight::{Arrived, Permit},
    http::{Events, answer},
    legacy::{event::Channel, resume_point::ResumePoint},
    rpc::{self, Message, Own},
};

/// How long the question may take whether a session is there.
const DOUBT: Duration = Duration::from_secs(10);
/// How often a stream with our answer is taken up again in vain.
const TRIES: usize = 5;

impl Streamable {
    /// The answer to request `id` in a response that may have `limit` bytes, or events of so many.
    pub(super) async fn answer(
        self: &Arc<Self>,
        response: Response,
        (id, limit): (u64, usize),
        channel: &Channel,
    ) -> Result<Json, Error> {
        if response.status().is_success() && Events::are_in(&response) {
            let events = Events::new(response, self.http.taking(limit));
            // Boxed like all that is seldom: every request would carry its size along.
            return Box::pin(self.follow(events, id, channel)).await;
        }
        let (response, body) = self.body(response, (id, limit)).await?;
        if body.bytes().trim_ascii_start().first() == Some(&b'[') {
            let said = body.turn().await.read(|body| answer::answer_in(&response, body, id));
            let permit = body.permit();
            // What else is in it. The answer has been taken.
            let _ = Box::pin(self.event(body, None, channel)).await;
            Permit::hand_over(permit);
            return said;
        }
        answer::of_body(response, &body, id).await
    }

    /// Reads a stream up to the answer, taking it up again wherever it is cut, if the server lets us.
    async fn follow(self: &Arc<Self>, mut events: Events, id: u64, channel: &Channel) -> Result<Json, Error> {
        let (mut resume_point, limit) = (ResumePoint::new(&self.options), events.limit());
        let (mut perhaps, mut illegible) = (None, false);
        loop {
            let cut = loop {
                match events.next().await {
                    Ok(Some(event)) => {
                        resume_point.progressed();
                        match self.event(event.message, Some(id), channel).await {
                            Ok(Some(own)) if own.named => {
                                events.drain();
                                return own.hand_over();
                            }
                            Ok(own) => perhaps = Own::or(perhaps, own.and_then(Own::perhaps)),
                            Err(rpc::Malformed) => illegible = true,
                        }
                    }
                    Ok(None) => break answer::no_answer(illegible),
                    Err(error @ Error::TooLarge { .. }) => return Err(error),
                    Err(error) => break error,
                }
            };
            if let Some(own) = perhaps {
                return own.outcome;
            }
            resume_point.note(&events);
            drop(events);
            events = self.resume(&mut resume_point, limit).await.ok_or(cut)?;
        }
    }

    /// The stream from `resume_point` on; none when there is no such thing.
    async fn resume(&self, resume_point: &mut ResumePoint, limit: usize) -> Option<Events> {
        resume_point.header()?;
        for _ in 0..TRIES {
            resume_point.rest(None).await;
            match self.get(resume_point).await {
                Ok(response) if response.status().is_success() && Events::are_in(&response) => {
                    return Some(Events::new(response, self.http.taking(limit)));
                }
                Ok(response) if response.status().as_u16() == 404 && self.has_session() => {
                    self.forget();
                    return None;
                }
                Ok(response) if response.status().is_client_error() && response.status() != 429 => {
                    return None;
                }
                Ok(_) | Err(_) => {}
            }
        }
        None
    }

    /// A response's body, unless it is the session that the server refuses.
    pub(super) async fn body(
        &self,
        mut response: Response,
        (id, limit): (u64, usize),
    ) -> Result<(Response, Arrived), Error> {
        let status = response.status().as_u16();
        let body = answer::whole(&mut response, self.http.taking(limit)).await?;
        if !self.has_session() || !matches!(status, 400 | 404) {
            return Ok((response, body));
        }
        let message = body.turn().await.read(Message::read);
        let own = matches!(message, Ok(Message::Answer { id: Some(other), .. }) if other == id);
        // The body decides: a server may put an answer into a 404. One that names our request and neither its method nor
        // its parameters may still mean the session.
        let doubtful = match &message {
            Ok(Message::Answer { outcome: Err(error), .. }) => {
                !matches!(error.code, rpc::METHOD_NOT_FOUND | rpc::INVALID_PARAMS)
            }
            _ => false,
        };
        let refused = match (status, own) {
            (404, false) => true,
            (404, true) => doubtful && Box::pin(self.is_refused()).await,
            (_, own) => !own && Box::pin(self.is_refused()).await,
        };
        if refused {
            return Err(self.forget());
        }
        Ok((response, body))
    }

    /// Whether the session is refused as such: some servers say 400 where 404 is due. The one request that
    /// nobody can refuse for another reason tells.
    async fn is_refused(&self) -> bool {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"ping"}}"#, self.ids.fresh());
        let response = timeout(DOUBT, self.exchange(Method::POST, self.headers(), ping.into())).await;
        matches!(response, Ok(Ok(response)) if matches!(response.status().as_u16(), 400 | 404))
    }
}
