//! What comes out of `step`: writes, and what may happen once they are on the disk.

use std::sync::Arc;

use signalbox_mcp as mcp;
use signalbox_model::{CallId, InputRequest, ItemRef, Json, Outcome, Push, RequestId, ServerId, Transport};
use signalbox_store::{BatchKind, Write};

use crate::{Granted, Refusal, Token, Tuning, Undo};

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
#[derive(Debug, Clone)]
pub struct Line {
    /// The server.
    pub server: ServerId,
    /// How to reach it. The same allocation means the same connection.
    pub transport: Arc<Transport>,
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
        /// The tool's input schema, where it is known.
        schema: Option<Json>,
        /// The answers to the server's last round of questions.
        round: Option<mcp::Round>,
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
    /// `tools/list`, since the tools have changed.
    ListTools {
        /// Where.
        line: Line,
    },
    /// Ends the connection to a server.
    Disconnect {
        /// Which.
        server: ServerId,
    },
    /// New settings for connections made from now on.
    Tune(Tuning),
    /// Tells the person.
    Notify(Notice),
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
    /// The server's text: the question, or the last status message.
    pub text: String,
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

/// The response to a question as it was answered, with the content byte for byte. None where there is no answer, or the
/// wire has no shape for it: only elicitation knows a no.
pub(crate) fn response(request: &InputRequest) -> Option<Json> {
    let answer = request.answer.as_ref()?;
    if request.method != ELICITATION {
        return answer.content.clone();
    }
    let word = answer.action.as_str();
    let text = match &answer.content {
        Some(content) => format!(r#"{{"action":"{word}","content":{}}}"#, content.text()),
        None => format!(r#"{{"action":"{word}"}}"#),
    };
    Some(Json::parse(text).expect("BUG: a word and valid JSON make valid JSON"))
}

/// The method of questions to people.
const ELICITATION: &str = "elicitation/create";
/// The method of questions to a model.
pub(crate) const SAMPLING: &str = "sampling/createMessage";
/// The method of questions that need no person.
pub(crate) const ROOTS: &str = "roots/list";
