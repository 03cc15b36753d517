//! How a command ends: its exit code and, when it failed, why.

use std::io;
use std::process::ExitCode;

use signalbox_api::{ApiError, Code};
use signalbox_model::Outcome;

use crate::text::advice::advised;

/// The exit codes. Scripts depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for `cancel` and `answer`: recorded, and acknowledged where the wire can.
    Done = 0,
    /// The work that was waited for did not end well, or a server refused what was asked.
    Failed = 1,
    /// The command itself is wrong.
    Usage = 2,
    /// A question is open and nobody can be asked.
    InputNeeded = 3,
    /// The server cannot be reached or used. An answer stays queued.
    Unreachable = 4,
    /// The server wants a sign-in, or what is kept of its secrets a passphrase.
    SignInNeeded = 5,
    /// The task or request is unknown, expired or already closed; or it changed, or somebody decided something else about it,
    /// meanwhile.
    Gone = 6,
    /// The data directory is in use, damaged, newer, full or not ours.
    Home = 7,
    /// `--timeout` has passed. The work goes on.
    TimedOut = 8,
    /// Interrupted from the keyboard or by a signal. The work goes on.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Code> for Exit {
    fn from(code: Code) -> Self {
        match code {
            Code::Lost
            | Code::ServerError
            | Code::ProtocolError
            | Code::TooLarge
            | Code::AsksTooMuch
            | Code::NotificationsFailed
            | Code::BrowserFailed
            | Code::Internal => Self::Failed,
            Code::Usage
            | Code::UnknownServer
            | Code::NameTaken
            | Code::AlreadyFollowed
            | Code::ServerDisabled
            | Code::NotTrusted
            | Code::UnknownTool
            | Code::Ambiguous
            | Code::LiveTasks
            | Code::InvalidContent
            | Code::NotPossible
            | Code::NoPage
            | Code::NotSupported
            | Code::NoKeychain
            | Code::SecretMissing
            | Code::NeedsOwner => Self::Usage,
            Code::InputNeeded => Self::InputNeeded,
            // A server's silence; `--timeout` has its own exit.
            Code::TimedOut
            | Code::Unreachable
            | Code::SpawnFailed
            | Code::NotMcp
            | Code::LegacyOnly
            | Code::Throttled => Self::Unreachable,
            Code::SignInNeeded | Code::SecretsLocked => Self::SignInNeeded,
            Code::UnknownItem
            | Code::AlreadyClosed
            | Code::AnsweredMeanwhile
            | Code::ChangedMeanwhile
            | Code::CancelledMeanwhile => Self::Gone,
            Code::StorageFull
            | Code::StorageDamaged
            | Code::StorageGone
            | Code::StorageNewer
            | Code::StorageDenied
            | Code::StorageInUse
            | Code::OwnerGone
            | Code::VersionMismatch
            | Code::OwnerNewer => Self::Home,
        }
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ok => Self::Done,
            Outcome::ToolError
            | Outcome::ProtocolError
            | Outcome::Cancelled
            | Outcome::Expired
            | Outcome::Lost
            | Outcome::Unknown => Self::Failed,
        }
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// From the closed list.
    #[error("{}", advised(.0))]
    Api(#[from] ApiError),
    /// What was asked for could not be printed.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Api(ApiError::new(Code::Usage, message))
    }

    /// The exit code.
    #[must_use]
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Api(error) => error.code.into(),
            // The reader has seen enough (`signalbox tasks | head`).
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Output(_) => Exit::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let table = [
            (Exit::Done, 0),
            (Exit::Failed, 1),
            (Exit::Usage, 2),
            (Exit::InputNeeded, 3),
            (Exit::Unreachable, 4),
            (Exit::SignInNeeded, 5),
            (Exit::Gone, 6),
            (Exit::Home, 7),
            (Exit::TimedOut, 8),
            (Exit::Interrupted, 130),
        ];
        for (exit, code) in table {
            assert_eq!(exit as u8, code, "{exit:?} is promised to scripts");
        }
    }

    #[test]
    fn errors_end_with_the_code_of_their_kind() {
        let table = [
            (Code::UnknownServer, Exit::Usage),
            (Code::Ambiguous, Exit::Usage),
            (Code::InvalidContent, Exit::Usage),
            (Code::NeedsOwner, Exit::Usage),
            (Code::NotTrusted, Exit::Usage),
            (Code::AlreadyFollowed, Exit::Usage),
            (Code::InputNeeded, Exit::InputNeeded),
            (Code::Unreachable, Exit::Unreachable),
            (Code::SpawnFailed, Exit::Unreachable),
            (Code::NotMcp, Exit::Unreachable),
            (Code::LegacyOnly, Exit::Unreachable),
            (Code::TimedOut, Exit::Unreachable),
            (Code::SignInNeeded, Exit::SignInNeeded),
            (Code::UnknownItem, Exit::Gone),
            (Code::AlreadyClosed, Exit::Gone),
            (Code::AnsweredMeanwhile, Exit::Gone),
            (Code::ChangedMeanwhile, Exit::Gone),
            (Code::CancelledMeanwhile, Exit::Gone),
            (Code::StorageInUse, Exit::Home),
            (Code::StorageDamaged, Exit::Home),
            (Code::StorageGone, Exit::Home),
            (Code::StorageNewer, Exit::Home),
            (Code::StorageFull, Exit::Home),
            (Code::StorageDenied, Exit::Home),
        ];
        for (code, exit) in table {
            assert_eq!(Exit::from(code), exit, "{code:?}");
        }
    }

    #[test]
    fn only_ok_is_a_good_end() {
        assert_eq!(Exit::from(Outcome::Ok), Exit::Done);
        for outcome in [
            Outcome::ToolError,
            Outcome::ProtocolError,
            Outcome::Cancelled,
            Outcome::Expired,
            Outcome::Lost,
            Outcome::Unknown,
        ] {
            assert_eq!(Exit::from(outcome), Exit::Failed, "{outcome:?}");
        }
    }

    #[test]
    fn a_reader_that_left_is_no_failure() {
        assert_eq!(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)).exit(), Exit::Done);
        assert_eq!(Failure::from(io::Error::from(io::ErrorKind::StorageFull)).exit(), Exit::Failed);
    }
}
