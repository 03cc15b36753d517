//! Streamable HTTP: every request is its own POST, answered by JSON or by an event stream.

pub(crate) mod answer;
mod events;
mod failure;
mod headers;
mod mirror;
mod sse;
mod status;
mod tls;

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, UNIX_EPOCH},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use reqwest::Response;
use signalbox_model::{Json, Timestamp, is_loopback};
use url::Url;

use crate::{
    Authorize, Network,
    endpoint::Options,
    error::{Error, Stage},
    flight::Flight,
    rpc::Request,
    versions::PROTOCOL_VERSION,
};

pub(crate) use events::Events;
pub(crate) use headers::PROTOCOL_VERSION as VERSION_HEADER;
pub(crate) use mirror::{is_valid, mirrored};
#[cfg(any(test, fuzzing))]
pub(crate) use sse::Reader;
pub(crate) use status::{content_type, retry_after};

/// Idle connections are dropped before common servers drop them: a request on a connection that the other side is
/// just closing would be lost.
const IDLE: Duration = Duration::from_secs(4);
const KEEPALIVE: Duration = Duration::from_secs(30);

/// What a response may have beside the part that has a limit of its own, in bytes.
const ENVELOPE: usize = 64 * 1024;

/// How a response is taken.
#[derive(Clone, Copy)]
pub(crate) struct Taking<'a> {
    /// Bytes that it may have, or each of its events.
    pub(crate) limit: usize,
    pub(crate) flight: &'a Flight,
}

/// One MCP endpoint with its connections.
pub(crate) struct Http {
    url: Url,
    /// What every POST carries, on either wire.
    base: HeaderMap,
    /// `base` with what every POST of the modern wire carries.
    modern: HeaderMap,
    user_agent: String,
    connect_timeout: Duration,
    limit: usize,
    flight: Flight,
    network: Network,
    authorize: OnceLock<Arc<dyn Authorize>>,
    client: OnceLock<reqwest::Client>,
    /// What the server's clock showed last, where we looked.
    date: Mutex<Option<Timestamp>>,
}

impl Http {
    pub(crate) fn new(
        url: Url,
        headers: Vec<(HeaderName, HeaderValue)>,
        flight: Flight,
        options: &Options,
    ) -> Self {
        let mut base = HeaderMap::new();
        for (name, value) in headers {
            base.append(name, value);
        }
        base.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        base.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let mut modern = base.clone();
        modern.insert(headers::PROTOCOL_VERSION, HeaderValue::from_static(PROTOCOL_VERSION));
        Self {
            url,
            base,
            modern,
            user_agent: format!("{}/{}", options.client_name, options.client_version),
            connect_timeout: options.connect_timeout,
            limit: options.message_limit,
            flight,
            network: options.network.clone(),
            authorize: OnceLock::new(),
            client: OnceLock::new(),
            date: Mutex::new(None),
        }
    }

    /// Sends one request of the modern wire. Dropping the future ends the connection, by which the server knows.
    pub(crate) async fn request(&self, request: Request<'_>) -> Result<Json, Error> {
        let (id, once, limit) = (request.id, request.once, self.limit_of(request.most));
        let response = self.open(request).await?;
        match answer::refused(&response) {
            // Boxed: it is seldom, and every request would carry its size along.
            Err(refusal) => {
                Box::pin(answer::in_spite_of(refusal, response, (id, once), self.taking(limit))).await
            }
            Ok(()) => answer::read(response, id, self.taking(limit)).await,
        }
    }

    /// Sends one request of the modern wire, the answer to which is still to be read.
    pub(crate) async fn open(&self, request: Request<'_>) -> Result<Response, Error> {
        let Request { method, name, mirrored, body, .. } = request;
        let name = name.map(headers::encode);
        let headers = || {
            let mut headers = self.modern.clone();
            headers.insert(headers::METHOD, HeaderValue::from_static(method));
            if let Some(name) = &name {
                headers.insert(headers::NAME, name.clone());
            }
            headers.extend(mirrored.iter().cloned());
            headers
        };
        let response = self.exchange(Method::POST, &self.url, headers, body).await?;
        if method == "server/discover" {
            self.note_date(&response);
        }
        Ok(response)
    }

    /// Sends one HTTP request. Its headers are made anew for each time that it is sent.
    pub(crate) async fn exchange(
        &self,
        method: Method,
        url: &Url,
        headers: impl Fn() -> HeaderMap + Sync,
        body: Vec<u8>,
    ) -> Result<Response, Error> {
        let body = Bytes::from(body);
        let request = |authorization: Option<&HeaderValue>| {
            let mut request = reqwest::Request::new(method.clone(), url.clone());
            *request.headers_mut() = headers();
            if let Some(value) = authorization {
                request.headers_mut().insert(header::AUTHORIZATION, value.clone());
            }
            if !body.is_empty() {
                *request.body_mut() = Some(body.clone().into());
            }
            request
        };
        match self.authorize.get() {
            // What says who we are goes nowhere else.
            Some(authorize) if have_same_origin(url, &self.url) => {
                self.authorized(authorize.as_ref(), request).await
            }
            _ => self.send(request(None)).await,
        }
    }

    /// Sends a request that says who we are, and once more when it is refused for that. Where nothing was said at first,
    /// twice: what is said then may be as old as the last run.
    async fn authorized(
        &self,
        authorize: &dyn Authorize,
        request: impl Fn(Option<&HeaderValue>) -> reqwest::Request + Sync,
    ) -> Result<Response, Error> {
        let mut used = self.known(authorize.authorization().await?);
        let mut left = if used.is_some() { 1 } else { 2 };
        loop {
            let response = self.send(request(used.as_ref())).await?;
            let Some(challenge) = status::refusal(response.status(), response.headers()) else {
                return Ok(response);
            };
            if left == 0 {
                return Ok(response);
            }
            let better = authorize.better(used.as_ref(), challenge.as_deref()).await?;
            let Some(better) = self.known(better) else {
                return Ok(response);
            };
            (used, left) = (Some(better), left - 1);
        }
    }

    /// What says who we are is not to come back.
    fn known(&self, authorization: Option<HeaderValue>) -> Option<HeaderValue> {
        if let Some(value) = authorization.as_ref().and_then(|value| value.to_str().ok()) {
            self.flight.mask().learn(value);
        }
        authorization
    }

    async fn send(&self, request: reqwest::Request) -> Result<Response, Error> {
        self.client()?.execute(request).await.map_err(|error| {
            // Nothing on this machine is reached through one.
            let proxy = (!is_here(&self.url)).then(|| self.network.proxy_place()).flatten();
            failure::of_request(error, proxy)
        })
    }

    pub(crate) fn authorize_with(&self, authorize: Arc<dyn Authorize>) {
        // Of several the first counts: requests may already be under way with it.
        let _ = self.authorize.set(authorize);
    }

    /// The MCP endpoint.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// What every POST carries, on either wire.
    pub(crate) fn base(&self) -> &HeaderMap {
        &self.base
    }

    /// Bytes one message may have.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes that a response may have, the answer in which may have `most`.
    pub(crate) fn limit_of(&self, most: Option<usize>) -> usize {
        most.map_or(self.limit, |most| most.saturating_add(ENVELOPE).min(self.limit))
    }

    /// How a response is taken that may have `limit` bytes, or events of so many.
    pub(crate) fn taking(&self, limit: usize) -> Taking<'_> {
        Taking { limit, flight: &self.flight }
    }

    /// Notes what the server's clock shows.
    pub(crate) fn note_date(&self, response: &Response) {
        let date = response.headers().get(header::DATE).and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| httpdate::parse_http_date(date).ok());
        let since = date.and_then(|date| date.duration_since(UNIX_EPOCH).ok());
        let ms = since.and_then(|since| i64::try_from(since.as_millis()).ok());
        *self.date.lock().unwrap_or_else(PoisonError::into_inner) = ms.map(Timestamp);
    }

    /// What the server's clock showed last where we looked, in whole seconds.
    pub(crate) fn date(&self) -> Option<Timestamp> {
        *self.date.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Built with the first request: reading the system's certificates takes a while.
    fn client(&self) -> Result<&reqwest::Client, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let built = match self.builder().build() {
            // Where nothing is encrypted nobody has to vouch: no authorities at all are no obstacle.
            Err(_) if self.url.scheme() == "http" => self.builder().tls_certs_only([]).build(),
            built => built,
        };
        let client = built.map_err(|error| Error::Unreachable {
            stage: Stage::Tls,
            why: failure::chain(&error).into(),
            retry_after: None,
        })?;
        Ok(self.client.get_or_init(|| client))
    }

    fn builder(&self) -> reqwest::ClientBuilder {
        let builder = self
            .network
            .builder()
            .user_agent(&self.user_agent)
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE)
            .tcp_keepalive(KEEPALIVE)
            // A redirect would carry the person's headers to where the server says.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never());
        if is_here(&self.url) { builder.no_proxy() } else { builder }
    }
}

/// As `Url::origin` tells for HTTP, without making any.
fn have_same_origin(one: &Url, other: &Url) -> bool {
    one.scheme() == other.scheme()
        && one.host() == other.host()
        && one.port_or_known_default() == other.port_or_known_default()
}

/// Whether it is on this machine: no proxy leads there.
fn is_here(url: &Url) -> bool {
    url.host_str().is_some_and(is_loopback)
}
