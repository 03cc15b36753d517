//! What follows from what has happened. Rooms do not call each other: each says what it leaves to be done
//! ([`super::Turn::then`]), once whatever the number of reasons for it, and that is carried out in the order in which it is
//! listed here.

use signalbox_model::{CallId, RequestId, ServerId};

/// Something that is left to be done in this step, in the order in which it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Next {
    /// The task of a call has become known: what its server asked and told of it before belongs to it.
    Known(CallId),
    /// A call waits until pages are visited: its server may say when.
    Paged(CallId),
    /// The gate of a server has closed: nobody waits for it.
    Closed(ServerId),
    /// A call asks for the roots of its server: they are its answer.
    Roots(CallId),
    /// The session with a server is kept as it stands now.
    KeepSession(ServerId),
    /// A call has ended: so does all that hung on it, and that is told.
    Over(CallId),
    /// An ended call may leave memory.
    Retire(CallId),
    /// The next poll of a task is planned anew, by its interval.
    Poll(CallId),
    /// A task is polled as soon as manners allow.
    PollSoon(CallId),
    /// All polls of a server's tasks get new times.
    Spread(ServerId),
    /// All due times of a call are set anew.
    Rearm(CallId),
    /// A wish to cancel goes, if it may.
    Cancel(CallId),
    /// Answers go, if they may. After what was told of the task, which says whether they are still wanted.
    Deliver(CallId),
    /// The questions of a call that want a person now are counted.
    Count(CallId),
    /// The row of a call is kept as it stands now.
    Save(CallId),
    /// How much a question wants its person is kept: after the row of its call, which has its deadline.
    Attend(RequestId),
    /// More may be known of whose questions are: after the rows, which say what speaks for each call.
    Review(ServerId),
    /// Permits are free for the results that calls wait for.
    Results(ServerId),
    /// The result of a task is asked for where that is a request of its own: after those that have waited for it.
    Result(CallId),
    /// Answers on a connection go, if they may.
    Replies(ServerId),
    /// What was held back goes, as far as the server may be told.
    Owed(ServerId),
    /// Questions on a connection leave memory that are over.
    Prune(ServerId),
    /// The subscription to a server is looked after.
    Listen(ServerId),
    /// A server that is down is tried, while somebody needs it.
    Probe(ServerId),
    /// Polls begin whose turn it is.
    Admit(ServerId),
}
