//! A task on the modern wire: flat, with its questions and its end inline.

use serde_json::{Value, json};

use super::client::Client;
use super::responses;
use crate::calls::Call;
use crate::clock::timestamp;
use crate::faults::Hits;
use crate::journal::NotTaken;
use crate::protocol::Refusal;
use crate::script::{Object, State};
use crate::tools::Tool;
use crate::{Demo, DemoWire};

impl Demo {
    pub(super) fn get_task(&self, params: &Value, client: Client, hits: &Hits) -> Result<Value, Refusal> {
        let (call, tool) = self.task(params, client)?;
        let (mut task, _) = self.modern_view(&call, tool);
        task.insert("resultType".into(), "complete".into());
        if hits.chatty() {
            task.insert("statusMessage".into(), self.moment());
        }
        Ok(task.into())
    }

    pub(super) fn update_task(&self, params: &Value, client: Client, hits: &Hits) -> Result<Value, Refusal> {
        let (call, tool) = self.task(params, client)?;
        if !params["inputResponses"].is_object() {
            return Err(Refusal::Params("inputResponses must be an object".into()));
        }
        let responses = responses(params)?;
        if hits.loses_update() {
            for (key, response) in responses {
                self.not_taken(&call.id, key, response, NotTaken::Lost);
            }
        } else {
            self.take(&call, tool, responses)?;
        }
        Ok(json!({ "resultType": "complete" }))
    }

    pub(super) fn cancel_task(&self, params: &Value, client: Client) -> Result<Value, Refusal> {
        let (call, tool) = self.task(params, client)?;
        self.stop(&call, tool)?;
        Ok(json!({ "resultType": "complete" }))
    }

    fn task(&self, params: &Value, client: Client) -> Result<(Call, &'static Tool), Refusal> {
        client.needs_tasks()?;
        let id = params["taskId"].as_str().unwrap_or_default();
        self.known_task(id, DemoWire::Modern).ok_or(Refusal::UnknownTask)
    }

    /// The task as a client sees it, and when time alone will change that (ms since the epoch).
    pub(super) fn modern_view(&self, call: &Call, tool: &Tool) -> (Object, Option<i64>) {
        let scene = self.scene(call, tool);
        let poll = self.poll_ms(&scene.state);
        let (status, payload) = match scene.state {
            State::Working => ("working", None),
            State::InputRequired(requests) => ("input_required", Some(("inputRequests", requests.into()))),
            State::Completed(result) => ("completed", Some(("result", result))),
            State::Failed(error) => ("failed", Some(("error", error))),
            State::Cancelled => ("cancelled", None),
        };
        let members = [
            ("taskId", json!(call.id)),
            ("status", json!(status)),
            ("statusMessage", json!(scene.message)),
            ("createdAt", json!(timestamp(call.created_at))),
            ("lastUpdatedAt", json!(timestamp(scene.since))),
            ("ttlMs", json!(call.ttl_ms)),
            ("pollIntervalMs", json!(poll)),
        ];
        let members = members.into_iter().chain(payload);
        (members.map(|(name, value)| (name.to_owned(), value)).collect(), scene.until)
    }
}
