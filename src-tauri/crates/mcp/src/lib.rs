//! The MCP client side: JSON-RPC, transports and wires, raw JSON first. Never decides when to poll.
//!
//! A [`Client`] speaks to one server. [`Client::connect`] finds out which wire that is: on the modern one (MCP 2026-07-28
//! with `io.modelcontextprotocol/tasks`) the client's own methods ask; on the legacy one (2025-11-25 and older) a
//! [`Session`] does, and [`SessionEvents`] bring what the server sends of its own accord.
//!
//! Every request is sent once: nothing in here polls, waits out a `Retry-After` or sends anything again. (What is taken
//! up again are event streams, which carry no request.) Results are handed out as received
//! ([`signalbox_model::Json`]) beside lenient views that can fail field by field.
//!
//! What is in flight has room in memory, which goes with it: who keeps what is handed out asks for it [carrying] that.
//!
//! # Following a server of the legacy wire
//!
//! 1. [`Client::connect`] with what the store remembers of the server. Then keep [`FoundServer::wire`] and, before anything is
//!    asked, [`Session::saved`]: tasks may live and die with the session.
//! 2. Read [`SessionEvents`] all the time, in a task of its own. They come in order, and a status can come before the
//!    answer that names its task: set statuses of unknown tasks aside for a moment.
//! 3. [`Session::call_tool`] as a task where [`Tool::task_support`] lets it. Look with [`Session::get_task`].
//! 4. While a task needs input, and when it has ended, [`Session::task_result`]: one future per task, held as long as it
//!    takes. Most servers ask only while it is held. Drop it to give it up; no task is cancelled by that.
//! 5. A [`ServerRequest`] is open until [`Session::reply`], [`ServerNews::Cancelled`] or the session's end. Its identity is the
//!    session and its id. With [`Declared::host_tasks`] it can want a task of ours for an answer
//!    ([`ServerRequest::as_task`]); the server asks for that task by requests, too, and [`ServerAsk::TaskResult`] is
//!    answered when the person has answered.
//! 6. [`SessionEvent::Ended`]: open questions are orphaned. Connect again; if the session is not
//!    [resumed](Connection::Legacy), what was asked and perhaps the tasks are gone. If it is, after our restart,
//!    [`Session::remember_request`] makes kept questions answerable again.
//! 7. [`Session::end`] only when no live task needs the session.
//!
//! # Pushed tasks of the modern wire
//!
//! [`Client::listen`] opens one stream for many tasks; [`Subscription::granted`] says which of them it covers. Open the
//! next before dropping the last when the tasks change. After [`Pushed::Ended`], or where nothing is granted,
//! there is no push here for a long time; after [`Pushed::Cut`] try again with backoff. Poll meanwhile.

mod authorize;
mod client;
mod connect;
mod endpoint;
mod error;
mod flight;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod legacy;
mod mask;
mod meaning;
mod modern;
mod network;
mod pace;
mod paging;
mod pending;
mod queue;
mod rpc;
mod sink;
mod stdio;
mod tool;
mod verbatim;
mod versions;
mod view;

pub use authorize::{Authorization, Authorize};
pub use client::Client;
pub use connect::{Connection, FoundServer, Remembered, cancels_tasks};
pub use endpoint::{Declared, Endpoint, Options};
pub use error::{Error, Hint, Sent, Stage};
pub use flight::{Load, Room, carrying};
pub use legacy::{
    Channel, ProgressView, PushStream, SavedSession, ServerAsk, ServerNews, ServerNotification,
    ServerRequest, Session, SessionEvent, SessionEvents, SessionReplied, SessionReply, TaskList,
};
pub use meaning::Meaning;
pub use modern::{Discovered, Pushed, Subscription, SubscriptionFilter};
pub use network::{Network, NetworkError};
pub use rpc::INVALID_PARAMS;
pub use stdio::{KeptBack, LeftBehind, inherited, is_function};
pub use tool::{CallOptions, CallReply, Called, RoundAnswers, TaskSupport, TaskWish, Tool};
pub use versions::PROTOCOL_VERSION;
pub use view::{
    Blob, BlobFormat, BlobHeader, ContentBlock, Embedded, QuestionView, ResourceLink, RpcError, TaskView,
    ToolResult, Ttl, base64_of, resource_contents,
};
