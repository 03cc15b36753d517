//! What a person can be told of what came, as short texts: the first word says of what.

use signalbox_forms::{FormSpec, form_spec};
use signalbox_mcp::{Error, Hint, QuestionView, RpcError, Stage, TaskView, Tool, ToolResult, Ttl};
use signalbox_model::{Json, Mode, Status, Timestamp, Word};

/// What came of one request: the facts, and the JSON in which they were kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) facts: Vec<String>,
    pub(crate) kept: Vec<Json>,
}

impl Seen {
    pub(crate) fn say(&mut self, fact: impl Into<String>) {
        self.facts.push(fact.into());
    }

    pub(crate) fn failed(error: &Error) -> Self {
        let kept = match error {
            Error::Rpc { raw, .. } => Some(raw),
            Error::Protocol { raw, .. } | Error::Garbled { raw, .. } => raw.as_ref(),
            _ => None,
        };
        Self { facts: vec![format!("fails {}", said(error))], kept: kept.cloned().into_iter().collect() }
    }

    /// Everything that a view of a task shows.
    pub(crate) fn task(&mut self, view: &TaskView, asked: &str) {
        let text = view.status_text.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
        self.say(format!("status {}{text}", view.status.word()));
        self.say(format!("message {}", view.status_message.as_deref().map_or("-".into(), brief)));
        let id = match view.task_id.as_deref() {
            Some(id) if id == asked => "as asked",
            Some(_) => "another",
            None => "-",
        };
        self.say(format!("id {id}"));
        let time = |time: Option<Timestamp>| time.map_or("-".into(), |time| time.to_string());
        self.say(format!("created {}", time(view.created_at)));
        self.say(format!("updated {}", time(view.last_updated_at)));
        self.say(match view.ttl {
            Ttl::Unlimited => "ttl unlimited".into(),
            Ttl::Ms(ms) => format!("ttl {ms}"),
            Ttl::Unknown => "ttl unknown".into(),
        });
        self.say(format!("poll {}", view.poll_interval_ms.map_or("-".into(), |ms| ms.to_string())));
        for (key, question) in &view.input_requests {
            self.question(key, question);
        }
        if let Some(result) = &view.result {
            self.result(result);
        }
        if let Some(RpcError { code, message, .. }) = &view.error {
            self.say(format!("error {code} {message}"));
        }
        if view.status == Status::Unknown && view.status_text.is_none() {
            self.say("nothing legible");
        }
    }

    pub(crate) fn question(&mut self, key: &str, raw: &Json) {
        let view = QuestionView::read(raw);
        let what = match view.mode {
            Mode::Form => "a form".into(),
            Mode::Url => "a visit".into(),
            Mode::Other => format!("JSON {:?}", view.method),
        };
        self.say(format!("asks {what} by {}", brief(key)));
        self.say(format!("words {}", brief(&view.message)));
        self.say(format!(
            "form {}",
            view.schema.as_ref().map_or("-".into(), |schema| form(&form_spec(schema.text())))
        ));
        self.kept.push(raw.clone());
    }

    pub(crate) fn result(&mut self, raw: &Json) {
        let view = ToolResult::read(raw);
        self.say(format!(
            "result {}{}",
            if view.is_error { "that failed: " } else { "" },
            brief(&view.text())
        ));
        self.kept.push(raw.clone());
    }

    pub(crate) fn tools(&mut self, tools: &[Tool]) {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        self.say(format!("tools {}", names.join(" ")));
        let support: Vec<String> = tools.iter().map(|tool| format!("{:?}", tool.task_support())).collect();
        self.say(format!("support {}", support.join(" ")));
        let described =
            |tool: &Tool| tool.title.is_some() && tool.description.is_some() && tool.input_schema.is_some();
        self.say(format!("described {}", tools.iter().filter(|tool| described(tool)).count()));
        self.kept.extend(tools.iter().map(|tool| tool.raw.clone()));
    }
}

fn form(spec: &FormSpec) -> String {
    match &spec.fallback {
        Some(fallback) => format!("as JSON: {}", fallback.why.text()),
        None => spec.fields.iter().map(|field| format!("{} {:?}; ", field.name, field.kind)).collect(),
    }
}

/// The beginning of a text, and how much there is.
fn brief(text: &str) -> String {
    let beginning: String = text.chars().take(24).collect();
    if beginning.len() < text.len() {
        format!("{beginning:?}… {}", text.len())
    } else {
        format!("{text:?}")
    }
}

/// What an error says to do, in a few words.
pub(crate) fn said(error: &Error) -> String {
    let shown = |raw: &Option<Json>| if raw.is_some() { ", shown" } else { "" };
    match error {
        Error::Rpc { code, message, .. } => format!("rpc {code} {message}"),
        Error::Unreachable { stage: Stage::Session, .. } => "session over".into(),
        Error::Unreachable { stage, .. } => format!("unreachable {stage:?}"),
        Error::Exited { .. } => "exited".into(),
        Error::Lost { .. } => "lost".into(),
        Error::Timeout { .. } => "timeout".into(),
        Error::NotMcp { status, hint: Hint::Redirect { location }, .. } => {
            format!("not mcp {}, leads to {}", status.unwrap_or(0), location.as_deref().unwrap_or("-"))
        }
        Error::NotMcp { status, hint, .. } => format!("not mcp {} {hint:?}", status.unwrap_or(0)),
        Error::LegacyOnly { version } => format!("only {}", version.as_deref().unwrap_or("older")),
        Error::SignInNeeded { status, challenge } => {
            format!("sign in {status}, {}", challenge.as_deref().unwrap_or("-"))
        }
        Error::Throttled { status, retry_after } => {
            format!("throttled {status}, {}", retry_after.map_or("-".into(), |wait| format!("{wait:?}")))
        }
        Error::TooLarge { .. } => "too large".into(),
        Error::TooMuch { .. } => "too much".into(),
        Error::Protocol { raw, .. } => format!("protocol{}", shown(raw)),
        Error::Garbled { raw, .. } => format!("garbled{}", shown(raw)),
        Error::Closed => "closed".into(),
    }
}
