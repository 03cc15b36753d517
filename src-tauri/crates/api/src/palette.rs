//! What a palette finds: things that somebody may want to go to, whatever they are.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{CallId, Outcome, RequestId, ServerId, Timestamp};

/// What an entry of a palette leads to.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PaletteItem {
    /// A tool that its server listed last, to be started.
    Tool {
        /// The server that offers it.
        server: ServerId,
        /// The tool's name.
        tool: String,
    },
    /// A question.
    Request {
        /// Our short id.
        id: RequestId,
    },
    /// A task.
    Task {
        /// Our short id.
        id: CallId,
    },
    /// A saved view of the task list.
    View {
        /// The person's name for it.
        name: String,
        /// The only server whose tasks it shows. What the view is, its name alone decides.
        server: Option<ServerId>,
    },
    /// A server.
    Server {
        /// Our short id.
        id: ServerId,
    },
    /// An entry of the host itself.
    Own {
        /// As the host named it.
        id: String,
    },
}

impl PaletteItem {
    /// The tool that it is, with its server.
    pub(crate) fn tool(&self) -> Option<(ServerId, &str)> {
        if let Self::Tool { server, tool } = self { Some((*server, tool)) } else { None }
    }

    /// The task that it is.
    pub(crate) fn task(&self) -> Option<CallId> {
        if let Self::Task { id } = self { Some(*id) } else { None }
    }

    /// The question that it is.
    pub(crate) fn request(&self) -> Option<RequestId> {
        if let Self::Request { id } = self { Some(*id) } else { None }
    }
}

/// An entry that a host has beside those of the desk: a place, an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct OwnEntry {
    /// What the host knows it by.
    pub id: String,
    /// What it is called, in front of people. Of long ones the beginning counts.
    pub words: String,
}

/// What a palette shows on a line.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct PaletteEntry {
    /// What it leads to.
    pub item: PaletteItem,
    /// What it is called, on one line. Of anything but servers, views and the host's own it is the server's text.
    pub words: String,
    /// Which letters of `words` were looked for, counted in code points.
    pub matched: Vec<u32>,
    /// What else its server says of it, on one line.
    pub about: Option<String>,
    /// The person's name for the server that it belongs to.
    pub server: Option<String>,
    /// How it ended, of a task that has.
    pub outcome: Option<Outcome>,
    /// When it ended, of a task that has.
    pub ended_at: Option<Timestamp>,
    /// Whether it waits for its person now.
    pub waits: bool,
    /// Until when it does, of a question that waits and has a limit.
    pub expires_at: Option<Timestamp>,
}
