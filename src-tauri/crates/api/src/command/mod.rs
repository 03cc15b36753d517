//! The commands, each declared once: with its reply, and with what becomes of it when its owner goes away.
//!
//! One file per topic lists them (`servers`, `tasks` and so on; `act` says how to read an entry). Here the topics come
//! together: [`Command`] is what crosses to another program and to the window, and `bindings` says the same pairing to
//! TypeScript. Whoever calls in Rust has a command's own reply type ([`DeskExt::act`](crate::DeskExt::act)), and so has
//! whoever carries it out (`CarryOut`).

#[macro_use]
mod act;
mod autostart;
mod contents;
mod host;
mod import;
mod lists;
mod notifications;
mod owner;
mod reach;
mod reply;
mod requests;
mod secrets;
mod servers;
mod shortcut;
mod tasks;
mod upkeep;

use serde::{Deserialize, Serialize};

use crate::ApiError;
pub use act::{Act, Repeat};
pub(crate) use act::{CarryOut, Resume};
pub use contents::{
    BackedUp, Configurations, DemoRemoved, DemoStarted, DiagnosticText, ExportPortion, FilterKey,
    FilterLanguage, Filtered, Forgotten, NotificationTested, PageToOpen, Problems, Ranked, ResourceRead,
    SecretsMoved, ServerCheck, ShownBlob, SignInBegun, SignedOut, TextPiece, ToolView, Validated,
};
pub use reach::{NewAccess, NewSecret, NewTransport, SecretText};
pub use reply::{Replied, Reply, ReplyKind};
pub use requests::{GivenAnswer, Said, SeenQuestion, TogetherOutcome};
pub use tasks::TaskOutcome;
pub use upkeep::ExportKind;

/// Makes [`Command`] of the commands of all topics. One that is missing here is no command: it does not compile.
macro_rules! topics {
    ($($topic:ident { $($Name:ident)* })*) => {
        $(pub use $topic::{$($Name),*};)*

        /// Everything a person or a script can ask for, beside looking (see [`crate::View`]).
        ///
        /// Servers are named by the person's name for them or by id; tasks by short id.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
        #[serde(tag = "type", rename_all = "snake_case")]
        pub enum Command {
            $($(
                #[doc = concat!("[`struct@", stringify!($Name), "`]")]
                #[cfg_attr(feature = "bindings", ts(untagged))]
                $Name(#[cfg_attr(feature = "bindings", ts(inline))] $Name),
            )*)*
            /// An answer, a page that was opened or a wish to cancel that was under way when the owner went away: where that
            /// one committed it, it is waited for, else it is done now. Somebody else's answer since then ends with
            /// [`Code::AnsweredMeanwhile`](crate::Code::AnsweredMeanwhile). Its reply is that of the command itself. The
            /// window's page has no use for it.
            #[cfg_attr(feature = "bindings", ts(skip))]
            Resumed {
                /// What was asked.
                command: Box<Command>,
            },
        }

        /// Which command, without what belongs to it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg(feature = "bindings")]
        pub(crate) enum CommandKind {
            $($($Name,)*)*
        }

        #[cfg(feature = "bindings")]
        impl CommandKind {
            /// All, each with its reply.
            pub(crate) const REPLIES: &[(Self, ReplyKind)] = &[$($((Self::$Name, <$Name as Act>::Reply::KIND),)*)*];
        }

        $($(
            impl From<$Name> for Command {
                fn from(act: $Name) -> Self {
                    Self::$Name(act)
                }
            }
        )*)*

        impl Command {
            /// What its reply is.
            #[must_use]
            pub fn reply(&self) -> ReplyKind {
                match self {
                    $($(Self::$Name(_) => <$Name as Act>::Reply::KIND,)*)*
                    Self::Resumed { command } => command.reply(),
                }
            }

            /// Whether it may be asked again after its owner went away in the middle of it.
            #[must_use]
            pub fn repeat(&self) -> Repeat {
                match self {
                    $($(Self::$Name(act) => act.repeat(),)*)*
                    Self::Resumed { .. } => Repeat::Again,
                }
            }

            /// Has `host` carry it out.
            ///
            /// # Errors
            /// Those of `host`.
            pub(crate) async fn carried_out_by<H>(self, host: &H) -> Result<Reply, ApiError>
            where
                H: Resume $($(+ CarryOut<$Name>)*)*,
            {
                match self {
                    $($(Self::$Name(act) => host.carry_out(act).await.map(Replied::into_reply),)*)*
                    Self::Resumed { command } => host.resume(*command).await,
                }
            }
        }
    };
}

topics! {
    servers {
        AddServer EditServer RenameServer RemoveServer SetServerEnabled SetRoots SetAccess TrustServer
        PassVariables SeenWithheld CheckServer SignIn AwaitSignIn SignOut StartDemo RemoveDemo
    }
    import { ReadConfigurations ImportServers ReadPasted }
    tasks {
        Tools Tool ValidateArguments Start Track ListTasks Find Refresh Cancel Forget CancelTasks ForgetTasks TagTasks
        NoteTask ReadTasks Diff Payload PayloadText ResultText ResultBlob ReadResource
    }
    lists { ReadFilter Language Palette }
    requests {
        Answer AnswerTogether Settle Undo UndoTogether PutAway Snooze TakeBackHeld BeginVisit EndVisit Validate
        EarlierAnswers SaveDraft
    }
    secrets { Secrets KeepSecrets ReadForgotten UnlockSecrets }
    owner { Quit }
    upkeep { Export Verify CheckStore Backup Diagnostics }
    host { SetSettings SetPreference SetFront BringForward }
    notifications { PauseNotifications TestNotification }
    autostart { ReadAutostart SetAutostart }
    shortcut { SetShortcut }
}

#[cfg(test)]
mod tests;
