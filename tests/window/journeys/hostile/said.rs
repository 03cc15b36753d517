//! What the hostile server says: `tests/corpus/hostile-strings.json`, in every field that it controls.

use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

const CORPUS: &str = include_str!("../../../corpus/hostile-strings.json");
/// So many strings are asked for by one question.
const EACH: usize = 20;

/// All that can be told in Rust: halves of pairs cannot, and no wire of ours takes them.
pub(super) static STRINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let cases: Vec<Box<RawValue>> = serde_json::from_str(CORPUS).unwrap();
    let told = cases.iter().filter_map(|case| serde_json::from_str::<Vec<Value>>(case.get()).ok());
    told.map(|case| {
        let times = case.get(2).and_then(Value::as_u64).unwrap_or(1);
        case[1].as_str().unwrap().repeat(usize::try_from(times).unwrap())
    })
    .collect()
});

/// The tasks that asked, in order: each asks for other strings, until all of them were asked for.
static ASKING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How many questions it takes.
pub(super) fn count() -> usize {
    STRINGS.len().div_ceil(EACH)
}

pub(super) fn nth(n: usize) -> impl Iterator<Item = &'static String> {
    STRINGS.iter().skip(n * EACH).take(EACH)
}

pub(super) fn ask_for_hostile_things(message: &mut Value) {
    let task = &mut message["result"];
    let id = task["taskId"].to_string();
    let Some(request) = task["inputRequests"].as_object_mut().and_then(|asked| asked.values_mut().next())
    else {
        return;
    };
    let mut asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let n = asking.iter().position(|other| *other == id).unwrap_or_else(|| {
        asking.push(id);
        asking.len() - 1
    }) % count();
    if request["method"] == "sampling/createMessage" {
        request["params"] = conversation();
    } else if request["params"]["mode"] == "url" {
        request["params"]["message"] = all("A page").into();
    } else {
        request["params"] = question(n);
    }
    task["statusMessage"] = nth(n).cloned().collect::<String>().into();
}

/// All strings, a line each, below a title.
fn all(title: &str) -> String {
    STRINGS.iter().fold(title.to_owned(), |all, text| format!("{all}\n{text}"))
}

/// The nth question, with its strings as names, titles, descriptions, options and defaults.
fn question(n: usize) -> Value {
    let fields = nth(n).enumerate().map(|(place, text)| {
        let field = match place % 3 {
            0 => json!({ "type": "string", "title": text, "description": text, "default": text }),
            1 => json!({ "type": "string", "title": text, "description": text, "enum": [text, "other"] }),
            _ => json!({ "type": "array", "title": text, "items": { "type": "string", "enum": [text, "other"] } }),
        };
        (format!("{place} {text}"), field)
    });
    let properties: Map<String, Value> = fields.collect();
    let message = nth(n).fold(format!("Question {n}"), |all, text| format!("{all}\n{text}"));
    json!({ "mode": "form", "message": message, "requestedSchema": { "type": "object", "properties": properties } })
}

/// A model is asked with every string, by every string.
fn conversation() -> Value {
    let said =
        STRINGS.iter().map(|text| json!({ "role": text, "content": { "type": "text", "text": text } }));
    let messages: Vec<_> = said.collect();
    let hints: Vec<_> = nth(0).map(|text| json!({ "name": text })).collect();
    json!({
        "messages": messages,
        "systemPrompt": all("A conversation"),
        "modelPreferences": { "hints": hints },
        "stopSequences": nth(0).collect::<Vec<_>>(),
        "maxTokens": 200,
    })
}

/// Beside the real ones, a tool for each string, on the last page of their list.
pub(super) fn offer_hostile_tools(message: &mut Value) {
    let Some(result) = message.get_mut("result").filter(|result| result.get("nextCursor").is_none()) else {
        return;
    };
    let Some(tools) = result["tools"].as_array_mut() else { return };
    tools.extend(STRINGS.iter().enumerate().map(|(n, text)| {
        let argument = json!({ "type": "string", "title": text, "description": text, "default": text });
        let schema = json!({ "type": "object", "properties": { text: argument } });
        json!({ "name": format!("{n}{text}"), "title": text, "description": text, "inputSchema": schema })
    }));
}
