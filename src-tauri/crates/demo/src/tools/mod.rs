//! The table of tools, and what is common to all of them: definitions, pages, defaults, argument checks.

mod build;
mod client;
mod deploy;
mod drop_database;
mod endings;
mod plain;
mod round;
mod sign;
mod survey;
mod two_questions;

use serde_json::{Value, json};

use crate::script::{Object, Request, Step};

/// The ordinary TTL of a task: an hour.
pub(crate) const HOUR_MS: Option<i64> = Some(3_600_000);

/// All tools, in the order of `tools/list`.
pub(crate) static TOOLS: [Tool; 19] = [
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
    round::ONE,
    plain::SLOW_PLAIN,
    plain::SLOW_PROGRESS,
    round::CONFIRM,
    round::CONNECT,
    client::SUMMARIZE,
    client::LIST_ROOTS,
    plain::REGION_STATUS,
    drop_database::TOOL,
];

/// Tools on one page of `tools/list`, and the cursors of the pages after the first. An empty string is a cursor, too.
const PAGE: usize = 5;
const CURSORS: [&str; 3] = ["", "next \u{1f682}", "last"];

/// One tool: how it is listed and how it answers.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) input: fn() -> Value,
    pub(crate) output: Option<fn() -> Value>,
    /// Whether it says of itself that it may destroy something.
    pub(crate) destroys: bool,
    pub(crate) tasks: Support,
    pub(crate) ttl: Ttl,
    /// The scenario, whether it is played by a task or while the caller waits.
    pub(crate) steps: &'static [Step],
}

/// Whether a call of the tool can be a task (the words are the legacy wire's; on the modern one the server decides).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    Required,
    Optional,
    Forbidden,
}

impl Support {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Forbidden => "forbidden",
        }
    }
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
pub(crate) fn page(
    cursor: Option<&str>,
) -> Option<(impl Iterator<Item = &'static Tool>, Option<&'static str>)> {
    let index = match cursor {
        None => 0,
        Some(cursor) => CURSORS.iter().position(|known| *known == cursor)? + 1,
    };
    Some((TOOLS.chunks(PAGE).nth(index)?.iter(), CURSORS.get(index).copied()))
}

impl Tool {
    /// As it is listed, but for what a wire adds.
    pub(crate) fn definition(&self, edition: u32) -> Value {
        let mut definition = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.schema(edition),
        });
        if let Some(output) = self.output {
            definition["outputSchema"] = output();
        }
        if self.destroys {
            definition["annotations"] = json!({ "destructiveHint": true });
        }
        definition
    }

    /// The schema of its arguments. Every other edition of the tools names a header differently.
    pub(crate) fn schema(&self, edition: u32) -> Value {
        let mut schema = (self.input)();
        if edition % 2 == 1
            && let Some(header) = schema.pointer_mut("/properties/region/x-mcp-header")
        {
            *header = "Place".into();
        }
        schema
    }

    /// Everything it may ask.
    pub(crate) fn asks(&self) -> impl Iterator<Item = &'static Request> {
        self.steps.iter().flat_map(|step| if let Step::Ask { requests, .. } = step { *requests } else { &[] })
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
