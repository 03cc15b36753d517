//! What a failed exchange means, from the typed causes beneath it.

use std::{error::Error as StdError, io};

use crate::error::{Error, Stage};

/// A request without a response. Only what certainly ended before the request left is unreachable.
pub(super) fn of_request(error: reqwest::Error) -> Error {
    let error = error.without_url();
    let stage = if error.is_builder() {
        Stage::Address
    } else if error.is_dns() {
        Stage::Dns
    } else if error.is_connect() {
        if is_tls(&error) { Stage::Tls } else { Stage::Connect }
    } else {
        return of_body(&error);
    };
    Error::Unreachable { stage, message: chain(&error), retry_after: None }
}

/// A response that was cut.
pub(super) fn of_body(error: &reqwest::Error) -> Error {
    Error::Lost { message: chain(error) }
}

/// rustls reports through I/O errors of these kinds; a refused or timed out connection has its own.
fn is_tls(error: &reqwest::Error) -> bool {
    let mut source = error.source();
    while let Some(cause) = source {
        let mut wrapped = cause.downcast_ref().into_iter().flat_map(io_errors);
        if wrapped.any(|io| matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)) {
            return true;
        }
        source = cause.source();
    }
    false
}

/// An I/O error with those wrapped in it, which `source` passes over.
fn io_errors(error: &io::Error) -> impl Iterator<Item = &io::Error> {
    std::iter::successors(Some(error), |io| io.get_ref()?.downcast_ref())
}

/// An error's causes in one line, without repetitions.
pub(super) fn chain(error: &dyn StdError) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !message.contains(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        source = cause.source();
    }
    message
}
