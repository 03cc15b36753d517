//! The command list, declared once: Rust and TypeScript match it exhaustively.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::{FieldError, FormSpec};
use signalbox_model::{Action, CallId, ItemRef, Json, PayloadKind, RequestId, Secret};
use ts_rs::TS;

use crate::{ServerView, Settings, Verified};

/// Everything a person or a script can ask for, beside looking (see [`crate::View`]).
///
/// Servers are named by the person's name for them or by id; tasks by short id.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Command {
    /// Registers a server. Literal secrets go to the OS keychain. → [`Reply::Server`]
    AddServer {
        /// A name that no other server has.
        name: String,
        /// How to reach it.
        transport: NewTransport,
    },
    /// Replaces how a server is reached. → [`Reply::Server`]
    EditServer {
        /// Name or id.
        server: String,
        /// How to reach it from now on.
        transport: NewTransport,
    },
    /// Replaces what a server is told when it asks for roots. → [`Reply::Server`]
    SetRoots {
        /// Name or id.
        server: String,
        /// URIs, such as `file:///home/me/project`; none: it is told that there are none.
        roots: Vec<String>,
    },
    /// Gives a server another name. → [`Reply::Server`]
    RenameServer {
        /// Name or id.
        server: String,
        /// The new name.
        name: String,
    },
    /// Connects to a server no more (or again). → [`Reply::Server`]
    SetServerEnabled {
        /// Name or id.
        server: String,
        /// Whether it may be connected to.
        enabled: bool,
    },
    /// Removes a server and its keychain entries. Refused while it has live tasks. → [`Reply::Done`]
    RemoveServer {
        /// Name or id.
        server: String,
    },
    /// Connects now and reports what was found. → [`Reply::Check`]
    CheckServer {
        /// Name or id.
        server: String,
    },
    /// The tools a server offers, all pages, asked for now. → [`Reply::Tools`]
    Tools {
        /// Name or id.
        server: String,
    },
    /// One tool as it was listed last; listed now when it was not among those. → [`Reply::Tool`]
    Tool {
        /// Name or id.
        server: String,
        /// The tool's name.
        tool: String,
    },
    /// Starts a tool call. The arguments are checked against the tool's input schema first, as far as the server lists
    /// its tools. Committed before it is sent. → [`Reply::Started`]
    Start {
        /// Name or id.
        server: String,
        /// The tool's name.
        tool: String,
        /// One JSON object.
        arguments: Json,
        /// Wished time to live in ms (legacy wire only).
        ttl_ms: Option<u32>,
    },
    /// Adopts a task handle made elsewhere. → [`Reply::Started`]
    Track {
        /// Name or id.
        server: String,
        /// The server's task id.
        task_id: String,
    },
    /// Which calls a short id or a server's task id means. → [`Reply::Found`]
    Find {
        /// A short id (`t12`) or a server's task id.
        text: String,
    },
    /// Looks at a task once, now or when its stored next-poll time allows. → [`Reply::Done`]
    Refresh {
        /// The call.
        call: CallId,
    },
    /// Asks the server to cancel. Resolves when the server acknowledged, or with the reason why it has not. → [`Reply::Done`]
    Cancel {
        /// The call.
        call: CallId,
    },
    /// Removes an ended call, or stops following a live one, and deletes what is kept of it. → [`Reply::Done`]
    Forget {
        /// The call.
        call: CallId,
    },
    /// Answers a question. The content is validated first. With `holdMs` it can be undone for that long and the reply
    /// comes at once; without, the reply comes when the server acknowledged (or with the reason why it has not;
    /// the answer then stays queued). → [`Reply::Done`]
    Answer {
        /// The question.
        request: RequestId,
        /// What was decided.
        action: Action,
        /// The content of an accepted form.
        content: Option<Json>,
        /// The undo window in ms; 0 for none.
        hold_ms: u32,
    },
    /// Waits for the acknowledgement of what was committed already, an answer or a wish to cancel: for whoever asked an
    /// owner that went away in the middle. Ends as [`Command::Answer`] and [`Command::Cancel`] do. → [`Reply::Done`]
    Settle {
        /// The question, or the call.
        item: ItemRef,
    },
    /// Takes an answer back within its undo window. → [`Reply::Done`]
    Undo {
        /// The question.
        request: RequestId,
    },
    /// Checks content against a question's schema without sending anything. → [`Reply::Validated`]
    Validate {
        /// The question.
        request: RequestId,
        /// The content.
        content: Json,
    },
    /// Checks arguments against a tool's input schema. → [`Reply::Validated`]
    ValidateArguments {
        /// The tool's schema as received.
        schema: Json,
        /// The arguments.
        arguments: Json,
    },
    /// Keeps what the person has typed so far. → [`Reply::Done`]
    SaveDraft {
        /// The question.
        request: RequestId,
        /// The values; none deletes the draft.
        draft: Option<Json>,
    },
    /// One payload whole, whatever its size. → [`Reply::Payload`]
    Payload {
        /// The call.
        call: CallId,
        /// Which.
        kind: PayloadKind,
    },
    /// A portion of what is kept, by number. → [`Reply::Portion`]
    Export {
        /// Of what.
        what: ExportKind,
        /// Behind which number; 0 for the beginning, then [`Reply::Portion`]'s `next`.
        after: u64,
        /// With task ids and what may hold them.
        with_handles: bool,
    },
    /// Goes through the log of decisions: whether it is what was written, and has every answer that was sent. → [`Reply::Verified`]
    Verify,
    /// Looks for damage down to the last page and file. Takes seconds per gigabyte. → [`Reply::Problems`]
    CheckStore,
    /// Copies all that is kept into one new file, for us alone, while everything runs. → [`Reply::BackedUp`]
    Backup {
        /// The file's whole path.
        file: String,
    },
    /// Changes the settings. → [`Reply::Done`]
    SetSettings {
        /// All of them.
        settings: Settings,
    },
    /// What the window shows in front, so that no notification speaks of it. → [`Reply::Done`]
    SetFront {
        /// The item; none when the window is hidden, minimised or elsewhere.
        item: Option<ItemRef>,
    },
    /// Brings the window of this data directory to the front, at an item. → [`Reply::Done`]
    BringForward {
        /// The item to show.
        item: Option<ItemRef>,
    },
    /// A text for a bug report, without secrets and sensitive handles. → [`Reply::Text`]
    Diagnostics,
    /// Shows a notification to see whether the service works. → [`Reply::Done`]
    TestNotification,
}

/// What comes back for a [`Command`].
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Reply {
    /// It is done.
    Done,
    /// A server as it stands now.
    Server {
        /// The server.
        server: ServerView,
    },
    /// What a check found.
    Check {
        /// The report.
        check: ServerCheck,
    },
    /// The tools of a server.
    Tools {
        /// In the server's order.
        tools: Vec<ToolView>,
    },
    /// One tool of a server.
    Tool {
        /// The tool.
        tool: Box<ToolView>,
    },
    /// A call was committed and will be sent, or a handle was adopted.
    Started {
        /// Its short id.
        call: CallId,
    },
    /// The calls a text means; empty for none.
    Found {
        /// Short ids.
        calls: Vec<CallId>,
    },
    /// Whether content fits.
    Validated {
        /// What does not fit, per field; empty when all does.
        errors: Vec<FieldError>,
    },
    /// A payload.
    Payload {
        /// As received; none when there is none.
        json: Option<Json>,
    },
    /// A portion of an export.
    Portion {
        /// One document per item, each on one line, with a `kind`.
        lines: Vec<Json>,
        /// What to ask for next; none at the end.
        next: Option<u64>,
        /// Items and payloads that are damaged, and therefore missing.
        left_out: u32,
    },
    /// What became of the log of decisions.
    Verified {
        /// The findings.
        verified: Verified,
    },
    /// What is damaged; empty when nothing is.
    Problems {
        /// In words, with the table, row or file.
        problems: Vec<String>,
    },
    /// A copy was made.
    BackedUp {
        /// Its size.
        bytes: u64,
        /// Large payloads that are damaged, and therefore missing in it.
        left_out: u64,
    },
    /// A text.
    Text {
        /// The text.
        text: String,
    },
}

/// What an export can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportKind {
    /// Calls and their tasks, with arguments and results.
    Tasks,
    /// Questions.
    Requests,
    /// Answers to them.
    Answers,
    /// The log of decisions.
    Decisions,
}

/// How a new or edited server is to be reached.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum NewTransport {
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: String,
        /// Extra headers.
        headers: Vec<(String, NewSecret)>,
    },
    /// A child process.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Extra environment.
        env: Vec<(String, NewSecret)>,
        /// Its working directory.
        cwd: Option<String>,
    },
}

/// A value for a header or an environment variable.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NewSecret {
    /// The value itself: goes to the OS keychain, and nowhere else.
    Literal {
        /// The value.
        value: SecretText,
    },
    /// Kept elsewhere, or already in the keychain.
    Reference {
        /// Where.
        secret: Secret,
    },
}

/// A secret value on its way to the keychain. Its debug output shows nothing.
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// A tool as a server describes it. All texts are the server's: claims, never markup.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The form for its arguments.
    pub form: FormSpec,
    /// The input schema as received.
    pub input_schema: Json,
    /// Whether the server says that it may destroy something. Annotations can only add caution.
    pub destructive: bool,
}

/// What a check of a server found.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct ServerCheck {
    /// The server, with its health after the check.
    pub server: ServerView,
    /// How many tools it offers; none when it did not answer.
    pub tools: Option<u32>,
}
