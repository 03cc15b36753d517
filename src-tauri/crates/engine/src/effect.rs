//! What comes out of `step`: writes, and what may happen once they are on the disk.
//!
//! An effect runs after the commit of its own step's writes and of all earlier ones. So no handle is polled, and no
//! intent is sent, before it is on the disk.

use std::sync::Arc;

use signalbox_mcp as mcp;
use signalbox_model::{
    Access, CallId, ELICITATION, InputRequest, ItemRef, Json, Note, Outcome, Push, RequestId, ServerId,
    Timestamp, Transport, Wire, Word,
};
use signalbox_store::{BatchKind, Write};

use crate::{Granted, List, Refusal, Token, Undo};

/// The outcome of one step.
#[derive(Debug)]
pub struct Output {
    /// To be committed together.
    pub writes: Vec<Write>,
    /// What becomes of the writes when they cannot be committed.
    pub kind: BatchKind,
    /// How to take it back then.
    pub undo: Undo,
    /// Only after the commit; dropped when it fails.
    pub after_commit: Vec<Effect>,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            writes: Vec::new(),
            kind: BatchKind::Observed,
            undo: Undo::default(),
            after_commit: Vec::new(),
        }
    }
}

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The server.
    pub server: ServerId,
    /// How to reach it.
    pub transport: Arc<Transport>,
    /// What that takes beside its address.
    pub access: Arc<Access>,
    /// The wire that it was last seen to speak there.
    pub wire: Option<Wire>,
    /// The session to go on with, where a connection is made for it.
    pub session: Option<Arc<mcp::SavedSession>>,
    /// The longest message (bytes) of a connection that is made for it.
    pub message_limit: usize,
}

/// Something to do outside.
#[derive(Debug)]
pub enum Effect {
    /// Answers a waiting caller.
    Reply {
        /// Who.
        token: Token,
        /// What.
        result: Result<Granted, Refusal>,
    },
    /// `tools/call`.
    CallTool {
        /// Where.
        line: Line,
        /// For which call.
        call: CallId,
        /// The tool.
        tool: String,
        /// Its arguments.
        arguments: Json,
        /// How long its task should be kept, in ms, where that can be wished for (legacy wire).
        ttl_ms: Option<u32>,
        /// The tool as last listed, if it was. Boxed: most effects are polls, and those are small.
        listed: Option<Box<mcp::Tool>>,
        /// The answers to the server's last round of questions.
        round: Option<mcp::Round>,
    },
    /// `tasks/result`, held for as long as it takes (legacy wire).
    GetResult {
        /// Where.
        line: Line,
        /// For which call.
        call: CallId,
        /// The server's id.
        task_id: String,
        /// Whether the task has not ended, and the request is held until it has.
        held: bool,
    },
    /// Stops waiting for `tasks/result`. The task goes on.
    LetGo {
        /// Of which call.
        call: CallId,
    },
    /// Replies to a request of the server (legacy wire).
    ReplyOnWire {
        /// To whom.
        server: ServerId,
        /// On which connection: on no other.
        link: u64,
        /// The id of the server's request as it stands there.
        rpc: String,
        /// The reply.
        reply: mcp::Reply,
        /// The question that it answers, if a person was asked.
        request: Option<RequestId>,
    },
    /// Makes questions answerable that were asked in an earlier run within the same session.
    Remember {
        /// Whose.
        server: ServerId,
        /// The connection.
        link: u64,
        /// As received.
        requests: Vec<Json>,
    },
    /// Takes a request of the server out of those that it can be answered on, without a word: the server has asked the
    /// same again under another id, and an error could end its tool (legacy wire).
    CloseRequest {
        /// Whose.
        server: ServerId,
        /// The connection.
        link: u64,
        /// The id of the server's request as it stands there.
        rpc: String,
    },
    /// Stops waiting for `tools/call`; on stdio the server is told.
    Abandon {
        /// Which.
        call: CallId,
    },
    /// `tasks/get`.
    GetTask {
        /// Where.
        line: Line,
        /// For which call.
        call: CallId,
        /// The server's id.
        task_id: String,
    },
    /// `tasks/update`.
    UpdateTask {
        /// Where.
        line: Line,
        /// For which call.
        call: CallId,
        /// The server's id.
        task_id: String,
        /// Whose answers these are.
        requests: Vec<RequestId>,
        /// Key and response of each.
        responses: Vec<(String, Json)>,
    },
    /// `tasks/cancel`.
    CancelTask {
        /// Where.
        line: Line,
        /// For which call.
        call: CallId,
        /// The server's id.
        task_id: String,
    },
    /// `server/discover`.
    Discover {
        /// Where.
        line: Line,
    },
    /// `subscriptions/listen`: the stream takes the place of the one before once it is acknowledged.
    Listen {
        /// Where.
        line: Line,
        /// The stream's number.
        number: u64,
        /// The calls whose tasks it shall tell of, with the server's ids.
        tasks: Vec<(CallId, String)>,
    },
    /// Drops all streams of a server.
    StopListening {
        /// Which.
        server: ServerId,
    },
    /// Shows whether a server tells by itself; nothing while that is not known.
    ShowPush {
        /// The server.
        server: ServerId,
        /// What is known.
        push: Option<Push>,
    },
    /// Shows when a server last answered; none: nothing is known of it at this address.
    ShowHeard {
        /// The server.
        server: ServerId,
        /// When.
        at: Option<Timestamp>,
    },
    /// Shows how many questions of a server are not taken now, since there is no room for them.
    ShowLeft {
        /// The server.
        server: ServerId,
        /// How many; mostly none.
        questions: u32,
    },
    /// `tools/list`, since the tools have changed.
    ListTools {
        /// Where.
        line: Line,
    },
    /// A list for whoever waits for it: the driver answers them with it, and gives it up when they go away. What it says of
    /// the server comes back as [`crate::Input::Listed`] or [`crate::Input::TasksListed`]; that there is none, as
    /// [`crate::Input::NotListed`].
    List {
        /// Where.
        line: Line,
        /// Of what.
        list: List,
        /// Who waits.
        token: Token,
    },
    /// Ends the connection to a server.
    Disconnect {
        /// Which.
        server: ServerId,
    },
    /// Tells the person.
    Notify(Notice),
}

impl Effect {
    /// Whether it waits for no commit, neither of its own step nor of earlier ones: nothing on the disk has to come
    /// before it, and it is worth as much while nothing can be kept.
    pub(crate) fn is_at_once(&self) -> bool {
        matches!(self, Self::Reply { result: Err(_) | Ok(Granted::Line(_)), .. } | Self::List { .. })
    }
}

/// Something a person may want to be told about at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub item: ItemRef,
    /// The person's name for the server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The server's text: the question; or what its result begins with, or else the last status message.
    pub text: String,
    /// Why it ended so, where there is no such text.
    pub note: Option<Note>,
    /// What happened.
    pub kind: NoticeKind,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// A question waits.
    NeedsInput,
    /// A task ended.
    Ended(Outcome),
}

/// Whether there is a response, without making it: polls ask that of every question.
pub(crate) fn has_response(request: &InputRequest) -> bool {
    request.answer.as_ref().is_some_and(|answer| request.method == ELICITATION || answer.content.is_some())
}

/// The response to a question as it was answered, with the content byte for byte. None where there is no answer, or the
/// wire has no shape for it: only elicitation knows a no.
pub(crate) fn response(request: &InputRequest) -> Option<Json> {
    let answer = request.answer.as_ref()?;
    if request.method != ELICITATION {
        return answer.content.clone();
    }
    let word = answer.action.word();
    let text = match &answer.content {
        Some(content) => format!(r#"{{"action":"{word}","content":{}}}"#, content.text()),
        None => format!(r#"{{"action":"{word}"}}"#),
    };
    Some(Json::parse(text).expect("BUG: a word and valid JSON make valid JSON"))
}
