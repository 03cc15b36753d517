//! What `--json` prints: stable documents, apart from the types that hosts speak.
//!
//! Absent is absent, not null (but `ttlMs: null` is "unlimited"); times are RFC 3339 in UTC; JSON of servers is embedded
//! as it came. A document about work that a command stopped waiting for, or a server that does not answer, carries
//! `failure` beside it.

mod exchange;
mod failure;
mod health;
mod import;
mod request;
mod resource;
mod server;
mod task;

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{Difference, ListedTask, Listing};
use signalbox_model::{CallId, RequestId, ServerId, Status, Tag, Timestamp};

pub(crate) use failure::Failure;
pub(crate) use import::{Importable, Imported};
pub(crate) use request::Request;
pub(crate) use resource::Read;
pub(crate) use server::{Server, Tool};
pub(crate) use task::{Payloads, Questions, Task};

/// A command that failed: `{"failure":{…}}`
#[derive(Serialize)]
pub(crate) struct Failed<'a> {
    pub(crate) failure: Failure<'a>,
}

/// The document of `tasks`: `{"tasks":[…]}`
#[derive(Serialize)]
pub(crate) struct Tasks {
    pub(crate) tasks: Vec<Task>,
}

/// `task`, and `earlier endedAt lines[]{of,text} leftOut cut` where there is an earlier run: `of` is both, earlier, later or gap.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct Compared {
    pub(crate) task: CallId,
    #[serde(flatten)]
    pub(crate) difference: Option<Box<Difference>>,
}

/// `{"offered":[…],"followed","complete"}`: what a server lists and nobody follows.
#[derive(Serialize)]
pub(crate) struct Offered {
    pub(crate) offered: Vec<OfferedTask>,
    pub(crate) followed: u32,
    pub(crate) complete: bool,
}

/// A task of such a list.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferedTask {
    pub(crate) task_id: String,
    pub(crate) status: Status,
    pub(crate) status_message: Option<String>,
    pub(crate) created_at: Option<Timestamp>,
}

impl From<Listing> for Offered {
    fn from(Listing { tasks, followed, complete }: Listing) -> Self {
        let offered = |ListedTask { task_id, status, status_message, created_at }| OfferedTask {
            task_id,
            status,
            status_message,
            created_at,
        };
        Self { offered: tasks.into_iter().map(offered).collect(), followed, complete }
    }
}

/// `{"requests":[…]}`; `requestsMore` is how many more follow the last of them.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Requests {
    pub(crate) requests: Vec<Request>,
    pub(crate) requests_more: Option<u32>,
}

/// The document of `answer --same`: `{"requests":[…],"failures":[{"request","failure"}]}`, the questions that are answered, and
/// why the others are not.
#[derive(Serialize)]
pub(crate) struct Together<'a> {
    pub(crate) requests: Vec<Request>,
    pub(crate) failures: Vec<NotAnswered<'a>>,
}

/// A question that was to be answered together with others.
#[derive(Serialize)]
pub(crate) struct NotAnswered<'a> {
    pub(crate) request: RequestId,
    pub(crate) failure: Failure<'a>,
}

/// The document of `server list`: `{"servers":[…]}`
#[derive(Serialize)]
pub(crate) struct Servers {
    pub(crate) servers: Vec<Server>,
}

/// The document of `tools`: `{"tools":[…]}`
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

/// The document of `forget`: `{"forgotten":"t1"}`
#[derive(Serialize)]
pub(crate) struct Forgotten {
    pub(crate) forgotten: CallId,
}

/// The document of `cancel`, `forget` and `tag` of several tasks: `{"done":["t1"],"failures":[{"task","failure"}]}`, of
/// `cancel --filter` also `"left":{"ended","asked"}`.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct Several<'a> {
    pub(crate) done: Vec<CallId>,
    pub(crate) failures: Vec<NotDone<'a>>,
    pub(crate) left: Option<LeftAlone>,
}

/// How many match that a wish to cancel leaves alone.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct LeftAlone {
    /// They have ended.
    pub(crate) ended: u32,
    /// Somebody asked to cancel them before.
    pub(crate) asked: u32,
}

/// A task with which nothing was done.
#[derive(Serialize)]
pub(crate) struct NotDone<'a> {
    pub(crate) task: CallId,
    pub(crate) failure: Failure<'a>,
}

/// The document of `tag`: `{"id":"t1","tags":["eu"]}`
#[derive(Serialize)]
pub(crate) struct TagsOf {
    pub(crate) id: CallId,
    pub(crate) tags: Vec<Tag>,
}

/// The document of `note`: `{"id":"t1","remark":"…"}`, without `remark` where there is none; with `replaced`, the note that was
/// there before, where it is there no more.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct NoteOf {
    pub(crate) id: CallId,
    pub(crate) remark: Option<String>,
    pub(crate) replaced: Option<String>,
}

/// A line of `watch`.
#[derive(Serialize)]
pub(crate) struct Change {
    pub(crate) epoch: u64,
    pub(crate) seq: u64,
    #[serde(flatten)]
    pub(crate) item: Item,
}

/// The task or question that changed.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Item {
    Task(Box<Task>),
    Request(Box<Request>),
}
