//! A task on the legacy wire: nested where it is made, without its questions, its end asked for by `tasks/result`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::questions::Asking;
use crate::calls::Call;
use crate::clock::timestamp;
use crate::faults::Hits;
use crate::outbox::Outbox;
use crate::protocol::{META_RELATED, Refusal};
use crate::script::{Scene, State};
use crate::tools::Tool;
use crate::{AsksOn, Demo, DemoWire};

/// Tasks on one page of `tasks/list`.
const PAGE: usize = 10;

impl Demo {
    pub(super) fn legacy_get(
        &self,
        session: &Session,
        params: &Value,
        hits: &Hits,
    ) -> Result<Value, Refusal> {
        let (call, tool) = self.legacy_task(session, params)?;
        let mut view = self.legacy_view(&call, &self.scene(&call, tool));
        if hits.chatty() {
            view["statusMessage"] = self.moment();
        }
        Ok(view)
    }

    /// Blocks until the task has ended, and meanwhile asks its questions here.
    pub(super) async fn legacy_result(
        &self,
        session: &Arc<Session>,
        params: &Value,
        out: &Arc<Outbox>,
    ) -> Result<Value, Refusal> {
        let asking = Asking::new(self, session, out);
        let mut changes = self.0.calls.changes();
        loop {
            changes.borrow_and_update();
            let (call, tool) = self.legacy_task(session, params)?;
            let scene = self.scene(&call, tool);
            let until = scene.until.unwrap_or(i64::MAX);
            match scene.state {
                State::Working => {}
                State::InputRequired(requests) => {
                    if self.0.options.legacy.asks_on == AsksOn::Result {
                        requests.iter().for_each(|(key, request)| asking.ask(&call, tool, key, request));
                    }
                }
                State::Completed(result) => return Ok(related(plain(result), &call.id)),
                State::Failed(error) => return Err(Refusal::Scripted(error)),
                State::Cancelled => {
                    let error = json!({ "code": -32000, "message": "The task was cancelled" });
                    return Err(Refusal::Scripted(error));
                }
            }
            let expiry = call.ttl_ms.map_or(i64::MAX, |ttl| call.created_at.saturating_add(ttl));
            tokio::select! {
                () = self.0.clock.until(until.min(expiry)) => {}
                _ = changes.changed() => {}
            }
        }
    }

    pub(super) fn legacy_list(&self, session: &Session, params: &Value) -> Result<Value, Refusal> {
        if !self.0.options.legacy.lists {
            return Ok(json!({ "tasks": [] }));
        }
        let tasks = self.0.calls.all(self.now_ms(), |call| self.knows(session, call));
        let from = match params.get("cursor").and_then(Value::as_str) {
            None => 0,
            Some(cursor) => {
                1 + cursor
                    .strip_prefix("after ")
                    .and_then(|id| tasks.iter().position(|task| task.id == id))
                    .ok_or_else(|| Refusal::Params("unknown cursor".into()))?
            }
        };
        let page: Vec<&Call> = tasks.iter().skip(from).take(PAGE).collect();
        let views = page.iter().filter_map(|call| {
            let tool = crate::tools::find(&call.tool)?;
            Some(self.legacy_view(call, &self.scene(call, tool)))
        });
        let mut listed = json!({ "tasks": views.collect::<Vec<_>>() });
        if let Some(last) = page.last().filter(|_| tasks.len() > from + PAGE) {
            listed["nextCursor"] = format!("after {}", last.id).into();
        }
        Ok(listed)
    }

    pub(super) fn legacy_cancel(&self, session: &Session, params: &Value) -> Result<Value, Refusal> {
        let (call, tool) = self.legacy_task(session, params)?;
        if self.scene(&call, tool).state.ended() {
            return Err(Refusal::Ended);
        }
        self.stop(&call, tool)?;
        self.legacy_get(session, params, &Hits::default())
    }

    fn legacy_task(&self, session: &Session, params: &Value) -> Result<(Call, &'static Tool), Refusal> {
        let id = params["taskId"].as_str().unwrap_or_default();
        let task = self.known_task(id, DemoWire::Legacy).filter(|(call, _)| self.knows(session, call));
        task.ok_or(Refusal::UnknownTask)
    }

    /// Whether this is a task that the session can see.
    fn knows(&self, session: &Session, call: &Call) -> bool {
        let own = call.origin.session.as_deref() == Some(session.id.as_str());
        let task = call.origin.wire == DemoWire::Legacy && !call.origin.plain;
        task && (own || !self.0.options.legacy.own_tasks_only)
    }

    /// The task as a client sees it.
    pub(super) fn legacy_view(&self, call: &Call, scene: &Scene) -> Value {
        json!({
            "taskId": call.id,
            "status": self.legacy_status(&scene.state),
            "statusMessage": scene.message,
            "createdAt": timestamp(call.created_at),
            "lastUpdatedAt": timestamp(scene.since),
            "ttl": call.ttl_ms,
            "pollInterval": self.poll_ms(&scene.state),
        })
    }

    /// On this wire a tool that says it failed has failed.
    fn legacy_status(&self, state: &State) -> &'static str {
        match state {
            State::InputRequired(_) if self.0.options.legacy.says_input_required => "input_required",
            State::Working | State::InputRequired(_) => "working",
            State::Completed(result) if result["isError"] == json!(true) => "failed",
            State::Completed(_) => "completed",
            State::Failed(_) => "failed",
            State::Cancelled => "cancelled",
        }
    }
}

/// A message or result that belongs to a task says so.
pub(super) fn related(mut message: Value, task: &str) -> Value {
    message["_meta"][META_RELATED] = json!({ "taskId": task });
    message
}

/// The result of a tool as this wire has it.
pub(super) fn plain(mut result: Value) -> Value {
    if let Some(members) = result.as_object_mut() {
        members.remove("resultType");
    }
    result
}
