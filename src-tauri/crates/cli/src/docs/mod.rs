//! What `--json` prints: stable documents, apart from the types that hosts speak.
//!
//! Absent is absent, not null (but `ttlMs: null` is "unlimited"); times are RFC 3339 in UTC; JSON of servers is embedded
//! as it came. A document about work that a command stopped waiting for, or a server that does not answer, carries
//! `failure` beside it.

mod request;
mod server;
mod task;

use serde::Serialize;
use signalbox_api::ApiError;
pub(crate) use signalbox_api::Raw;
use signalbox_model::{CallId, ServerId};

pub(crate) use request::Request;
pub(crate) use server::{Server, Tool};
pub(crate) use task::{Payloads, Task};

/// `{"failure":{…}}`
#[derive(Serialize)]
pub(crate) struct Failed<'a> {
    pub(crate) failure: &'a ApiError,
}

/// `{"tasks":[…]}`
#[derive(Serialize)]
pub(crate) struct Tasks {
    pub(crate) tasks: Vec<Task>,
}

/// `{"requests":[…]}`
#[derive(Serialize)]
pub(crate) struct Requests {
    pub(crate) requests: Vec<Request>,
}

/// `{"servers":[…]}`
#[derive(Serialize)]
pub(crate) struct Servers {
    pub(crate) servers: Vec<Server>,
}

/// `{"tools":[…]}`
#[derive(Serialize)]
pub(crate) struct Tools {
    pub(crate) tools: Vec<Tool>,
}

/// `{"removed":{…}}`: a server that is registered no more.
#[derive(Serialize)]
pub(crate) struct Removed {
    pub(crate) removed: RemovedServer,
}

/// What is left to say of a removed server.
#[derive(Serialize)]
pub(crate) struct RemovedServer {
    pub(crate) id: ServerId,
    pub(crate) name: String,
}

/// `{"forgotten":"t1"}`
#[derive(Serialize)]
pub(crate) struct Forgotten {
    pub(crate) forgotten: CallId,
}

/// A line of `watch`.
#[derive(Serialize)]
pub(crate) struct Change {
    pub(crate) epoch: u64,
    pub(crate) seq: u64,
    #[serde(flatten)]
    pub(crate) item: Item,
}

/// What changed.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Item {
    Task(Box<Task>),
    Request(Box<Request>),
}
