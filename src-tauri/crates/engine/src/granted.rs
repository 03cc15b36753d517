//! What an intent comes to: it is granted, or refused.

use signalbox_mcp as mcp;
use signalbox_model::{Call, CallId, Health, InputRequest, Json, Server, ServerId, Settled, Timestamp};
use signalbox_store::CommitError;

/// What an intent came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Granted {
    /// What was asked is committed.
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
    /// How a server is reached, as it is configured now.
    Line(crate::Line),
    /// The tools of a server, as it lists them now.
    Tools(Vec<mcp::Tool>),
    /// The tasks that a server lists now, as far as it tells; none where it lists no tasks. What is not listed may live
    /// all the same.
    Tasks(Option<mcp::TaskList>),
    /// A resource, as received.
    Resource(Json),
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

/// Why an intent was refused, without words for people: those are the hosts'. Nothing was written or sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No such server.
    UnknownServer,
    /// Another server has that name.
    NameTaken(String),
    /// The server is disabled or removed.
    Disabled,
    /// Nobody has confirmed the program of this server.
    NotTrusted(Box<Server>),
    /// The server has live tasks.
    LiveTasks(Vec<CallId>),
    /// No such call.
    UnknownCall,
    /// No such question.
    UnknownRequest,
    /// It is over.
    Closed,
    /// Nothing can be decided about the question as it stands.
    Settled(Settled),
    /// The question was answered since the person looked at it; or, where an answer is to be taken back, another one stands.
    AnsweredMeanwhile,
    /// The question asks something else since the person looked at it, or in other words.
    ChangedMeanwhile,
    /// Somebody asked to cancel it since the person looked at it, or the wish that they saw was refused.
    CancelledMeanwhile,
    /// The server says that its tasks cannot be cancelled.
    CannotCancel,
    /// Nothing is known of how to accept the question: it can only be declined.
    NoAccept,
    /// The question cannot be dismissed, only declined: its server knows only one way to say no.
    NoDismiss,
    /// What was given is no answer of a model.
    NoModelAnswer,
    /// There is no answer that could be taken back: none was given, or it has gone out.
    NothingToTakeBack,
    /// The question cannot be put away: its connection is not gone.
    NotStranded,
    /// The question cannot be put off any more: its deadline is near.
    ExpiresSoon,
    /// The question cannot be put off until before its deadline: it has none.
    NoDeadline,
    /// The question cannot be put off until its task changes: it has none.
    NoTask,
    /// The question cannot be put off until then: that has passed.
    PastTime,
    /// The question has no page to open: it asks for something else.
    NoPage,
    /// Its page has an address that no browser is started for.
    NotOfTheWeb,
    /// This call follows the handle already.
    Followed(CallId),
    /// The task id has more bytes than a server can be asked with.
    TaskIdTooLong {
        /// How many there may be.
        most: usize,
    },
    /// A list that was asked for is none: the server's answer to that very request, or why it was not reached.
    Server(Box<mcp::Error>),
    /// It could not be kept.
    Storage(CommitError),
    /// The engine is shutting down.
    Stopping,
}
