//! `tasks/get`, `tasks/update`, `tasks/cancel`.

use signalbox_model::Json;

use super::result_type::ResultType;
use crate::{client::Client, error::Error, view::Fields};

impl Client {
    /// A task's state, as received: callers compare the bytes with the last before they read them
    /// ([`crate::TaskView::read`]). An unknown or expired task is [`Error::Rpc`] -32602.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] with the raw result for an unknown `resultType`.
    pub async fn get_task(&self, task_id: &str) -> Result<Json, Error> {
        let request = self.request("tasks/get", Some(task_id), |params| params.text("taskId", task_id));
        let raw = self.send(request, self.options().request_timeout).await?;
        // Which of the known ones it is says nothing here: some servers call a task's state a task.
        ResultType::of(&Fields::lenient(raw.raw()), &raw)?;
        Ok(raw)
    }

    /// Hands over input responses by their keys. The acknowledgement does not mean that they were taken: only
    /// `tasks/get` tells.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`].
    pub async fn update_task(&self, task_id: &str, responses: &[(String, Json)]) -> Result<Json, Error> {
        let request = self.request("tasks/update", Some(task_id), |params| {
            params.text("taskId", task_id).map("inputResponses", responses)
        });
        self.send(request, self.options().request_timeout).await
    }

    /// Asks the server to cancel a task, which may complete all the same.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`].
    pub async fn cancel_task(&self, task_id: &str) -> Result<Json, Error> {
        let request = self.request("tasks/cancel", Some(task_id), |params| params.text("taskId", task_id));
        self.send(request, self.options().request_timeout).await
    }
}
