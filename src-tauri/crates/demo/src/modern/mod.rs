//! The modern wire: stateless requests, each with what its client can do.

mod call;
mod client;
mod params;
mod subscriptions;
mod task;

use serde_json::{Value, json};
use tokio::sync::mpsc;

pub(crate) use params::repeated;

use crate::Demo;
use crate::dispatch::Pending;
use crate::faults::Hits;
use crate::protocol::{META_SERVER, Message, Refusal, TASKS, VERSION, server_info};

/// Messages of a stream that may wait for a slow reader.
const WAITING: usize = 16;

/// What goes back for one message.
pub(crate) enum Answer {
    /// A JSON-RPC response, and the HTTP status it has there.
    Response { body: Value, status: u16 },
    /// Messages until the channel closes; the last one may be the response.
    Stream(mpsc::Receiver<Value>),
    /// Nothing: it was a notification.
    Nothing,
}

enum Success {
    Result(Value),
    Stream(mpsc::Receiver<Value>),
}

impl Demo {
    /// Answer a message, unless the transport already has a reason not to.
    pub(crate) async fn answer(
        &self,
        message: &Message,
        hits: &Hits,
        transport: Result<(), Refusal>,
    ) -> Answer {
        let Some(id) = &message.id else { return Answer::Nothing };
        let pending = Pending::new(self, message);
        hits.hold().await;
        let success = match transport.and_then(|()| hits.error()) {
            Ok(()) => self.handle(id, message, hits).await,
            Err(refusal) => Err(refusal),
        };
        hits.hold_reply().await;
        pending.answered();
        match success {
            Ok(Success::Result(result)) => Answer::Response { body: response(id, result), status: 200 },
            Ok(Success::Stream(messages)) => Answer::Stream(messages),
            Err(refusal) => {
                Answer::Response { body: refusal.response(Some(id)), status: refusal.http_status() }
            }
        }
    }

    async fn handle(&self, id: &Value, message: &Message, hits: &Hits) -> Result<Success, Refusal> {
        let client = client::Client::of(message)?;
        let params = &message.params;
        let result = match message.method.as_str() {
            "server/discover" => Ok(discover()),
            "tools/list" => self.list(params, |_, _| {}).map(|mut page| {
                page["resultType"] = "complete".into();
                page["ttlMs"] = 60_000.into();
                page["cacheScope"] = "public".into();
                page
            }),
            "tools/call" => return self.call(id, message, client, hits).await,
            "tasks/get" => self.get_task(params, client, hits),
            "tasks/update" => self.update_task(params, client, hits),
            "tasks/cancel" => self.cancel_task(params, client),
            "subscriptions/listen" => {
                return subscriptions::listen(self, id, params, client, hits).map(Success::Stream);
            }
            other => Err(Refusal::Method(other.to_owned())),
        };
        result.map(Success::Result)
    }

    /// End every subscription in good order.
    pub fn end_subscriptions(&self) {
        self.0.endings.send_modify(|endings| *endings += 1);
    }
}

/// The JSON-RPC result response, with this server's name on the result.
fn response(id: &Value, mut result: Value) -> Value {
    result["_meta"][META_SERVER] = server_info();
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn discover() -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": [VERSION],
        "capabilities": { "tools": { "listChanged": true }, "extensions": { TASKS: {} } },
        "instructions": "A scripted server: its tools pretend. Start with `deploy`.",
        "ttlMs": 60_000,
        "cacheScope": "public",
    })
}

/// The input responses of a request; none is an empty map.
fn responses(params: &Value) -> Result<crate::script::Object, Refusal> {
    match params.get("inputResponses") {
        None => Ok(crate::script::Object::new()),
        Some(Value::Object(responses)) => Ok(responses.clone()),
        Some(_) => Err(Refusal::Params("inputResponses must be an object".into())),
    }
}
