//! What comes back for each command.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::{FieldError, FormSpec};
use signalbox_model::{CallId, Json};
use ts_rs::TS;

use crate::{
    Listing, SecretsView, ServerView, Verified,
    import::{ImportOutcome, Importable, NotImported, Pasted},
};

/// What comes back for a command.
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
        /// What it is called, for [`Command::AwaitSignIn`](crate::Command::AwaitSignIn).
        attempt: String,
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
    /// A page to open in the person's browser.
    Page {
        /// Its address: http or https.
        url: String,
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
