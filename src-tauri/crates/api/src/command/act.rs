//! What a command is: a type of its own that knows its reply.
//!
//! An entry of a topic's list reads like the signature of a function, and is the command's type with its wire form:
//!
//! ```text
//! /// Takes back an answer of which nothing has left.
//! Undo -> (), Once {
//!     /// The question.
//!     request: RequestId,
//! }
//! ```
//!
//! Behind the arrow stands the type of the reply, then its [`Repeat`]; `Resumed if opened` is `Once` where the field
//! `opened` is false.

use super::{Command, Replied, Reply};
use crate::ApiError;

/// A command together with the type of its reply.
pub trait Act: Into<Command> + Send {
    /// What comes back for it.
    type Reply: Replied;

    /// Whether it may be asked again after its owner went away in the middle of it.
    fn repeat(&self) -> Repeat;
}

/// What becomes of a command whose owner went away in the middle of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// It is asked once: nobody can tell whether it was done, and its person is told so.
    Once,
    /// It is asked again: twice is as good as once.
    Again,
    /// The next owner is told that it is asked again, and knows whether it was committed ([`Command::Resumed`]).
    Resumed,
}

/// A host that carries a command out, with the command's own reply.
pub(crate) trait CarryOut<A: Act> {
    /// Carries it out.
    ///
    /// # Errors
    /// Whatever keeps it from being done.
    fn carry_out(&self, act: A) -> impl Future<Output = Result<A::Reply, ApiError>> + Send;
}

/// A host that goes on with what was asked of an owner that went away.
pub(crate) trait Resume {
    /// Goes on with it: see [`Command::Resumed`].
    ///
    /// # Errors
    /// Those of the command.
    fn resume(&self, command: Command) -> impl Future<Output = Result<Reply, ApiError>> + Send;
}

/// Declares the commands of a topic.
macro_rules! commands {
    ($(
        $(#[doc = $doc:literal])+
        $Name:ident -> $Reply:ty, $repeat:ident $(if $only:ident)?
        $({ $($(#[$meta:meta])* $field:ident: $Type:ty,)+ })?
    )+) => { $(
        $(#[doc = $doc])+
        #[doc = concat!("\n→ `", stringify!($Reply), "`")]
        #[serde_with::skip_serializing_none]
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields, tag = "type", rename = $crate::bindings::word($crate::command::CommandKind::$Name)))]
        #[serde(rename_all = "camelCase")]
        pub struct $Name {
            $($($(#[$meta])* pub $field: $Type,)+)?
        }

        impl $crate::command::Act for $Name {
            type Reply = $Reply;

            fn repeat(&self) -> $crate::command::Repeat {
                $(if !self.$only {
                    return $crate::command::Repeat::Once;
                })?
                $crate::command::Repeat::$repeat
            }
        }
    )+ };
}
