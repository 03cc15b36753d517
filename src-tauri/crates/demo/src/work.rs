//! Calls on record as they look at a moment, and what changes them: the same for both wires.

use serde_json::{Value, json};

use crate::calls::{Call, Origin};
use crate::faults::Hits;
use crate::journal::{JournalEntry, NotTaken};
use crate::protocol::Refusal;
use crate::script::{Object, Scene, Script, State, Told};
use crate::tools::{self, Tool, Ttl};
use crate::{Demo, DemoWire};

/// Poll intervals as told (ms): while working, and while a person is asked.
const POLL_MS: i64 = 1000;
const POLL_ASKED_MS: i64 = 2000;
/// No client is asked to poll faster than this (ms), whatever the speed.
const POLL_LEAST_MS: i64 = 10;
/// How long after `tasks/cancel` the work really stops: cancellation is cooperative, and clients must bear the gap.
const STOPPING_MS: i64 = 800;

/// A call of a tool, with its arguments checked.
pub(crate) enum Wanted {
    Call(&'static Tool, Object),
    /// The arguments are wrong: the tool's own words for it.
    Problems(Value),
}

impl Demo {
    pub(crate) fn now_ms(&self) -> i64 {
        self.0.clock.now_ms()
    }

    /// The moment, as a text that is never the same (µs since the epoch).
    pub(crate) fn moment(&self) -> Value {
        self.0.clock.now().as_microsecond().to_string().into()
    }

    /// Which tool `tools/call` wants, and with what.
    pub(crate) fn wanted(params: &Value) -> Result<Wanted, Refusal> {
        let name = params["name"].as_str().unwrap_or_default();
        let tool = tools::find(name).ok_or_else(|| Refusal::Params(format!("Unknown tool: {name}")))?;
        let arguments = match params.get("arguments") {
            None => Object::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(Refusal::Params("arguments must be an object".into())),
        };
        let arguments = tool.with_defaults(arguments);
        let problems = tool.problems(&arguments);
        if problems.is_empty() {
            return Ok(Wanted::Call(tool, arguments));
        }
        Ok(Wanted::Problems(tools::tool_error(problems.join("\n"))))
    }

    /// Put a call on record. `ttl_ms`: what the client wishes, if it may.
    pub(crate) fn begin(
        &self,
        tool: &Tool,
        arguments: Object,
        origin: Origin,
        ttl_ms: Option<i64>,
        hits: &Hits,
    ) -> Result<Call, Refusal> {
        let ttl_ms = match tool.ttl {
            Ttl::Fixed(ms) => ttl_ms.or(ms),
            Ttl::Told(ms) => Some(self.0.options.speed.scaled(ms)),
        };
        let call =
            self.0.calls.begin(tool.name, arguments, origin, self.now_ms(), ttl_ms, |id| hits.task_id(id))?;
        if !call.origin.plain {
            self.journal().write(|at| JournalEntry::Created {
                at,
                call: call.id.clone(),
                wire: call.origin.wire,
                session: call.origin.session.clone(),
                tool: call.tool.clone(),
            });
        }
        Ok(call)
    }

    /// The call, unless it is unknown or its TTL has passed.
    pub(crate) fn call_on_record(&self, id: &str) -> Option<(Call, &'static Tool)> {
        let call = self.0.calls.get(id, self.now_ms())?;
        let tool = tools::find(&call.tool)?;
        Some((call, tool))
    }

    /// The task of this wire. A plain call is no task.
    pub(crate) fn known_task(&self, id: &str, wire: DemoWire) -> Option<(Call, &'static Tool)> {
        self.call_on_record(id).filter(|(call, _)| call.origin.wire == wire && !call.origin.plain)
    }

    /// The call as it looks now.
    pub(crate) fn scene(&self, call: &Call, tool: &Tool) -> Scene {
        self.scene_at(call, tool, self.now_ms())
    }

    pub(crate) fn scene_at(&self, call: &Call, tool: &Tool, now: i64) -> Scene {
        let told = Told { arguments: &call.arguments, answers: &call.answers };
        let stopping_ms = if call.origin.wire == DemoWire::Modern { STOPPING_MS } else { 0 };
        let start = call.created_at;
        let cancel_asked = call.cancel_asked;
        let speed = self.0.options.speed;
        Script { steps: tool.steps, told, speed, start, cancel_asked, stopping_ms }.at(now)
    }

    /// How a call ends for a client that can neither wait nor be asked; none if it must.
    pub(crate) fn straight_end(&self, tool: &Tool, arguments: &Object) -> Option<State> {
        let told = Told { arguments, answers: &[] };
        let speed = self.0.options.speed;
        let script = Script { steps: tool.steps, told, speed, start: 0, cancel_asked: None, stopping_ms: 0 };
        script.straight_end()
    }

    /// Play a call while its caller waits, up to its end or to questions; `seen` sees it on the way.
    pub(crate) async fn play(&self, call: &Call, tool: &Tool, mut seen: impl FnMut(&Scene)) -> State {
        loop {
            let scene = self.scene(call, tool);
            seen(&scene);
            match (scene.state, scene.until) {
                (State::Working, Some(until)) => self.0.clock.until(until).await,
                (State::Working, None) => std::future::pending().await,
                (state, _) => return state,
            }
        }
    }

    /// How long a client should wait before it looks again (ms).
    pub(crate) fn poll_ms(&self, state: &State) -> i64 {
        let told = if matches!(state, State::InputRequired(_)) { POLL_ASKED_MS } else { POLL_MS };
        self.0.options.speed.scaled(told).max(POLL_LEAST_MS)
    }

    /// The input requests that are open now, by key.
    pub(crate) fn outstanding(&self, call: &Call, tool: &Tool) -> Object {
        match self.scene(call, tool).state {
            State::InputRequired(requests) => requests,
            _ => Object::new(),
        }
    }

    /// Take what is outstanding of these responses.
    ///
    /// # Errors
    /// One of them is no answer to what was asked (nothing is taken then), or the state file could not be written.
    pub(crate) fn take(&self, call: &Call, tool: &Tool, responses: Object) -> Result<(), Refusal> {
        let open = self.outstanding(call, tool);
        for (key, response) in &responses {
            if let Some(problem) = open.get(key).and_then(|request| mismatch(request, response)) {
                return Err(Refusal::Params(format!("inputResponses: {key}: {problem}")));
            }
        }
        self.take_as_it_is(call, tool, responses)
    }

    /// As [`Demo::take`], whatever the responses look like.
    pub(crate) fn take_as_it_is(&self, call: &Call, tool: &Tool, responses: Object) -> Result<(), Refusal> {
        let now = self.now_ms();
        for (key, response, why) in
            self.0.calls.take(&call.id, responses, now, |call| self.outstanding(call, tool))?
        {
            match why {
                None => self.journal().write(|at| JournalEntry::Taken {
                    at,
                    call: call.id.clone(),
                    key,
                    response,
                }),
                Some(why) => self.not_taken(&call.id, key, response, why),
            }
        }
        Ok(())
    }

    pub(crate) fn not_taken(&self, id: &str, key: String, response: Value, why: NotTaken) {
        self.journal().write(|at| JournalEntry::NotTaken { at, call: id.to_owned(), key, response, why });
    }

    /// Ask the work to stop, unless it has ended or was asked before.
    pub(crate) fn stop(&self, call: &Call, tool: &Tool) -> Result<(), Refusal> {
        if call.cancel_asked.is_none() && !self.scene(call, tool).state.ended() {
            self.0.calls.ask_to_cancel(&call.id, self.now_ms())?;
        }
        Ok(())
    }
}

/// Why this is no response to that request; none if it could be one. What was never asked is not judged.
pub(crate) fn mismatch(request: &Value, response: &Value) -> Option<&'static str> {
    match request["method"].as_str() {
        Some("elicitation/create") => {
            if !matches!(response["action"].as_str(), Some("accept" | "decline" | "cancel")) {
                return Some("action must be accept, decline or cancel");
            }
            let content = response.get("content");
            content.is_some_and(|content| !content.is_object()).then_some("content must be an object")
        }
        Some("sampling/createMessage") => {
            let said = response["role"].is_string() && response["model"].is_string();
            (!said || response.get("content").is_none()).then_some("role, content and model are needed")
        }
        Some("roots/list") => (!response["roots"].is_array()).then_some("roots must be an array"),
        _ => None,
    }
}

/// An error in the place of a response: the client refused to be asked.
pub(crate) fn refused(error: &Value) -> Value {
    json!({ "refused": error })
}
