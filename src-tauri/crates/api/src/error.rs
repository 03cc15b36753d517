//! One closed error vocabulary. Grown only when a host needs to tell two things apart.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_engine::SignInFailed;
use signalbox_forms::{FieldError, FormSpec};
use signalbox_mcp as mcp;
use signalbox_model::{Action, Answer, CallId, Json, Note, NoteCode, Timestamp};
use signalbox_signin::{SecretError, oauth::SignInError};
use signalbox_store::{CommitError, OpenError, ReadError};

use crate::words;

/// What went wrong, as a host sees it: a word for programs, text for people, and what can be done.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct ApiError {
    /// The closed list.
    pub code: Code,
    /// What happened, what it means and what to do. May quote a server: text, never markup.
    pub message: String,
    /// Whether trying again helps.
    pub retry: Retry,
    /// More, for programs.
    pub detail: Option<Detail>,
}

impl ApiError {
    /// An error with its code's usual advice on trying again.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry: code.retry(), detail: None }
    }

    /// The same with more for programs.
    #[must_use]
    pub fn with(mut self, detail: Detail) -> Self {
        self.detail = Some(detail);
        self
    }
}

/// Whether trying again helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// It will fail again in the same way.
    Never,
    /// It may work later, by itself.
    Later,
    /// It will work once the person has mended something.
    AfterFix,
    /// It is queued and goes on by itself: do not repeat it.
    Queued,
}

/// The closed list of error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The command itself is wrong.
    Usage,
    /// No server of that name.
    UnknownServer,
    /// Another server has that name.
    NameTaken,
    /// This task is followed already.
    AlreadyFollowed,
    /// The server is disabled.
    ServerDisabled,
    /// Nobody has confirmed the command of the server's program.
    NotTrusted,
    /// The server offers no such tool.
    UnknownTool,
    /// No such task or request.
    UnknownItem,
    /// The text means several tasks.
    Ambiguous,
    /// The task or question is over.
    AlreadyClosed,
    /// The question was answered since it was looked at.
    AnsweredMeanwhile,
    /// The question asks something else, or in other words, since it was looked at; or there is another note.
    ChangedMeanwhile,
    /// Whether the task is to be cancelled has changed since it was looked at.
    CancelledMeanwhile,
    /// The server has live tasks.
    LiveTasks,
    /// Content or arguments do not fit the schema.
    InvalidContent,
    /// The question does not take this: what can be said to it is something else.
    NotPossible,
    /// The question has no page to open: it asks for something else, or names no address of the web.
    NoPage,
    /// Content is missing and nobody can be asked.
    InputNeeded,
    /// The server cannot be reached; for a question, its answer stays queued.
    Unreachable,
    /// The program of a stdio server could not be started, or ended at once.
    SpawnFailed,
    /// No browser could be started: nothing was sent.
    BrowserFailed,
    /// Something answers there, but it is no MCP server.
    NotMcp,
    /// The server speaks only MCP 2025-11-25.
    LegacyOnly,
    /// The server wants a sign-in.
    SignInNeeded,
    /// The server asked to slow down.
    Throttled,
    /// No answer in time.
    TimedOut,
    /// Sent, and the answer was lost: it may have arrived.
    Lost,
    /// The server answered with a JSON-RPC error.
    ServerError,
    /// The server's answer is against the specification.
    ProtocolError,
    /// A message is larger than the limit in the settings.
    TooLarge,
    /// A server asks more questions, or longer ones, than are taken of a task and of a server.
    AsksTooMuch,
    /// The server cannot do this, or this program cannot.
    NotSupported,
    /// There is no keychain to keep a literal secret in.
    NoKeychain,
    /// Secrets are kept in an encrypted file, whose passphrase was not given yet, or is another.
    SecretsLocked,
    /// A referenced secret is not there.
    SecretMissing,
    /// The disk is full.
    StorageFull,
    /// The data directory is damaged.
    StorageDamaged,
    /// A file of the data directory was moved, replaced or deleted under its owner.
    StorageGone,
    /// The data directory was written by a newer version.
    StorageNewer,
    /// The data directory cannot be read or written by us.
    StorageDenied,
    /// Another program owns the data directory and does not answer.
    StorageInUse,
    /// The owner of the data directory went away in the middle.
    OwnerGone,
    /// The owner is of another version, older as far as that is known.
    VersionMismatch,
    /// The owner is of a newer version than this program.
    OwnerNewer,
    /// A stdio server would end with this command.
    NeedsOwner,
    /// The notification service failed.
    NotificationsFailed,
    /// A bug of ours.
    Internal,
}

impl Code {
    /// Whether the owner cannot be spoken with, since it is of another version.
    #[must_use]
    pub fn is_other_version(self) -> bool {
        matches!(self, Self::VersionMismatch | Self::OwnerNewer)
    }

    /// The word in documents.
    #[must_use]
    pub fn as_str(self) -> String {
        serde_json::to_value(self).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn retry(self) -> Retry {
        match self {
            Self::Unreachable | Self::Throttled | Self::TimedOut | Self::OwnerGone | Self::StorageInUse => {
                Retry::Later
            }
            Self::SignInNeeded
            | Self::NoKeychain
            | Self::SecretsLocked
            | Self::SecretMissing
            | Self::StorageFull
            | Self::StorageDenied
            | Self::StorageGone
            | Self::StorageNewer
            | Self::SpawnFailed
            | Self::BrowserFailed
            | Self::ServerDisabled
            | Self::NotTrusted
            | Self::LiveTasks
            | Self::TooLarge
            | Self::AsksTooMuch
            | Self::NeedsOwner
            | Self::VersionMismatch
            | Self::OwnerNewer
            | Self::NotificationsFailed
            | Self::InputNeeded
            | Self::InvalidContent
            | Self::NameTaken => Retry::AfterFix,
            Self::Usage
            | Self::UnknownServer
            | Self::UnknownTool
            | Self::UnknownItem
            | Self::Ambiguous
            | Self::AlreadyFollowed
            | Self::AlreadyClosed
            | Self::AnsweredMeanwhile
            | Self::ChangedMeanwhile
            | Self::CancelledMeanwhile
            | Self::NotMcp
            | Self::LegacyOnly
            | Self::Lost
            | Self::ServerError
            | Self::ProtocolError
            | Self::NotPossible
            | Self::NoPage
            | Self::NotSupported
            | Self::StorageDamaged
            | Self::Internal => Retry::Never,
        }
    }
}

/// More about an error, for programs.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Detail {
    /// What does not fit, per field.
    Errors(Vec<FieldError>),
    /// The form that wants to be filled.
    Form(Box<FormSpec>),
    /// The tasks a text may mean, or that stand in the way.
    Tasks(Vec<CallId>),
    /// When to try again, in ms from now.
    RetryAfterMs(u32),
    /// The JSON-RPC error code.
    RpcCode(i32),
    /// The headers or variables whose values stand in the way, by name.
    Values(Vec<String>),
    /// The answer that stands, where another one was given.
    Answer {
        /// What was decided.
        action: Action,
        /// The content of an accepted form, whole, as it goes out; but for secrets, which are null.
        content: Option<Json>,
        /// When it was decided, by the owner's clock.
        decided_at: Timestamp,
    },
}

impl From<&Answer> for Detail {
    fn from(Answer { action, content, decided_at, .. }: &Answer) -> Self {
        Self::Answer { action: *action, content: content.clone(), decided_at: *decided_at }
    }
}

/// What is kept of an error, on its way to a host.
impl From<NoteCode> for Code {
    fn from(code: NoteCode) -> Self {
        match code {
            NoteCode::Unreachable => Self::Unreachable,
            NoteCode::SpawnFailed => Self::SpawnFailed,
            NoteCode::NotMcp => Self::NotMcp,
            NoteCode::LegacyOnly => Self::LegacyOnly,
            NoteCode::SignInNeeded => Self::SignInNeeded,
            NoteCode::Throttled => Self::Throttled,
            NoteCode::TimedOut => Self::TimedOut,
            NoteCode::Lost => Self::Lost,
            NoteCode::ServerError => Self::ServerError,
            NoteCode::ProtocolError => Self::ProtocolError,
            NoteCode::TooLarge => Self::TooLarge,
            NoteCode::AsksTooMuch => Self::AsksTooMuch,
            NoteCode::InputNeeded => Self::InputNeeded,
            NoteCode::UnknownItem => Self::UnknownItem,
            NoteCode::NotTrusted => Self::NotTrusted,
            NoteCode::NoKeychain => Self::NoKeychain,
            NoteCode::SecretsLocked => Self::SecretsLocked,
            NoteCode::SecretMissing => Self::SecretMissing,
            NoteCode::StorageDamaged => Self::StorageDamaged,
            // No host of this version has words for it: the message alone says what happened.
            NoteCode::Unknown => Self::Internal,
        }
    }
}

/// A note that the engine wrote.
impl From<Note> for ApiError {
    fn from(note: Note) -> Self {
        Self::new(note.code.into(), words::note(&note))
    }
}

/// An error of a server.
pub(crate) fn server_failed(error: &mcp::Error) -> ApiError {
    let mut failed = ApiError::from(signalbox_engine::note(error));
    if let mcp::Error::Rpc { code, .. } = error {
        failed.detail = i32::try_from(*code).ok().map(Detail::RpcCode);
    }
    if let Some(wait) = error.retry_after() {
        failed.detail = u32::try_from(wait.as_millis()).ok().map(Detail::RetryAfterMs);
    }
    failed
}

/// An error of the keychain or of a reference.
pub(crate) fn secret_failed(error: &SecretError) -> ApiError {
    let code = match error {
        SecretError::NoKeychain { .. }
        | SecretError::Locked { .. }
        | SecretError::KeychainFailed { .. }
        | SecretError::DamagedFile { .. }
        | SecretError::FileFailed { .. } => Code::NoKeychain,
        SecretError::FileLocked { .. } | SecretError::WrongPassphrase { .. } => Code::SecretsLocked,
        SecretError::NoPassphrase { .. } => Code::Usage,
        SecretError::NoVariable { .. }
        | SecretError::NoEntry { .. }
        | SecretError::Forgotten { .. }
        | SecretError::FileUnreadable { .. }
        | SecretError::NotUsable { .. } => Code::SecretMissing,
    };
    ApiError::new(code, error.to_string())
}

/// Nobody is signed in, or out.
pub(crate) fn sign_in_failed(error: &SignInFailed) -> ApiError {
    let error = match error {
        SignInFailed::Server(error) => return server_failed(error),
        SignInFailed::Refused(refusal) => return refusal.clone().into(),
        SignInFailed::SignIn(SignInError::Secret(error)) => return secret_failed(error),
        SignInFailed::NotKept(trouble) => return ApiError::new(commit_code(trouble), error.to_string()),
        SignInFailed::SignIn(error) => error,
    };
    let code = match error {
        SignInError::Needed { .. } | SignInError::Refused { .. } | SignInError::TimedOut => {
            Code::SignInNeeded
        }
        SignInError::Unreachable { .. } => Code::Unreachable,
        SignInError::NotOffered => Code::NotSupported,
        SignInError::NoClient | SignInError::Misconfigured(_) => Code::Usage,
        SignInError::Distrusted(_) | SignInError::Malformed { .. } => Code::ProtocolError,
        SignInError::NoWayBack(_) | SignInError::Secret(_) => Code::Internal,
    };
    ApiError::new(code, error.to_string())
}

/// The code of a failed commit.
pub(crate) fn commit_code(error: &CommitError) -> Code {
    match error {
        CommitError::Full => Code::StorageFull,
        CommitError::ReadOnly => Code::StorageDenied,
        CommitError::Io(_) | CommitError::Damaged(_) => Code::StorageDamaged,
        CommitError::Gone(_) | CommitError::Unlocked(_) => Code::StorageGone,
        CommitError::Other(_) => Code::Internal,
    }
}

/// The data directory did not open; its files are as they were.
pub(crate) fn open_failed(error: &OpenError) -> ApiError {
    let code = match error {
        OpenError::Newer { .. } => Code::StorageNewer,
        OpenError::Damaged { .. } | OpenError::Io { .. } => Code::StorageDamaged,
        OpenError::NotOurs { .. }
        | OpenError::NotAFile { .. }
        | OpenError::NoAccess { .. }
        | OpenError::NoLocks { .. }
        | OpenError::Older { .. }
        | OpenError::TooLong { .. }
        | OpenError::LogUnread { .. } => Code::StorageDenied,
        OpenError::Full { .. } => Code::StorageFull,
        OpenError::Locked { .. } => Code::StorageInUse,
    };
    ApiError::new(code, error.to_string())
}

/// Something could not be read.
pub(crate) fn read_failed(error: &ReadError) -> ApiError {
    let code = match error {
        ReadError::Damaged(_) | ReadError::Io(_) | ReadError::PayloadFile { .. } => Code::StorageDamaged,
        ReadError::Gone(_) | ReadError::Unlocked(_) => Code::StorageGone,
        ReadError::TextsFull => Code::StorageFull,
        ReadError::Texts(_) | ReadError::Other(_) => Code::Internal,
    };
    ApiError::new(code, error.to_string())
}
