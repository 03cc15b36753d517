//! What a failed exchange means, from the typed causes beneath it.

use std::{error::Error as StdError, io};

use signalbox_model::{Hindrance, Obstacle};

use super::tls;
use crate::error::{Error, Stage};

/// A request without a response, sent through `proxy` if there is one (its host and port). Only what certainly ended
/// before the request left is unreachable.
pub(super) fn of_request(error: reqwest::Error, proxy: Option<String>) -> Error {
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
    let what = match stage {
        Stage::Address => chain(&error),
        // Leaves out that the error came while connecting: the stage says so.
        _ => chain(beneath(&error)),
    };
    let (stage, why): (Stage, Hindrance) = match (stage, proxy) {
        // Names the proxy, so that nobody looks for the fault at the server.
        (Stage::Dns | Stage::Connect, Some(proxy)) => {
            (Stage::Proxy, Obstacle::ProxyFails { proxy, said: what }.into())
        }
        (Stage::Tls, _) => match tls_error(&error).and_then(tls::flaw) {
            Some(flaw) => (Stage::Tls, Obstacle::BadCertificate { flaw, said: what }.into()),
            None => (Stage::Tls, what.into()),
        },
        (stage, _) => (stage, what.into()),
    };
    Error::Unreachable { stage, why, retry_after: None }
}

/// A response that was cut.
pub(super) fn of_body(error: &reqwest::Error) -> Error {
    Error::Lost { why: chain(error).into() }
}

/// rustls reports through I/O errors of these kinds; a refused or timed out connection has its own.
fn is_tls(error: &reqwest::Error) -> bool {
    io_errors(error).any(|io| matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof))
}

fn tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    io_errors(error).find_map(|io| io.get_ref()?.downcast_ref())
}

/// The I/O errors among the causes, with those wrapped in them, which `source` passes over.
fn io_errors(error: &reqwest::Error) -> impl Iterator<Item = &io::Error> {
    std::iter::successors(error.source(), |cause: &&(dyn StdError + 'static)| (*cause).source())
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .flat_map(|io| std::iter::successors(Some(io), |io| io.get_ref()?.downcast_ref()))
}

/// What the system said, below what says only that we wanted to connect.
fn beneath(error: &reqwest::Error) -> &(dyn StdError + 'static) {
    error.source().and_then(StdError::source).unwrap_or(error)
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
