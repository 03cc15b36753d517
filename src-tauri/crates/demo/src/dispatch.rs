//! Methods to results, whatever the transport.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::calls::Call;
use crate::clock::timestamp;
use crate::faults::Hits;
use crate::journal::{Entry, NotTaken};
use crate::protocol::{Client, LEGACY_VERSION, Message, Refusal, TASKS, VERSION, response, server_info};
use crate::script::{Object, Request, Scene, Script, State, Step, Told};
use crate::tools::{self, Answer, HOUR_MS, Tool, Ttl};
use crate::{Demo, subscriptions};

/// Poll intervals as told (ms): while working, and while a person is asked.
const POLL_MS: i64 = 1000;
const POLL_ASKED_MS: i64 = 2000;
/// No client is asked to poll faster than this (ms), whatever the speed.
const POLL_LEAST_MS: i64 = 10;

/// What goes back for one message.
pub(crate) enum Reply {
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
    /// Read a message and put it on record.
    pub(crate) fn receive(&self, bytes: &[u8]) -> Result<Message, Refusal> {
        let message = Message::parse(bytes);
        self.journal().write(|at| match &message {
            Ok(Message { id: Some(id), method, params }) => {
                Entry::Request { at, id: id.clone(), method: method.clone(), params: params.clone() }
            }
            Ok(Message { id: None, method, params }) => {
                Entry::Notification { at, method: method.clone(), params: params.clone() }
            }
            Err(_) => {
                Entry::Malformed { at, text: String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).into() }
            }
        });
        message
    }

    /// Answer a message, unless the transport already has a reason not to.
    pub(crate) async fn answer(
        &self,
        message: &Message,
        hits: &Hits,
        transport: Result<(), Refusal>,
    ) -> Reply {
        let Some(id) = &message.id else { return Reply::Nothing };
        let pending = Pending { demo: self, message, answered: false };
        hits.hold().await;
        let success = match transport {
            _ if self.faults().legacy_only() => legacy(message),
            Ok(()) => self.handle(id, message, hits).await,
            Err(refusal) => Err(refusal),
        };
        hits.hold_reply().await;
        pending.answered();
        match success {
            Ok(Success::Result(result)) => Reply::Response { body: response(id, result), status: 200 },
            Ok(Success::Stream(messages)) => Reply::Stream(messages),
            Err(refusal) => {
                // Legacy servers answer errors with 200, and their codes must not look modern.
                let status = if self.faults().legacy_only() { 200 } else { refusal.http_status() };
                Reply::Response { body: refusal.response(Some(id)), status }
            }
        }
    }

    async fn handle(&self, id: &Value, message: &Message, hits: &Hits) -> Result<Success, Refusal> {
        let client = message.client()?;
        let params = &message.params;
        let result = match message.method.as_str() {
            "server/discover" => Ok(discover()),
            "tools/list" => list(params),
            "tools/call" => self.call(params, client).await,
            "tasks/get" => self.get(params, client),
            "tasks/update" => self.update(params, client, hits),
            "tasks/cancel" => self.cancel(params, client),
            "subscriptions/listen" => {
                return subscriptions::listen(self, id, params, client).map(Success::Stream);
            }
            other => Err(Refusal::Method(other.to_owned())),
        };
        result.map(Success::Result)
    }

    async fn call(&self, params: &Value, client: Client) -> Result<Value, Refusal> {
        let name = params["name"].as_str().unwrap_or_default();
        let tool = tools::find(name).ok_or_else(|| Refusal::Params(format!("Unknown tool: {name}")))?;
        let arguments = match params.get("arguments") {
            None => Object::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(Refusal::Params("arguments must be an object".into())),
        };
        let arguments = tool.with_defaults(arguments);
        let problems = tool.problems(&arguments);
        if !problems.is_empty() {
            return Ok(tools::tool_error(problems.join("\n")));
        }
        let told = Told { arguments: &arguments, answers: &[] };
        match &tool.answer {
            Answer::Plain { wait_ms, result } => {
                let end = self.0.clock.now_ms() + self.0.speed.scaled(wait_ms(&told));
                self.0.clock.until(end).await;
                Ok(result(&told))
            }
            Answer::Round { requests, result } => {
                requests.iter().try_for_each(|(_, request)| client.needs_mode(&request(&told)))?;
                self.round(tool, requests, *result, &arguments, params)
            }
            Answer::Task { ttl, steps } => {
                if let Err(refusal) = client.needs_tasks() {
                    // Who cannot follow a task gets the end at once, if nothing must be asked or waited for.
                    return match self.script(steps, told, 0, None).straight_end() {
                        Some(State::Completed(result)) => Ok(result),
                        Some(State::Failed(error)) => Err(Refusal::Scripted(error)),
                        _ => Err(refusal),
                    };
                }
                Script::asks(steps).try_for_each(|(_, request)| client.needs_mode(&request(&told)))?;
                let ttl_ms = match ttl {
                    Ttl::Fixed(ms) => *ms,
                    Ttl::Told(ms) => Some(self.0.speed.scaled(*ms)),
                };
                let now = self.0.clock.now_ms();
                let call = self.0.calls.begin(tool.name, arguments, now, ttl_ms)?;
                let (mut task, _) = self.view(&call, steps, now);
                // Only `tasks/get` carries what goes with a status.
                for member in ["inputRequests", "result", "error"] {
                    task.remove(member);
                }
                task.insert("resultType".into(), "task".into());
                Ok(task.into())
            }
        }
    }

    fn round(
        &self,
        tool: &Tool,
        requests: &[Request],
        result: fn(&Told) -> Value,
        arguments: &Object,
        params: &Value,
    ) -> Result<Value, Refusal> {
        let now = self.0.clock.now_ms();
        let call = match params["requestState"].as_str() {
            None => self.0.calls.begin(tool.name, arguments.clone(), now, HOUR_MS)?,
            Some(state) => {
                let ours = |call: &Call| call.tool == tool.name && call.arguments == *arguments;
                let foreign =
                    || Refusal::Params("requestState is unknown, expired or of another request".into());
                let call = self.0.calls.get(state, now).filter(ours).ok_or_else(foreign)?;
                let open = |call: &Call| outstanding(requests, call);
                self.take(&call.id, responses(params)?, now, open)?;
                self.0.calls.get(state, now).ok_or_else(foreign)?
            }
        };
        let open = outstanding(requests, &call);
        if open.is_empty() {
            return Ok(result(&Told { arguments, answers: &call.answers }));
        }
        Ok(json!({ "resultType": "input_required", "inputRequests": open, "requestState": call.id }))
    }

    fn get(&self, params: &Value, client: Client) -> Result<Value, Refusal> {
        let now = self.0.clock.now_ms();
        let (call, steps) = self.task(params, client, now)?;
        let (mut task, _) = self.view(&call, steps, now);
        task.insert("resultType".into(), "complete".into());
        Ok(task.into())
    }

    fn update(&self, params: &Value, client: Client, hits: &Hits) -> Result<Value, Refusal> {
        let now = self.0.clock.now_ms();
        let (call, steps) = self.task(params, client, now)?;
        let responses = responses(params)?;
        if hits.loses_update() {
            for (key, response) in responses {
                self.not_taken(&call.id, key, response, NotTaken::Lost);
            }
            return Ok(json!({ "resultType": "complete" }));
        }
        self.take(&call.id, responses, now, |call| match self.scene(call, steps, now).state {
            State::InputRequired(requests) => requests,
            _ => Object::new(),
        })?;
        Ok(json!({ "resultType": "complete" }))
    }

    fn cancel(&self, params: &Value, client: Client) -> Result<Value, Refusal> {
        let now = self.0.clock.now_ms();
        let (call, steps) = self.task(params, client, now)?;
        if call.cancel_asked.is_none() && !self.scene(&call, steps, now).state.ended() {
            self.0.calls.ask_to_cancel(&call.id, now)?;
        }
        Ok(json!({ "resultType": "complete" }))
    }

    fn take(
        &self,
        id: &str,
        responses: Object,
        now: i64,
        outstanding: impl FnOnce(&Call) -> Object,
    ) -> Result<(), Refusal> {
        for (key, response, why) in self.0.calls.take(id, responses, now, outstanding)? {
            match why {
                None => self.journal().write(|at| Entry::Taken { at, call: id.to_owned(), key, response }),
                Some(why) => self.not_taken(id, key, response, why),
            }
        }
        Ok(())
    }

    fn not_taken(&self, id: &str, key: String, response: Value, why: NotTaken) {
        self.journal().write(|at| Entry::NotTaken { at, call: id.to_owned(), key, response, why });
    }

    fn task(&self, params: &Value, client: Client, now: i64) -> Result<(Call, &'static [Step]), Refusal> {
        client.needs_tasks()?;
        self.known_task(params["taskId"].as_str().unwrap_or_default(), now).ok_or(Refusal::UnknownTask)
    }

    /// The task and its scenario; a round is no task.
    pub(crate) fn known_task(&self, id: &str, now: i64) -> Option<(Call, &'static [Step])> {
        let call = self.0.calls.get(id, now)?;
        let Answer::Task { steps, .. } = &tools::find(&call.tool)?.answer else { return None };
        Some((call, steps))
    }

    fn script<'a>(
        &self,
        steps: &'a [Step],
        told: Told<'a>,
        start: i64,
        cancel_asked: Option<i64>,
    ) -> Script<'a> {
        Script { steps, told, speed: self.0.speed, start, cancel_asked }
    }

    fn scene(&self, call: &Call, steps: &[Step], now: i64) -> Scene {
        let told = Told { arguments: &call.arguments, answers: &call.answers };
        self.script(steps, told, call.created_at, call.cancel_asked).at(now)
    }

    /// The task as a client sees it, and when time alone will change that (ms since the epoch).
    pub(crate) fn view(&self, call: &Call, steps: &[Step], now: i64) -> (Object, Option<i64>) {
        let scene = self.scene(call, steps, now);
        let until = scene.until;
        let (status, payload) = scene.state.parts();
        let poll = if status == "input_required" { POLL_ASKED_MS } else { POLL_MS };
        let mut task = Object::new();
        let members = [
            ("taskId", json!(call.id)),
            ("status", json!(status)),
            ("statusMessage", json!(scene.message)),
            ("createdAt", json!(timestamp(call.created_at))),
            ("lastUpdatedAt", json!(timestamp(scene.since))),
            ("ttlMs", json!(call.ttl_ms)),
            ("pollIntervalMs", json!(self.0.speed.scaled(poll).max(POLL_LEAST_MS))),
        ];
        for (name, value) in members.into_iter().chain(payload) {
            task.insert(name.into(), value);
        }
        (task, until)
    }
}

fn discover() -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": [VERSION],
        "capabilities": { "tools": {}, "extensions": { TASKS: {} } },
        "instructions": "A scripted server: its tools pretend. Start with `deploy`.",
        "ttlMs": 60_000,
        "cacheScope": "public",
    })
}

fn list(params: &Value) -> Result<Value, Refusal> {
    let cursor = params["cursor"].as_str();
    let (tools, next) = tools::page(cursor).ok_or_else(|| Refusal::Params("unknown cursor".into()))?;
    let mut page =
        json!({ "resultType": "complete", "tools": tools, "ttlMs": 60_000, "cacheScope": "public" });
    if let Some(next) = next {
        page["nextCursor"] = next.into();
    }
    Ok(page)
}

/// The input responses of a request; all of them answer elicitations here.
fn responses(params: &Value) -> Result<Object, Refusal> {
    let bad = |what: &str| Refusal::Params(format!("inputResponses: {what}"));
    let responses = params["inputResponses"].as_object().ok_or_else(|| bad("must be an object"))?;
    for (key, response) in responses {
        if !matches!(response["action"].as_str(), Some("accept" | "decline" | "cancel")) {
            return Err(bad(&format!("{key}: action must be accept, decline or cancel")));
        }
        if response.get("content").is_some_and(|content| !content.is_object()) {
            return Err(bad(&format!("{key}: content must be an object")));
        }
    }
    Ok(responses.clone())
}

fn outstanding(requests: &[Request], call: &Call) -> Object {
    let told = Told { arguments: &call.arguments, answers: &call.answers };
    let open = requests.iter().filter(|(key, _)| told.response(key).is_none());
    open.map(|(key, request)| ((*key).to_owned(), request(&told))).collect()
}

/// As much of a legacy server as a client needs to recognise one.
fn legacy(message: &Message) -> Result<Success, Refusal> {
    match message.method.as_str() {
        "initialize" => Ok(Success::Result(json!({
            "protocolVersion": LEGACY_VERSION,
            "capabilities": { "tools": {} },
            "serverInfo": server_info(),
        }))),
        other => Err(Refusal::Method(other.to_owned())),
    }
}

/// Notes in the journal when a request is dropped before it was answered.
struct Pending<'a> {
    demo: &'a Demo,
    message: &'a Message,
    answered: bool,
}

impl Pending<'_> {
    fn answered(mut self) {
        self.answered = true;
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if let (false, Some(id)) = (self.answered, &self.message.id) {
            let (id, method) = (id.clone(), self.message.method.clone());
            self.demo.journal().write(|at| Entry::Abandoned { at, id, method });
        }
    }
}
