//! The command list, declared once: Rust and TypeScript match it exhaustively.

mod reach;
mod reply;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Action, CallId, ItemRef, Json, PayloadKind, RequestId, Timestamp, Transport};
use ts_rs::TS;

use crate::{SecretPlace, Settings, import::Wanted};
pub use reach::{NewAccess, NewSecret, NewTransport, SecretText};
pub use reply::{Reply, ServerCheck, ToolView};

/// Everything a person or a script can ask for, beside looking (see [`crate::View`]).
///
/// Servers are named by the person's name for them or by id; tasks by short id.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Command {
    /// Registers a server. Literal secrets are kept where the person chose. → [`Reply::Server`]
    AddServer {
        /// A name that no other server has.
        name: String,
        /// How to reach it.
        transport: NewTransport,
        /// Nobody typed it: its program is not started before a person has confirmed the command.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        untrusted: bool,
    },
    /// What the configurations of the other MCP clients on this machine name, or a pasted one. Nothing is registered by it.
    /// → [`Reply::Importable`]
    ReadConfigurations {
        /// What was pasted: it may hold secrets.
        text: Option<SecretText>,
    },
    /// Registers servers out of these configurations, as many as can be. No program is started before its command is
    /// confirmed. → [`Reply::Imported`]
    ImportServers {
        /// What was pasted.
        text: Option<SecretText>,
        /// Those to take, as they were shown, with what is to become of their values.
        servers: Vec<Wanted>,
    },
    /// What a pasted text means: a URL, a command line, JSON, or another client's command that adds a server. Nothing is
    /// run, fetched or registered by it. → [`Reply::Pasted`]
    ReadPasted {
        /// The text: it may hold secrets.
        text: SecretText,
    },
    /// Registers and confirms the demo server, our own program, and starts some of its work: a question comes in a few
    /// seconds. What is under way goes on, and nothing is started twice. → [`Reply::DemoStarted`]
    StartDemo,
    /// Takes the demo away: its server, tasks, questions, results and drafts. The log of decisions keeps its entries.
    /// → [`Reply::DemoRemoved`]
    RemoveDemo,
    /// Replaces how a server is reached. Whoever says a command may have it started. → [`Reply::Server`]
    EditServer {
        /// Name or id.
        server: String,
        /// How to reach it from now on.
        transport: NewTransport,
    },
    /// Has a program be given variables of ours by name, beside what it is given already: each is read where the owner
    /// runs, whenever the program is started. Confirms nothing. → [`Reply::Server`]
    PassVariables {
        /// Name or id.
        server: String,
        /// Their names.
        names: Vec<String>,
    },
    /// The person has seen what a program no longer gets ([`crate::ServerView::withheld`]): it is not said again.
    /// → [`Reply::Done`]
    SeenWithheld {
        /// Name or id.
        server: String,
    },
    /// Replaces what a server is told when it asks for roots. → [`Reply::Server`]
    SetRoots {
        /// Name or id.
        server: String,
        /// URIs, such as `file:///home/me/project`; none: it is told that there are none.
        roots: Vec<String>,
    },
    /// Confirms the command of a program that waits for that: from now on it may be started. → [`Reply::Server`]
    TrustServer {
        /// Name or id.
        server: String,
        /// What the person was shown: refused when it is another by now.
        shown: Transport,
    },
    /// Replaces what reaching a server takes beside its address. → [`Reply::Server`]
    SetAccess {
        /// Name or id.
        server: String,
        /// All of it.
        access: NewAccess,
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
    /// Removes a server and what is kept of its secrets. Refused while it has live tasks, and where what is kept cannot be
    /// deleted now. → [`Reply::Done`]
    RemoveServer {
        /// Name or id.
        server: String,
    },
    /// Connects now and reports what was found. → [`Reply::Check`]
    CheckServer {
        /// Name or id.
        server: String,
    },
    /// Begins to sign in at a server; an earlier attempt is given up. Where a person is needed, whoever asks shows them the
    /// address in their browser, then waits with [`Command::AwaitSignIn`]. → [`Reply::SignIn`]
    SignIn {
        /// Name or id.
        server: String,
    },
    /// Waits for the end of a sign-in, and says how the server is then. → [`Reply::Check`]
    AwaitSignIn {
        /// Name or id.
        server: String,
        /// Which one, as [`Reply::SignIn`] named it.
        attempt: String,
    },
    /// Forgets who is signed in at a server, here and at its authorization server. → [`Reply::SignedOut`]
    SignOut {
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
    /// The tasks that a server lists now and that are not followed yet. → [`Reply::Listed`]
    ListTasks {
        /// Name or id.
        server: String,
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
        /// When the wish to cancel was made that the person saw; none where they saw none. To insist on what somebody else has
        /// asked since gives up a call without a task: it ends with [`Code::CancelledMeanwhile`](crate::Code::CancelledMeanwhile).
        seen: Option<Timestamp>,
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
        /// When the last answer was decided that the person saw; none where they saw the question unanswered. An answer to
        /// what somebody else answered meanwhile would be another decision: it ends with [`Code::AnsweredMeanwhile`].
        ///
        /// [`Code::AnsweredMeanwhile`]: crate::Code::AnsweredMeanwhile
        seen: Option<Timestamp>,
    },
    /// An answer, a page that was opened or a wish to cancel that was under way when the owner went away: where that one
    /// committed it, it is waited for, else it is done now. Somebody else's answer since then ends with
    /// [`Code::AnsweredMeanwhile`](crate::Code::AnsweredMeanwhile). → as the command itself. The window's page has no use for it.
    #[ts(skip)]
    Resumed {
        /// What was asked.
        command: Box<Command>,
    },
    /// Waits for the acknowledgement of what was committed already, an answer or a wish to cancel, also where that takes as
    /// long as its tool works. Ends as [`Command::Answer`] and [`Command::Cancel`] do. → [`Reply::Done`]
    Settle {
        /// The question, or the call.
        item: ItemRef,
        /// What was said to the question: that somebody else said something else is an error.
        said: Option<Said>,
    },
    /// Takes back an answer of which certainly nothing has left: within its undo window, or while it waits for the rest of its
    /// round or for its server. What was said becomes the draft. → [`Reply::Done`]
    Undo {
        /// The question.
        request: RequestId,
        /// When the answer was decided that is meant: where another one stands, that ends with
        /// [`Code::AnsweredMeanwhile`](crate::Code::AnsweredMeanwhile).
        decided_at: Timestamp,
    },
    /// Puts away a question whose connection is gone. Should the server ask again, it is a new one. → [`Reply::Done`]
    PutAway {
        /// The question.
        request: RequestId,
    },
    /// Takes back all answers that are within their undo windows, since whoever would send them ends: they are drafts again.
    /// → [`Reply::Done`]
    TakeBackHeld,
    /// The person opens the page of a question (URL mode). That is committed, and nothing is sent: whoever asks starts the
    /// browser next, and then tells what became of it ([`Command::EndVisit`]). As long as its task lives a page that was agreed to
    /// can be opened again. → [`Reply::Page`]
    BeginVisit {
        /// The question.
        request: RequestId,
        /// As of [`Command::Answer`]. Opening a page again that was agreed to is no other decision.
        seen: Option<Timestamp>,
    },
    /// What became of the browser. Opened, the question is accepted, and the reply comes as that of [`Command::Answer`]; but a
    /// call that waits until pages were visited is made again only when the person says that they are done, by an answer.
    /// → [`Reply::Done`]
    EndVisit {
        /// The question.
        request: RequestId,
        /// Whether a browser was started with the page.
        opened: bool,
        /// As it was of [`Command::BeginVisit`].
        seen: Option<Timestamp>,
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
    /// Where secrets are kept, and whether they can be had. → [`Reply::Secrets`]
    Secrets,
    /// Chooses where secrets are kept from now on, and takes along those that are kept so far, as far as they can be had. What
    /// is to be forgotten with this run takes nothing along. → [`Reply::SecretsMoved`]
    KeepSecrets {
        /// Where.
        place: SecretPlace,
        /// The passphrase of the encrypted file, which is made if there is none. Of no meaning elsewhere.
        passphrase: Option<SecretText>,
        /// Moves an encrypted file that this passphrase does not open to another name beside it, and begins a new one: the way
        /// out when a passphrase was forgotten. What is in it is not used any more, and not deleted.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        set_aside: bool,
    },
    /// Opens the encrypted file. Servers that waited for it are tried again. → [`Reply::Secrets`]
    UnlockSecrets {
        /// Its passphrase.
        passphrase: SecretText,
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

/// What a person said to a question.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Said {
    /// What was decided.
    pub action: Action,
    /// The content of an accepted form, as it was given.
    pub content: Option<Json>,
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

#[cfg(test)]
mod tests;
