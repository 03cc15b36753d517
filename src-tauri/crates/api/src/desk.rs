//! The one interface between hosts and the engine.

use std::{future::Future, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{
    ApiError, Changes, Code, Command, Cursor, Reply, View,
    command::{Act, Replied},
    view::Look,
};

/// A boxed future, so that hosts can hold any desk; and so that what it does is compiled in this crate, and not once more in
/// each program that waits for it.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed future of what may be refused.
pub type Answering<'a, T> = Boxed<'a, Result<T, ApiError>>;

/// The operator's desk: acts and looks, as they cross boundaries. Whoever asks in Rust asks by [`DeskExt`].
pub trait Desk: Send + Sync {
    /// Carries out a command.
    fn call(&self, command: Command) -> Answering<'_, Reply>;

    /// What changed in `view` since `after`; waits up to `wait` for a change. Without `after`: the whole view, at once.
    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes>;

    /// Either, answered as the window's page reads it: what came as text from another program goes on as it is. That it is of the
    /// shape that the page knows the protocol's number alone says.
    fn ask_for_text(&self, ask: Ask) -> Answering<'_, String> {
        Box::pin(async move { self.ask(ask).await.map(|answered| answered.to_page()) })
    }

    /// Either, as it crosses a boundary.
    fn ask(&self, ask: Ask) -> Answering<'_, Answered> {
        Box::pin(async move {
            match ask {
                Ask::Call { command } => {
                    self.call(command).await.map(|reply| Answered::Reply { reply: Box::new(reply) })
                }
                Ask::Changes { view, after, wait_ms } => {
                    let wait = Duration::from_millis(wait_ms.into());
                    self.changes(view, after, wait).await.map(|changes| Answered::Changes { changes })
                }
            }
        })
    }
}

/// A desk, asked in types: each command and each view knows what comes back.
pub trait DeskExt: Desk {
    /// Carries out a command.
    ///
    /// # Errors
    /// Those of the command; [`Code::VersionMismatch`] when the reply is another command's.
    fn act<A: Act>(&self, act: A) -> impl Future<Output = Result<A::Reply, ApiError>> + Send {
        let reply = self.call(act.into());
        async move { A::Reply::from_reply(reply.await?).ok_or_else(other_kind) }
    }

    /// What changed in a view since `after`, as [`Desk::changes`].
    ///
    /// # Errors
    /// Those of looking; [`Code::VersionMismatch`] when another view comes.
    fn look<L: Look>(
        &self,
        look: L,
        after: Option<Cursor>,
        wait: Duration,
    ) -> impl Future<Output = Result<(Cursor, Option<L::Seen>), ApiError>> + Send {
        let changes = self.changes(look.into(), after, wait);
        async move {
            let Changes { cursor, data } = changes.await?;
            let seen = data.map(|data| L::seen(data).ok_or_else(other_kind)).transpose()?;
            Ok((cursor, seen))
        }
    }

    /// All of a view, as it is now.
    ///
    /// # Errors
    /// As of [`DeskExt::look`].
    fn see<L: Look>(&self, look: L) -> impl Future<Output = Result<L::Seen, ApiError>> + Send {
        let seen = self.look(look, None, Duration::ZERO);
        async move { seen.await?.1.ok_or_else(other_kind) }
    }
}

impl<D: Desk + ?Sized> DeskExt for D {}

/// The one error for an answer of another kind than was asked for: only an owner of another version can give one.
pub(crate) fn other_kind() -> ApiError {
    ApiError::new(
        Code::VersionMismatch,
        "The owner of the data directory gave an answer that does not belong to the question: it is of another version",
    )
}

/// What crosses a boundary towards the engine.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "ask", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Ask {
    /// A command to carry out.
    Call {
        /// The command.
        command: Command,
    },
    /// A request for what has changed in a view.
    Changes {
        /// The view that is looked at.
        view: View,
        /// Since when; none for all of it.
        after: Option<Cursor>,
        /// How long to wait for a change, in ms; at most 60,000.
        wait_ms: u32,
    },
}

impl Ask {
    /// A look that waits at most so long for a change.
    pub(crate) fn changes(view: View, after: Option<Cursor>, wait: Duration) -> Self {
        let wait_ms = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        Self::Changes { view, after, wait_ms }
    }

    /// As the window's page sends it. It raises nothing itself, whatever it says.
    ///
    /// # Errors
    /// [`Code::Usage`] when it is none: the page is of another version.
    pub fn from_page(json: serde_json::Value) -> Result<Self, ApiError> {
        let mut ask = Self::deserialize(json).map_err(|error| {
            ApiError::new(
                Code::Usage,
                format!("The window sent a request that this version of Signalbox does not know: {error}"),
            )
        })?;
        if let Self::Changes { view: View::Forward { raises }, .. } = &mut ask {
            *raises = false;
        }
        Ok(ask)
    }
}

/// What comes back.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "answered", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Answered {
    /// The answer to [`Ask::Call`].
    Reply {
        /// The command's reply.
        reply: Box<Reply>,
    },
    /// The answer to [`Ask::Changes`].
    Changes {
        /// What has changed in the view.
        changes: Changes,
    },
}

impl Answered {
    fn to_page(&self) -> String {
        serde_json::to_string(self).expect("BUG: all that comes back has a JSON form")
    }
}
