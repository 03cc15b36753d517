//! The one interface between hosts and the engine.

use std::{future::Future, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use ts_rs::TS;

use crate::{ApiError, Changes, Command, Cursor, Reply, View};

/// A boxed future, so that hosts can hold any desk.
pub type Answering<'a, T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send + 'a>>;

/// The operator's desk: acts and looks. The window and the command line use nothing else.
pub trait Desk: Send + Sync {
    /// Carries out a command.
    fn call(&self, command: Command) -> Answering<'_, Reply>;

    /// What changed in `view` since `after`; waits up to `wait` for a change. Without `after`: the whole view, at once.
    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes>;

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

/// What crosses a boundary towards the engine.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
#[serde(tag = "ask", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Ask {
    /// An act.
    Call {
        /// Which.
        command: Command,
    },
    /// A look.
    Changes {
        /// At what.
        view: View,
        /// Since when; none for all of it.
        after: Option<Cursor>,
        /// How long to wait for a change, in ms; at most 60,000.
        wait_ms: u32,
    },
}

/// What comes back.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "answered", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Answered {
    /// To an act.
    Reply {
        /// The reply.
        reply: Box<Reply>,
    },
    /// To a look.
    Changes {
        /// The changes.
        changes: Changes,
    },
}
