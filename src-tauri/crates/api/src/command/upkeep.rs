//! Looking after what is kept, and taking it elsewhere.

use serde::{Deserialize, Serialize};
use signalbox_model::CallId;

use super::{BackedUp, DiagnosticText, ExportPortion, Problems};
use crate::Verified;

commands! {
    /// A portion of what is kept, by number.
    Export -> ExportPortion, Once {
        /// What kind of thing is exported.
        what: ExportKind,
        /// Behind which number; 0 for the beginning, then [`ExportPortion`]'s `next`.
        after: u64,
        /// With task ids and what may hold them.
        with_handles: bool,
        /// Only of the rows that this shows, as of [`ListQuery::filter`](crate::ListQuery::filter): of tasks, or of questions
        /// and the answers to them. The log of decisions takes none.
        filter: String,
        /// Only of these tasks; of all where none is named. Of tasks alone, at most 1,000, and without a filter.
        calls: Vec<CallId>,
    }

    /// Goes through the log of decisions: whether it is what was written, and has every answer that was sent.
    Verify -> Verified, Once

    /// Looks for damage down to the last page and file. Takes seconds per gigabyte.
    CheckStore -> Problems, Once

    /// Copies all that is kept into one new file, for us alone, while everything runs.
    Backup -> BackedUp, Once {
        /// The file's whole path.
        file: String,
    }

    /// A text for a bug report, without secrets and sensitive handles.
    Diagnostics -> DiagnosticText, Once
}

/// What an export can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportKind {
    /// Calls and their tasks, with arguments and results.
    Tasks,
    /// Questions that servers asked.
    Requests,
    /// Answers to them.
    Answers,
    /// The log of decisions.
    Decisions,
}
