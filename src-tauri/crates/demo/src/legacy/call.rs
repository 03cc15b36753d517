//! `tools/call` on the legacy wire: a task if the client wants one and the tool allows it, otherwise a held request.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::questions::{Asking, elicitation_id};
use super::session::lock;
use super::task::plain;
use crate::calls::{Call, Origin};
use crate::faults::Hits;
use crate::outbox::Outbox;
use crate::protocol::{Message, Refusal, notification};
use crate::script::{Object, Scene, State, Told};
use crate::tools::{Support, Tool};
use crate::work::Wanted;
use crate::{Demo, DemoWire, Notices};

const IMMEDIATE: &str = "io.modelcontextprotocol/model-immediate-response";

impl Demo {
    pub(super) async fn legacy_call(
        &self,
        session: &Arc<Session>,
        message: &Message,
        out: &Arc<Outbox>,
        hits: &Hits,
    ) -> Result<Value, Refusal> {
        let (tool, arguments) = match Self::wanted(&message.params)? {
            Wanted::Call(tool, arguments) => (tool, arguments),
            Wanted::Problems(result) => return Ok(plain(result)),
        };
        let told = Told { arguments: &arguments, answers: &[] };
        tool.asks().try_for_each(|(_, request)| session.client().can(&request(&told)))?;
        let origin = Origin {
            wire: DemoWire::Legacy,
            session: Some(session.id.clone()),
            plain: false,
            progress_token: message.progress_token().cloned(),
        };
        match (tool.tasks, message.params.get("task").filter(|task| task.is_object())) {
            (Support::Required, None) => Err(Refusal::NeedsTask(tool.name)),
            (Support::Forbidden, Some(_)) => Err(Refusal::NoTask(tool.name)),
            (_, Some(task)) => {
                if origin.progress_token.is_some() {
                    self.herald_anyway(session);
                }
                let call = self.begin(tool, arguments, origin, task["ttl"].as_i64(), hits)?;
                Ok(self.legacy_created(&call, tool, out))
            }
            (_, None) => self.hold(session, tool, arguments, origin, out).await,
        }
    }

    fn legacy_created(&self, call: &Call, tool: &Tool, out: &Outbox) -> Value {
        let view = self.legacy_view(call, &self.scene(call, tool));
        if self.0.options.legacy.notices == Notices::Early {
            let method = "notifications/tasks/status";
            out.send(notification(method, view.clone()), self.faults().take(method));
        }
        json!({ "task": view, "_meta": { IMMEDIATE: format!("{} has begun.", tool.title) } })
    }

    /// Play the call while its request is held, asking and telling progress on its own stream.
    async fn hold(
        &self,
        session: &Arc<Session>,
        tool: &'static Tool,
        arguments: Object,
        mut origin: Origin,
        out: &Arc<Outbox>,
    ) -> Result<Value, Refusal> {
        origin.plain = true;
        let page = (tool.name, Value::Object(arguments.clone()).to_string());
        let mut call = match lock(&session.pages).remove(&page).and_then(|id| self.call_on_record(&id)) {
            Some((call, _)) => self.page_opened(call, tool)?,
            None if tool.asks().next().is_none() => {
                Call::passing(tool.name, arguments, origin, self.now_ms())
            }
            None => self.begin(tool, arguments, origin, None, &Hits::default())?,
        };
        let mut held = Held { demo: self, call: call.id.clone(), keep: false };
        let asking = Asking::new(self, session, out);
        let mut changes = self.0.calls.changes();
        loop {
            changes.borrow_and_update();
            let mut told = None;
            let state = self.play(&call, tool, |scene| progress(self, &call, scene, &mut told, out)).await;
            let State::InputRequired(requests) = state else { return state.result().map(plain) };
            let pages = self.pages(&call, &requests);
            if !pages.is_empty() {
                lock(&session.pages).insert(page, call.id.clone());
                held.keep = true;
                return Err(Refusal::Pages(pages.into()));
            }
            requests.iter().for_each(|(key, request)| asking.ask(&call, tool, key, request));
            // The sender lives in `self`, so this can only end with a change.
            let _ = changes.changed().await;
            call = self.call_on_record(&call.id).map_or(call, |(call, _)| call);
        }
    }

    /// The pages that must be opened before the call can be made, as far as that is an error here.
    fn pages(&self, call: &Call, requests: &Object) -> Vec<Value> {
        let urls = requests.iter().filter(|(_, request)| request["params"]["mode"] == "url");
        let pages = urls.filter(|_| self.0.options.legacy.url_errors).map(|(key, request)| {
            let mut params = request["params"].clone();
            params["elicitationId"] = elicitation_id(call, key).into();
            params
        });
        pages.collect()
    }

    /// The call is made again: whoever does that has been on the page.
    fn page_opened(&self, call: Call, tool: &'static Tool) -> Result<Call, Refusal> {
        let keys = self.outstanding(&call, tool);
        let responses = keys.into_iter().map(|(key, _)| (key, json!({ "action": "accept" }))).collect();
        self.take_as_it_is(&call, tool, responses)?;
        Ok(self.call_on_record(&call.id).map_or(call, |(call, _)| call))
    }
}

fn progress(demo: &Demo, call: &Call, scene: &Scene, told: &mut Option<(i64, i64)>, out: &Outbox) {
    let Some(token) = &call.origin.progress_token else { return };
    if let Some((n, of)) = scene.progress.filter(|progress| told.replace(*progress) != Some(*progress)) {
        let method = "notifications/progress";
        let params = json!({ "progressToken": token, "progress": n, "total": of, "message": scene.message });
        out.send(notification(method, params), demo.faults().take(method));
    }
}

/// Takes a plain call off the record when its request is over, however that came; what it asked is open no more then.
struct Held<'a> {
    demo: &'a Demo,
    call: String,
    keep: bool,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if !self.keep
            && let Err(error) = self.demo.forget(&self.call)
        {
            tracing::error!(%error, "the state file could not be written");
        }
    }
}
