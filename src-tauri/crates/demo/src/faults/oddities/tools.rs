//! Lists of tools, and what they say of each.

use serde_json::{Value, json};

use super::Carrier::Http;
use super::Leaves::{Doubt, Everything};
use super::{Oddity, remove};
use crate::DemoWire::{Legacy, Modern};

const LIST: &str = "tools/list";

pub(super) static ALL: &[Oddity] = &[
    Oddity::edit("odd_tools_beside", LIST, Everything, |message| {
        add(message, json!(7));
        add(message, json!({ "title": "A tool without a name" }));
        add(message, json!({ "name": 7, "inputSchema": {} }));
        add(message, json!({ "name": "no_schema" }));
        add(message, json!({ "name": "odd_schema", "inputSchema": "any", "annotations": [1], "icons": {} }));
    }),
    Oddity::edit("tool_twice", LIST, Everything, |message| {
        let first = message["result"]["tools"][0].clone();
        add(message, first);
    }),
    Oddity::edit("null_cursor", LIST, Doubt, |message| message["result"]["nextCursor"] = json!(null)),
    Oddity::edit("cursor_is_a_number", LIST, Doubt, |message| message["result"]["nextCursor"] = 7.into()),
    Oddity::edit("same_cursor_again", LIST, Doubt, |message| message["result"]["nextCursor"] = "".into()),
    Oddity::edit("no_tools", LIST, Doubt, |message| remove(&mut message["result"], "tools")),
    Oddity::edit("tools_as_a_map", LIST, Doubt, |message| {
        message["result"]["tools"] = json!({ "echo": { "inputSchema": {} } });
    }),
    Oddity::edit("unknown_task_support", LIST, Doubt, |message| {
        each(message, |tool| tool["execution"]["taskSupport"] = "sometimes".into());
    })
    .on(Legacy),
    Oddity::edit("no_execution", LIST, Doubt, |message| each(message, |tool| remove(tool, "execution")))
        .on(Legacy),
    Oddity::edit("header_annotations_that_are_invalid", LIST, Everything, |message| {
        for (name, header) in [("no_name", json!("")), ("two_words", json!("a b")), ("no_text", json!(7))] {
            let text = json!({ "type": "string", "x-mcp-header": header });
            add(
                message,
                json!({ "name": name, "inputSchema": { "type": "object", "properties": { "a": text } } }),
            );
        }
        let number = json!({ "a": { "type": "number", "x-mcp-header": "A" } });
        add(
            message,
            json!({ "name": "a_number", "inputSchema": { "type": "object", "properties": number } }),
        );
        let same = json!({
            "a": { "type": "string", "x-mcp-header": "A" },
            "b": { "type": "string", "x-mcp-header": "a" },
        });
        add(
            message,
            json!({ "name": "same_twice", "inputSchema": { "type": "object", "properties": same } }),
        );
    })
    .on(Modern)
    .over(Http),
];

fn add(message: &mut Value, tool: Value) {
    if let Some(tools) = message["result"]["tools"].as_array_mut() {
        tools.push(tool);
    }
}

fn each(message: &mut Value, change: fn(&mut Value)) {
    message["result"]["tools"].as_array_mut().into_iter().flatten().for_each(change);
}
