//! What a note says, for whoever reads English from us: the command, errors, exports, notifications. The window has words of
//! its own.

use std::fmt::Display;

use serde::Serialize;
use signalbox_model::{Gave, Note, Reason, Then, Unconfirmed, Variable};

/// What happened, and what follows from it, in one line without a full stop at its end. It quotes what others wrote as it is.
#[must_use]
pub fn note(note: &Note) -> String {
    let what = reason(&note.reason);
    match note.then.map(then) {
        Some(then) if !then.is_empty() => format!("{}. {then}", what.trim_end_matches('.')),
        _ => what,
    }
}

/// `1 task`, `2 tasks`.
#[must_use]
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A span of a second or more in its largest whole unit: `59 s`, `3 min`, `2 h`, `4 d`.
#[must_use]
pub fn span(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A note as documents have it: with its sentence as `message`.
#[derive(Debug, Clone, Serialize)]
pub struct Worded {
    #[serde(flatten)]
    note: Note,
    message: String,
}

impl From<Note> for Worded {
    fn from(of: Note) -> Self {
        Self { message: note(&of), note: of }
    }
}

/// What a note says as a sentence, with another one behind it.
pub(crate) fn note_before(before: &Note, sentence: &str) -> String {
    format!("{}. {sentence}", note(before).trim_end_matches('.'))
}

fn then(then: Then) -> &'static str {
    match then {
        Then::CallNotSent => "The call was not sent",
        Then::AnswersGoAgain => "The answers were not sent. They will be sent automatically",
        Then::AnswersDelayed => "The answers do not get through. They are sent again, less and less often",
        Then::AnswersMayHaveArrived => {
            "The answers may have arrived. Answer again to send them once more, or cancel the call"
        }
        Then::Unknown => "",
    }
}

fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Said { message } => message.clone(),
        Reason::ErrorAnswer { error, said } => format!("The server answered with error {error}: {said}"),
        Reason::TaskFailed { said } => said.clone(),
        Reason::NotStarted { program, said } => format!("The program {program:?} could not be started: {said}"),
        Reason::ProgramEnded { exit, wrote } => program_ended(*exit, wrote.as_deref()),
        Reason::SecretMissing { said } | Reason::NoKeychain { said } | Reason::SecretsLocked { said } => {
            format!("A secret for this connection cannot be read: {said}")
        }
        Reason::VariableNotSet { name } => {
            format!("The environment variable {name} is not set where Signalbox runs")
        }
        Reason::NoDiscovery { said } => format!("The server does not say what it is: {said}"),
        Reason::Unreachable { said } => format!("The server cannot be reached: {said}"),
        Reason::HostNotFound { said } => format!("The server's host cannot be found: {said}"),
        Reason::Closed => "The connection was closed".to_owned(),
        Reason::AnswerLost { said } => {
            format!("The server's answer was lost ({said}). It may have acted on the request")
        }
        Reason::NotTheAnswer { stray } => not_the_answer(stray),
        Reason::NoReply { said } => not_the_answer(said),
        Reason::NoAnswer { seconds } => format!("The server did not answer within {seconds} s"),
        Reason::NotMcp { gave, to, status } => not_mcp(*gave, to.as_deref(), *status),
        Reason::LegacyOnly { version } => {
            let version = version.as_deref().unwrap_or("an older MCP version");
            format!("The server speaks only {version}, which Signalbox does not know")
        }
        Reason::SignInNeeded { status } => {
            format!("The server requires a sign-in (HTTP {status}). Sign in, or add a header with a token")
        }
        Reason::Throttled { status } => format!("The server asked Signalbox to slow down (HTTP {status})"),
        Reason::TooLarge { limit } => {
            format!("The server's answer is larger than {limit} bytes, the limit in the settings")
        }
        Reason::MoreThanTaken { of, most, unit } => more_than_taken(of, &unit.counted(*most)),
        Reason::TooMuch { what, most } => more_than_taken(what, most),
        Reason::BreaksSpecification { breach } => breaks_specification(breach),
        Reason::AgainstSpecification { said } => breaks_specification(said),
        Reason::NotTrusted(of) => not_trusted(of),
        Reason::AsksTooMuch => {
            "The server asks more than Signalbox takes. The limits are 500 open questions and 16 MiB per task, 128 MiB per \
             server, and 10,000 questions per task in all. What does not fit is not shown. On the older wire it is refused; \
             otherwise it is shown as soon as there is room"
                .to_owned()
        }
        Reason::RoundTooLarge => {
            "The server asks more in one round than Signalbox takes, so the call was given up. The limits are 16 MiB of \
             questions per call, 1 MiB of requestState and 128 MiB of questions per server. Nothing was answered. Answer \
             what else this server asks, then call again"
                .to_owned()
        }
        Reason::RoundTooMany => given_up("The server asks more questions in one round than Signalbox can show"),
        Reason::RoundsWithoutEnd => given_up("The server keeps asking, round after round"),
        Reason::RoundsAskNothing => given_up("The server wants the call again and again, but asks nothing"),
        Reason::ArgumentsMissing => {
            "The call cannot be repeated, because its arguments are no longer kept".to_owned()
        }
        Reason::PagesNotVisited => {
            "The server still waits for its pages to be visited. Answer again once that is done".to_owned()
        }
        Reason::EndedBeforeAnswer => {
            "Signalbox ended before the answer came. The server may have acted on the call".to_owned()
        }
        Reason::StoppedWaiting => {
            "Signalbox no longer waits for the answer. The server may still be working".to_owned()
        }
        Reason::TaskWithoutId => {
            "The server started a task but gave it no id, so it cannot be followed".to_owned()
        }
        Reason::TaskIdTooLong { limit } => format!(
            "The server gave the task an id longer than {limit} bytes, so it cannot be followed. The answer is kept"
        ),
        Reason::NoResult => "The server says that the task is completed, but gives no result".to_owned(),
        Reason::TtlPassed => {
            "The task's time to live ran out while the server could not be asked. Its result may be lost".to_owned()
        }
        Reason::Forgotten => {
            "The task's time to live ran out, and the server has forgotten the task".to_owned()
        }
        Reason::TaskUnknown { session_over, error, said } => {
            let session = if *session_over { " Its session is over, and the task may have gone with it." } else { "" };
            format!("The server does not know this task.{session} It answered with error {error}: {said}")
        }
        Reason::Unknown => {
            "A newer version of Signalbox wrote down why, in a way this version does not know".to_owned()
        }
    }
}

fn not_the_answer(why: &impl Display) -> String {
    format!("What came back does not answer the request ({why}). The server may have acted on it")
}

fn more_than_taken(what: &impl Display, most: &str) -> String {
    format!("The server sends more than Signalbox takes: {what} has more than {most}")
}

fn breaks_specification(how: &impl Display) -> String {
    format!("The server's answer breaks the specification: {how}")
}

fn given_up(why: &str) -> String {
    format!("{why}. The call was given up")
}

fn program_ended(exit: Option<i32>, wrote: Option<&str>) -> String {
    let with = exit.map(|code| format!(" with code {code}")).unwrap_or_default();
    let wrote = wrote.map(|line| format!(". It last wrote: {line}")).unwrap_or_default();
    format!("The server's program ended{with}{wrote}")
}

fn not_mcp(gave: Gave, to: Option<&str>, status: Option<u16>) -> String {
    let what = match (gave, to) {
        (Gave::Page, _) => "a web page. The URL may lack its path".to_owned(),
        (Gave::Redirect, Some(to)) => format!("a redirect to {to}, which Signalbox does not follow"),
        (Gave::Redirect, None) => "a redirect, which Signalbox does not follow".to_owned(),
        (Gave::Empty, _) => "an empty answer".to_owned(),
        (Gave::Silent, _) => "nothing that is MCP".to_owned(),
        (Gave::Other, _) => "something that is not MCP".to_owned(),
    };
    let status = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
    format!("This is not an MCP server{status}: it returned {what}")
}

/// Quoted one by one: nobody has to guess where an argument ends, or what hides in it.
fn not_trusted(Unconfirmed { command, cwd, variables }: &Unconfirmed) -> String {
    let words: Vec<String> = command.iter().map(|word| format!("{word:?}")).collect();
    let place = cwd.as_ref().map_or_else(|| "your home directory".to_owned(), |cwd| format!("{cwd:?}"));
    let mut text =
        format!("Its command is not confirmed, and is not run before that: {} in {place}", words.join(" "));
    if !variables.is_empty() {
        let shown = |Variable { name, value }: &Variable| match value {
            Some(value) => format!("{name:?} = {value:?}"),
            None => format!("{name:?}"),
        };
        let given: Vec<String> = variables.iter().map(shown).collect();
        text.push_str(&format!(", with the environment variables {}", given.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use signalbox_model::NoteCode;

    use super::*;

    #[test]
    fn what_follows_stands_behind_what_happened() {
        let lost = Note::from(Reason::EndedBeforeAnswer).then(Then::AnswersMayHaveArrived);
        assert_eq!(
            note(&lost),
            "Signalbox ended before the answer came. The server may have acted on the call. The answers may have arrived. \
             Answer again to send them once more, or cancel the call"
        );
        let said = Note::from(Reason::ErrorAnswer { error: -1, said: "Wait.".to_owned() });
        let delayed = note(&said.clone().then(Then::AnswersDelayed));
        assert!(delayed.starts_with("The server answered with error -1: Wait. The answers"), "{delayed}");
        assert_eq!(
            note(&said),
            "The server answered with error -1: Wait.",
            "a server's words stay as they are"
        );
    }

    #[test]
    fn an_earlier_version_keeps_its_words() {
        let said = "The answer was lost (reset). The server may have acted on it";
        assert_eq!(note(&Note::said(NoteCode::Lost, said.to_owned())), said);
    }

    #[test]
    fn exactly_what_would_be_run_is_said() {
        let variable = |name: &str, value: Option<&str>| Variable {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let of = Unconfirmed {
            command: vec!["npx".to_owned(), "a server".to_owned()],
            cwd: Some("/srv/a b".to_owned()),
            variables: vec![variable("API_KEY", None), variable("MODE", Some("fast"))],
        };
        let said = note(&Reason::NotTrusted(Box::new(of)).into());
        assert!(said.ends_with(
            r#"run before that: "npx" "a server" in "/srv/a b", with the environment variables "API_KEY", "MODE" = "fast""#
        ), "{said}");
    }
}
