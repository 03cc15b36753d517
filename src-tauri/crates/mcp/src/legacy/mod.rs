//! The legacy wire: MCP 2025-11-25 with its experimental tasks, and the older versions that servers negotiate down to.
//!
//! A [`Session`] is what we ask in; its [`SessionEvents`] are all that the server sends of its own accord, in order,
//! whatever channel it comes on. [`crate::Client::connect`] makes both.

mod asides;
mod event;
mod handshake;
mod inbound;
mod leg;
mod place;
mod push;
mod reading;
mod session;
mod sse;
mod streamable;
mod tasks;
mod tools;

pub use event::{Ask, Channel, News, ProgressView, Push, ServerNotification, ServerRequest, SessionEvent};
pub use inbound::SessionEvents;
pub use session::{Replied, Reply, SavedSession, Session};
pub use tasks::TaskList;

pub(crate) use handshake::Handshake;
