//! The legacy wire: MCP 2025-11-25 with its experimental tasks, and the older versions that servers negotiate down to.
//!
//! A [`Session`] is what we ask in; its [`SessionEvents`] are all that the server sends of its own accord, in order,
//! whatever channel it comes on. [`crate::Client::connect`] makes both.

mod event;
mod fire_and_forget;
mod handshake;
mod inbound;
mod own_request;
mod push;
mod reading;
mod resources;
mod resume_point;
mod session;
mod sse;
mod streamable;
mod tasks;
mod tools;
mod transport;

pub use event::{
    Channel, ProgressView, PushStream, ServerAsk, ServerNews, ServerNotification, ServerRequest, SessionEvent,
};
pub use inbound::SessionEvents;
pub use session::{SavedSession, Session, SessionReplied, SessionReply};
pub use tasks::TaskList;

pub(crate) use handshake::Handshake;

/// Reads all that a message can mean.
#[cfg(any(test, fuzzing))]
pub(crate) fn read_all(message: &crate::rpc::Unasked) {
    let all = crate::endpoint::Declared { sampling: true, roots: true, host_tasks: true };
    let _ = reading::ask(message, all).map_err(|refused| refused.code);
    let _ = reading::news(message);
    let _ = reading::task_wish(&message.raw);
    let _ = reading::cancellation(&message.raw);
    if let Some(task) = reading::related_task(&message.raw) {
        let _ = reading::with_related_task(&message.raw, &task);
    }
}
