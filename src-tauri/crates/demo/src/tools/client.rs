//! Tools that ask the client itself for something: a model's words, or its roots.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, text, text_and};
use crate::script::{End, Step, Told};

pub(super) const SUMMARIZE: Tool = Tool {
    name: "summarize",
    title: "Summarize the incident",
    description: "Lets the client's model write the summary.",
    input: || {
        json!({
            "type": "object",
            "properties": { "topic": { "type": "string", "title": "Topic", "default": "last night's outage" } },
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Optional,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 500, say: "reading about {topic}" },
        Step::Ask { say: "waiting for a model", requests: &[("summary", sampling)] },
        Step::Work { ms: 500, say: "filing the summary" },
        Step::End(|told| {
            let Some(said) = told.response("summary").filter(|said| said["content"] != Value::Null) else {
                return End::Completed(text("No summary: the client would not ask its model."));
            };
            End::Completed(text_and(format!("Summary by {}", said["model"]), said.clone()))
        }),
    ],
};

pub(super) const LIST_ROOTS: Tool = Tool {
    name: "list_roots",
    title: "List the client's roots",
    description: "Asks which folders the client lets it see.",
    input: || json!({ "type": "object", "properties": {} }),
    output: None,
    destroys: false,
    tasks: Support::Optional,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Ask { say: "waiting for the roots", requests: &[("roots", roots)] },
        Step::End(|told| {
            let roots = told.response("roots").map_or(&Value::Null, |response| &response["roots"]);
            let count = roots.as_array().map_or(0, Vec::len);
            End::Completed(text_and(format!("{count} roots"), json!({ "roots": roots })))
        }),
    ],
};

fn sampling(told: &Told) -> Value {
    let ask = told.fill("Summarize {topic} in one sentence.");
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{ "role": "user", "content": { "type": "text", "text": ask } }],
            "systemPrompt": "You write for engineers on call.",
            "modelPreferences": { "hints": [{ "name": "small" }], "speedPriority": 0.8 },
            "maxTokens": 200,
        },
    })
}

fn roots(_: &Told) -> Value {
    json!({ "method": "roots/list", "params": {} })
}
