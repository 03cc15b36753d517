//! What to type about an error. Messages of the desk name no command, since the window shows them, too.

use signalbox_api::{ApiError, Code, Retry};

/// What happened, and what to type about it.
pub(crate) fn advised(error: &ApiError) -> String {
    match of(error.code) {
        None if error.retry == Retry::Queued => {
            joined(&error.message, "`signalbox show` tells what became of it")
        }
        advice => advice.map_or_else(|| error.message.clone(), |advice| joined(&error.message, advice)),
    }
}

/// The same of something that is no error, such as how a server was last seen.
pub(crate) fn beside(code: Code, message: &str) -> String {
    of(code).map_or_else(|| message.to_owned(), |advice| joined(message, advice))
}

fn joined(message: &str, advice: &str) -> String {
    format!("{}. {advice}", message.trim_end_matches('.'))
}

fn of(code: Code) -> Option<&'static str> {
    match code {
        Code::NotTrusted => Some("`signalbox server trust` confirms it"),
        Code::UnknownServer => Some("`signalbox server list` shows all"),
        Code::UnknownTool => Some("`signalbox tools SERVER` lists all"),
        Code::NoKeychain => Some(
            "Give env:VARIABLE or @FILE instead of a value, or choose with `signalbox secrets keep` where else values are kept",
        ),
        Code::SecretsLocked => Some("`signalbox secrets unlock` takes the passphrase that opens it"),
        Code::NeedsOwner => Some("Start `signalbox serve` or the window first"),
        Code::StorageDamaged => Some(
            "`signalbox restore FILE` brings back a backup, and `signalbox salvage` saves what can still be read",
        ),
        Code::StorageDenied => Some(
            "--home names another data directory. Where files can still be read, so do `signalbox export`, `signalbox verify` \
             and `signalbox backup`",
        ),
        Code::Usage
        | Code::NameTaken
        | Code::AlreadyFollowed
        | Code::ServerDisabled
        | Code::UnknownItem
        | Code::Ambiguous
        | Code::AlreadyClosed
        | Code::AnsweredMeanwhile
        | Code::CancelledMeanwhile
        | Code::LiveTasks
        | Code::InvalidContent
        | Code::NotPossible
        | Code::InputNeeded
        | Code::Unreachable
        | Code::SpawnFailed
        | Code::BrowserFailed
        | Code::NotMcp
        | Code::LegacyOnly
        | Code::SignInNeeded
        | Code::Throttled
        | Code::TimedOut
        | Code::Lost
        | Code::ServerError
        | Code::ProtocolError
        | Code::TooLarge
        | Code::AsksTooMuch
        | Code::NotSupported
        | Code::SecretMissing
        | Code::StorageFull
        | Code::StorageGone
        | Code::StorageNewer
        | Code::StorageInUse
        | Code::OwnerGone
        | Code::VersionMismatch
        | Code::NotificationsFailed
        | Code::Internal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_desk_says_stands_before_what_to_type() {
        let denied = ApiError::new(Code::StorageDenied, "/data cannot be written");
        let said = advised(&denied);
        assert!(said.starts_with("/data cannot be written. "), "{said}");
        assert!(
            said.contains("--home") && said.contains("signalbox backup"),
            "what works all the same: {said}"
        );
        let gone = ApiError::new(Code::AlreadyClosed, "It is over.");
        assert_eq!(advised(&gone), "It is over.", "nothing is to be typed about that");
    }

    #[test]
    fn what_is_queued_names_how_to_learn_of_its_end() {
        let queued =
            ApiError { retry: Retry::Queued, ..ApiError::new(Code::Unreachable, "The answer is kept") };
        assert_eq!(advised(&queued), "The answer is kept. `signalbox show` tells what became of it");
    }
}
