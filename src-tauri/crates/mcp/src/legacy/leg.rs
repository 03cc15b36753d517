//! The three ways over which a session runs.

use std::sync::Arc;

use signalbox_model::Json;

use super::{event::Channel, sse::Sse, streamable::Streamable};
use crate::{
    error::Error,
    stdio::{GivenUp, Line},
};

/// One request of ours.
pub(crate) struct Question {
    pub(super) id: u64,
    pub(super) body: Vec<u8>,
    /// Whether it is made only once ([`crate::rpc::Request::once`]).
    pub(super) once: bool,
    /// What the server's messages on its response stream come on.
    pub(super) channel: Channel,
    /// Whether the server is told when nobody waits any more.
    pub(super) given_up: GivenUp,
    /// Bytes that the answer may have, where that is less than any message may.
    pub(super) most: Option<usize>,
}

/// The way to the server.
pub(crate) enum Leg {
    /// One child, until it ends.
    Stdio(Line),
    Streamable(Arc<Streamable>),
    Sse(Arc<Sse>),
}

impl Leg {
    /// Sends a request once and waits for its answer.
    pub(super) async fn request(&self, question: Question) -> Result<Json, Error> {
        match self {
            Self::Stdio(line) => line.request(question.id, question.body, question.given_up).await,
            Self::Streamable(session) => session.request(question).await,
            Self::Sse(session) => session.request(question).await,
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
