//! Every exchange of a sign-in, with servers that nobody vouches for: bounded in size, time and number, never redirected
//! for us by the client, in the clear only within this machine.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU16, AtomicUsize, Ordering},
    },
    time::Duration,
};

use http::{HeaderValue, Response, StatusCode, header};
use reqwest::{Client, ClientBuilder, redirect, retry};
use rmcp::transport::auth::{OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest};
use serde::Deserialize;
use signalbox_model::{Obstacle, is_loopback};
use tokio::time;
use url::Url;

use super::error::{Distrust, SignInError, shown};

/// Bytes that a document may have. Honest ones have a few thousand.
const LARGEST: usize = 256 * 1024;
/// Exchanges that one step of a sign-in may take: a list of authorization servers can be as long as it likes.
const MOST: usize = 40;
/// From the first byte sent to the last received.
const PATIENCE: Duration = Duration::from_secs(20);
const CONNECT: Duration = Duration::from_secs(10);

/// Makes what the host's network settings ask for: proxy, certificates, name.
pub(super) type Builder = dyn Fn() -> ClientBuilder + Send + Sync;

/// The clients of one account, built when first needed: reading the system's certificates takes a while.
pub(super) struct Clients {
    builder: Box<Builder>,
    outward: OnceLock<Client>,
    /// For this machine: past any proxy.
    within: OnceLock<Client>,
}

impl Clients {
    pub(super) fn new(builder: Box<Builder>) -> Self {
        Self { builder, outward: OnceLock::new(), within: OnceLock::new() }
    }

    fn get(&self, within: bool) -> Result<&Client, reqwest::Error> {
        let cell = if within { &self.within } else { &self.outward };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let mut builder = (self.builder)()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .connect_timeout(CONNECT);
        if within {
            builder = builder.no_proxy();
        }
        let client = builder.build()?;
        Ok(cell.get_or_init(|| client))
    }
}

/// The exchanges of one step, and how the last of them failed: rmcp tells that only in words.
pub(super) struct Exchange {
    clients: Arc<Clients>,
    /// Whether the server itself is on this machine: only then may something else on it be asked.
    within: bool,
    made: AtomicUsize,
    failure: Mutex<Option<SignInError>>,
    status: AtomicU16,
}

impl Exchange {
    pub(super) fn new(clients: Arc<Clients>, server: &Url) -> Self {
        let within = is_here(server);
        Self {
            clients,
            within,
            made: AtomicUsize::new(0),
            failure: Mutex::new(None),
            status: AtomicU16::new(0),
        }
    }

    /// How the last exchange failed, if it did.
    pub(super) fn failure(&self) -> Option<SignInError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The status of the last answer, if there was one.
    pub(super) fn status(&self) -> Option<StatusCode> {
        StatusCode::from_u16(self.status.load(Ordering::Relaxed)).ok()
    }

    /// Whether `url` may be asked, or a person sent to it.
    ///
    /// # Errors
    /// When it is neither HTTPS nor within this machine.
    pub(super) fn admit(&self, url: &Url) -> Result<(), SignInError> {
        let plain = url.username().is_empty() && url.password().is_none();
        let safe = match url.scheme() {
            "https" => url.has_host() && (self.within || !is_here(url)),
            "http" => self.within && is_here(url),
            _ => false,
        };
        if safe && plain { Ok(()) } else { Err(Distrust::Insecure { url: shown(&place(url)) }.into()) }
    }

    /// One exchange. Answers of any status are answers.
    pub(super) async fn make(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<Response<Vec<u8>>, SignInError> {
        let result = self.attempt(request).await;
        let failure = match &result {
            Ok((response, url)) => refusal(response, url),
            Err(error) => Some(error.clone()),
        };
        let status = result.as_ref().map_or(0, |(response, _)| response.status().as_u16());
        self.status.store(status, Ordering::Relaxed);
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        result.map(|(response, _)| response)
    }

    async fn attempt(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<(Response<Vec<u8>>, Url), SignInError> {
        let malformed =
            |_| SignInError::Malformed { host: String::new(), message: "an address is none".into() };
        let mut request = reqwest::Request::try_from(request).map_err(malformed)?;
        let url = request.url().clone();
        self.admit(&url)?;
        if self.made.fetch_add(1, Ordering::Relaxed) >= MOST {
            return Err(too_much(&url, "40 exchanges"));
        }
        request.headers_mut().entry(header::ACCEPT).or_insert(HeaderValue::from_static("application/json"));
        let client = self.clients.get(is_here(&url)).map_err(|error| unreachable(&url, error))?;
        let answer = time::timeout(PATIENCE, read(client, request, &url)).await;
        let response = answer.map_err(|_| SignInError::Unreachable {
            host: Some(host(&url)),
            why: Obstacle::Late { seconds: PATIENCE.as_secs() }.into(),
        })??;
        Ok((response, url))
    }
}

impl OAuthHttpClient for Exchange {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            self.make(request.request).await.map_err(|error| Box::new(error) as OAuthHttpClientError)
        })
    }
}

async fn read(
    client: &Client,
    request: reqwest::Request,
    url: &Url,
) -> Result<Response<Vec<u8>>, SignInError> {
    let mut response = client.execute(request).await.map_err(|error| unreachable(url, error))?;
    let mut read = Response::new(Vec::new());
    *read.status_mut() = response.status();
    *read.headers_mut() = response.headers().clone();
    // A server that lets everybody in answers the probe of its endpoint with a stream that never ends.
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if kind.starts_with(b"text/event-stream") {
        return Ok(read);
    }
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(url, error))? {
        if read.body().len() + chunk.len() > LARGEST {
            return Err(too_much(url, "256 KiB"));
        }
        read.body_mut().extend_from_slice(&chunk);
    }
    Ok(read)
}

/// What an answer that is no success means.
fn refusal(response: &Response<Vec<u8>>, url: &Url) -> Option<SignInError> {
    #[derive(Deserialize)]
    struct Words {
        error: String,
        error_description: Option<String>,
    }
    let status = response.status();
    if status.is_success() {
        return None;
    }
    if status.is_redirection() {
        let location = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
        let to = location.and_then(|to| url.join(to).ok()).map_or_else(|| "nowhere".into(), |to| place(&to));
        return Some(Distrust::Redirected { from: host(url), to: shown(&to) }.into());
    }
    let unavailable = status.is_server_error()
        || matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY
        );
    if unavailable {
        return Some(SignInError::Unreachable {
            host: Some(host(url)),
            why: Obstacle::OnlyStatus { status: status.as_u16() }.into(),
        });
    }
    Some(match serde_json::from_slice::<Words>(response.body()) {
        Ok(words) => SignInError::Refused {
            code: shown(&words.error),
            description: words.error_description.as_deref().map(shown),
        },
        Err(_) => SignInError::Malformed { host: host(url), message: format!("HTTP {}", status.as_u16()) },
    })
}

fn too_much(url: &Url, limit: &'static str) -> SignInError {
    Distrust::TooMuch { host: host(url), limit }.into()
}

fn unreachable(url: &Url, error: reqwest::Error) -> SignInError {
    let error = error.without_url();
    let mut message = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        message = cause.to_string();
        source = cause.source();
    }
    SignInError::Unreachable { host: Some(host(url)), why: shown(&message).into() }
}

pub(super) fn host(url: &Url) -> String {
    shown(url.host_str().unwrap_or("nowhere"))
}

/// Where something is, without what may be secret in it.
fn place(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}

/// Whether it is on this machine.
pub(super) fn is_here(url: &Url) -> bool {
    url.host_str().is_some_and(is_loopback)
}
