//! The MCP client side: JSON-RPC, transports and wires, raw JSON first. Never decides when to poll.
//!
//! A [`Client`] speaks the modern wire (MCP 2026-07-28 with `io.modelcontextprotocol/tasks`) to one server. Every
//! method sends its requests once: nothing in here polls, waits out a `Retry-After` or sends anything again. Results
//! are handed out as received ([`signalbox_model::Json`]) beside lenient views that can fail field by field.

mod client;
mod endpoint;
mod error;
mod http;
mod modern;
mod rpc;
mod stdio;
mod view;

pub use client::Client;
pub use endpoint::{Endpoint, Options};
pub use error::{Error, Hint, Sent, Stage};
pub use modern::{CallOptions, CallReply, Called, Discovered, PROTOCOL_VERSION, Tool};
pub use view::{ContentPart, QuestionView, ResultView, RpcError, TaskView, Ttl};
