//! The modern wire: MCP 2026-07-28 with the tasks extension.

mod discover;
mod meta;
mod resources;
mod result_type;
mod subscription;
mod tasks;
mod tools;

pub use discover::Discovered;
pub use subscription::{Pushed, Subscription, SubscriptionFilter};

pub(crate) use discover::{STATEMENT, Verdict, not_mcp, says_too_much, verdict};
pub(crate) use meta::{client_info, meta};
