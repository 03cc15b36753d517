//! JSON-RPC: ids, members and messages that should not be there, or are not.

use serde_json::json;

use super::super::Fault;
use super::Carrier::Stdio;
use super::Leaves::{Doubt, Everything, Nothing};
use super::{Oddity, remove};

const GET: &str = "tasks/get";

pub(super) static ALL: &[Oddity] = &[
    Oddity::faults_of("banner", GET, Everything, |_| junk("Server 2.1 listening (really)")).over(Stdio),
    Oddity::faults_of("blank_line", GET, Everything, |_| junk("   ")).over(Stdio),
    Oddity::faults_of("log_line", GET, Everything, |_| junk(r#"{"level":"info","msg":"polled"}"#))
        .over(Stdio),
    Oddity::faults_of("half_a_line", GET, Everything, |_| junk(r#"{"jsonrpc":"2.0","id":1,"result":{"sta"#))
        .over(Stdio),
    Oddity::faults_of("long_line", GET, Everything, |_| junk(&"x".repeat(20_000_000))).over(Stdio),
    Oddity::faults_of("coloured_line", GET, Everything, |_| junk("\u{1b}[31mWARN\u{1b}[0m low on disk"))
        .over(Stdio),
    Oddity::faults_of("error_without_id", GET, Nothing, |_| vec![Fault::NoId]),
    Oddity::edit("error_with_null_id", GET, Nothing, |message| {
        *message =
            json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32603, "message": "Internal error" } });
    }),
    Oddity::edit("null_id", GET, Nothing, |message| message["id"] = json!(null)),
    Oddity::edit("id_as_text", GET, Doubt, |message| message["id"] = message["id"].to_string().into()),
    Oddity::edit("id_as_float", GET, Doubt, |message| {
        if let Some(id) = message["id"].as_f64() {
            message["id"] = id.into();
        }
    }),
    Oddity::faults_of("error_without_id_before", GET, Everything, |_| {
        extra(json!({ "jsonrpc": "2.0", "error": { "code": -32603, "message": "Something else failed" } }))
    }),
    Oddity::faults_of("answer_to_nothing", GET, Everything, |_| {
        extra(json!({ "jsonrpc": "2.0", "id": 999_999_999, "result": { "status": "completed" } }))
    }),
    Oddity::faults_of("unknown_notification", GET, Everything, |_| {
        extra(json!({ "jsonrpc": "2.0", "method": "notifications/weather", "params": { "rain": true } }))
    }),
    Oddity::faults_of("log_notification", GET, Everything, |_| {
        let params = json!({ "level": "info", "logger": "x", "data": "hello" });
        extra(json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params }))
    }),
    Oddity::faults_of("unknown_request", GET, Everything, |_| {
        extra(json!({ "jsonrpc": "2.0", "id": "odd-1", "method": "weather/get", "params": {} }))
    }),
    Oddity::faults_of("ping", GET, Everything, |_| {
        extra(json!({ "jsonrpc": "2.0", "id": "odd-ping", "method": "ping" }))
    }),
    Oddity::faults_of("answered_twice", GET, Everything, |_| vec![Fault::Twice]),
    Oddity::edit("no_jsonrpc", GET, Everything, |message| remove(message, "jsonrpc")),
    Oddity::edit("another_jsonrpc", GET, Everything, |message| message["jsonrpc"] = "1.0".into()),
    Oddity::edit("more_members", GET, Everything, |message| {
        message["trace"] = json!({ "span": 7 });
        message["method"] = json!(null);
        message["result"]["x-vendor"] = json!([1, { "deep": true }]);
    }),
    Oddity::edit("null_error_beside_result", GET, Everything, |message| message["error"] = json!(null)),
    Oddity::edit("result_and_error", GET, Doubt, |message| {
        message["error"] = json!({ "code": -32603, "message": "and yet it failed" });
    }),
    Oddity::edit("neither_result_nor_error", GET, Nothing, |message| remove(message, "result")),
    Oddity::edit("null_result", GET, Nothing, |message| message["result"] = json!(null)),
    Oddity::edit("text_result", GET, Nothing, |message| message["result"] = "completed".into()),
    Oddity::edit("list_result", GET, Nothing, |message| message["result"] = json!([1, 2])),
    Oddity::edit("error_is_text", GET, Doubt, |message| {
        *message = json!({ "jsonrpc": "2.0", "id": message["id"], "error": "it failed" });
    }),
    Oddity::edit("error_code_is_text", GET, Doubt, |message| {
        let error = json!({ "code": "E42", "message": 7 });
        *message = json!({ "jsonrpc": "2.0", "id": message["id"], "error": error });
    }),
];

fn junk(line: &str) -> Vec<Fault> {
    vec![Fault::Junk(line.to_owned())]
}

fn extra(message: serde_json::Value) -> Vec<Fault> {
    vec![Fault::Extra(message)]
}
