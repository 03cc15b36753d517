//! A session over Streamable HTTP: every message of ours is a POST, what the server sends comes on event streams. `response` is
//! how the answer is found in what comes back, `left` which requests nobody waits for any more.

mod left;
mod response;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use reqwest::Response;
use signalbox_model::{Json, Obstacle};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::left::Left;
use super::{
    event::Channel, fire_and_forget::FireAndForget, inbound::Inbound, own_request::OwnRequest,
    resume_point::ResumePoint,
};
use crate::{
    client::Client,
    endpoint::Options,
    error::{Error, Sent},
    flight::Arrived,
    http::{Http, VERSION_HEADER, answer},
    rpc::{self, Ids, Message, Own, own_answer},
    stdio::GivenUp,
};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// How long the server may take to hear that nobody reads a stream any more: it is a courtesy.
const COURTESY: Duration = Duration::from_secs(2);

/// One session, or the lack of one at servers that know none.
pub(crate) struct Streamable {
    pub(super) http: Arc<Http>,
    pub(super) inbound: Arc<Inbound>,
    pub(super) options: Options,
    ids: Arc<Ids>,
    /// The session's id, as `Mcp-Session-Id` carries it: sensitive. None at servers that know no sessions.
    session: Option<HeaderValue>,
    /// What every request carries: at first no version.
    unversioned: HeaderMap,
    versioned: OnceLock<HeaderMap>,
    /// Cancelled when the server has forgotten the session.
    over: CancellationToken,
    fire_and_forget: FireAndForget,
    left: Left,
}

impl Streamable {
    fn new(
        client: &Client,
        http: Arc<Http>,
        inbound: Arc<Inbound>,
        session: Option<HeaderValue>,
    ) -> Arc<Self> {
        let (options, ids) = (client.options().clone(), Arc::clone(client.ids()));
        let mut unversioned = http.base().clone();
        if let Some(session) = &session {
            unversioned.insert(SESSION, session.clone());
        }
        let (versioned, over) = (OnceLock::new(), CancellationToken::new());
        let (fire_and_forget, left) = (FireAndForget::new(), Left::default());
        Arc::new(Self {
            http,
            inbound,
            options,
            ids,
            session,
            unversioned,
            versioned,
            over,
            fire_and_forget,
            left,
        })
    }

    /// Sends `initialize`. The session is there, if there is one, before the answer is read.
    pub(super) async fn open(
        client: &Client,
        http: Arc<Http>,
        inbound: Arc<Inbound>,
        request: OwnRequest,
    ) -> Result<(Arc<Self>, Json), Error> {
        let headers = || http.base().clone();
        let response = http.exchange(Method::POST, http.url(), headers, request.body).await?;
        http.note_date(&response);
        let session = response.headers().get(SESSION).cloned().map(|mut session| {
            session.set_sensitive(true);
            session
        });
        // A refusal of the first request says nothing about a session.
        answer::refused(&response)?;
        let this = Self::new(client, http, inbound, session.filter(|_| response.status().is_success()));
        let of = (request.id, this.http.limit_of(request.most));
        let result = this.answer(response, of, &request.channel).await?;
        Ok((this, result))
    }

    /// A session of a former run. None when its id is none.
    pub(super) fn of_session(
        client: &Client,
        http: Arc<Http>,
        inbound: Arc<Inbound>,
        id: &str,
    ) -> Option<Arc<Self>> {
        let mut session = HeaderValue::from_str(id).ok()?;
        session.set_sensitive(true);
        Some(Self::new(client, http, inbound, Some(session)))
    }

    /// The version that both sides speak, for a header of all later requests.
    pub(super) fn speak(&self, version: &str) {
        if let Ok(version) = HeaderValue::from_str(version) {
            let mut headers = self.unversioned.clone();
            headers.insert(VERSION_HEADER, version);
            // Set once per session: another answer to `initialize` cannot come.
            let _ = self.versioned.set(headers);
        }
    }

    pub(super) fn session_id(&self) -> Option<&str> {
        self.session.as_ref().and_then(|session| session.to_str().ok())
    }

    pub(super) fn over(&self) -> &CancellationToken {
        &self.over
    }

    /// Sends a request and reads the answer, going on with its stream where that is cut. A future that is dropped lets
    /// the server know, if that is wanted: the connection's end alone does not say so on this wire.
    pub(super) async fn request(self: &Arc<Self>, request: OwnRequest) -> Result<Json, Error> {
        if self.over.is_cancelled() {
            return Err(forgotten());
        }
        let OwnRequest { id, body, once, channel, given_up, most } = request;
        let limit = self.http.limit_of(most);
        let result_of = match &channel {
            Channel::Response { method: "tasks/result", task_id } => task_id.clone(),
            _ => None,
        };
        if let Some(before) = result_of.as_deref().and_then(|task| self.left.take(task)) {
            // Servers hand each question to one of the requests that they serve, and this one has no reader.
            let _ = timeout(COURTESY, Box::pin(self.tell(rpc::cancelled(before)))).await;
        }
        let mut leaving = Leaving { id, session: self, tell: given_up == GivenUp::Told, result_of };
        let answer = async {
            let response = self.exchange(Method::POST, self.headers(), body).await?;
            // A ping is to show what the server's clock says, too.
            if matches!(channel, Channel::Response { method: "ping", .. }) {
                self.http.note_date(&response);
            }
            match answer::refused(&response) {
                Err(refusal) => {
                    let taking = self.http.taking(limit);
                    Box::pin(answer::in_spite_of(refusal, response, (id, once), taking)).await
                }
                Ok(()) => self.answer(response, (id, limit), &channel).await,
            }
        };
        let answer = tokio::select! {
            biased;
            answer = answer => answer,
            () = self.over.cancelled() => {
                Err(Error::lost(Obstacle::SessionEnded))
            }
        };
        leaving.tell = false;
        let is_served = match &answer {
            Ok(_) | Err(Error::Rpc { .. }) => false,
            // What never reached it has no notice to wait for.
            Err(error) => error.sent() != Sent::No,
        };
        if !is_served {
            leaving.result_of = None;
        }
        answer
    }

    /// Sends a message that has no answer.
    pub(super) async fn tell(self: &Arc<Self>, body: Vec<u8>) -> Result<(), Error> {
        if self.over.is_cancelled() {
            return Err(forgotten());
        }
        let response = self.exchange(Method::POST, self.headers(), body).await?;
        if response.status().is_success() {
            return Ok(());
        }
        answer::refused(&response)?;
        // Whatever a refusal's body says, it is no result; ids begin with 1.
        let (response, body) = self.body(response, (0, self.http.limit())).await?;
        answer::of_body(response, &body, 0).await.map(drop)
    }

    fn tell_later(self: &Arc<Self>, body: Vec<u8>) -> impl Future<Output = Result<(), Error>> + use<> {
        let this = Arc::clone(self);
        async move { this.tell(body).await }
    }

    /// Ends the session at the server. Servers may refuse that.
    pub(super) async fn delete(&self) -> Result<(), Error> {
        if self.session.is_none() || self.over.is_cancelled() {
            return Ok(());
        }
        let response = self.exchange(Method::DELETE, self.headers(), Vec::new()).await?;
        match response.status().as_u16() {
            200..=299 | 404 | 405 => Ok(()),
            status => {
                answer::refused(&response)?;
                Err(Error::lost(Obstacle::OnlyStatus { status }))
            }
        }
    }

    /// Opens a stream by GET: a new one, or from `resume_point` on in another.
    pub(super) async fn get(&self, resume_point: &ResumePoint) -> Result<Response, Error> {
        let mut headers = self.headers().clone();
        headers.remove(header::CONTENT_TYPE);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = resume_point.header() {
            headers.insert(LAST_EVENT_ID, id);
        }
        self.exchange(Method::GET, &headers, Vec::new()).await
    }

    /// Takes one event. Some: the answer to request `id`, if one is waited for.
    pub(super) async fn event(
        self: &Arc<Self>,
        data: Arrived,
        id: Option<u64>,
        channel: &Channel,
    ) -> Result<Option<Own>, rpc::Malformed> {
        let (mut answer, mut malformed, mut replies) = (None, None, Vec::new());
        let (permit, flight) = (data.permit(), data.flight());
        for message in rpc::parts_of(data).await {
            match message {
                Ok(Message::Unasked(message)) => {
                    flight.unasked(message.raw.text().len());
                    replies.extend(self.inbound.take(message, channel.clone()).await);
                }
                Ok(message) => {
                    let own = id.and_then(|id| own_answer(message, id));
                    answer = Own::or(answer, own.map(|own| Own { permit: Some(permit.clone()), ..own }));
                }
                Err(error) => malformed = Some(error),
            }
        }
        // The server takes these when it likes: until then nothing of its message is kept but an answer.
        drop(permit);
        self.fire_and_forget.send_all(replies.into_iter().map(|reply| self.tell_later(reply))).await;
        match (answer, malformed) {
            (None, Some(error)) => Err(error),
            (answer, _) => Ok(answer),
        }
    }

    /// The server has forgotten the session.
    pub(super) fn forget(&self) -> Error {
        let error = forgotten();
        self.over.cancel();
        self.inbound.end(&error);
        error
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    fn headers(&self) -> &HeaderMap {
        self.versioned.get().unwrap_or(&self.unversioned)
    }

    async fn exchange(&self, method: Method, headers: &HeaderMap, body: Vec<u8>) -> Result<Response, Error> {
        self.http.exchange(method, self.http.url(), || headers.clone(), body).await
    }
}

fn forgotten() -> Error {
    Error::session(Obstacle::SessionForgotten)
}

/// Tells the server, when it is dropped, that nobody waits for an answer any more; or keeps it to be told.
struct Leaving<'a> {
    id: u64,
    session: &'a Arc<Streamable>,
    tell: bool,
    /// Of a request for a result its task: a question that came with it can still be answered, so that the server is
    /// told only when another request takes its place.
    result_of: Option<String>,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if self.tell {
            let (session, notice) = (Arc::clone(self.session), rpc::cancelled(self.id));
            self.session.fire_and_forget.send_later(async move { session.tell(notice).await });
        }
        if let Some(task) = self.result_of.take() {
            self.session.left.add(task, self.id);
        }
    }
}
