//! What goes into `step`.

use signalbox_mcp as mcp;
use signalbox_model::{
    Action, CallId, InputRequest, Json, RequestId, Server, ServerId, Snooze, Tags, Timestamp,
};
use signalbox_store::{CommitError, Digest};

use crate::{TaskState, state::Before};

/// Names one waiting caller of the driver. Opaque to `step`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub u64);

/// Everything that can happen to the engine.
#[derive(Debug)]
pub enum Input {
    /// A person or a script wants something.
    Intent {
        /// Who waits for the answer.
        token: Token,
        /// What. Boxed: most inputs are small, and none is moved as often as the answer to a poll.
        intent: Box<Intent>,
    },
    /// `tools/call` never left: there was no connection (or, for its sake, no address, secret or program).
    NotSent {
        /// The call that stayed here.
        call: CallId,
        /// What kept the request from leaving.
        error: mcp::Error,
    },
    /// `tools/call` is over.
    Called {
        /// The call that was made.
        call: CallId,
        /// What the server answered, or why no answer came.
        reply: Result<Box<mcp::Called>, mcp::Error>,
    },
    /// `tasks/get` is over. Comes for every [`crate::Effect::GetTask`], whatever happens.
    Polled {
        /// Where: its permit comes back also when the call is gone.
        server: ServerId,
        /// The call whose task was polled.
        call: CallId,
        /// The task's state, or why the poll brought none.
        reply: Result<TaskState, mcp::Error>,
    },
    /// `tasks/update` is over. Comes for every [`crate::Effect::UpdateTask`], whatever happens.
    Updated {
        /// Where: its permit comes back also when the call is gone.
        server: ServerId,
        /// The call whose task asked.
        call: CallId,
        /// The questions whose answers it carried.
        requests: Vec<RequestId>,
        /// The server's acknowledgement. It does not say that the answers were taken.
        reply: Result<Json, mcp::Error>,
    },
    /// `tasks/cancel` is over. Comes for every [`crate::Effect::CancelTask`], whatever happens.
    CancelSent {
        /// Where: its permit comes back also when the call is gone.
        server: ServerId,
        /// The call whose task was to be cancelled.
        call: CallId,
        /// The server's acknowledgement. It does not say that the task is cancelled.
        reply: Result<Json, mcp::Error>,
    },
    /// A server said what it is while a connection was made, for whatever request that was. Whoever asked what it is hears
    /// of that by [`Input::Discovered`] alone.
    Found {
        /// The server at the other end.
        server: ServerId,
        /// What it said of itself.
        found: Box<mcp::FoundServer>,
    },
    /// A server was asked what it is. Comes once for every [`crate::Effect::Discover`].
    Discovered {
        /// The server that was asked.
        server: ServerId,
        /// What it said of itself, or why nothing usable came.
        reply: Result<Box<mcp::FoundServer>, mcp::Error>,
    },
    /// A connection of the legacy wire stands. Comes before anything that comes on it.
    Connected {
        /// The server at the other end.
        server: ServerId,
        /// The driver's number for the connection. Within a run it never comes again.
        link: u64,
        /// What the next connection can go on with, if it can.
        saved: Option<mcp::SavedSession>,
        /// Whether it is the session of the [`Line`](crate::Line) that it was made for.
        resumed: bool,
    },
    /// A server of the legacy wire sent something of its own accord, or its connection ended.
    Heard {
        /// The server that was heard.
        server: ServerId,
        /// The number of the connection on which it was heard.
        link: u64,
        /// What came, or how the connection ended.
        event: Box<mcp::SessionEvent>,
        /// An id that nobody can guess, where the server wants us to host a task.
        fresh: Option<String>,
    },
    /// A reply to a server's question is over. Comes for every [`crate::Effect::ReplyOnWire`] that names one.
    Replied {
        /// The server that asked.
        server: ServerId,
        /// The question that was answered.
        request: RequestId,
        /// Whether the reply went out, as far as that shows.
        reply: Result<mcp::SessionReplied, mcp::Error>,
    },
    /// `tasks/result` is over, or was given up. Comes for every [`crate::Effect::GetResult`], whatever happens.
    Resulted {
        /// Where: its permit comes back also when the call is gone.
        server: ServerId,
        /// The call whose task has the result.
        call: CallId,
        /// The raw result.
        reply: Result<Json, mcp::Error>,
    },
    /// `tools/list` is over; where somebody waited for it, with a list.
    Listed {
        /// The server that was asked for its tools.
        server: ServerId,
        /// The entries as received, in one array.
        reply: Result<Json, mcp::Error>,
    },
    /// A server answered `tasks/list` or `resources/read`. What it says is whoever's who asked.
    TasksListed {
        /// The server that answered.
        server: ServerId,
    },
    /// A list that somebody waits for is not to be had. They are told why.
    NotListed {
        /// The server that was asked.
        server: ServerId,
        /// The caller that waits for the list.
        token: Token,
        /// What became of that very request.
        error: mcp::Error,
    },
    /// A subscription is acknowledged, or there is none. Comes for every [`crate::Effect::Listen`] that was not
    /// stopped.
    Listening {
        /// The server that was asked to tell.
        server: ServerId,
        /// The stream's number.
        number: u64,
        /// The calls of whose tasks it tells.
        reply: Result<Vec<CallId>, mcp::Error>,
    },
    /// Something came over an acknowledged stream.
    Pushed {
        /// The server that told.
        server: ServerId,
        /// The stream's number.
        number: u64,
        /// What the server told.
        news: PushedNews,
    },
    /// Time has passed: something may be due.
    Tick,
    /// What an intent wrote could not be committed: nothing of it was sent.
    CommitFailed {
        /// How to take it back in memory.
        undo: Undo,
        /// Why nothing could be committed.
        error: CommitError,
    },
}

impl Input {
    /// Who waits for it, where it is a wish.
    pub(crate) fn wished_by(&self) -> Option<Token> {
        match self {
            Self::Intent { token, .. } => Some(*token),
            _ => None,
        }
    }
}

/// What a server tells by itself.
#[derive(Debug)]
pub enum PushedNews {
    /// How a task fares.
    Task {
        /// The call whose task it is.
        call: CallId,
        /// The task's state as it was told.
        poll: TaskState,
    },
    /// The list of tools is another.
    ToolsChanged,
    /// Some was dropped, since it came faster than it was read.
    Missed,
    /// The server ended the stream in order. Nothing follows.
    Ended,
    /// The stream broke. Nothing follows.
    Cut(mcp::Error),
}

/// What a person or a script wants.
#[derive(Debug, Clone)]
pub enum Intent {
    /// Registers a server; its id is given out here.
    AddServer(Server),
    /// Replaces what the person configured of a server (name, transport and the trust in it, enabled,
    /// removed, roots).
    PutServer(Server),
    /// Connects to a server and finds out what it is.
    Check(ServerId),
    /// How a server is reached now, for whoever signs in or out there: also one that is removed, or may not be asked anything.
    Line(ServerId),
    /// Asks a server for a list now. Granted with the list itself, also while nothing can be kept.
    List {
        /// The server that is asked.
        server: ServerId,
        /// Whether its tools or its tasks are wanted.
        list: List,
    },
    /// Starts a tool call.
    Start {
        /// The server whose tool is called.
        server: ServerId,
        /// The name of the tool.
        tool: String,
        /// One JSON object.
        arguments: Json,
        /// How long its task should be kept, in ms, where that can be wished for (legacy wire).
        ttl_ms: Option<u32>,
    },
    /// Adopts a task handle.
    Track {
        /// The server that has the task.
        server: ServerId,
        /// The server's id of the task.
        task_id: String,
    },
    /// From now on the clock follows all calls: somebody watches who expects it.
    FollowAll,
    /// Polls a task as soon as manners allow; granted once the server has answered.
    Refresh(CallId),
    /// Granted once no call waits for its answer, but for those that wait for a person themselves: whoever ends then takes none
    /// with them.
    AwaitCalls,
    /// Granted once it is known what became of an answer that is on its way, or why that is not known for now.
    AwaitAnswer {
        /// The question that was answered.
        request: RequestId,
        /// When it was decided ([`Granted::Decided`](crate::Granted::Decided)).
        decided_at: Timestamp,
        /// Of a round it is enough that the call has gone out with it: its tool may work for hours.
        once_out: bool,
    },
    /// The same for a wish to cancel.
    AwaitCancel(CallId),
    /// Asks the server to cancel. Twice, before there is a task: stops waiting for the call.
    Cancel {
        /// The call to cancel.
        call: CallId,
        /// When the wish to cancel was made that the person knew of ([`Call::cancel_requested_at`](signalbox_model::Call::cancel_requested_at)).
        /// To insist on what somebody else has asked since is another decision: it is refused.
        seen: Option<Timestamp>,
    },
    /// Deletes what is kept of a call, also of one that has ended.
    Forget {
        /// The call to forget.
        call: CallId,
        /// Where it ran: an ended call is not in memory, and the log of decisions names its server.
        server: ServerId,
    },
    /// Answers a question.
    Answer {
        /// The question that is answered.
        request: RequestId,
        /// Accept, decline or cancel.
        action: Action,
        /// The content of an accepted answer, already checked against the schema. None where the person gave
        /// none.
        content: Option<Json>,
        /// How long the answer is held before it is sent, in ms, so that it can be undone. 0 sends it at
        /// once.
        hold_ms: u32,
        /// When the last answer was decided that the person knew of ([`InputRequest::decided_at`]). To answer what somebody
        /// else has answered since is another decision: it is refused.
        seen: Option<Timestamp>,
        /// What the person noted beside it, for the log of decisions.
        remark: Option<String>,
        /// What it asked as the person saw it: the digest of its raw JSON; none where nobody looked. A question that was withdrawn
        /// and is asked again may ask something else by now: then the answer is refused.
        asks: Option<Digest>,
    },
    /// Takes back an answer of which certainly nothing has left. What was said becomes the draft.
    Undo {
        /// The question whose answer is taken back.
        request: RequestId,
        /// When the answer was decided that is meant: another one is not taken back.
        decided_at: Timestamp,
    },
    /// Puts away a question whose connection is gone: as it was read, since one that was asked long ago is not in memory.
    PutAway(Box<InputRequest>),
    /// Puts a question off, or brings it back.
    Snooze {
        /// The question that is put off.
        request: RequestId,
        /// Until when; none brings it back.
        until: Option<Snooze>,
    },
    /// Takes back all answers that are within their undo windows: whoever could send them ends. They are drafts again.
    TakeBackHeld,
    /// The person opens the page of a question (URL mode): that is kept before any browser is started. Nothing is sent.
    BeginVisit {
        /// The question whose page is opened.
        request: RequestId,
        /// As of [`Intent::Answer`]. Opening a page again that was agreed to is no other decision.
        seen: Option<Timestamp>,
        /// As of [`Intent::Answer`]: it may ask for another page by now.
        asks: Option<Digest>,
    },
    /// What became of the browser. A page that was opened is accepted by it, unless the server wants the call made again
    /// without an answer (-32042): that takes an answer of its own, once the person is done there.
    EndVisit {
        /// The question whose page was to be opened.
        request: RequestId,
        /// Whether a browser was started.
        opened: bool,
        /// As of [`Intent::BeginVisit`].
        seen: Option<Timestamp>,
        /// As of [`Intent::Answer`]; kept where opening is an answer.
        remark: Option<String>,
        /// As of [`Intent::BeginVisit`]: the words around the page may have changed since.
        asks: Option<Digest>,
    },
    /// Keeps what the person has typed.
    SaveDraft {
        /// The question that it is a draft for.
        request: RequestId,
        /// The values; none deletes it.
        draft: Option<Json>,
    },
    /// Keeps a setting, and follows it.
    PutSetting {
        /// The setting's name.
        key: String,
        /// The setting's new value, as it is stored.
        value: Json,
        /// What the engine itself follows of the settings.
        tuning: Tuning,
    },
    /// Keeps tags of calls, which nothing here follows.
    PutTags(Vec<(CallId, Tags)>),
    /// Keeps what a person notes of a call, which nothing here follows.
    PutRemark {
        /// The call that it is about.
        call: CallId,
        /// The text; empty for none.
        text: String,
    },
    /// Keeps a setting that nothing here follows: what a window remembers, a pause of notifications.
    PutPreference {
        /// Its name among the settings.
        key: String,
        /// The value to remember.
        value: Json,
    },
}

impl Intent {
    /// Whether it keeps nothing itself, and is granted with what servers say: that is worth as much as it can be kept.
    pub(crate) fn waits_for_servers(&self) -> bool {
        matches!(
            self,
            Self::Check(_)
                | Self::Refresh(_)
                | Self::AwaitCalls
                | Self::AwaitAnswer { .. }
                | Self::AwaitCancel(_)
        )
    }
}

/// What a server can be asked for by somebody who waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum List {
    /// Its tools: `tools/list`.
    Tools,
    /// Its tasks: `tasks/list`, which only the legacy wire has.
    Tasks,
    /// A resource, by its URI: `resources/read`.
    Resource(String),
}

/// What the engine follows of the person's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// The shortest time between two polls of a task, in ms.
    pub poll_floor_ms: u64,
    /// How many polls may begin at one server in a second; 0 is without limit.
    pub polls_per_second: u32,
    /// The largest message taken from a server, in bytes.
    pub message_limit: usize,
    /// How long what is kept of an ended call stays, in days; 0 is for ever.
    pub retention_days: u32,
    /// How large all payloads together may grow before those of the calls that ended first go, in bytes; 0 is without
    /// limit.
    pub payload_bytes: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            poll_floor_ms: 1_000,
            polls_per_second: 2_500,
            message_limit: 64 * 1024 * 1024,
            retention_days: 90,
            payload_bytes: 1024 * 1024 * 1024,
        }
    }
}

/// How to take an intent back in memory when it could not be committed. To be given back in
/// [`Input::CommitFailed`] before any other input.
#[derive(Debug, Default)]
pub struct Undo(pub(crate) Before);
