//! The MCP client side: JSON-RPC, transports and wires, raw JSON first. Never decides when to poll.
//!
//! A [`Client`] speaks to one server. [`Client::connect`] finds out which wire that is: on the modern one (MCP 2026-07-28
//! with `io.modelcontextprotocol/tasks`) the client's own methods ask; on the legacy one (2025-11-25 and older) a
//! [`Session`] does, and [`SessionEvents`] bring what the server sends of its own accord.
//!
//! Every request is sent once: nothing in here polls, waits out a `Retry-After` or sends anything again. (What is taken
//! up again are event streams, which carry no request.) Results are handed out as received
//! ([`signalbox_model::Json`]) beside lenient views that can fail field by field.

mod client;
mod connect;
mod endpoint;
mod error;
mod http;
mod legacy;
mod meaning;
mod modern;
mod paging;
mod pending;
mod queue;
mod rpc;
mod sink;
mod stdio;
mod view;

pub use client::Client;
pub use connect::{Connection, Found, Remembered};
pub use endpoint::{Declared, Endpoint, Options};
pub use error::{Error, Hint, Sent, Stage};
pub use legacy::{
    Ask, Channel, News, ProgressView, Push, Replied, Reply, SavedSession, ServerNotification, ServerRequest,
    Session, SessionEvent, SessionEvents, TaskList, TaskWish,
};
pub use meaning::Meaning;
pub use modern::{
    CallOptions, CallReply, Called, Discovered, PROTOCOL_VERSION, Pushed, Round, Subscription, TaskSupport,
    Tool, Wanted,
};
pub use view::{ContentPart, QuestionView, ResultView, RpcError, TaskView, Ttl};
