//! What the status and headers of a response say before its body is read.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use signalbox_model::Obstacle;
use url::Url;

use crate::{
    error::{Error, Hint, Stage},
    view::quote,
};

/// No server's wish to wait is taken for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Bytes kept of what a server wants to see of us first.
const LONGEST_CHALLENGE: usize = 8 * 1024;

/// The error which a status alone makes.
pub(super) fn verdict(status: StatusCode, headers: &HeaderMap, url: &Url) -> Option<Error> {
    match status.as_u16() {
        300..=399 => Some(Error::NotMcp {
            status: Some(status.as_u16()),
            content_type: content_type(headers).map(str::to_owned),
            hint: Hint::Redirect { location: location(headers, url) },
        }),
        401 | 403 if refusal(status, headers).is_some() => Some(sign_in(status, headers)),
        407 => Some(Error::Unreachable {
            stage: Stage::Proxy,
            why: Obstacle::ProxySignIn.into(),
            retry_after: None,
        }),
        429 | 503 => Some(Error::Throttled { status: status.as_u16(), retry_after: retry_after(headers) }),
        _ => None,
    }
}

/// The error of a status whose body is no JSON-RPC message.
pub(super) fn without_message(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Error {
    match status.as_u16() {
        403 => sign_in(status, headers),
        // A gateway's page says nothing of what the server behind it did.
        408 | 500..=599 => Error::lost(Obstacle::OnlyStatus { status: status.as_u16() }),
        code => Error::NotMcp {
            status: Some(code),
            content_type: content_type(headers).map(str::to_owned),
            hint: hint(headers, body),
        },
    }
}

/// The media type, without parameters.
pub(crate) fn content_type(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or(value).trim())
}

fn sign_in(status: StatusCode, headers: &HeaderMap) -> Error {
    Error::SignInNeeded { status: status.as_u16(), challenge: challenge(headers) }
}

/// Whether the server refuses for who we are, with its challenge if it gives one. Without one a 403 may still carry a
/// JSON-RPC error that says more.
pub(super) fn refusal(status: StatusCode, headers: &HeaderMap) -> Option<Option<String>> {
    match status.as_u16() {
        401 => Some(challenge(headers)),
        403 if headers.contains_key(header::WWW_AUTHENTICATE) => Some(challenge(headers)),
        _ => None,
    }
}

/// All challenges in one line, as they could have been sent. What does not fit is left out.
fn challenge(headers: &HeaderMap) -> Option<String> {
    let mut line = String::new();
    for value in headers.get_all(header::WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok()) {
        if line.len() + value.len() <= LONGEST_CHALLENGE {
            let separator = if line.is_empty() { "" } else { ", " };
            line.push_str(separator);
            line.push_str(value);
        }
    }
    (!line.is_empty()).then_some(line)
}

fn hint(headers: &HeaderMap, body: &[u8]) -> Hint {
    let html = content_type(headers).is_some_and(|kind| kind.eq_ignore_ascii_case("text/html"));
    if html || body.trim_ascii_start().first() == Some(&b'<') {
        Hint::Page
    } else if body.trim_ascii().is_empty() {
        Hint::Empty
    } else {
        Hint::Other
    }
}

/// Where a redirect leads: enough to correct a URL by, without what may be secret in it.
fn location(headers: &HeaderMap, url: &Url) -> Option<String> {
    let mut target = url.join(headers.get(header::LOCATION)?.to_str().ok()?).ok()?;
    target.set_query(None);
    target.set_fragment(None);
    // Fails for URLs that can have neither.
    let _ = target.set_username("").and_then(|()| target.set_password(None));
    Some(quote(target.into()))
}

/// `Retry-After` in seconds or as a date. A date is counted from the response's own `Date`: the server's clock against
/// itself, whatever ours says.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match value.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(LONGEST_WAIT),
        Err(_) => {
            let until = httpdate::parse_http_date(value).ok()?;
            let date = httpdate::parse_http_date(headers.get(header::DATE)?.to_str().ok()?).ok()?;
            until.duration_since(date).unwrap_or_default()
        }
    };
    Some(wait.min(LONGEST_WAIT))
}
