//! What the status and headers of a response say before its body is read.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use url::Url;

use crate::error::{Error, Hint, Stage};

/// No server's wish to wait is taken for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The error which a status alone makes.
pub(super) fn verdict(status: StatusCode, headers: &HeaderMap, url: &Url) -> Option<Error> {
    match status.as_u16() {
        300..=399 => Some(Error::NotMcp {
            status: Some(status.as_u16()),
            content_type: content_type(headers).map(str::to_owned),
            hint: Hint::Redirect { location: location(headers, url) },
        }),
        401 => Some(sign_in(status, headers)),
        // Without a challenge a 403 may still carry a JSON-RPC error that says more.
        403 if headers.contains_key(header::WWW_AUTHENTICATE) => Some(sign_in(status, headers)),
        407 => Some(Error::Unreachable {
            stage: Stage::Proxy,
            message: "the proxy wants a sign-in".into(),
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
        408 | 500..=599 => Error::Lost { message: format!("HTTP {} without an answer", status.as_u16()) },
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
    let challenge = headers.get(header::WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
    Error::SignInNeeded { status: status.as_u16(), challenge: challenge.map(str::to_owned) }
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
    Some(target.into())
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
