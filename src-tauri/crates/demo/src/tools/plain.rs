//! Tools that answer with a plain result.

use serde_json::{Value, json};

use super::{Answer, Tool, text_and};

pub(super) const ECHO: Tool = Tool {
    name: "echo",
    title: "Echo",
    description: "Gives back what it got, at once.",
    input: || {
        json!({
            "type": "object",
            "properties": { "text": { "type": "string", "title": "Text", "description": "Anything" } },
            "required": ["text"],
        })
    },
    output: None,
    answer: Answer::Plain {
        wait_ms: |_| 0,
        result: |told| {
            let text = told.argument("text").as_str().unwrap_or_default();
            text_and(text, Value::Object(told.arguments.clone()))
        },
    },
};

pub(super) const SLOW_PLAIN: Tool = Tool {
    name: "slow_plain",
    title: "Slow, without a task",
    description: "Makes the caller wait for a plain result.",
    input: || {
        json!({
            "type": "object",
            "properties": {
                "ms": {
                    "type": "integer",
                    "title": "Wait",
                    "description": "How long to wait, in milliseconds",
                    "minimum": 0,
                    "maximum": 600_000,
                    "default": 10_000,
                },
            },
        })
    },
    output: None,
    answer: Answer::Plain {
        wait_ms: |told| told.argument("ms").as_i64().unwrap_or_default(),
        result: |told| super::text(told.fill("Waited {ms} ms.")),
    },
};
