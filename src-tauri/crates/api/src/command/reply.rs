//! What comes back for each command.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{CallId, Json};

use super::contents::{
    BackedUp, Configurations, DemoRemoved, DemoStarted, DiagnosticText, ExportPortion, FilterLanguage,
    Filtered, Forgotten, NotificationTested, PageToOpen, Problems, Ranked, ResourceRead, SecretsMoved,
    ServerCheck, ShownBlob, SignInBegun, SignedOut, TextPiece, ToolView, Validated,
};
use super::{TaskOutcome, TogetherOutcome};
use crate::{
    Autostart, Difference, Listing, RequestRow, SecretsView, ServerView, TaskRow, Verified,
    import::{ImportOutcome, Pasted},
};

/// What comes back for a command, as it crosses to another program and to the window. Each kind has a type of its own, which
/// whoever asks gets ([`Act::Reply`](super::Act::Reply)).
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Reply {
    /// It is done.
    Done,
    /// A server as it stands now.
    Server {
        /// How the server stands.
        server: ServerView,
    },
    /// What configurations name.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Importable(#[cfg_attr(feature = "bindings", ts(inline))] Configurations),
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
    #[cfg_attr(feature = "bindings", ts(untagged))]
    DemoStarted(#[cfg_attr(feature = "bindings", ts(inline))] DemoStarted),
    /// Nothing of the demo is left.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    DemoRemoved(#[cfg_attr(feature = "bindings", ts(inline))] DemoRemoved),
    /// What a check found.
    Check {
        /// The report of the check.
        check: ServerCheck,
    },
    /// A sign-in has begun.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    SignIn(#[cfg_attr(feature = "bindings", ts(inline))] SignInBegun),
    /// Nobody is signed in any more.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    SignedOut(#[cfg_attr(feature = "bindings", ts(inline))] SignedOut),
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
        /// The tool as the server describes it.
        tool: Box<ToolView>,
    },
    /// A call was committed and will be sent, or a handle was adopted.
    Started {
        /// Its short id.
        call: CallId,
    },
    /// The calls a text means; empty for none.
    Found {
        /// Their short ids.
        calls: Vec<CallId>,
    },
    /// What became of several tasks.
    Several {
        /// One for each, by number.
        outcomes: Vec<TaskOutcome>,
    },
    /// Tasks as rows.
    TaskRows {
        /// Those that are there.
        rows: Vec<TaskRow>,
    },
    /// What became of several questions.
    Together {
        /// One for each, in the order in which they were named.
        outcomes: Vec<TogetherOutcome>,
    },
    /// Whether content fits.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Validated(#[cfg_attr(feature = "bindings", ts(inline))] Validated),
    /// Earlier answers to the same question.
    EarlierAnswers {
        /// The questions that they were given to, each with its answer whole.
        answers: Vec<RequestRow>,
    },
    /// A filter that is being typed.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Filtered(#[cfg_attr(feature = "bindings", ts(inline))] Filtered),
    /// How filters are written.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Language(#[cfg_attr(feature = "bindings", ts(inline))] FilterLanguage),
    /// What may be meant by a few letters.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Palette(#[cfg_attr(feature = "bindings", ts(inline))] Ranked),
    /// A page to open in the person's browser.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Page(#[cfg_attr(feature = "bindings", ts(inline))] PageToOpen),
    /// Two runs compared.
    Compared {
        /// What differs; none where there is no earlier run.
        difference: Option<Box<Difference>>,
    },
    /// One payload of a call.
    Payload {
        /// As received; none when there is none.
        json: Option<Json>,
    },
    /// A piece of a text.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    TextPiece(#[cfg_attr(feature = "bindings", ts(inline))] TextPiece),
    /// A picture or a sound.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    ShownBlob(#[cfg_attr(feature = "bindings", ts(inline))] ShownBlob),
    /// What a server gave for a resource.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    ResourceRead(#[cfg_attr(feature = "bindings", ts(inline))] ResourceRead),
    /// A portion of an export.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Portion(#[cfg_attr(feature = "bindings", ts(inline))] ExportPortion),
    /// What became of the log of decisions.
    Verified {
        /// Whether the log is intact, and what was found.
        verified: Verified,
    },
    /// What is damaged.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Problems(#[cfg_attr(feature = "bindings", ts(inline))] Problems),
    /// A copy was made.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    BackedUp(#[cfg_attr(feature = "bindings", ts(inline))] BackedUp),
    /// Where secrets are kept.
    Secrets {
        /// How it is there.
        secrets: SecretsView,
    },
    /// Secrets are kept elsewhere from now on.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    SecretsMoved(#[cfg_attr(feature = "bindings", ts(inline))] SecretsMoved),
    /// What is kept for this run only.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Forgotten(#[cfg_attr(feature = "bindings", ts(inline))] Forgotten),
    /// Whether the session starts Signalbox.
    Autostart {
        /// What the person's file says.
        autostart: Autostart,
    },
    /// What the system did with a test notification.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    NotificationTested(#[cfg_attr(feature = "bindings", ts(inline))] NotificationTested),
    /// A text for people.
    #[cfg_attr(feature = "bindings", ts(untagged))]
    Text(#[cfg_attr(feature = "bindings", ts(inline))] DiagnosticText),
}

/// The content of a [`Reply`] of one kind.
pub trait Replied: Sized + Send {
    /// The kind of reply that holds this content.
    const KIND: ReplyKind;

    /// As it crosses.
    fn into_reply(self) -> Reply;

    /// As it came. None of another kind.
    fn from_reply(reply: Reply) -> Option<Self>;
}

/// Says of each kind of [`Reply`] what its content is.
macro_rules! kinds {
    ($($Kind:ident $(($inner:ident))? $({ $field:ident })? : $Content:ty,)+) => {
        /// Which reply, without its content.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ReplyKind {
            #[doc = "[`Reply::Done`]"]
            Done,
            $(#[doc = concat!("[`Reply::", stringify!($Kind), "`]")] $Kind,)+
        }

        impl Reply {
            /// Which it is.
            #[must_use]
            pub fn kind(&self) -> ReplyKind {
                match self {
                    Self::Done => ReplyKind::Done,
                    $(Self::$Kind { .. } => ReplyKind::$Kind,)+
                }
            }
        }

        impl Replied for () {
            const KIND: ReplyKind = ReplyKind::Done;

            fn into_reply(self) -> Reply {
                Reply::Done
            }

            fn from_reply(reply: Reply) -> Option<Self> {
                matches!(reply, Reply::Done).then_some(())
            }
        }

        $(impl Replied for $Content {
            const KIND: ReplyKind = ReplyKind::$Kind;

            fn into_reply(self) -> Reply {
                $(let $inner = self;)?
                $(let $field = self;)?
                Reply::$Kind $(($inner))? $({ $field })?
            }

            fn from_reply(reply: Reply) -> Option<Self> {
                match reply {
                    Reply::$Kind $(($inner))? $({ $field })? => Some($($inner)? $($field)?),
                    _ => None,
                }
            }
        })+
    };
}

kinds! {
    Server { server }: ServerView,
    Importable(found): Configurations,
    Imported { outcomes }: Vec<ImportOutcome>,
    Pasted { pasted }: Pasted,
    DemoStarted(demo): DemoStarted,
    DemoRemoved(demo): DemoRemoved,
    Check { check }: ServerCheck,
    SignIn(begun): SignInBegun,
    SignedOut(left): SignedOut,
    Tools { tools }: Vec<ToolView>,
    Listed { listing }: Option<Listing>,
    Tool { tool }: Box<ToolView>,
    Started { call }: CallId,
    Found { calls }: Vec<CallId>,
    Several { outcomes }: Vec<TaskOutcome>,
    TaskRows { rows }: Vec<TaskRow>,
    Together { outcomes }: Vec<TogetherOutcome>,
    Validated(validated): Validated,
    EarlierAnswers { answers }: Vec<RequestRow>,
    Filtered(filtered): Filtered,
    Language(language): FilterLanguage,
    Palette(ranked): Ranked,
    Page(page): PageToOpen,
    Compared { difference }: Option<Box<Difference>>,
    Payload { json }: Option<Json>,
    TextPiece(piece): TextPiece,
    ShownBlob(shown): ShownBlob,
    ResourceRead(read): ResourceRead,
    Portion(portion): ExportPortion,
    Verified { verified }: Verified,
    Problems(problems): Problems,
    BackedUp(copy): BackedUp,
    Secrets { secrets }: SecretsView,
    SecretsMoved(moved): SecretsMoved,
    Forgotten(forgotten): Forgotten,
    Autostart { autostart }: Autostart,
    NotificationTested(tested): NotificationTested,
    Text(text): DiagnosticText,
}
