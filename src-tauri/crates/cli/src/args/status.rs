//! Statuses as they are typed.

use clap::ValueEnum;
use signalbox_model::Status;

/// The statuses by their words in the specification, and `unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum StatusWord {
    /// Under way
    Working,
    /// Waits for answers
    InputRequired,
    /// Ended with a result
    Completed,
    /// Ended with an error
    Failed,
    /// Cancelled before it completed
    Cancelled,
    /// A word that the specification does not have
    Unknown,
}

impl From<StatusWord> for Status {
    fn from(word: StatusWord) -> Self {
        match word {
            StatusWord::Working => Self::Working,
            StatusWord::InputRequired => Self::InputRequired,
            StatusWord::Completed => Self::Completed,
            StatusWord::Failed => Self::Failed,
            StatusWord::Cancelled => Self::Cancelled,
            StatusWord::Unknown => Self::Unknown,
        }
    }
}
