//! Questions: in `tasks/get` (modern) and as requests (legacy), and what becomes of their answers.

use serde_json::{Value, json};

use super::super::Fault;
use super::Leaves::{Doubt, Everything, Nothing, Refusal};
use super::{Oddity, remove};
use crate::DemoWire::{Legacy, Modern};

const GET: &str = "tasks/get";
const ASK: &str = "elicitation/create";
const RELATED: &str = "io.modelcontextprotocol/related-task";

pub(super) static ALL: &[Oddity] = &[
    Oddity::faults_of("answer_lost", "tasks/update", Nothing, |_| vec![Fault::LoseUpdate]).on(Modern),
    Oddity::faults_of("round_lost", "tools/call", Nothing, |_| vec![Fault::LoseUpdate]).on(Modern),
    Oddity::faults_of("round_of_nothing", "tools/call", Everything, |_| vec![Fault::ComeBack]).on(Modern),
    Oddity::edit("round_without_state", "tools/call", Everything, |message| {
        remove(&mut message["result"], "requestState");
    })
    .on(Modern),
    Oddity::edit("update_acknowledged_with_more", "tasks/update", Everything, |message| {
        message["result"]["status"] = "working".into();
    })
    .on(Modern),
    Oddity::edit("unknown_question_beside", GET, Everything, |message| {
        if let Some(requests) = message["result"]["inputRequests"].as_object_mut() {
            let key = format!("odd: \u{1f682} {}", "k".repeat(500));
            requests.insert(key, json!({ "method": "weather/ask", "params": { "where": "here" } }));
        }
    })
    .on(Modern),
    Oddity::edit("questions_of_the_wrong_kind_beside", GET, Everything, |message| {
        if let Some(requests) = message["result"]["inputRequests"].as_object_mut() {
            requests.insert(String::new(), json!(7));
            requests.insert("no method".into(), json!({ "params": {} }));
            requests.insert("no params".into(), json!({ "method": ASK }));
        }
    })
    .on(Modern),
    Oddity::edit("questions_as_a_list", GET, Doubt, |message| {
        if message["result"]["inputRequests"].is_object() {
            message["result"]["inputRequests"] = json!([{ "method": ASK }]);
        }
    })
    .on(Modern),
    Oddity::edit("no_questions", GET, Doubt, |message| remove(&mut message["result"], "inputRequests"))
        .on(Modern),
    Oddity::edit("modern_float_limits", GET, Everything, |message| each(message, float_limits)).on(Modern),
    Oddity::edit("modern_no_message", GET, Everything, |message| {
        each(message, |params| remove(params, "message"));
    })
    .on(Modern),
    Oddity::edit("modern_no_mode", GET, Everything, |message| each(message, |params| remove(params, "mode")))
        .on(Modern),
    Oddity::edit("modern_no_schema", GET, Doubt, |message| {
        each(message, |params| remove(params, "requestedSchema"));
    })
    .on(Modern),
    Oddity::edit("modern_broken_schema", GET, Doubt, |message| each(message, broken_schema)).on(Modern),
    Oddity::edit("modern_foreign_schema", GET, Doubt, |message| each(message, foreign_schema)).on(Modern),
    Oddity::edit("question_without_task", ASK, Everything, |message| remove(&mut message["params"], "_meta"))
        .on(Legacy),
    Oddity::edit("question_of_another_task", ASK, Doubt, |message| {
        message["params"]["_meta"][RELATED] = json!({ "taskId": "another" });
    })
    .on(Legacy),
    Oddity::edit("question_with_odd_task", ASK, Doubt, |message| {
        message["params"]["_meta"][RELATED] = "text".into();
    })
    .on(Legacy),
    Oddity::edit("float_limits", ASK, Everything, |message| float_limits(&mut message["params"])).on(Legacy),
    Oddity::edit("no_message", ASK, Everything, |message| remove(&mut message["params"], "message"))
        .on(Legacy),
    Oddity::edit("no_mode", ASK, Everything, |message| remove(&mut message["params"], "mode")).on(Legacy),
    Oddity::edit("unknown_mode", ASK, Refusal, |message| message["params"]["mode"] = "hologram".into())
        .on(Legacy),
    Oddity::edit("no_schema", ASK, Doubt, |message| remove(&mut message["params"], "requestedSchema"))
        .on(Legacy),
    Oddity::edit("broken_schema", ASK, Doubt, |message| broken_schema(&mut message["params"])).on(Legacy),
    Oddity::edit("foreign_schema", ASK, Doubt, |message| foreign_schema(&mut message["params"])).on(Legacy),
    Oddity::edit("no_params", ASK, Doubt, |message| remove(message, "params")).on(Legacy),
    Oddity::edit("unknown_question", ASK, Refusal, |message| message["method"] = "weather/ask".into())
        .on(Legacy),
    Oddity::faults_of("asked_twice", ASK, Everything, |_| vec![Fault::Twice]).on(Legacy),
    Oddity::edit("no_messages_to_sample", "sampling/createMessage", Doubt, |message| {
        remove(&mut message["params"], "messages");
    })
    .on(Legacy),
];

/// Changes the params of every elicitation in a modern answer.
fn each(message: &mut Value, change: fn(&mut Value)) {
    let requests = message["result"].get_mut("inputRequests").and_then(Value::as_object_mut);
    requests.into_iter().flat_map(|requests| requests.values_mut()).for_each(|request| {
        if let Some(params) = request.get_mut("params") {
            change(params);
        }
    });
}

fn float_limits(params: &mut Value) {
    let fields = params["requestedSchema"]["properties"].as_object_mut();
    for field in fields.into_iter().flat_map(|fields| fields.values_mut()) {
        for limit in ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] {
            if let Some(number) = field[limit].as_f64() {
                field[limit] = number.into();
            } else {
                remove(field, limit);
            }
        }
    }
}

fn broken_schema(params: &mut Value) {
    params["requestedSchema"] = json!({ "type": 7, "properties": ["a"], "required": "all" });
}

fn foreign_schema(params: &mut Value) {
    params["requestedSchema"] = json!({
        "$schema": "https://schemas.example.com/2031",
        "$ref": "https://schemas.example.com/form.json",
    });
}
