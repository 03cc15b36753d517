//! The legacy wire: sessions, requests in both directions, and tasks that clients ask for.

mod call;
mod hosted;
mod notices;
mod questions;
mod session;
mod task;

use std::sync::Arc;

use serde_json::{Value, json};

pub(crate) use session::{Session, Sessions};

use crate::Demo;
use crate::dispatch::Pending;
use crate::faults::Hits;
use crate::outbox::Outbox;
use crate::protocol::{Incoming, LEGACY_VERSIONS, Message, Refusal, server_info};
use crate::tools::Tool;

/// Where the answer to a request goes, and what belongs to it.
pub(crate) struct Out {
    pub(crate) to: Arc<Outbox>,
    /// Whether it ends with this answer.
    pub(crate) own: bool,
}

impl Drop for Out {
    fn drop(&mut self) {
        if self.own {
            self.to.end();
        }
    }
}

impl Demo {
    /// Act on anything that a client of this session sent.
    pub(crate) fn hear(&self, session: &Arc<Session>, incoming: Incoming, out: Out, hits: Hits) {
        match incoming {
            Incoming::Reply(reply) => session.replied(reply),
            Incoming::Message(Message { id: None, method, params }) => {
                if method == "notifications/cancelled" {
                    session.stop_serving(&params["requestId"]);
                }
            }
            Incoming::Message(message @ Message { id: Some(_), .. }) => {
                let id = message.id.clone().unwrap_or_default();
                let (demo, serving) = (self.clone(), session.clone());
                let open = session.opens_request();
                let serve = async move {
                    demo.serve(&serving, &message, &out, hits).await;
                    drop(open);
                };
                session.serves(&id, tokio::spawn(serve).abort_handle());
            }
        }
    }

    async fn serve(&self, session: &Arc<Session>, message: &Message, out: &Out, hits: Hits) {
        let Some(id) = &message.id else { return };
        let pending = Pending::new(self, message);
        hits.hold().await;
        let result = match hits.error() {
            Ok(()) => self.handle_legacy(session, message, &out.to, &hits).await,
            Err(refusal) => Err(refusal),
        };
        hits.hold_reply().await;
        pending.answered();
        let body = match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(refusal) => refusal.response(Some(id)),
        };
        if out.own {
            out.to.send_last(body, hits);
        } else {
            out.to.send(body, hits);
        }
    }

    async fn handle_legacy(
        &self,
        session: &Arc<Session>,
        message: &Message,
        out: &Arc<Outbox>,
        hits: &Hits,
    ) -> Result<Value, Refusal> {
        let params = &message.params;
        match message.method.as_str() {
            "initialize" => self.initialize(session, params),
            "ping" => Ok(json!({})),
            "server/discover" => Err(Refusal::Method(message.method.clone())),
            _ if !session.met() => Err(Refusal::Request("the session was not initialized")),
            "tools/list" => self.list(params, support),
            "tools/call" => self.legacy_call(session, message, out, hits).await,
            "tasks/get" => self.legacy_get(session, params, hits),
            "tasks/result" => self.legacy_result(session, params, out).await,
            "tasks/list" => self.legacy_list(session, params),
            "tasks/cancel" => self.legacy_cancel(session, params),
            other => Err(Refusal::Method(other.to_owned())),
        }
    }

    fn initialize(&self, session: &Arc<Session>, params: &Value) -> Result<Value, Refusal> {
        let asked = params["protocolVersion"].as_str().unwrap_or_default();
        let known = LEGACY_VERSIONS.into_iter().find(|version| *version == asked);
        let version = known.unwrap_or(LEGACY_VERSIONS[0]);
        self.meet(session, params)?;
        let mut capabilities = json!({ "tools": { "listChanged": true } });
        if version == LEGACY_VERSIONS[0] {
            capabilities["tasks"] =
                json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
        }
        Ok(json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "serverInfo": server_info(),
            "instructions": "A scripted server: its tools pretend. Start with `deploy`.",
        }))
    }
}

/// What this wire says of a tool beside its definition.
fn support(tool: &Tool, definition: &mut Value) {
    definition["execution"] = json!({ "taskSupport": tool.tasks.word() });
}
