//! Tasks that only a server's own list tells of.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Status, Timestamp};

/// The tasks that a server lists: a help for finding some, no truth. One that is missing may live all the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    /// Those that are not followed yet.
    pub tasks: Vec<ListedTask>,
    /// How many others are followed already.
    pub followed: u32,
    /// Whether these are all that it lists.
    pub complete: bool,
}

/// A task as a server lists it. All texts are the server's: claims, never markup.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ListedTask {
    /// The server's task id: a sensitive handle.
    pub task_id: String,
    /// The task's status as the server lists it.
    pub status: Status,
    /// The server's message.
    pub status_message: Option<String>,
    /// When it was made, by the server's clock.
    pub created_at: Option<Timestamp>,
}
