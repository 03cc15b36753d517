//! The command list, declared once: Rust and TypeScript match it exhaustively.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::{FieldError, FormSpec};
use signalbox_model::{Action, CallId, ItemRef, Json, PayloadKind, RequestId, Secret, Transport};
use ts_rs::TS;
use zeroize::Zeroize;

use crate::{
    Listing, SecretPlace, SecretsView, ServerView, Settings, Verified,
    import::{ImportOutcome, Importable, NotImported, Pasted, Wanted},
};

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
    /// Waits for the end of the sign-in that was begun last, and says how the server is then. → [`Reply::Check`]
    AwaitSignIn {
        /// Name or id.
        server: String,
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
    /// What configurations name.
    Importable {
        /// What can be taken over.
        servers: Vec<Importable>,
        /// What cannot.
        skipped: Vec<NotImported>,
    },
    /// What became of each server that was to be taken over.
    Imported {
        /// One for each, in the order in which they were named.
        outcomes: Vec<ImportOutcome>,
    },
    /// What a pasted text means. Values that it held go back to whoever pasted them; none of this machine's are among them.
    Pasted {
        /// The servers in it.
        pasted: Pasted,
    },
    /// The demo is at work.
    DemoStarted {
        /// Its server as it stands now.
        server: ServerView,
        /// The calls that were started for it just now; empty when it was at work already.
        calls: Vec<CallId>,
    },
    /// Nothing of the demo is left.
    DemoRemoved {
        /// How many tasks went with it.
        tasks: u32,
    },
    /// What a check found.
    Check {
        /// The report.
        check: ServerCheck,
    },
    /// A sign-in has begun.
    SignIn {
        /// What to show a person in their browser; none where nobody is needed.
        url: Option<String>,
    },
    /// Nobody is signed in any more.
    SignedOut {
        /// Why what the authorization server gave stays valid there until it expires; none when it does not.
        valid_still: Option<String>,
    },
    /// The tools of a server.
    Tools {
        /// In the server's order.
        tools: Vec<ToolView>,
    },
    /// What a server lists of its tasks.
    Listed {
        /// The list; none where the server has none to give (the modern wire knows no such list).
        listing: Option<Listing>,
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
        /// For a question: the very JSON that the server would get as its answer. None where something does not fit.
        sends: Option<Json>,
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
    /// Where secrets are kept.
    Secrets {
        /// How it is there.
        secrets: SecretsView,
    },
    /// Secrets are kept elsewhere from now on.
    SecretsMoved {
        /// How it is there.
        secrets: SecretsView,
        /// How many came along.
        moved: u32,
        /// The servers some of whose secrets stayed where they were, and are not found there any more.
        left: Vec<String>,
        /// Where the file that was set aside is now.
        aside: Option<String>,
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

/// What reaching a server takes beside its address.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(rename_all = "camelCase")]
pub struct NewAccess {
    /// Files with certificates (PEM) of authorities that are trusted for this server, beside those of the system; whole
    /// paths.
    pub ca_certificates: Vec<String>,
    /// The proxy to reach it through, as a URL without a password; none: what the environment says.
    pub proxy: Option<String>,
    /// The client that was registered at its authorization server beforehand; none: we register ourselves.
    pub client_id: Option<String>,
    /// That client's secret, where it has one.
    pub client_secret: Option<NewSecret>,
    /// The HTTPS URL of a client id metadata document to be known by.
    pub client_metadata_url: Option<String>,
    /// The scopes to ask for; none: what the server names.
    pub scopes: Vec<String>,
    /// The client signs in by itself, and nobody is asked. It needs an id and a secret.
    pub machine: bool,
}

/// A value for a header or an environment variable.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NewSecret {
    /// The value itself: goes to where secrets are kept, and nowhere else.
    Literal {
        /// The value.
        value: SecretText,
    },
    /// Kept elsewhere, or already kept by us.
    Reference {
        /// Where.
        secret: Secret,
    },
    /// No secret: kept and shown as it is.
    Plain {
        /// The value.
        value: String,
        /// The person said a second time that it is none. Without that a name that sounds like a secret is refused.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        sure: bool,
    },
}

/// A secret on its way to where it is kept. Its debug output shows nothing, and it is wiped when dropped.
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl SecretText {
    /// The secret itself, out of this wrapping.
    pub(crate) fn take(mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

impl Drop for SecretText {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

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
