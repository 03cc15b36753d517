//! What to type about an error. Messages of the desk name no command, since the window shows them, too.

use signalbox_api::{ApiError, Code, Retry, ServerView, doctor::Check};
use signalbox_model::{Health, Note, NoteCode, Reason, Transport, command_line};

/// What happened, and what to type about it.
pub(crate) fn advised(error: &ApiError) -> String {
    match of(error.code) {
        None if error.retry == Retry::Queued => {
            joined(&error.message, "`signalbox show` tells what became of it")
        }
        advice => advice.map_or_else(|| error.message.clone(), |advice| joined(&error.message, advice)),
    }
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
            "Give env:VARIABLE or @FILE instead of a value, or choose another place for values with `signalbox secrets keep`",
        ),
        Code::SecretsLocked => Some(
            "`signalbox secrets unlock` asks for the passphrase that opens it. Where nobody can be asked, give --passphrase-file",
        ),
        Code::NotificationsFailed => Some(
            "Start a notification service, or allow Signalbox in the settings of your desktop. The inbox shows questions all the same",
        ),
        Code::NeedsOwner => Some("Start `signalbox serve` or the window first"),
        Code::StorageDamaged => Some(
            "`signalbox restore FILE` brings back a backup, and `signalbox salvage` saves what can still be read",
        ),
        Code::VersionMismatch => {
            Some("`signalbox quit` ends it, and what is started next is of this version")
        }
        Code::OwnerNewer => Some(
            "`signalbox --version` says which this is, and `which -a signalbox` where others are. `signalbox quit` ends the newer \
             one; what it has written this one may not be able to read",
        ),
        Code::StorageDenied => Some(
            "--home names another data directory. `signalbox export`, `signalbox verify` and `signalbox backup` work as long as \
             the files can be read",
        ),
        Code::Usage
        | Code::NameTaken
        | Code::AlreadyFollowed
        | Code::ServerDisabled
        | Code::UnknownItem
        | Code::Ambiguous
        | Code::AlreadyClosed
        | Code::AnsweredMeanwhile
        | Code::ChangedMeanwhile
        | Code::CancelledMeanwhile
        | Code::LiveTasks
        | Code::InvalidContent
        | Code::NotPossible
        | Code::NoPage
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
        | Code::Internal => None,
    }
}

/// What to do about a problem that `doctor` found, on a line of its own.
pub(crate) fn to_mend(code: Code) -> &'static str {
    match code {
        Code::StorageGone => {
            "Stop Signalbox. If the database is missing, put it back, or bring back a backup with `signalbox restore FILE`. Then \
             start Signalbox again"
        }
        Code::StorageNewer => "Update Signalbox",
        Code::StorageFull => "Free some space",
        Code::StorageInUse | Code::OwnerGone => "End the program that holds it, then try again",
        other => of(other).unwrap_or("`signalbox doctor --json` gives what a bug report needs"),
    }
}

/// Both speak with each other, but one of them has what the other lacks.
pub(crate) const OTHER_VERSION: &str = "Install both from one package, then end the owner (`signalbox quit`, or close the window) and start it again";

/// What was found of the desktop session: with what to type instead, where something can be.
pub(crate) fn of_session(check: Check) -> Check {
    if check.name != "autostart" {
        return check;
    }
    let typed =
        |advice| format!("{advice}, or run `signalbox autostart on`, with --home if you gave it here");
    Check { advice: check.advice.map(typed), ..check }
}

/// The log of decisions is not as it was written.
pub(crate) const BROKEN_LOG: &str =
    "`signalbox verify` tells more. A backup from before has the entries as they were";

/// Some of a server's questions nobody sees.
pub(crate) const TOO_MANY_QUESTIONS: &str = "Answer or decline its questions (`signalbox inbox`), or give up the task that asks so much (`signalbox forget`)";

/// A server did not answer in the time that the person gave it.
pub(crate) const MORE_TIME: &str =
    "Give a longer --timeout, or none. If it stays silent, check that it is running";

/// Somebody stopped `doctor` before it was done.
pub(crate) const LOOK_AGAIN: &str = "Run `signalbox doctor` again";

/// What to do about a server that is not well; none where nothing is to be done.
pub(crate) fn of_health(server: &ServerView) -> Option<String> {
    let to_type = |words: &[&str]| {
        let words: Vec<String> = ["server"].iter().chain(words).map(|word| (*word).to_owned()).collect();
        command_line("signalbox", &words)
    };
    let name = server.name.as_str();
    let note = match &server.health {
        Health::Ok { .. } | Health::Unknown { .. } => return None,
        Health::SignInNeeded { .. } => {
            let (login, edit) = (to_type(&["login", name]), to_type(&["edit", name, "--header", "K=V"]));
            return Some(format!("`{login}` signs in, or `{edit}` gives it a header with a token"));
        }
        Health::Unreachable { note, .. } | Health::Unusable { note, .. } => note,
    };
    let reached = if is_program(server) { ["--", "CMD"] } else { ["--url", "URL"] };
    let edit = to_type(&[&["edit", name][..], &reached].concat());
    Some(match of_reason(note, &to_type, server) {
        Some(advice) => advice,
        None => match &server.health {
            Health::Unreachable { .. } => {
                let disable = to_type(&["disable", name]);
                format!("Start it, or switch it off here with `{disable}`")
            }
            _ => format!("`{edit}` changes how it is reached"),
        },
    })
}

fn is_program(server: &ServerView) -> bool {
    matches!(server.transport, Transport::Stdio { .. })
}

/// What to do about this reason in particular.
fn of_reason(note: &Note, to_type: &dyn Fn(&[&str]) -> String, server: &ServerView) -> Option<String> {
    let name = server.name.as_str();
    let edit = to_type(&["edit", name, if is_program(server) { "--env" } else { "--header" }, "K=V"]);
    match &note.reason {
        Reason::VariableNotSet { name: variable } => {
            return Some(format!(
                "Set {variable} where Signalbox starts: where `signalbox serve` or the window is started. `{edit}` gives the \
                 server another value"
            ));
        }
        Reason::NotStarted { .. } => {
            let edit = to_type(&["edit", name, "--", "CMD"]);
            return Some(format!("Check its path, or install it. `{edit}` changes the program"));
        }
        Reason::ProgramEnded { .. } => {
            let edit = to_type(&["edit", name, "--", "CMD"]);
            return Some(format!("Run the program at a terminal to see why. `{edit}` changes it"));
        }
        Reason::HostNotFound { .. } => {
            let edit = to_type(&["edit", name, "--url", "URL"]);
            return Some(format!(
                "Check the address, and whether you are online. `{edit}` changes the address"
            ));
        }
        _ => {}
    }
    match note.code {
        NoteCode::NotTrusted => Some(format!("`{}` confirms it", to_type(&["trust", name]))),
        NoteCode::SecretMissing => Some(format!("`{edit}` gives it the secret again")),
        NoteCode::SecretsLocked | NoteCode::NoKeychain => of(note.code.into()).map(str::to_owned),
        _ => None,
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
