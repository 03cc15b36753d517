//! Tools that never make a task, and ask nothing.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, text_and};
use crate::script::{End, Step};

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
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[Step::End(|told| {
        let text = told.argument("text").as_str().unwrap_or_default();
        End::Completed(text_and(text, Value::Object(told.arguments.clone())))
    })],
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
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Wait { ms: |told| told.argument("ms").as_i64().unwrap_or_default(), say: "waiting {ms} ms" },
        Step::End(|told| End::Completed(super::text(told.fill("Waited {ms} ms.")))),
    ],
};

pub(super) const SLOW_PROGRESS: Tool = Tool {
    name: "slow_progress",
    title: "Slow, with progress",
    description: "Makes the caller wait, and says how far it is to who gave a progress token.",
    input: || json!({ "type": "object", "properties": {} }),
    output: None,
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Count { ms: 5000, of: 5, say: "copied {n}/5 volumes" },
        Step::End(|_| End::Completed(super::text("Copied 5 volumes."))),
    ],
};

/// Its header has another name in every other edition of the tools (see [`crate::Demo::change_tools`]).
pub(super) const REGION_STATUS: Tool = Tool {
    name: "region_status",
    title: "Status of a region",
    description: "Wants its arguments repeated in headers, for those on the way.",
    input: || {
        json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "title": "Region", "x-mcp-header": "Region" },
                "detail": {
                    "type": "object",
                    "title": "Detail",
                    "properties": {
                        "level": { "type": "integer", "title": "Level", "x-mcp-header": "Detail-Level" },
                        "verbose": { "type": "boolean", "title": "Verbose", "x-mcp-header": "Verbose" },
                    },
                },
            },
            "required": ["region"],
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[Step::End(|told| {
        let text = told.fill("All is well in {region}.");
        End::Completed(text_and(text, Value::Object(told.arguments.clone())))
    })],
};
