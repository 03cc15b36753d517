//! One thing that was looked at for [`doctor`](crate::doctor), and how it is.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// One thing that was looked at.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What, as a word for programs; for a server `server:` and its name.
    pub name: String,
    /// Whether it is as it should be.
    pub state: CheckState,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// Whether a thing is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// It works, but not all of it, or not for long.
    Warning,
    /// It does not work.
    Problem,
}

impl Check {
    /// As it should be.
    pub fn ok(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), state: CheckState::Ok, message: message.into(), advice: None }
    }

    /// It works, but.
    pub fn warning(name: impl Into<String>, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { state: CheckState::Warning, advice: Some(advice.into()), ..Self::ok(name, message) }
    }

    /// It does not work.
    pub fn problem(name: impl Into<String>, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { state: CheckState::Problem, advice: Some(advice.into()), ..Self::ok(name, message) }
    }
}
