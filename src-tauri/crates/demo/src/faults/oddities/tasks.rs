//! Tasks: members of the wrong kind, missing or too many, and handles of every shape.

use serde_json::{Value, json};

use super::super::Fault;
use super::Leaves::{Doubt, Everything};
use super::{Oddity, remove};
use crate::DemoWire::{Legacy, Modern};

const GET: &str = "tasks/get";
const CALL: &str = "tools/call";
const RESULT: &str = "tasks/result";
const STATUS: &str = "notifications/tasks/status";
const TIMES: [&str; 2] = ["createdAt", "lastUpdatedAt"];

pub(super) static ALL: &[Oddity] = &[
    Oddity::edit("content_beside_task", CALL, Everything, |message| {
        message["result"]["content"] = json!([]);
        message["result"]["isError"] = false.into();
    }),
    Oddity::edit("members_beside_task", CALL, Everything, |message| {
        task(message)["owner"] = json!({ "team": "ops" });
        message["result"]["_meta"]["x"] = 1.into();
    }),
    Oddity::faults_of("colons_in_task_id", CALL, Everything, |_| named(|id| format!("urn:task:{id}::1"))),
    Oddity::faults_of("base64url_task_id", CALL, Everything, |_| named(|id| format!("-_{id}=="))),
    Oddity::faults_of("uuid_task_id", CALL, Everything, |_| {
        named(|id| format!("{}-{}-4{}-a{}-{}", &id[..8], &id[8..12], &id[13..16], &id[17..20], &id[20..]))
    }),
    Oddity::faults_of("unicode_task_id", CALL, Everything, |_| {
        named(|id| format!("t\u{e2}che \u{1f682} {id} "))
    }),
    Oddity::faults_of("long_task_id", CALL, Everything, |_| named(|id| id.repeat(60))),
    Oddity::faults_of("path_task_id", CALL, Everything, |_| named(|id| format!("../../{id}?x=%00&y#z\\"))),
    Oddity::edit("times_with_offset", GET, Everything, |message| {
        times(message, |text| text.replace('Z', "+00:00").into());
    }),
    Oddity::edit("times_with_nanoseconds", GET, Everything, |message| {
        times(message, |text| format!("{}.123456789Z", &text[..19]).into());
    }),
    Oddity::edit("times_without_fraction", GET, Everything, |message| {
        times(message, |text| format!("{}Z", &text[..19]).into());
    }),
    Oddity::edit("times_without_zone", GET, Doubt, |message| times(message, |text| text[..19].into())),
    Oddity::edit("times_as_numbers", GET, Doubt, |message| times(message, |_| 1_767_225_600_000_i64.into())),
    Oddity::edit("times_as_words", GET, Doubt, |message| times(message, |_| "yesterday".into())),
    Oddity::edit("no_times", GET, Doubt, |message| {
        TIMES.iter().for_each(|member| remove(task(message), member));
    }),
    Oddity::edit("float_numbers", GET, Everything, |message| {
        numbers(message, |number| number.as_f64().map_or(Value::Null, Value::from));
    }),
    Oddity::edit("numbers_as_text", GET, Doubt, |message| {
        numbers(message, |number| number.to_string().into())
    }),
    Oddity::edit("negative_numbers", GET, Doubt, |message| numbers(message, |_| (-5).into())),
    Oddity::edit("zero_numbers", GET, Doubt, |message| numbers(message, |_| 0.into())),
    Oddity::edit("enormous_numbers", GET, Doubt, |message| numbers(message, |_| 1e300.into())),
    Oddity::edit("no_numbers", GET, Doubt, |message| {
        ["ttl", "ttlMs", "pollInterval", "pollIntervalMs"]
            .iter()
            .for_each(|name| remove(task(message), name));
    }),
    Oddity::edit("both_spellings", GET, Everything, |message| {
        let task = task(message);
        (task["ttl"], task["pollInterval"]) = (3_600_000.into(), 1000.into());
        (task["ttlMs"], task["pollIntervalMs"]) = (3_600_000.into(), 1000.into());
    }),
    Oddity::edit("unlimited_ttl", GET, Everything, |message| {
        let task = task(message);
        let name = if task.get("ttlMs").is_some() { "ttlMs" } else { "ttl" };
        task[name] = json!(null);
    }),
    Oddity::edit("unknown_status", GET, Doubt, |message| task(message)["status"] = "paused".into()),
    Oddity::edit("status_in_capitals", GET, Doubt, |message| task(message)["status"] = "WORKING".into()),
    Oddity::edit("status_is_a_number", GET, Doubt, |message| task(message)["status"] = 3.into()),
    Oddity::edit("no_status", GET, Doubt, |message| remove(task(message), "status")),
    Oddity::edit("no_status_message", GET, Everything, |message| remove(task(message), "statusMessage")),
    Oddity::edit("status_message_is_an_object", GET, Doubt, |message| {
        task(message)["statusMessage"] = json!({ "text": "working" });
    }),
    Oddity::edit("status_message_is_huge", GET, Everything, |message| {
        task(message)["statusMessage"] = "\u{202e}<b>x</b>\n".repeat(10_000).into();
    }),
    Oddity::edit("no_task_id", GET, Everything, |message| remove(task(message), "taskId")),
    Oddity::edit("another_task_id", GET, Doubt, |message| task(message)["taskId"] = "another".into()),
    Oddity::edit("task_type_on_get", GET, Everything, |message| {
        message["result"]["resultType"] = "task".into()
    }),
    Oddity::edit("no_result_type", GET, Everything, |message| remove(&mut message["result"], "resultType"))
        .on(Modern),
    Oddity::edit("unknown_result_type", CALL, Doubt, |message| {
        message["result"]["resultType"] = "banana".into()
    })
    .on(Modern),
    Oddity::edit("flat_task", CALL, Doubt, |message| {
        let task = task(message).take();
        message["result"] = task;
    })
    .on(Legacy),
    Oddity::edit("nested_on_get", GET, Everything, |message| {
        let task = message["result"].take();
        message["result"] = json!({ "task": task });
    })
    .on(Legacy),
    Oddity::edit("result_of_meta_alone", RESULT, Doubt, |message| {
        if message["result"].is_object() {
            message["result"] = json!({ "_meta": message["result"]["_meta"] });
        }
    })
    .on(Legacy),
    Oddity::edit("result_without_meta", RESULT, Everything, |message| {
        remove(&mut message["result"], "_meta")
    })
    .on(Legacy),
    Oddity::edit("result_with_a_type", RESULT, Everything, |message| {
        if message["result"].is_object() {
            message["result"]["resultType"] = "complete".into();
        }
    })
    .on(Legacy),
    Oddity::edit("content_is_text", RESULT, Doubt, |message| {
        if message["result"].is_object() {
            message["result"]["content"] = "done".into();
        }
    })
    .on(Legacy),
    Oddity::edit("notice_without_status", STATUS, Everything, |message| {
        remove(&mut message["params"], "status");
    })
    .on(Legacy),
    Oddity::edit("notice_of_nothing", STATUS, Everything, |message| remove(message, "params")).on(Legacy),
    Oddity::edit("progress_in_words", "notifications/progress", Everything, |message| {
        message["params"]["progress"] = "much".into();
        message["params"]["total"] = (-1).into();
    }),
];

/// The task in an answer, wherever its wire puts it.
fn task(message: &mut Value) -> &mut Value {
    let nested = message["result"]["task"].is_object();
    let result = &mut message["result"];
    if nested { &mut result["task"] } else { result }
}

fn times(message: &mut Value, change: impl Fn(&str) -> Value) {
    for member in TIMES {
        let time = &mut task(message)[member];
        if let Some(text) = time.as_str().filter(|text| text.len() >= 20) {
            *time = change(text);
        }
    }
}

fn numbers(message: &mut Value, change: impl Fn(&Value) -> Value) {
    for number in task(message).as_object_mut().into_iter().flat_map(|members| members.values_mut()) {
        if number.is_number() {
            *number = change(number);
        }
    }
}

fn named(name: fn(&str) -> String) -> Vec<Fault> {
    vec![Fault::TaskId(name)]
}
