//! What is in a reply, where no other type says it.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::{FieldError, FormSpec};
use signalbox_model::{CallId, Json};

use crate::{
    ContentPart, PaletteEntry, SecretsView, ServerView,
    import::{Importable, NotImported},
};

/// Declares contents of several members, or of one whose type alone does not say what it is.
macro_rules! contents {
    ($(#[doc = $doc:literal] $Name:ident in $Kind:ident { $(#[doc = $about:literal] $field:ident: $Type:ty,)+ })+) => { $(
        #[doc = $doc]
        #[skip_serializing_none]
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields, tag = "type", rename = $crate::bindings::word($crate::command::ReplyKind::$Kind)))]
        #[serde(rename_all = "camelCase")]
        pub struct $Name {
            $(#[doc = $about] pub $field: $Type,)+
        }
    )+ };
}

contents! {
    /// What configurations name.
    Configurations in Importable {
        /// What can be taken over.
        servers: Vec<Importable>,
        /// What cannot be taken over, each with its reason.
        skipped: Vec<NotImported>,
    }

    /// The demo is at work.
    DemoStarted in DemoStarted {
        /// Its server as it stands now.
        server: ServerView,
        /// The calls that were started for it just now; empty when it was at work already.
        calls: Vec<CallId>,
    }

    /// Nothing of the demo is left.
    DemoRemoved in DemoRemoved {
        /// How many tasks went with it.
        tasks: u32,
    }

    /// A sign-in has begun.
    SignInBegun in SignIn {
        /// What to show a person in their browser; none where nobody is needed.
        url: Option<String>,
        /// What it is called, for [`AwaitSignIn`](super::AwaitSignIn).
        attempt: String,
    }

    /// Nobody is signed in any more.
    SignedOut in SignedOut {
        /// Why what the authorization server gave stays valid there until it expires; none when it does not.
        valid_still: Option<String>,
    }

    /// Whether content fits.
    Validated in Validated {
        /// What does not fit, per field; empty when all does.
        errors: Vec<FieldError>,
        /// For a question: the very JSON that the server would get as its answer. None where something does not fit.
        sends: Option<Json>,
        /// The JSON pointers to the secrets in the content of a question's answer; none where there are none.
        secrets: Option<Vec<String>>,
    }

    /// A filter that is being typed.
    Filtered in Filtered {
        /// Why it cannot be read; none where it can.
        fault: Option<String>,
    }

    /// What a filter, sort and group of a list may say.
    FilterLanguage in Language {
        /// Before a colon, with the words that may stand behind it.
        keys: Vec<FilterKey>,
        /// Before `<` or `>` and a length of time.
        lengths: Vec<String>,
        /// Before a colon and a day.
        days: Vec<String>,
        /// By what it is sorted.
        sorts: Vec<String>,
        /// By what it is grouped.
        groups: Vec<String>,
    }

    /// What may be meant by a few letters.
    Ranked in Palette {
        /// The best first. Those of one kind stand together.
        entries: Vec<PaletteEntry>,
        /// Whether all tasks and questions were looked at: false while they are still read after a start.
        complete: bool,
    }

    /// A page to open in the person's browser.
    PageToOpen in Page {
        /// Its address: http or https.
        url: String,
    }

    /// A piece of a text.
    TextPiece in TextPiece {
        /// The piece: whole lines, where there are any.
        text: String,
        /// The byte that it begins with.
        from: u64,
        /// What to ask for next; none at the end.
        next: Option<u64>,
        /// How many bytes all of the text has.
        bytes: u64,
    }

    /// A picture or a sound.
    ShownBlob in ShownBlob {
        /// What it is, by its bytes.
        media_type: String,
        /// Its bytes.
        base64: String,
    }

    /// What a server gave for a resource.
    ResourceRead in ResourceRead {
        /// Its contents; of very many the first.
        contents: Vec<ContentPart>,
        /// How many there are beyond those.
        more: u32,
    }

    /// A portion of an export.
    ExportPortion in Portion {
        /// One document per item, each on one line, with a `kind`.
        lines: Vec<Json>,
        /// What to ask for next; none at the end.
        next: Option<u64>,
        /// Items and payloads that are damaged, and therefore missing.
        left_out: u32,
    }

    /// What is damaged.
    Problems in Problems {
        /// In words, with the table, row or file; empty when nothing is damaged.
        problems: Vec<String>,
    }

    /// A copy was made.
    BackedUp in BackedUp {
        /// The size of the copy, in bytes.
        bytes: u64,
        /// Large payloads that are damaged, and therefore missing in it.
        left_out: u64,
    }

    /// What is not there any more once the owner has ended.
    Forgotten in Forgotten {
        /// The servers that have a secret or a sign-in of this run, by name: they wait until it is given again.
        servers: Vec<String>,
    }

    /// Secrets are kept elsewhere from now on.
    SecretsMoved in SecretsMoved {
        /// How it is there.
        secrets: SecretsView,
        /// How many came along.
        moved: u32,
        /// The servers some of whose secrets stayed where they were, and are not found there any more.
        left: Vec<String>,
        /// Where the file that was set aside is now.
        aside: Option<String>,
    }

    /// What the system did with a test notification.
    NotificationTested in NotificationTested {
        /// The service that took it, as it names itself.
        service: String,
        /// Its version, where it says one.
        version: Option<String>,
        /// Whether its notifications can be pressed.
        actions: bool,
        /// Whether it says that it shows none at the moment.
        inhibited: bool,
    }

    /// A text for a bug report.
    DiagnosticText in Text {
        /// The report, as plain text.
        text: String,
    }
}

/// A key of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct FilterKey {
    /// As it stands before the colon.
    pub name: String,
    /// All words that may stand behind it; empty for a name of a server or tool.
    pub words: Vec<String>,
}

/// A tool as a server describes it. All texts are the server's: claims, never markup.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// The tool's name, by which it is called.
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
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ServerCheck {
    /// The server, with its health after the check.
    pub server: ServerView,
    /// How many tools it offers; none when it did not answer.
    pub tools: Option<u32>,
}
