//! Why something is as it is: what happened, as a kind with its values. Hosts have the words.
//!
//! Longer than most: each kind stands here with its values and with the code that it comes to.

use serde::{Deserialize, Serialize};

use crate::{Breach, Hindrance, NoteCode, Part, Stray, Unit, cut};

/// Why a task, a server or an answer is as it is. It is kept as JSON, so its words never change.
///
/// One that was kept by a version before this one has a code and a sentence, and reads as [`Reason::Said`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(from = "Kept")]
#[cfg_attr(feature = "bindings", ts(rename = "StatusNote", optional_fields))]
pub struct Note {
    /// What kind of thing happened, for programs. It is that of the reason, also where a later version wrote one that this
    /// version does not know.
    pub code: NoteCode,
    /// What happened, as a value with its details.
    pub reason: Reason,
    /// What follows from it for what was to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Then>,
}

/// A note as any version keeps it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    /// Why a server refused an answer, which had no code once.
    Refusal(String),
    Whole {
        code: NoteCode,
        reason: Option<Reason>,
        message: Option<String>,
        then: Option<Then>,
    },
}

impl From<Kept> for Note {
    fn from(kept: Kept) -> Self {
        let said = |message: Option<String>| Reason::Said { message: message.unwrap_or_default() };
        match kept {
            Kept::Refusal(message) => Self::said(NoteCode::ServerError, message),
            Kept::Whole { code, reason, message, then } => {
                Self { code, reason: reason.unwrap_or_else(|| said(message)), then }
            }
        }
    }
}

impl From<Reason> for Note {
    fn from(reason: Reason) -> Self {
        Self { code: reason.code(), reason, then: None }
    }
}

impl Note {
    /// What an earlier version kept: a code and a sentence.
    #[must_use]
    pub fn said(code: NoteCode, message: String) -> Self {
        Self { code, reason: Reason::Said { message }, then: None }
    }

    /// With what follows from it.
    #[must_use]
    pub fn then(self, then: Then) -> Self {
        Self { then: Some(then), ..self }
    }

    /// With each text that others wrote, or that is made of their words, as `map` has it.
    #[must_use]
    pub fn map_texts(mut self, map: impl Fn(String) -> String) -> Self {
        for text in self.reason.texts() {
            *text = map(std::mem::take(text));
        }
        self
    }

    /// With no text longer than `most` bytes, about.
    #[must_use]
    pub fn cut(self, most: usize) -> Self {
        self.map_texts(|text| cut(text, most))
    }

    /// How long its texts are together, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        // Notes are short, and few: one way to their texts is enough.
        self.clone().reason.texts().into_iter().map(|text| text.len()).sum()
    }
}

/// What follows from a reason for what was to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The call was not sent, and is not sent by itself later.
    CallNotSent,
    /// The answers did not go out: they go again by themselves.
    AnswersGoAgain,
    /// The answers do not come through: they go again, more and more seldom.
    AnswersDelayed,
    /// The answers may have arrived. They go again only when their person answers again.
    AnswersMayHaveArrived,
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// What happened, with its values. `said` is what somebody else wrote (the server, its program, or the system), or the
/// obstacle that we found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Reason {
    /// A version before this one kept only this sentence.
    Said {
        /// The sentence.
        message: String,
    },
    /// The server answered with a JSON-RPC error.
    ErrorAnswer {
        /// The number of the JSON-RPC error.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        error: i64,
        /// The message of the JSON-RPC error.
        said: String,
    },
    /// The server says that the task failed.
    TaskFailed {
        /// What the server says of the failure.
        said: String,
    },
    /// The server's program could not be started.
    NotStarted {
        /// The program that was to be started.
        program: String,
        /// Why it did not start, in the system's words.
        said: Hindrance,
    },
    /// The server's program ended.
    ProgramEnded {
        /// Its exit code.
        #[serde(skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        /// The last line that it wrote about itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        wrote: Option<String>,
    },
    /// The connection takes a secret that is not there.
    SecretMissing {
        /// Which, and why.
        said: Hindrance,
    },
    /// The connection takes a variable that is not set where we run.
    VariableNotSet {
        /// The name of the variable.
        name: String,
    },
    /// The connection takes a secret from a keychain that is not there.
    NoKeychain {
        /// What is wrong with the keychain.
        said: Hindrance,
    },
    /// The connection takes a secret that waits for a passphrase.
    SecretsLocked {
        /// Which secret is locked.
        said: Hindrance,
    },
    /// The server does not say what it is: nothing else was sent.
    NoDiscovery {
        /// What happened instead.
        said: Hindrance,
    },
    /// The server cannot be reached.
    Unreachable {
        /// Why it cannot be reached.
        said: Hindrance,
    },
    /// The host of its address is not known.
    HostNotFound {
        /// What the name lookup came to.
        said: Hindrance,
    },
    /// The connection was closed.
    Closed,
    /// It was sent, and the answer was lost.
    AnswerLost {
        /// How the answer was lost.
        said: Hindrance,
    },
    /// What came is no answer to what was sent.
    NotTheAnswer {
        /// What is wrong with it.
        stray: Stray,
    },
    /// The same, as a version before this one kept it.
    NoReply {
        /// What is wrong with it, in a sentence.
        said: String,
    },
    /// No answer came in time.
    NoAnswer {
        /// How long was waited.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        seconds: u64,
    },
    /// It is not an MCP server.
    NotMcp {
        /// What came instead.
        gave: Gave,
        /// Where a redirect leads.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<String>,
        /// The HTTP status.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
    },
    /// The server speaks only a version of MCP that we do not know.
    LegacyOnly {
        /// The version that the server speaks; none when it did not say.
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    },
    /// The server wants a sign-in.
    SignInNeeded {
        /// The HTTP status.
        status: u16,
    },
    /// The server asked to slow down.
    Throttled {
        /// The HTTP status.
        status: u16,
    },
    /// The server's answer is larger than the limit in the settings.
    TooLarge {
        /// The limit in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit: u64,
    },
    /// The server sends more of something than is taken.
    MoreThanTaken {
        /// What there is too much of.
        of: Part,
        /// How much is taken.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        most: u64,
        /// What that is counted in.
        unit: Unit,
    },
    /// The same, as a version before this one kept it.
    TooMuch {
        /// What there is too much of, in words.
        what: String,
        /// How much is taken, in words.
        most: String,
    },
    /// The server's answer is against the specification.
    BreaksSpecification {
        /// What is against the specification.
        breach: Breach,
    },
    /// The same, as a version before this one kept it.
    AgainstSpecification {
        /// What is against the specification, in a sentence.
        said: String,
    },
    /// Nobody has confirmed the command of the server's program.
    NotTrusted(Box<Unconfirmed>),
    /// The server asks more than is taken of a task and of a server.
    AsksTooMuch,
    /// The server asks more in one round than there is room for: the call was given up.
    RoundTooLarge,
    /// The server asks more questions in one round than can be shown: the call was given up.
    RoundTooMany,
    /// The server asks in one round after another without an end: the call was given up.
    RoundsWithoutEnd,
    /// The server wants the call again and again and asks nothing: it was given up.
    RoundsAskNothing,
    /// The call cannot be made again: its arguments are not kept.
    ArgumentsMissing,
    /// The server still wants its pages visited.
    PagesNotVisited,
    /// We ended before the answer came.
    EndedBeforeAnswer,
    /// The person cancelled, and we stopped waiting for the answer.
    StoppedWaiting,
    /// The server announced a task without an id.
    TaskWithoutId,
    /// The server gave the task an id of more bytes than are taken.
    TaskIdTooLong {
        /// How many are taken.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        limit: u64,
    },
    /// The server says completed, and gives no result.
    NoResult,
    /// The TTL passed while the server could not be asked.
    TtlPassed,
    /// The TTL passed, and the server has forgotten the task.
    Forgotten,
    /// The server does not know the task.
    TaskUnknown {
        /// A session was over in this run that it may have gone with.
        session_over: bool,
        /// The number of the error that the server answered with.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        error: i64,
        /// The message of that error.
        said: String,
    },
    /// What a later version wrote.
    #[serde(other)]
    Unknown,
}

/// What came from something that is not an MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Gave {
    /// A web page.
    Page,
    /// A redirect, which is not followed.
    Redirect,
    /// An empty answer.
    Empty,
    /// Nothing that is MCP.
    Silent,
    /// Something else that is not MCP.
    #[serde(other)]
    Other,
}

/// A program that nobody has confirmed: exactly what would be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Unconfirmed {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it is run; none: in the person's home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The variables that it is given.
    pub variables: Vec<Variable>,
}

/// A variable that a program is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Variable {
    /// The variable's name.
    pub name: String,
    /// Its value, where it is no secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Reason {
    /// The kind of thing, for programs.
    #[must_use]
    pub fn code(&self) -> NoteCode {
        match self {
            Self::Said { .. } | Self::Unknown => NoteCode::Unknown,
            Self::ErrorAnswer { .. } | Self::TaskFailed { .. } => NoteCode::ServerError,
            Self::NotStarted { .. } | Self::ProgramEnded { .. } => NoteCode::SpawnFailed,
            Self::SecretMissing { .. } | Self::VariableNotSet { .. } => NoteCode::SecretMissing,
            Self::NoKeychain { .. } => NoteCode::NoKeychain,
            Self::SecretsLocked { .. } => NoteCode::SecretsLocked,
            Self::Unreachable { .. } | Self::HostNotFound { .. } | Self::Closed => NoteCode::Unreachable,
            Self::AnswerLost { .. }
            | Self::NotTheAnswer { .. }
            | Self::NoReply { .. }
            | Self::EndedBeforeAnswer
            | Self::StoppedWaiting => NoteCode::Lost,
            Self::NoAnswer { .. } => NoteCode::TimedOut,
            Self::NotMcp { .. } => NoteCode::NotMcp,
            Self::LegacyOnly { .. } => NoteCode::LegacyOnly,
            Self::SignInNeeded { .. } => NoteCode::SignInNeeded,
            Self::Throttled { .. } => NoteCode::Throttled,
            Self::TooLarge { .. }
            | Self::MoreThanTaken { .. }
            | Self::TooMuch { .. }
            | Self::TaskIdTooLong { .. } => NoteCode::TooLarge,
            Self::NoDiscovery { .. }
            | Self::BreaksSpecification { .. }
            | Self::AgainstSpecification { .. }
            | Self::RoundTooMany
            | Self::RoundsWithoutEnd
            | Self::RoundsAskNothing
            | Self::TaskWithoutId
            | Self::NoResult => NoteCode::ProtocolError,
            Self::NotTrusted(_) => NoteCode::NotTrusted,
            Self::AsksTooMuch | Self::RoundTooLarge => NoteCode::AsksTooMuch,
            Self::ArgumentsMissing => NoteCode::StorageDamaged,
            Self::PagesNotVisited => NoteCode::InputNeeded,
            Self::TtlPassed | Self::Forgotten | Self::TaskUnknown { .. } => NoteCode::UnknownItem,
        }
    }

    fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::Said { message: text }
            | Self::ErrorAnswer { said: text, .. }
            | Self::TaskFailed { said: text }
            | Self::VariableNotSet { name: text }
            | Self::NoReply { said: text }
            | Self::TaskUnknown { said: text, .. }
            | Self::AgainstSpecification { said: text } => vec![text],
            Self::SecretMissing { said }
            | Self::NoKeychain { said }
            | Self::SecretsLocked { said }
            | Self::Unreachable { said }
            | Self::HostNotFound { said }
            | Self::AnswerLost { said }
            | Self::NoDiscovery { said } => said.texts(),
            Self::NotStarted { program, said } => std::iter::once(program).chain(said.texts()).collect(),
            Self::TooMuch { what: one, most: other } => vec![one, other],
            Self::ProgramEnded { wrote: text, .. }
            | Self::NotMcp { to: text, .. }
            | Self::LegacyOnly { version: text } => text.iter_mut().collect(),
            Self::BreaksSpecification { breach } => breach.texts(),
            Self::NotTrusted(of) => {
                let Unconfirmed { command, cwd, variables } = of.as_mut();
                let values = variables.iter_mut().flat_map(|of| [Some(&mut of.name), of.value.as_mut()]);
                command.iter_mut().chain(cwd).chain(values.flatten()).collect()
            }
            Self::Closed
            | Self::NotTheAnswer { .. }
            | Self::NoAnswer { .. }
            | Self::SignInNeeded { .. }
            | Self::Throttled { .. }
            | Self::TooLarge { .. }
            | Self::MoreThanTaken { .. }
            | Self::AsksTooMuch
            | Self::RoundTooLarge
            | Self::RoundTooMany
            | Self::RoundsWithoutEnd
            | Self::RoundsAskNothing
            | Self::ArgumentsMissing
            | Self::PagesNotVisited
            | Self::EndedBeforeAnswer
            | Self::StoppedWaiting
            | Self::TaskWithoutId
            | Self::TaskIdTooLong { .. }
            | Self::NoResult
            | Self::TtlPassed
            | Self::Forgotten
            | Self::Unknown => Vec::new(),
        }
    }
}

/// Why an answer did not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unsent {
    /// By the clock it should have gone more than an hour ago.
    TooLate,
    /// We were closed within its undo window.
    ClosedInWindow,
    /// Its connection was gone.
    ConnectionGone,
    /// The server has taken the answer before it.
    EarlierTaken,
    /// It was taken back after it had been tried: nothing of it had left.
    NothingLeft,
}

impl Unsent {
    /// Its word in timelines and in the log of decisions.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLate => "too_late",
            Self::ClosedInWindow => "closed_in_window",
            Self::ConnectionGone => "connection_gone",
            Self::EarlierTaken => "earlier_taken",
            Self::NothingLeft => "nothing_left",
        }
    }

    /// Reads its word; a sentence of an earlier version is none.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        use Unsent::*;
        [TooLate, ClosedInWindow, ConnectionGone, EarlierTaken, NothingLeft]
            .into_iter()
            .find(|unsent| unsent.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Note {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_note_is_its_code_and_what_happened() {
        let note = Note::from(Reason::ErrorAnswer { error: -32_602, said: "no".to_owned() });
        let json = r#"{"code":"server_error","reason":{"kind":"error_answer","error":-32602,"said":"no"}}"#;
        assert_eq!(serde_json::to_string(&note).unwrap(), json, "it is kept so: its words never change");
        assert_eq!(read(json), note);
        let then = note.then(Then::AnswersGoAgain);
        assert_eq!(read(&serde_json::to_string(&then).unwrap()), then);
    }

    #[test]
    fn what_an_earlier_version_kept_reads_as_it_was() {
        let note = read(r#"{"code":"unreachable","message":"The server cannot be reached: refused"}"#);
        let said = "The server cannot be reached: refused".to_owned();
        assert_eq!(note, Note::said(NoteCode::Unreachable, said));
        assert_eq!(read(&serde_json::to_string(&note).unwrap()), note, "also once it is kept again");
        assert_eq!(read("\"no\""), Note::said(NoteCode::ServerError, "no".to_owned()), "a refusal");
    }

    #[test]
    fn what_was_wrong_with_an_answer_reads_as_an_earlier_version_kept_it() {
        let said = "the result is no object".to_owned();
        for (kind, reason) in [
            ("against_specification", Reason::AgainstSpecification { said: said.clone() }),
            ("no_reply", Reason::NoReply { said }),
        ] {
            let json = format!(
                r#"{{"code":"unknown","reason":{{"kind":"{kind}","said":"the result is no object"}}}}"#
            );
            assert_eq!(read(&json).reason, reason, "its sentence is all there is");
        }
        let json = r#"{"code":"too_large","reason":{"kind":"too_much","what":"its list","most":"50 pages"}}"#;
        assert!(matches!(read(json).reason, Reason::TooMuch { .. }));
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_a_word_with_values() {
        let breach = Breach::ForeignEndpoint { origin: "https://x7.example".to_owned() };
        let note = Note::from(Reason::BreaksSpecification { breach });
        let json = r#"{"code":"protocol_error","reason":{"kind":"breaks_specification","breach":{"rule":"foreign_endpoint","origin":"https://x7.example"}}}"#;
        assert_eq!(serde_json::to_string(&note).unwrap(), json, "it is kept so");
        assert_eq!(read(json), note);
        let masked = note.map_texts(|text| text.replace("x7", ""));
        assert_eq!(masked.size(), "https://.example".len(), "its values are reached");
    }

    #[test]
    fn a_reason_of_a_later_version_keeps_its_code() {
        let note = read(r#"{"code":"timed_out","reason":{"kind":"of_tomorrow","value":1},"then":"later"}"#);
        let then = Some(Then::Unknown);
        assert_eq!(note, Note { code: NoteCode::TimedOut, reason: Reason::Unknown, then });
    }

    #[test]
    fn every_text_is_reached() {
        let variable =
            |value: Option<&str>| Variable { name: "x7".to_owned(), value: value.map(str::to_owned) };
        let of = Unconfirmed {
            command: vec!["run".to_owned(), "x7".to_owned()],
            cwd: Some("/x7".to_owned()),
            variables: vec![variable(None), variable(Some("x7"))],
        };
        let note = Note::from(Reason::NotTrusted(Box::new(of)));
        assert_eq!(note.size(), 14);
        let masked = note.map_texts(|text| text.replace("x7", ""));
        assert_eq!(masked.size(), 4, "run and /: {masked:?}");
    }

    #[test]
    fn a_word_of_an_unsent_answer_is_read_back() {
        for unsent in [Unsent::TooLate, Unsent::ClosedInWindow, Unsent::NothingLeft] {
            assert_eq!(Unsent::from_word(unsent.as_str()), Some(unsent));
            assert_eq!(serde_json::to_value(unsent).unwrap(), unsent.as_str(), "one word for both");
        }
        assert_eq!(Unsent::from_word("Its connection was gone"), None, "a sentence of before");
    }
}
