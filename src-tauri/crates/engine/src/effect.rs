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
    /// Writes that are committed together, or not at all.
    pub writes: Vec<Write>,
    /// What becomes of the writes when they cannot be committed.
    pub kind: BatchKind,
    /// How to undo the step in memory when its writes cannot be committed.
    pub undo: Undo,
    /// What to do after the commit. Dropped when the commit fails.
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
    /// The server that gets the request.
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
        /// The caller that waits.
        token: Token,
        /// What was granted, or why it was refused.
        result: Result<Granted, Refusal>,
    },
    /// Sends `tools/call`. If its answer is lost it is never sent again by itself.
    CallTool {
        /// The server, and how to reach it.
        line: Line,
        /// The call that this request makes.
        call: CallId,
        /// The name of the tool.
        tool: String,
        /// The tool's arguments, one JSON object.
        arguments: Json,
        /// How long its task should be kept, in ms, where that can be wished for (legacy wire).
        ttl_ms: Option<u32>,
        /// The tool as last listed, if it was. Boxed: most effects are polls, and those are small.
        listed: Option<Box<mcp::Tool>>,
        /// The answers to the server's last round of questions.
        round: Option<mcp::RoundAnswers>,
    },
    /// `tasks/result`, held for as long as it takes (legacy wire).
    GetResult {
        /// The server, and how to reach it.
        line: Line,
        /// The call whose task has the result.
        call: CallId,
        /// The server's id.
        task_id: String,
        /// Whether the task has not ended, and the request is held until it has.
        held: bool,
    },
    /// Stops waiting for `tasks/result`. The task goes on.
    LetGo {
        /// The call whose result is not waited for any more.
        call: CallId,
    },
    /// Replies to a request of the server (legacy wire).
    ReplyOnWire {
        /// The server that asked.
        server: ServerId,
        /// The number of the connection on which the server asked. A reply must not go out on any other.
        link: u64,
        /// The id of the server's request as it stands there.
        rpc: String,
        /// The result or error that the server gets.
        reply: mcp::SessionReply,
        /// The question that it answers, if a person was asked.
        request: Option<RequestId>,
    },
    /// Makes questions answerable that were asked in an earlier run within the same session.
    Remember {
        /// The server that asked.
        server: ServerId,
        /// The number of the connection that carries on the session. On any other this does nothing.
        link: u64,
        /// The server's requests as received.
        requests: Vec<Json>,
    },
    /// Takes a request of the server out of those that it can be answered on, without a word: the server has asked the
    /// same again under another id, and an error could end its tool (legacy wire).
    CloseRequest {
        /// The server that asked.
        server: ServerId,
        /// The number of the connection on which the server asked.
        link: u64,
        /// The id of the server's request as it stands there.
        rpc: String,
    },
    /// Stops waiting for `tools/call`; on stdio the server is told.
    Abandon {
        /// The call that is given up.
        call: CallId,
    },
    /// Sends `tasks/get`: one poll of a task.
    GetTask {
        /// The server, and how to reach it.
        line: Line,
        /// The call whose task is polled.
        call: CallId,
        /// The server's id.
        task_id: String,
    },
    /// Sends `tasks/update`: answers to a task's questions.
    UpdateTask {
        /// The server, and how to reach it.
        line: Line,
        /// The call whose task asked.
        call: CallId,
        /// The server's id.
        task_id: String,
        /// The questions that are answered here.
        requests: Vec<RequestId>,
        /// The task's key of each question, with the response to it.
        responses: Vec<(String, Json)>,
    },
    /// Sends `tasks/cancel`.
    CancelTask {
        /// The server, and how to reach it.
        line: Line,
        /// The call whose task is to be cancelled.
        call: CallId,
        /// The server's id.
        task_id: String,
    },
    /// Shows what a server is, or that it still answers: by `server/discover`, on the legacy wire by a
    /// connection or a ping.
    Discover {
        /// The server, and how to reach it.
        line: Line,
    },
    /// `subscriptions/listen`: the stream takes the place of the one before once it is acknowledged.
    Listen {
        /// The server, and how to reach it.
        line: Line,
        /// The stream's number.
        number: u64,
        /// The calls whose tasks it shall tell of, with the server's ids.
        tasks: Vec<(CallId, String)>,
    },
    /// Drops all streams of a server.
    StopListening {
        /// The server whose streams end.
        server: ServerId,
    },
    /// Shows whether a server tells by itself; nothing while that is not known.
    ShowPush {
        /// The server that it is shown of.
        server: ServerId,
        /// What is known.
        push: Option<Push>,
    },
    /// Shows when a server last answered; none: nothing is known of it at this address.
    ShowHeard {
        /// The server that was heard from.
        server: ServerId,
        /// When it answered, by our clock.
        at: Option<Timestamp>,
    },
    /// Shows how many questions of a server are not taken now, since there is no room for them.
    ShowLeft {
        /// The server whose questions are not taken.
        server: ServerId,
        /// How many; mostly none.
        questions: u32,
    },
    /// `tools/list`, since the tools have changed.
    ListTools {
        /// The server, and how to reach it.
        line: Line,
    },
    /// A list for whoever waits for it: the driver answers them with it, and gives it up when they go away. What it says of
    /// the server comes back as [`crate::Input::Listed`] or [`crate::Input::TasksListed`]; that there is none, as
    /// [`crate::Input::NotListed`].
    List {
        /// The server, and how to reach it.
        line: Line,
        /// What is asked for.
        list: List,
        /// The caller that waits for the list.
        token: Token,
    },
    /// Ends the connection to a server.
    Disconnect {
        /// The server whose connection ends.
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
    /// The server that it is about.
    pub server: ServerId,
    /// The person's name for it.
    pub server_name: String,
    /// The tool that was called; empty for an adopted handle.
    pub tool: String,
    /// The server's text: the question; or what its result begins with, or else the last status message.
    pub text: String,
    /// Why it ended so, where there is no such text.
    pub note: Option<Note>,
    /// Whether a question waits or a task has ended.
    pub kind: NoticeKind,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// A question waits.
    NeedsInput,
    /// A question waits whose deadline is near.
    Expires,
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
