//! What a person decides about an input request, and how far that got.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Actor, Json, Note, ROOTS, Timestamp};

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Yes, with content where a form asked for it.
    Accept,
    /// No: the person declined.
    Decline,
    /// Dismissed without a decision.
    Cancel,
}

impl Answer {
    /// An answer that was decided now, without content and undo window, and has not been sent.
    #[must_use]
    pub fn new(action: Action, now: Timestamp) -> Self {
        Self {
            action,
            content: None,
            decided_at: now,
            send_at: now,
            sent_at: None,
            acknowledged_at: None,
            taken_at: None,
            refusal: None,
            masked: Vec::new(),
            remark: None,
        }
    }

    /// Who decided it, as the answer to a request with this method.
    #[must_use]
    pub fn decided_by(&self, method: &str) -> Actor {
        let by_rule = method == ROOTS && self.action == Action::Accept;
        if by_rule { Actor::Signalbox } else { Actor::Person }
    }
}

/// A person's answer and how far it got.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What was decided.
    pub action: Action,
    /// The content of an accepted form, exactly as sent; but for the secrets that are `masked`.
    pub content: Option<Json>,
    /// When the person decided.
    pub decided_at: Timestamp,
    /// When it may be sent: the end of the undo window.
    pub send_at: Timestamp,
    /// When it was handed to the transport for the first time.
    pub sent_at: Option<Timestamp>,
    /// When the server acknowledged it.
    pub acknowledged_at: Option<Timestamp>,
    /// When the server was seen to have stopped asking.
    pub taken_at: Option<Timestamp>,
    /// Why the server refused it.
    pub refusal: Option<Note>,
    /// What is kept of the secrets in its content, which has null in their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<Masked>>"))]
    pub masked: Vec<Masked>,
    /// What the person noted beside it for the log of decisions. It is never sent.
    pub remark: Option<String>,
}

/// So many characters may be noted beside an answer.
pub const LONGEST_REMARK: usize = 2_000;

/// What is kept of a secret that was delivered: enough to prove later which one it was, to whoever knows it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Masked {
    /// The JSON pointer to its place, where null stands.
    pub path: String,
    /// How many characters it had.
    pub length: u32,
    /// What is hashed before it: its question and the moment of the decision.
    pub salt: Option<String>,
    /// The SHA-256 of the salt, a line feed and the value, in hexadecimal. None where trying all values would soon find it: of
    /// fewer than eight characters, and of digits alone.
    pub sha256: Option<String>,
}
