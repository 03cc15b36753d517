//! The three ways over which a session runs.

use std::sync::Arc;

use signalbox_model::Json;

use super::{own_request::OwnRequest, sse::Sse, streamable::Streamable};
use crate::{error::Error, stdio::Line};

/// The way to the server.
pub(crate) enum SessionTransport {
    /// One child, until it ends.
    Stdio(Line),
    Streamable(Arc<Streamable>),
    Sse(Arc<Sse>),
}

impl SessionTransport {
    /// Sends a request once and waits for its answer.
    pub(super) async fn request(&self, request: OwnRequest) -> Result<Json, Error> {
        match self {
            Self::Stdio(line) => line.request(request.id, request.body, request.given_up).await,
            Self::Streamable(session) => session.request(request).await,
            Self::Sse(session) => session.request(request).await,
        }
    }

    /// Sends a message that has no answer, and waits until the other side has taken it.
    pub(super) async fn tell(&self, body: Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Stdio(line) => line.tell(body).await,
            Self::Streamable(session) => session.tell(body).await,
            Self::Sse(session) => session.tell(body).await,
        }
    }
}
