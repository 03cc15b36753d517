//! The table of tools, and what is common to all of them: definitions, pages, defaults, argument checks.

mod build;
mod deploy;
mod endings;
mod plain;
mod round;
mod sign;
mod survey;
mod two_questions;

use serde_json::{Value, json};

use crate::script::{Object, Request, Step, Told};

/// The ordinary TTL of a task: an hour.
pub(crate) const HOUR_MS: Option<i64> = Some(3_600_000);

/// All tools, in the order of `tools/list`.
pub(crate) static TOOLS: [Tool; 12] = [
    deploy::TOOL,
    build::TOOL,
    survey::TOOL,
    two_questions::TOOL,
    sign::TOOL,
    endings::LINT,
    endings::CRASH,
    endings::SHORT_LIVED,
    endings::FOREVER,
    plain::ECHO,
    round::TOOL,
    plain::SLOW_PLAIN,
];

/// Tools on one page of `tools/list`, and the cursors of the pages after the first. An empty string is a cursor, too.
const PAGE: usize = 5;
const CURSORS: [&str; 2] = ["", "last"];

/// One tool: how it is listed and how it answers.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) input: fn() -> Value,
    pub(crate) output: Option<fn() -> Value>,
    pub(crate) answer: Answer,
}

/// How a tool answers `tools/call`.
pub(crate) enum Answer {
    /// With a result, after waiting (ms).
    Plain { wait_ms: fn(&Told) -> i64, result: fn(&Told) -> Value },
    /// With a multi round-trip request: these must be answered by the retry, then the result.
    Round { requests: &'static [Request], result: fn(&Told) -> Value },
    /// With a task that plays these steps.
    Task { ttl: Ttl, steps: &'static [Step] },
}

/// How long a task is kept after it was created.
pub(crate) enum Ttl {
    /// This long (ms) whatever the speed; none: for ever.
    Fixed(Option<i64>),
    /// This long (ms) as the story tells it.
    Told(i64),
}

pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The page that starts at this cursor (none: the first) and the cursor of the next; none for a cursor never given out.
pub(crate) fn page(cursor: Option<&str>) -> Option<(Vec<Value>, Option<&'static str>)> {
    let index = match cursor {
        None => 0,
        Some(cursor) => CURSORS.iter().position(|known| *known == cursor)? + 1,
    };
    let tools = TOOLS.chunks(PAGE).nth(index)?.iter().map(Tool::definition).collect();
    Some((tools, CURSORS.get(index).copied()))
}

impl Tool {
    fn definition(&self) -> Value {
        let mut definition = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.input)(),
        });
        if let Some(output) = self.output {
            definition["outputSchema"] = output();
        }
        definition
    }

    /// The arguments with the schema's defaults filled in.
    pub(crate) fn with_defaults(&self, mut arguments: Object) -> Object {
        if let Value::Object(properties) = &(self.input)()["properties"] {
            for (name, schema) in properties {
                if let Some(default) = schema.get("default") {
                    arguments.entry(name.as_str()).or_insert_with(|| default.clone());
                }
            }
        }
        arguments
    }

    /// What is wrong with the arguments, one sentence each.
    pub(crate) fn problems(&self, arguments: &Object) -> Vec<String> {
        let schema = (self.input)();
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let missing =
            required.filter(|name| !arguments.contains_key(*name)).map(|name| format!("{name} is required"));
        let wrong = arguments.iter().filter_map(|(name, value)| {
            let expected = mismatch(schema["properties"].get(name)?, value)?;
            Some(format!("{name} must be {expected}"))
        });
        missing.chain(wrong).collect()
    }
}

/// What the schema wants instead of the value; none if it fits. Knows the keywords these tools use.
fn mismatch(schema: &Value, value: &Value) -> Option<String> {
    let fits = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    if !fits {
        return Some(format!("of type {}", schema["type"]));
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let known: Vec<String> = options.iter().map(|option| option["const"].to_string()).collect();
        return (!known.contains(&value.to_string())).then(|| format!("one of {}", known.join(", ")));
    }
    let number = value.as_f64()?;
    let (low, high) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let outside = low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high);
    outside.then(|| format!("from {} to {}", schema["minimum"], schema["maximum"]))
}

/// A result of one text.
pub(crate) fn text(text: impl Into<String>) -> Value {
    json!({ "resultType": "complete", "content": [{ "type": "text", "text": text.into() }], "isError": false })
}

/// A result of one text and the same as data.
pub(crate) fn text_and(text: impl Into<String>, structured: Value) -> Value {
    let mut result = self::text(text);
    result["structuredContent"] = structured;
    result
}

/// A result by which the tool says that it failed.
pub(crate) fn tool_error(text: impl Into<String>) -> Value {
    let mut result = self::text(text);
    result["isError"] = true.into();
    result
}

/// An elicitation in form mode.
pub(crate) fn form(message: impl Into<String>, properties: Value, required: &[&str]) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message.into(),
            "requestedSchema": { "type": "object", "properties": properties, "required": required },
        },
    })
}
