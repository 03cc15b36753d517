//! Tools and calls of them, on either wire.

use std::{fmt, time::Duration};

use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::view::{Fields, TaskView};

/// One tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name: what calls name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does, says the server.
    pub description: Option<String>,
    /// The schema of its arguments, whatever its shape.
    pub input_schema: Option<Json>,
    /// The schema of `structuredContent`, whatever its shape.
    pub output_schema: Option<Json>,
    /// The server's hints about it: may add caution, never take it away.
    pub annotations: Option<Json>,
    /// The whole entry as received.
    pub raw: Json,
}

/// How one tool is called.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Instead of [`crate::Options::call_timeout`].
    pub timeout: Option<Duration>,
    /// The tool's input schema, for arguments which it wants in headers too (`x-mcp-header`; modern wire over HTTP).
    pub input_schema: Option<Json>,
    /// The next round of a call that came back as [`CallReply::InputRequired`] (MRTR; modern wire).
    pub round: Option<RoundAnswers>,
    /// The wish for a task (legacy wire; on the modern one the server decides). Only for tools whose
    /// [`Tool::task_support`] allows it.
    pub task: Option<TaskWish>,
    /// A token for `notifications/progress` (legacy wire), unique among the calls of a session and valid for as long as
    /// the call's task lives.
    pub progress_token: Option<String>,
}

/// The answers to what a tool call asked, on their way with the same call again. A round goes out complete.
#[derive(Clone, PartialEq, Eq)]
pub struct RoundAnswers {
    /// What came as `requestState`, if something did: goes back byte for byte. Sensitive.
    pub request_state: Option<String>,
    /// The responses by their keys.
    pub input_responses: Vec<(String, Json)>,
}

impl fmt::Debug for RoundAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RoundAnswers({} responses)", self.input_responses.len())
    }
}

/// Whether a tool can be called as a task, on the legacy wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskSupport {
    /// It cannot; also where it says nothing that we know.
    Forbidden,
    /// It can be called as a task, and without one.
    Optional,
    /// It can be called in no other way.
    Required,
}

/// The server's answer to a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The `result` as received.
    pub raw: Json,
    /// What it is.
    pub reply: CallReply,
}

/// What an answer to a tool call is, by its `resultType` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallReply {
    /// The tool's result: read it with [`crate::ToolResult`].
    Complete,
    /// The server made a task of it.
    Task(TaskView),
    /// The server wants input and the same call again (MRTR).
    InputRequired {
        /// To be echoed byte for byte with the retry: sensitive. None: the retry carries none.
        request_state: Option<String>,
        /// What it asks, by its keys.
        input_requests: Vec<(String, Json)>,
    },
}

/// The wish for a task instead of a result: ours for a tool call, or a server's for its question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskWish {
    /// How long it should be kept, in ms from its creation; none leaves that to the other side.
    pub ttl_ms: Option<i64>,
}

impl Called {
    /// What the server would have a model be told while its task works, as text (legacy wire).
    #[must_use]
    pub fn immediate_response(&self) -> Option<String> {
        let meta = Fields::lenient(self.raw.raw()).object("_meta");
        meta.text("io.modelcontextprotocol/model-immediate-response")
    }
}

impl Tool {
    /// Whether it can be called as a task, on the legacy wire (`execution.taskSupport`).
    #[must_use]
    pub fn task_support(&self) -> TaskSupport {
        let support = Fields::lenient(self.raw.raw()).object("execution").text("taskSupport");
        match support.as_deref() {
            Some("optional") => TaskSupport::Optional,
            Some("required") => TaskSupport::Required,
            _ => TaskSupport::Forbidden,
        }
    }

    /// The tool of this name in a list of them as received before ([`Tool::raw`]); none where that cannot be read either.
    #[must_use]
    pub fn among(list: &Json, name: &str) -> Option<Self> {
        let entries: Vec<&RawValue> = list.read().ok()?;
        entries.into_iter().filter_map(Self::read).find(|tool| tool.name == name)
    }

    /// All tools in a list as received before, but for those that cannot be read.
    pub fn each(list: &Json) -> impl Iterator<Item = Self> {
        let entries: Vec<&RawValue> = list.read().unwrap_or_default();
        entries.into_iter().filter_map(Self::read)
    }

    pub(crate) fn read(raw: &RawValue) -> Option<Self> {
        let fields = Fields::lenient(raw);
        Some(Self {
            name: fields.text("name")?,
            title: fields.text("title").or_else(|| fields.object("annotations").text("title")),
            description: fields.text("description"),
            input_schema: fields.json("inputSchema"),
            output_schema: fields.json("outputSchema"),
            annotations: fields.json("annotations"),
            raw: raw.to_owned().into(),
        })
    }
}
