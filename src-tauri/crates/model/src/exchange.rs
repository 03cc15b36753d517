//! What went between us and a server about one task: the request log.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Json, NoteCode, Timestamp};

/// A request about a task and what came of it, or what its server told by itself. Nothing of what was said is in it.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The method, of the request or of the server's notification.
    pub method: TaskMethod,
    /// How many in a row: those that brought nothing are counted in one.
    pub times: u32,
    /// When the first of them went out, by our clock.
    pub first_at: Timestamp,
    /// When the last of them went out, or was told.
    pub at: Timestamp,
    /// From the last one's going out to its end, in ms. None of what the server told by itself.
    pub took_ms: Option<u32>,
    /// The bytes of the last answer. None where no answer of the server came.
    pub bytes: Option<u32>,
    /// What each of them brought.
    pub brought: Brought,
}

/// A method of MCP that is about one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum TaskMethod {
    /// The call that the task came of.
    #[serde(rename = "tools/call")]
    Call,
    /// A poll.
    #[serde(rename = "tasks/get")]
    Get,
    /// Answers to its questions.
    #[serde(rename = "tasks/update")]
    Update,
    /// The wish to cancel it.
    #[serde(rename = "tasks/cancel")]
    Cancel,
    /// Its result (legacy wire).
    #[serde(rename = "tasks/result")]
    Result,
    /// Its state, told by the server (modern wire).
    #[serde(rename = "notifications/tasks")]
    Told,
}

/// What an exchange brought.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "as", rename_all = "snake_case")]
pub enum Brought {
    /// An answer; of a state one that differs from the last.
    News,
    /// A state that is byte for byte the last.
    Same,
    /// No answer, or an error.
    Error {
        /// What kind of error.
        code: NoteCode,
        /// The number that came with it: the code of a JSON-RPC error, or else the HTTP status.
        number: Option<i32>,
    },
}

/// A state of a task as its server told it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToldState {
    /// When it came, by our clock.
    pub at: Timestamp,
    /// The state as received.
    pub json: Json,
}

/// What a running owner remembers of the exchanges about one task. It is in memory alone, and bounded: what is missing at its
/// beginning is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RequestLog {
    /// Since when the owner runs: of what was before nothing is remembered.
    pub since: Timestamp,
    /// How many lines were let go, oldest first, to keep the bound.
    pub left_out: u32,
    /// The exchanges, the oldest first.
    pub exchanges: Vec<Exchange>,
    /// The last states that differ, the oldest first.
    pub states: Vec<ToldState>,
}
