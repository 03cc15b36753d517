//! How what came of a call differs from what came of an earlier one.

use serde::{Deserialize, Serialize};
use signalbox_model::{CallId, Timestamp};

/// What came of two runs of the same tool at the same server with the same arguments, compared line by line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The earlier run.
    pub earlier: CallId,
    /// When it ended.
    pub ended_at: Timestamp,
    /// What differs, with three lines around it. Empty where nothing does.
    pub lines: Vec<DiffLine>,
    /// How many more lines there are than are told.
    pub left_out: u32,
    /// Whether one of the two is longer than what is compared: then it is about the beginnings alone.
    pub cut: bool,
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    /// Whose line it is.
    pub of: DiffSide,
    /// The line, or the beginning of one that is long; without its end of line. Empty for a gap.
    pub text: String,
}

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DiffSide {
    /// Both have it.
    Both,
    /// Only the earlier run.
    Earlier,
    /// Only this one.
    Later,
    /// Lines that both have are not told here.
    Gap,
}
