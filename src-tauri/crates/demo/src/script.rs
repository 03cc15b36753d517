//! Scenarios as data, and the pure function that plays them.
//!
//! A scenario is a list of [`Step`]s. [`Script::at`] tells what a client sees at a moment from the start of the call,
//! the answers taken and the cancellation asked for. Nothing runs in between: 10,000 tasks cost 10,000 records.

use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use crate::clock::Speed;
use crate::protocol::Refusal;
use crate::tools::tool_error;

/// A JSON object.
pub(crate) type Object = Map<String, Value>;

/// One step of a scenario. `say` is the status message; `{name}` in it stands for an argument of the call.
pub(crate) enum Step {
    /// Work for `ms`.
    Work { ms: i64, say: &'static str },
    /// Work for as many ms as the call's arguments say.
    Wait { ms: fn(&Told) -> i64, say: &'static str },
    /// Work for `ms`, counting to `of`; `{n}` is the count.
    Count { ms: i64, of: i64, say: &'static str },
    /// Ask, and wait until every request is answered, in any order.
    Ask { say: &'static str, requests: &'static [Request] },
    /// End here if the function says so.
    EndIf(fn(&Told) -> Option<End>),
    /// End here, in the way the function says.
    End(fn(&Told) -> End),
}

impl Step {
    /// What is said of the work, where it is work.
    fn work_said(&self) -> Option<&'static str> {
        match self {
            Self::Work { say, .. } | Self::Wait { say, .. } | Self::Count { say, .. } => Some(say),
            Self::Ask { .. } | Self::EndIf(_) | Self::End(_) => None,
        }
    }
}

/// An input request: its key, unique in the scenario, and the request as it goes out.
pub(crate) type Request = (&'static str, fn(&Told) -> Value);

/// How a task can end.
pub(crate) enum End {
    /// With a result of the tool, also when that says `isError`.
    Completed(Value),
    /// With a JSON-RPC error.
    Failed(Value),
    /// Without either, and why.
    Cancelled(&'static str),
}

/// An answer that was taken.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Given {
    pub(crate) key: String,
    pub(crate) response: Value,
    /// When it was taken (ms since the epoch).
    pub(crate) at: i64,
}

/// Everything a scenario has been told: the arguments of the call and the answers.
#[derive(Clone, Copy)]
pub(crate) struct Told<'a> {
    pub(crate) arguments: &'a Object,
    pub(crate) answers: &'a [Given],
}

impl<'a> Told<'a> {
    /// The argument, or null.
    pub(crate) fn argument(&self, name: &str) -> &'a Value {
        self.arguments.get(name).unwrap_or(&Value::Null)
    }

    /// The whole response to `key`.
    pub(crate) fn response(&self, key: &str) -> Option<&'a Value> {
        self.answers.iter().find(|given| given.key == key).map(|given| &given.response)
    }

    /// `accept`, `decline`, `cancel`, or empty while unanswered.
    pub(crate) fn action(&self, key: &str) -> &'a str {
        self.response(key).and_then(|response| response["action"].as_str()).unwrap_or_default()
    }

    /// One field of the accepted content of `key`, or null.
    pub(crate) fn field(&self, key: &str, name: &str) -> &'a Value {
        self.response(key).map_or(&Value::Null, |response| &response["content"][name])
    }

    /// `text` with `{name}` replaced by each argument.
    pub(crate) fn fill(&self, text: &str) -> String {
        self.arguments.iter().fold(text.to_owned(), |text, (name, value)| {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.replace(&format!("{{{name}}}"), &shown)
        })
    }
}

/// What a client sees of a task.
pub(crate) enum State {
    Working,
    InputRequired(Object),
    Completed(Value),
    Failed(Value),
    Cancelled,
}

impl State {
    /// What a plain call comes to: its result, or the error it fails with.
    pub(crate) fn result(self) -> Result<Value, Refusal> {
        match self {
            Self::Completed(result) => Ok(result),
            Self::Failed(error) => Err(Refusal::Scripted(error)),
            Self::Working | Self::InputRequired(_) | Self::Cancelled => {
                Ok(tool_error("The call was cancelled."))
            }
        }
    }

    pub(crate) fn ended(&self) -> bool {
        matches!(self, Self::Completed(_) | Self::Failed(_) | Self::Cancelled)
    }
}

/// A task at a moment.
pub(crate) struct Scene {
    pub(crate) state: State,
    pub(crate) message: String,
    /// How far it is, and of how much, while it counts.
    pub(crate) progress: Option<(i64, i64)>,
    /// Since when it looks like this (ms since the epoch).
    pub(crate) since: i64,
    /// When time alone will change it (ms since the epoch).
    pub(crate) until: Option<i64>,
}

/// A scenario started at some moment and told some things.
pub(crate) struct Script<'a> {
    pub(crate) steps: &'a [Step],
    pub(crate) told: Told<'a>,
    pub(crate) speed: Speed,
    /// When the call began (ms since the epoch).
    pub(crate) start: i64,
    /// When its cancellation was asked for.
    pub(crate) cancel_asked: Option<i64>,
    /// How long after that the work really stops (ms, as told).
    pub(crate) stopping_ms: i64,
}

impl Script<'_> {
    /// What is seen at `now` (ms since the epoch).
    pub(crate) fn at(&self, now: i64) -> Scene {
        let Some(asked) = self.cancel_asked else { return self.uninterrupted(now) };
        let stop = asked + self.speed.scaled(self.stopping_ms);
        let mut scene = self.uninterrupted(now.min(stop));
        if scene.state.ended() {
            // The work was faster than the wish to stop it.
            return scene;
        }
        if now < stop {
            scene.message = format!("stopping: {}", scene.message);
            scene.since = scene.since.max(asked);
            scene.until = Some(scene.until.map_or(stop, |until| until.min(stop)));
            return scene;
        }
        let message = "cancelled on request".into();
        Scene { state: State::Cancelled, message, progress: None, since: stop, until: None }
    }

    /// How it ends for a client that can neither wait nor be asked; none if it must wait or ask.
    pub(crate) fn straight_end(&self) -> Option<State> {
        Some(self.uninterrupted(i64::MAX).state).filter(State::ended)
    }

    fn uninterrupted(&self, now: i64) -> Scene {
        match self.steps.iter().try_fold(self.start, |t, step| self.play(step, t, now)) {
            ControlFlow::Break(scene) => scene,
            // A scenario that runs out of steps goes on working.
            ControlFlow::Continue(t) => {
                let last_said = self.steps.iter().rev().find_map(Step::work_said).unwrap_or("working");
                self.working(self.told.fill(last_said), t, None)
            }
        }
    }

    /// Plays a step that begins at `t`: what is seen of it at `now`, or when it was over before that.
    fn play(&self, step: &Step, t: i64, now: i64) -> ControlFlow<Scene, i64> {
        match step {
            Step::Work { ms, say } => self.work(*ms, say, t, now),
            Step::Wait { ms, say } => self.work(ms(&self.told), say, t, now),
            Step::Count { ms, of, say } => self.count((*ms, *of), say, t, now),
            Step::Ask { say, requests } => self.ask(requests, say, t),
            Step::EndIf(end) => match end(&self.told) {
                Some(end) => ControlFlow::Break(ended(end, t)),
                None => ControlFlow::Continue(t),
            },
            Step::End(end) => ControlFlow::Break(ended(end(&self.told), t)),
        }
    }

    fn work(&self, ms: i64, say: &str, t: i64, now: i64) -> ControlFlow<Scene, i64> {
        let end = t.saturating_add(self.speed.scaled(ms));
        if now < end {
            return ControlFlow::Break(self.working(self.told.fill(say), t, Some(end)));
        }
        ControlFlow::Continue(end)
    }

    fn count(&self, (ms, of): (i64, i64), say: &str, t: i64, now: i64) -> ControlFlow<Scene, i64> {
        // At least 1: at the highest speed a short step has no length at all.
        let length = self.speed.scaled(ms).max(1);
        if now < t + length {
            let n = (now - t).max(0) * of / length;
            let reached = |n: i64| t + (n * length + of - 1) / of;
            let message = self.told.fill(say).replace("{n}", &n.to_string());
            let counting = self.working(message, reached(n), Some(reached(n + 1)));
            return ControlFlow::Break(Scene { progress: Some((n, of)), ..counting });
        }
        ControlFlow::Continue(t + length)
    }

    fn ask(&self, requests: &[Request], say: &str, t: i64) -> ControlFlow<Scene, i64> {
        let open: Object = requests
            .iter()
            .filter(|(key, _)| self.told.response(key).is_none())
            .map(|(key, request)| ((*key).to_owned(), request(&self.told)))
            .collect();
        let is_one = |given: &&Given| requests.iter().any(|(key, _)| given.key == *key);
        let t_given = self.told.answers.iter().filter(is_one).map(|given| given.at).fold(t, i64::max);
        if !open.is_empty() {
            let (state, message) = (State::InputRequired(open), self.told.fill(say));
            return ControlFlow::Break(Scene { state, message, progress: None, since: t_given, until: None });
        }
        ControlFlow::Continue(t_given)
    }

    fn working(&self, message: String, since: i64, until: Option<i64>) -> Scene {
        Scene { state: State::Working, message, progress: None, since, until }
    }
}

fn ended(end: End, since: i64) -> Scene {
    let (state, message) = match end {
        End::Completed(result) if result["isError"] == json!(true) => {
            (State::Completed(result), "the tool reported an error".into())
        }
        End::Completed(result) => (State::Completed(result), "done".into()),
        End::Failed(error) => {
            let message = error["message"].as_str().unwrap_or("failed").to_owned();
            (State::Failed(error), message)
        }
        End::Cancelled(why) => (State::Cancelled, why.into()),
    };
    Scene { state, message, progress: None, since, until: None }
}
