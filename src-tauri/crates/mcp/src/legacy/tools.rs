//! `tools/list` and `tools/call` of the legacy wire.

use signalbox_model::{Breach, Json, Part};

use super::session::{Asking, Session};
use crate::{
    error::Error,
    paging::List,
    rpc::Params,
    stdio::GivenUp,
    tool::{CallOptions, CallReply, Called, Tool},
    view::{Fields, TaskView},
};

impl Session {
    /// All tools, page by page. Entries without a name cannot be called and are left out. Which of them can be called
    /// as tasks says [`Tool::task_support`].
    ///
    /// # Errors
    /// Any; [`Error::Protocol`] for a list that repeats a cursor or is no list; [`Error::TooMuch`] for one with more
    /// pages than [`crate::Options::page_limit`] or more bytes than [`crate::Options::list_limit`].
    pub async fn list_tools(&self) -> Result<Vec<Tool>, Error> {
        let list = List::new("tools", Part::Tools, self.client().options(), Tool::read);
        self.list("tools/list", list).await?.whole()
    }

    /// Reads a list, page by page, as far as we take lists.
    pub(super) async fn list<T>(&self, method: &'static str, list: List<T>) -> Result<List<T>, Error> {
        let limit = self.client().options().request_timeout;
        let page = |cursor: Option<String>, most| {
            let asking = Asking { most: Some(most), ..Asking::short(method) };
            self.send(asking, move |params| params.cursor(cursor.as_deref()), limit)
        };
        list.read(self.client().flight(), page).await
    }

    /// Calls a tool, once; as a task where `options.task` says so, which is for tools that allow it. A call without a
    /// task that is given up is cancelled at the server, over every transport; one with a task never is, since that
    /// would be the task's end: adopt or cancel the task.
    ///
    /// # Errors
    /// Any. [`Error::meaning`] knows -32042, by which older servers ask for a visit to a URL first.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &Json,
        options: CallOptions,
    ) -> Result<Called, Error> {
        let as_task = options.task.is_some();
        let given_up = if as_task { GivenUp::Silent } else { GivenUp::Told };
        let asking = Asking { method: "tools/call", task_id: None, once: true, given_up, most: None };
        let limit = options.timeout.unwrap_or(self.client().options().call_timeout);
        let params = |params: Params| {
            let mut params = params.text("name", name).json("arguments", arguments);
            if let Some(wish) = &options.task {
                let task = wish.ttl_ms.map_or_else(|| "{}".into(), |ms| format!(r#"{{"ttl":{ms}}}"#));
                params = params.ready("task", &task);
            }
            match &options.progress_token {
                Some(token) => {
                    params.ready("_meta", &serde_json::json!({ "progressToken": token }).to_string())
                }
                None => params,
            }
        };
        let raw = self.send(asking, params, limit).await?;
        let reply = read_reply(&raw, as_task)?;
        Ok(Called { raw, reply })
    }
}

/// A task is what names one. Who did not ask for one gets one only where there is nothing else: a tool's own result may
/// well have a member of this name.
fn read_reply(raw: &Json, as_task: bool) -> Result<CallReply, Error> {
    let Some(fields) = Fields::of(raw.raw()) else {
        return Err(Error::protocol(Breach::NoObject, Some(raw.clone())));
    };
    let names_one = fields.object("task").text("taskId").or_else(|| fields.text("taskId")).is_some();
    let is_result = fields.some("content").is_some() || fields.some("structuredContent").is_some();
    if (as_task && fields.some("task").is_some_and(|task| task.get().starts_with('{')))
        || (names_one && !is_result)
    {
        return Ok(CallReply::Task(TaskView::read_legacy(raw)));
    }
    Ok(CallReply::Complete)
}
