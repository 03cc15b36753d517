//! Streamable HTTP: every request is its own POST, answered by JSON or by an event stream.

mod answer;
mod failure;
mod headers;
mod mirror;
mod sse;
mod status;

use std::{sync::OnceLock, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue, header};
use signalbox_model::Json;
use tokio::time::timeout;
use url::{Host, Url};

use crate::{
    endpoint::Options,
    error::{Error, Stage},
    modern::PROTOCOL_VERSION,
    rpc::Request,
};

pub(crate) use mirror::{is_valid, mirrored};

/// Idle connections are dropped before common servers drop them: a request on a connection that the other side is
/// just closing would be lost.
const IDLE: Duration = Duration::from_secs(4);
const KEEPALIVE: Duration = Duration::from_secs(30);
/// How long the end of a probed legacy session may take: it is a courtesy.
const GIVE_BACK: Duration = Duration::from_secs(2);
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

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
    client: OnceLock<reqwest::Client>,
}

impl Http {
    pub(crate) fn new(url: Url, headers: Vec<(HeaderName, HeaderValue)>, options: &Options) -> Self {
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
            client: OnceLock::new(),
        }
    }

    /// Sends one request of the modern wire. Dropping the future ends the connection, by which the server knows.
    pub(crate) async fn request(&self, request: Request<'_>) -> Result<Json, Error> {
        let mut headers = self.modern.clone();
        headers.insert(headers::METHOD, HeaderValue::from_static(request.method));
        if let Some(name) = request.name {
            headers.insert(headers::NAME, headers::encode(name));
        }
        headers.extend(request.mirrored);
        let response = self.post(headers, request.body).await?;
        answer::read(response, request.id, self.limit).await
    }

    /// Asks the legacy question, and gives the session back that may come of it.
    pub(crate) async fn initialize(&self, id: u64, body: Vec<u8>) -> Result<Json, Error> {
        let response = self.post(self.base.clone(), body).await?;
        let session = response.headers().get(SESSION).cloned();
        let answer = answer::read(response, id, self.limit).await;
        if let Some(session) = session {
            let mut headers = self.base.clone();
            headers.insert(SESSION, session);
            let mut request = reqwest::Request::new(http::Method::DELETE, self.url.clone());
            *request.headers_mut() = headers;
            let given_back = timeout(GIVE_BACK, self.client()?.execute(request)).await;
            if !matches!(given_back, Ok(Ok(_))) {
                tracing::debug!("a probed legacy session was not given back");
            }
        }
        answer
    }

    async fn post(&self, headers: HeaderMap, body: Vec<u8>) -> Result<reqwest::Response, Error> {
        let mut request = reqwest::Request::new(http::Method::POST, self.url.clone());
        *request.headers_mut() = headers;
        *request.body_mut() = Some(body.into());
        self.client()?.execute(request).await.map_err(failure::of_request)
    }

    /// Built with the first request: reading the system's certificates takes a while.
    fn client(&self) -> Result<&reqwest::Client, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let mut builder = reqwest::Client::builder()
            .user_agent(&self.user_agent)
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE)
            .tcp_keepalive(KEEPALIVE)
            // A redirect would carry the person's headers to where the server says.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never());
        if is_loopback(&self.url) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| Error::Unreachable {
            stage: Stage::Tls,
            message: failure::chain(&error),
            retry_after: None,
        })?;
        Ok(self.client.get_or_init(|| client))
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
