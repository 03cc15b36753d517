//! `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel` of the legacy wire.

use std::time::Duration;

use signalbox_model::{Json, Part};

use super::session::{Asking, Session};
use crate::{error::Error, paging::List, stdio::GivenUp};

/// The tasks a server lists: a help for finding some, no truth. Often none, or only those of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskList {
    /// Each as received: read it with [`crate::TaskView::read_legacy`].
    pub tasks: Vec<Json>,
    /// Whether the list was read to its end, within [`crate::Options::page_limit`] and [`crate::Options::list_limit`].
    pub complete: bool,
}

impl Session {
    /// A task's state, as received: callers compare the bytes with the last before they read them
    /// ([`crate::TaskView::read_legacy`]). An unknown or expired task is [`Error::Rpc`] -32602.
    ///
    /// # Errors
    /// Any.
    pub async fn get_task(&self, task_id: &str) -> Result<Json, Error> {
        let limit = self.client().options().request_timeout;
        self.send(about("tasks/get", task_id), |params| params.text("taskId", task_id), limit).await
    }

    /// A task's result, as received: what the tool call itself would have given, or its error. The server holds the
    /// request until the task has ended, and most servers ask their questions only while it is held. Wait for it as
    /// long as that is wanted, and drop the future to give it up: the task goes on. `limit` is
    /// [`crate::Options::call_timeout`] where none is given.
    ///
    /// # Errors
    /// Any. [`Error::Rpc`] is the tool call's own error, or says that the task is unknown (-32602).
    pub async fn task_result(&self, task_id: &str, limit: Option<Duration>) -> Result<Json, Error> {
        let limit = limit.unwrap_or(self.client().options().call_timeout);
        self.send(about("tasks/result", task_id), |params| params.text("taskId", task_id), limit).await
    }

    /// The tasks that the server lists, page by page. Only where it declares that it can
    /// ([`crate::FoundServer::lists_tasks`]).
    ///
    /// # Errors
    /// Any; [`Error::Protocol`] for a list that repeats a cursor or is no list; [`Error::TooMuch`] for one whose first
    /// page is more than is taken of a list.
    pub async fn list_tasks(&self) -> Result<TaskList, Error> {
        let list =
            List::new("tasks", Part::Tasks, self.client().options(), |raw| Some(Json::from(raw.to_owned())));
        let (tasks, complete) = self.list("tasks/list", list).await?.beginning()?;
        Ok(TaskList { tasks, complete })
    }

    /// Cancels a task for good; what comes back is the task, as received. -32602 says that it had ended before, or that
    /// the server does not know it.
    ///
    /// # Errors
    /// Any.
    pub async fn cancel_task(&self, task_id: &str) -> Result<Json, Error> {
        let limit = self.client().options().request_timeout;
        self.send(about("tasks/cancel", task_id), |params| params.text("taskId", task_id), limit).await
    }
}

/// Giving up a request about a task is no wish about the task. Over HTTP the end of the connection is enough of a sign;
/// over stdio there is no other than the notice, which names the request.
fn about<'a>(method: &'static str, task_id: &'a str) -> Asking<'a> {
    Asking { method, task_id: Some(task_id), once: false, given_up: GivenUp::ToldIfShared, most: None }
}
