//! What an intent comes to: it is granted, or refused.

use signalbox_model::{Call, CallId, Health, InputRequest, ServerId, Settled, Timestamp};
use signalbox_store::CommitError;

/// What an intent came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Granted {
    /// Committed.
    Done,
    /// A server was registered.
    Server(ServerId),
    /// A call was started or adopted.
    Call(CallId),
    /// The page to open.
    Page(String),
    /// An answer was committed, decided then: by that it is told from any other to the same question.
    Decided(Timestamp),
    /// What became of an answer. Where memory has nothing of it any more, [`Granted::Done`]: the store tells.
    Answer {
        /// The question as it stands.
        request: Box<InputRequest>,
        /// How that is to be taken.
        fate: Fate,
    },
    /// What became of a wish to cancel. Where memory has nothing of it any more, [`Granted::Done`]: the store tells.
    Wish {
        /// The call as it stands.
        call: Box<Call>,
        /// How that is to be taken.
        fate: Fate,
    },
}

/// What became of something that was on its way to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// The row tells.
    Known,
    /// It was taken back before any of it had left; the row has what stands in its place.
    TakenBack,
    /// It is kept until a person has decided more: the rest of its round, or a page.
    Kept,
    /// It has gone out with its call, whose tool works now.
    Out,
    /// Nothing goes to its server for now.
    Waits(Health),
    /// Its task was forgotten before that was known; the row is as it was then.
    Forgotten,
    /// The server has not acknowledged it within 30 s. It stays on its way.
    Late,
}

/// Why an intent was refused. Nothing was written or sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No such server.
    #[error("there is no such server")]
    UnknownServer,
    /// Another server has that name.
    #[error("another server has the name {0:?}")]
    NameTaken(String),
    /// The server is disabled or removed.
    #[error("the server is disabled")]
    Disabled,
    /// Its program was not confirmed; what would be run.
    #[error("{0}")]
    NotTrusted(String),
    /// The server has live tasks.
    #[error("the server has live tasks")]
    LiveTasks(Vec<CallId>),
    /// No such call.
    #[error("there is no such task")]
    UnknownCall,
    /// No such question.
    #[error("there is no such question")]
    UnknownRequest,
    /// It is over.
    #[error("it is over already")]
    Closed,
    /// Nothing can be decided about the question as it stands.
    #[error("{}", .0.text())]
    Settled(Settled),
    /// The question was answered since the person looked at it; or, where an answer is to be taken back, another one stands.
    #[error("it was answered since it was looked at")]
    AnsweredMeanwhile,
    /// Somebody asked to cancel it since the person looked at it, or the wish that they saw was refused.
    #[error("whether it is to be cancelled has changed since it was looked at")]
    CancelledMeanwhile,
    /// The question cannot be accepted.
    #[error("nothing is known of how to accept this: it can only be declined")]
    NoAccept,
    /// The question cannot be dismissed.
    #[error("this cannot be dismissed, only declined: its server knows no other no")]
    NoDismiss,
    /// What was given is no answer of a model.
    #[error("the answer of a model is a text, or a message with role, content and model")]
    NoModelAnswer,
    /// There is no answer that could be taken back.
    #[error("there is no answer to take back: none was given, or it has gone out")]
    NothingToTakeBack,
    /// The question cannot be put away.
    #[error("only a question whose connection is gone can be put away")]
    NotStranded,
    /// Its address is none that a browser is started for.
    #[error("only http and https pages are opened in a browser")]
    NoPage,
    /// The handle is followed already.
    #[error("this task is followed already")]
    Followed(CallId),
    /// Not built yet.
    #[error("{0}")]
    NotSupported(&'static str),
    /// It could not be kept.
    #[error("{0}")]
    Storage(CommitError),
    /// The engine is shutting down.
    #[error("the engine is shutting down")]
    Stopping,
}
