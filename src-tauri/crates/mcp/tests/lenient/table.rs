//! The table. One file, although it is long, so that what servers were seen to do can be read in one place.
//!
//! A row whose name is an oddity of the demo server is done by that; the others say themselves what is done.

use serde_json::json;
use signalbox_demo::{
    Carrier::{Http, Stdio},
    DemoWire::{Legacy, Modern},
    Fault, Style,
};

use crate::{
    asks::Ask,
    row::{
        Does::{self, Faults, Manners, Odd, OddTwice, Odds, Result, Results, Says, Schema},
        Holds::{self, But, Is, On, Over, Same},
        Row,
    },
};

const STATUSES: &str = "stdio has no statuses and no headers";
const BODIES: &str = "stdio has no bodies: its messages are lines";
const STREAMS: &str = "stdio has one stream, which is no event stream";
const LINES: &str = "over HTTP nothing stands between messages";
const NO_RESULTS: &str = "the modern wire has no tasks/result: results are in tasks/get";
const NO_SESSIONS: &str = "the modern wire has no sessions";
const NO_UPDATES: &str = "the legacy wire has no tasks/update: replies are responses";
const NO_ROUNDS: &str = "the legacy wire has no rounds (MRTR)";
const NO_MAP: &str = "the legacy wire asks one question in each request";
const REQUESTS: &str = "the modern wire asks by no requests";
const NO_LIST: &str = "the modern wire has no tasks/list";
const MANNERS: &str = "manners of the legacy wire";
const NO_LISTENING: &str = "the legacy wire has no subscriptions";
const NOTICES: &str = "the modern wire tells by subscriptions";
const NO_SUPPORT: &str = "the modern wire's tools say nothing of tasks";
const NO_TYPES: &str = "the legacy wire has no resultType";
const NO_NESTING: &str = "the modern wire's tasks are flat";
const NO_PARAMS: &str = "only modern HTTP repeats arguments in headers";
const ANOTHER: &str = "a code of the modern wire";

const GARBLED_OR_SILENT: Holds = Over { http: &Is(&["fails garbled"]), stdio: &Is(&["fails timeout"]) };
const EMPTY_TASK: Holds =
    Is(&["status unknown", "message -", "id -", "ttl unknown", "poll -", "nothing legible"]);

#[rustfmt::skip]
pub(crate) fn rows() -> Vec<Row> {
    [envelopes(), bytes(), bodies(), statuses(), tasks(), calls(), results(), questions(), lists(), beginnings(), news()]
        .into_iter()
        .flatten()
        .collect()
}

fn look(name: &'static str, does: Does, holds: Holds) -> Row {
    Row::new(Ask::Look, name, does, holds)
}

/// JSON-RPC: ids, members, and messages that should not be there, or are not.
#[rustfmt::skip]
fn envelopes() -> Vec<Row> {
    vec![
        look("banner", Odd, Same).over(Stdio, LINES),
        look("blank_line", Odd, Same).over(Stdio, LINES),
        look("log_line", Odd, Same).over(Stdio, LINES),
        look("half_a_line", Odd, Same).over(Stdio, LINES),
        look("long_line", Odd, Same).over(Stdio, LINES),
        look("coloured_line", Odd, Same).over(Stdio, LINES),
        look("junk of every kind", Faults(|| JUNK.iter().map(|line| Fault::Junk((*line).into())).collect()), Same).over(Stdio, LINES),
        look("our own requests, echoed", Faults(|| echoes(r#"{"jsonrpc":"2.0","id":$ID,"method":"tasks/get","params":{}}"#)), Same).over(Stdio, LINES),
        look("our own requests, echoed and cut", Faults(|| echoes(r#"{"jsonrpc":"2.0","id":$ID,"method":"tasks/get","params":{"#)), Same).over(Stdio, LINES),
        look("a thousand empty lines", Faults(|| vec![Fault::Junk("\r\n".repeat(1000))]), Same).over(Stdio, LINES),
        look("error_without_id", Odd, Over { http: &Is(&["fails rpc -32603 Internal error"]), stdio: &Is(&["fails timeout"]) }),
        look("error_with_null_id", Odd, Over { http: &Is(&["fails rpc -32603 Internal error"]), stdio: &Is(&["fails timeout"]) }),
        look("null_id", Odd, Over { http: &Same, stdio: &Is(&["fails timeout"]) }),
        look("id_as_text", Odd, Same),
        look("id_as_float", Odd, Same),
        look("id as an odd float", Says(r#"{"jsonrpc":"2.0","id":$IDe0,"result":{"status":"working"}}"#), Is(&["status working"])),
        look("id of another", Faults(|| vec![Fault::Edit(|m| m["id"] = 999_999.into())]),
            Over { http: &Is(&["fails garbled, shown"]), stdio: &Is(&["fails timeout"]) }),
        look("error_without_id_before", Odd, Same),
        look("answer_to_nothing", Odd, Same),
        look("unknown_notification", Odd, Same),
        look("log_notification", Odd, Same),
        look("unknown_request", Odd, Same),
        look("ping", Odd, Same),
        look("requests with odd ids", Faults(|| vec![
            Fault::Extra(json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" })),
            Fault::Extra(json!({ "jsonrpc": "2.0", "id": -1, "method": "ping", "params": 7 })),
            Fault::Extra(json!({ "id": null, "method": "ping" })),
            Fault::Extra(json!({ "id": "x".repeat(5000), "method": "ping" })),
            Fault::Extra(json!({ "id": 7, "method": ["ping"] })),
            Fault::Extra(json!({ "method": "notifications/cancelled", "params": { "requestId": 1 } })),
        ]), Same),
        look("notifications of the wrong shape", Faults(|| vec![
            Fault::Extra(json!({ "method": "notifications/progress", "params": [1] })),
            Fault::Extra(json!({ "method": "notifications/tasks/status", "params": "working" })),
            Fault::Extra(json!({ "method": "notifications/tasks", "params": { "taskId": 7 } })),
            Fault::Extra(json!({ "method": "x".repeat(10_000) })),
            Fault::Extra(json!({ "method": 7, "result": null })),
        ]), Same),
        look("answered_twice", Odd, Same),
        look("no_jsonrpc", Odd, Same),
        look("another_jsonrpc", Odd, Same),
        look("more_members", Odd, Same),
        look("a method beside the result", Faults(|| vec![Fault::Edit(|m| m["method"] = "tasks/get".into())]), Same),
        look("null_error_beside_result", Odd, Same),
        look("result first", Says(r#"{"result":{"status":"working"},"id":$ID}"#), Is(&["status working"])),
        look("members twice", Faults(|| vec![Fault::Bytes(|bytes| {
            [br#"{"id":0,"id":"none","result":null,"error":{"code":1},"error":null,"#, &bytes[1..]].concat()
        })]), Same),
        look("names that are no text", Faults(|| vec![Fault::Bytes(|bytes| [br#"{"\ud800":1,"":2,"#, &bytes[1..]].concat())]), Same),
        look("result_and_error", Odd, Is(&["fails rpc -32603 and yet it failed"])),
        look("null result beside an error", Says(r#"{"id":$ID,"error":{"code":-1,"message":""},"result":null}"#), Is(&["fails rpc -1"])),
        look("neither_result_nor_error", Odd, Is(&["fails garbled, shown"])),
        look("null_result", Odd, EMPTY_TASK),
        look("text_result", Odd, EMPTY_TASK),
        look("list_result", Odd, EMPTY_TASK),
        look("number result", Result("-0.0e-7"), EMPTY_TASK),
        look("empty result", Result("{ }"), EMPTY_TASK),
        look("error_is_text", Odd, Is(&["fails rpc 0 it failed"])),
        look("error_code_is_text", Odd, Is(&["fails rpc 0 "])),
        look("error code as digits in a text", Says(r#"{"id":$ID,"error":{"code":"-32602","message":"x"}}"#), Is(&["fails rpc -32602 x"])),
        look("error code as a float", Says(r#"{"id":$ID,"error":{"code":-32602.0,"message":"x"}}"#), Is(&["fails rpc -32602 x"])),
        look("error without a message", Says(r#"{"id":$ID,"error":{"code":-32602}}"#), Is(&["fails rpc -32602 "])),
        look("error is a list", Says(r#"{"id":$ID,"error":[{"code":1}]}"#), Is(&["fails rpc 0 "])),
        look("error is false", Says(r#"{"id":$ID,"error":false,"result":{"status":"working"}}"#), Is(&["fails rpc 0 "])),
        look("error with odd data", Says(r#"{"id":$ID,"error":{"code":7,"message":"m","data":"\ud800","x":[1.0]}}"#), Is(&["fails rpc 7 m"])),
    ]
}

/// Under every id that may be under way.
fn echoes(line: &str) -> Vec<Fault> {
    (1..10).map(|id| Fault::Junk(line.replace("$ID", &id.to_string()))).collect()
}

const JUNK: [&str; 12] = [
    "Welcome!",
    "{",
    "[",
    "[[]]",
    "7",
    "\"jsonrpc\"",
    r#"{"error":{}}"#,
    r#"{"id":999998,"result":{}}"#,
    r#"{"method":7}"#,
    r#"{"id":999997}"#,
    r#"[{"id":999996,"result":{}},7]"#,
    r#"{"jsonrpc":"2.0","id":999995,"result":NaN}"#,
];

/// Encodings, sizes and JSON that is hard to read.
#[rustfmt::skip]
fn bytes() -> Vec<Row> {
    vec![
        look("huge_task", Odd, Same),
        look("byte_order_mark", Odd, Same),
        look("white_space", Odd, Same),
        look("blanks everywhere", Says(" \t{ \"id\" : $ID , \"result\" : { \"status\" : \"working\" } } "), Is(&["status working"])),
        look("carriage_return", Odd, Same).over(Stdio, BODIES),
        look("pretty", Odd, Same).over(Http, BODIES),
        look("escaped", Odd, Same),
        look("member_twice", Odd, Same),
        look("not_utf8", Odd, Same),
        look("lone_surrogate", Odd, Same),
        look("lone surrogates in the result", Result(r#"{"status":"\ud800","taskId":"\udc00","statusMessage":"a\ud83d"}"#),
            Is(&["status unknown (\u{fffd}", "id another", "message \"a\u{fffd}"])),
        look("nul_character", Odd, Same),
        look("deep", Odd, Same),
        look("deep result", Faults(|| {
            let deep = "[".repeat(100_000) + &"]".repeat(100_000);
            vec![Fault::Say(format!(r#"{{"id":$ID,"result":{{"status":"working","result":{deep},"inputRequests":{deep}}}}}"#))]
        }), Is(&["status working"])),
        look("many members", Faults(|| {
            let many: String = (0..20_000).map(|n| format!(r#""m{n}":{n},"#)).collect();
            vec![Fault::Say(format!(r#"{{"id":$ID,"result":{{{many}"status":"working"}}}}"#))]
        }), Is(&["status working"])),
        look("number_too_big", Odd, Same),
        look("numbers as they are", Result(r#"{"status":"working","n":1.0,"m":12345678901234567890123,"o":-0,"p":1E+2}"#), Is(&["status working"])),
        look("not a number", Result(r#"{"status":"working","n":NaN}"#), Is(&["fails garbled"])),
        look("single quotes", Says("{'jsonrpc': '2.0', 'id': $ID, 'result': {}}"), GARBLED_OR_SILENT),
        look("array_around", Odd, Same),
        look("array around, and others in it", Says(r#"[{"method":"notifications/message"},{"id":77777,"result":1},{"id":$ID,"result":{"status":"working"}},7]"#),
            Is(&["status working"])),
        look("empty_array", Odd, GARBLED_OR_SILENT),
        look("null", Odd, GARBLED_OR_SILENT),
        look("another message in front, without a line end", Faults(|| vec![Fault::Bytes(|bytes| {
            [br#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#, bytes.as_slice()].concat()
        })]), Same),
        look("another message behind, without a line end", Faults(|| vec![Fault::Bytes(|bytes| {
            [bytes.as_slice(), br#"{"jsonrpc":"2.0","method":"notifications/message"}"#].concat()
        })]), Same),
        look("text behind", Faults(|| vec![Fault::Bytes(|bytes| [bytes.as_slice(), b" (sent)"].concat())]), Same),
        look("garbage", Odd, GARBLED_OR_SILENT),
        look("cut", Odd, Over { http: &Is(&["fails lost"]), stdio: &Is(&["fails exited"]) }),
        look("silent", Odd, GARBLED_OR_SILENT),
    ]
}

/// Bodies and event streams in every way of writing them.
#[rustfmt::skip]
fn bodies() -> Vec<Row> {
    let http = |name, does, holds| look(name, does, holds).over(Http, STREAMS);
    vec![
        http("cut_event", Odd, Is(&["fails lost"])),
        http("events_without_answer", Odd, Is(&["fails lost"])),
        http("json_as_plain_text", Odd, Same),
        http("json_with_charset", Odd, Same),
        http("json of no type", Faults(|| vec![Fault::Kind("")]), Same),
        http("json as bytes", Faults(|| vec![Fault::Kind("application/octet-stream")]), Same),
        http("json as a web page", Faults(|| vec![Fault::Kind("text/html; charset=utf-8")]), Same),
        http("json as events", Faults(|| vec![Fault::Kind("text/event-stream")]), Same),
        http("events as json", Faults(|| vec![Fault::Bytes(|bytes| [b": hi\nevent: message\ndata: ", bytes.as_slice(), b"\n\n"].concat())]), Same),
        http("events of an upper-case type", Faults(|| vec![
            Fault::Kind("Text/Event-Stream;charset=UTF-8"),
            Fault::Bytes(|bytes| [b"data: ", bytes.as_slice(), b"\n\n"].concat()),
        ]), Same),
        http("an event of another name", Faults(|| vec![
            Fault::Kind("text/event-stream"),
            Fault::Bytes(|bytes| [b"event: result\ndata: ", bytes.as_slice(), b"\n\n"].concat()),
        ]), Same),
        http("events without data before", Faults(|| vec![
            Fault::Kind("text/event-stream"),
            Fault::Bytes(|bytes| [b"data:\n\nevent: ping\n\nretry: soon\n\ndata: {\"half\":\n\ndata: ", bytes.as_slice(), b"\n\n"].concat()),
        ]), Same),
        http("an event without its end", Faults(|| vec![
            Fault::Kind("text/event-stream"),
            Fault::Bytes(|bytes| [b"data: ", bytes.as_slice(), b"\n"].concat()),
        ]), Is(&["fails lost"])),
        http("illegible events alone", Faults(|| vec![
            Fault::Kind("text/event-stream"),
            Fault::Bytes(|_| b"data: {nope\n\ndata: 7\n\n".to_vec()),
        ]), Is(&["fails garbled"])),
        http("events_crlf", Odd, Same),
        http("events_cr", Odd, Same),
        http("events_bare", Odd, Same),
        http("events_comments", Odd, Same),
        http("events_many_lines", Odd, Same),
        http("a huge event", Faults(|| vec![Fault::Huge(20_000_000), Fault::Events(Style::CrLf)]), Same),
        http("web_page", Odd, Is(&["fails not mcp 200 Page"])),
        http("web page with 502", Faults(|| vec![Fault::HtmlPage, Fault::Status(502)]), Is(&["fails lost"])),
        http("web page with 404", Faults(|| vec![Fault::HtmlPage, Fault::Status(404)]),
            On { modern: &Is(&["fails not mcp 404 Page"]), legacy: &Is(&["fails session over"]) }),
        http("result_with_201", Odd, Same),
        http("result_with_202", Odd, Same),
        http("result with 404", Faults(|| vec![Fault::Status(404)]), Same),
        http("result with 500", Faults(|| vec![Fault::Status(500)]), Same),
    ]
}

/// Refusals before anything is read.
#[rustfmt::skip]
fn statuses() -> Vec<Row> {
    let http = |name, does, holds| look(name, does, holds).over(Http, STATUSES);
    const SIGN_IN: (&str, &str) = ("www-authenticate", "Bearer resource_metadata=\"https://example.com/\"");
    const MOVED: (&str, &str) = ("location", "https://u:p@elsewhere.example/x?secret=1#y");
    fn refused(status: u16, retry_after: Option<&str>) -> Fault {
        Fault::Refuse { status, retry_after: retry_after.map(str::to_owned) }
    }
    vec![
        http("busy_seconds", Odd, Is(&["fails throttled 429, 1s"])),
        http("busy_date", Odd, Is(&["fails throttled 503, "])),
        http("busy_past_date", Odd, Is(&["fails throttled 503, 0ns"])),
        http("busy_without_time", Odd, Is(&["fails throttled 503, -"])),
        http("busy_nonsense", Odd, Is(&["fails throttled 429, -"])),
        http("busy_negative", Odd, Is(&["fails throttled 429, 0ns"])),
        http("busy for ever", Faults(|| vec![refused(429, Some("99999999999999999999"))]), Is(&["fails throttled 429, 86400s"])),
        http("busy for half a second", Faults(|| vec![refused(503, Some("0.5"))]), Is(&["fails throttled 503, 500ms"])),
        http("busy with an answer", Faults(|| vec![Fault::Status(503)]), Is(&["fails throttled 503, -"])),
        http("bad_gateway", Odd, Is(&["fails lost"])),
        http("error_with_200", Odd, Is(&["fails rpc -32603 The database is away"])),
        http("error_with_400", Odd, Is(&["fails rpc -32603 The database is away"])),
        http("error_with_404", Odd, Is(&["fails rpc -32603 The database is away"])),
        http("error_with_500", Odd, Is(&["fails rpc -32603 The database is away"])),
        http("moved", Faults(|| vec![refused(307, None), Fault::Header(MOVED.0, MOVED.1)]),
            Is(&["fails not mcp 307, leads to https://elsewhere.example/x"])),
        http("moved nowhere", Faults(|| vec![refused(302, None)]), Is(&["fails not mcp 302, leads to -"])),
        http("sign-in wanted", Faults(|| vec![refused(401, None), Fault::Header(SIGN_IN.0, SIGN_IN.1)]), Is(&["fails sign in 401, Bearer"])),
        http("sign-in wanted, without a word", Faults(|| vec![refused(401, None)]), Is(&["fails sign in 401, -"])),
        http("a better sign-in wanted", Faults(|| vec![refused(403, None), Fault::Header(SIGN_IN.0, SIGN_IN.1)]), Is(&["fails sign in 403, Bearer"])),
        http("the proxy wants a sign-in", Faults(|| vec![refused(407, None)]), Is(&["fails unreachable Proxy"])),
        http("no such method", Faults(|| vec![refused(405, None)]), Is(&["fails not mcp 405 Empty"])),
        http("a teapot", Faults(|| vec![refused(418, None)]), Is(&["fails not mcp 418 Empty"])),
        http("session_gone", Odd, Is(&["fails session over"])).on(Legacy, NO_SESSIONS),
        http("nobody there by this path", Faults(|| vec![refused(404, None)]), Is(&["fails not mcp 404 Empty"])).on(Modern, "there it is the session that is gone"),
        look("version_refused", Odd, Is(&["fails rpc -32022"])).on(Modern, ANOTHER),
    ]
}

/// Tasks: members of the wrong kind, missing or too many.
#[rustfmt::skip]
fn tasks() -> Vec<Row> {
    vec![
        look("times_with_offset", Odd, Same),
        look("times_with_nanoseconds", Odd, But(&["created 2026-01-01T00:00:00.123Z", "updated 2026-01-01T00:00:00.123Z"])),
        look("times_without_fraction", Odd, But(&["updated 2026-01-01T00:00:00.000Z"])),
        look("times_without_zone", Odd, But(&["created -", "updated -"])),
        look("times_as_numbers", Odd, But(&["created -", "updated -"])),
        look("times_as_words", Odd, But(&["created -", "updated -"])),
        look("no_times", Odd, But(&["created -", "updated -"])),
        look("times beyond time", Result(r#"{"status":"working","createdAt":"9999999-01-01T00:00:00Z","lastUpdatedAt":"2026-13-45T99:99:99Z"}"#),
            Is(&["status working", "created -", "updated -"])),
        look("float_numbers", Odd, Same),
        look("numbers_as_text", Odd, Same),
        look("negative_numbers", Odd, But(&["ttl unknown", "poll -"])),
        look("zero_numbers", Odd, But(&["ttl 0", "poll 0"])),
        look("enormous_numbers", Odd, But(&["ttl unknown", "poll -"])),
        look("no_numbers", Odd, But(&["ttl unknown", "poll -"])),
        look("numbers of other kinds", Result(r#"{"status":"working","ttl":{},"ttlMs":[5],"pollInterval":true,"pollIntervalMs":"soon"}"#),
            Is(&["status working", "ttl unknown", "poll -"])),
        look("both_spellings", Odd, But(&["ttl 3600000", "poll 1000"])),
        look("the other wire's spelling", Results(r#"{"status":"working","ttl":5,"pollInterval":6}"#, r#"{"status":"working","ttlMs":5,"pollIntervalMs":6}"#),
            On { modern: &Is(&["ttl unknown", "poll -"]), legacy: &Is(&["ttl 5", "poll 6"]) }),
        look("both spellings, and they differ", Result(r#"{"ttlMs":5,"ttl":7}"#), On { modern: &Is(&["ttl 5"]), legacy: &Is(&["ttl 7"]) }),
        look("unlimited_ttl", Odd, But(&["ttl unlimited"])),
        look("unknown_status", Odd, But(&["status unknown (paused)"])),
        look("status_in_capitals", Odd, But(&["status unknown (WORKING)"])),
        look("status_is_a_number", Odd, But(&["status unknown (3)"])),
        look("no_status", Odd, But(&["status unknown", "+nothing legible"])),
        look("status twice", Result(r#"{"status":"working","status":"failed"}"#), Is(&["status failed"])),
        look("no_status_message", Odd, But(&["message -"])),
        look("status_message_is_an_object", Odd, But(&["message -"])),
        look("status_message_is_huge", Odd, But(&["message \"\\u{202e}<b>x</b>\\n\\u{202e}<b>x</b>\\n\\u{202e}<b>\"… 120000"])),
        look("no_task_id", Odd, But(&["id -"])),
        look("another_task_id", Odd, But(&["id another"])),
        look("task id as a number", Result(r#"{"taskId":7,"status":"working"}"#), Is(&["id -", "status working"])),
        look("task_type_on_get", Odd, Same),
        look("no_result_type", Odd, Same).on(Modern, NO_TYPES),
        look("an unknown type of result", Faults(|| vec![Fault::Edit(|m| m["result"]["resultType"] = "banana".into())]), Is(&["fails protocol, shown"]))
            .on(Modern, NO_TYPES),
        look("nested_on_get", Odd, Same).on(Legacy, NO_NESTING),
        look("the task is no object", Result(r#"{"task":7,"status":"failed"}"#), Is(&["status failed"])),
        look("unknown _meta", Faults(|| vec![Fault::Edit(|m| m["result"]["_meta"] = json!({ "x.example/y": [null, 1.0], "progressToken": {} }))]), Same),
        look("_meta is no object", Faults(|| vec![Fault::Edit(|m| m["result"]["_meta"] = 7.into())]), Same),
    ]
}

/// Tool calls and the handles they give.
#[rustfmt::skip]
fn calls() -> Vec<Row> {
    let call = |name, does, holds| Row::new(Ask::Call, name, does, holds);
    let plain = |name, does, holds| Row::new(Ask::Plain, name, does, holds);
    let rounds = |name, does, holds| Row::new(Ask::Rounds, name, does, holds).on(Modern, NO_ROUNDS);
    vec![
        call("huge_result", Odd, Same),
        call("content_beside_task", Odd, Same),
        call("members_beside_task", Odd, Same),
        call("colons_in_task_id", Odd, Same),
        call("base64url_task_id", Odd, Same),
        call("uuid_task_id", Odd, Same),
        call("unicode_task_id", Odd, Same),
        call("long_task_id", Odd, Same),
        call("path_task_id", Odd, Same),
        call("unknown_result_type", Odd, Is(&["fails protocol, shown"])).on(Modern, NO_TYPES),
        call("flat_task", Odd, Same).on(Legacy, NO_NESTING),
        call("a status before the answer that names its task", Faults(|| vec![
            Fault::Extra(json!({ "method": "notifications/tasks/status", "params": { "taskId": "x", "status": "working" } })),
        ]), Same),
        call("busy, with an error", Faults(|| vec![Fault::Error(json!({ "code": -32000, "message": "Full" })), Fault::Status(503)]),
            Is(&["fails rpc -32000 Full"])).over(Http, STATUSES),
        call("busy, with an error of nobody", Faults(|| vec![Fault::Say(r#"{"id":null,"error":{"code":-32000,"message":"Full"}}"#.into()), Fault::Status(429)]),
            Is(&["fails throttled 429"])).over(Http, STATUSES),
        plain("busy, with a result", Faults(|| vec![Fault::Status(503)]), Same).over(Http, STATUSES),
        call("header_mismatch", Odd, Is(&["fails rpc -32020"])).on(Modern, ANOTHER),
        call("capability_missing", Odd, Is(&["fails rpc -32021"])).on(Modern, ANOTHER),
        call("capability_missing_in_drafts", Odd, Is(&["fails rpc -32003"])).on(Modern, ANOTHER),
        call("a result although a task was wanted", Result(r#"{"content":[{"type":"text","text":"at once"}]}"#), Is(&["made nothing", "result \"at once\""])),
        plain("a task that nobody wanted", Results(
            r#"{"resultType":"task","taskId":"made-anyway","status":"working"}"#, r#"{"task":{"taskId":"made-anyway","status":"working"}}"#,
        ), Is(&["status working", "id as asked"])),
        plain("content is bare text", Result(r#"{"content":"bare"}"#), Is(&["result \"bare\""])),
        plain("content is one block", Result(r#"{"content":{"type":"text","text":"one"},"isError":null}"#), Is(&["result \"one\""])),
        plain("content of every kind", Result(r#"{"content":[7,null,"t",{"text":8},{"type":"image"},{"type":"hologram","text":"h"}]}"#), Is(&["result \"t\\nh\""])),
        plain("no content", Result(r#"{"structuredContent":null}"#), Is(&["result \"\""])),
        plain("isError as text", Result(r#"{"content":[],"isError":"true"}"#), Is(&["result that failed"])),
        plain("resultType is null", Result(r#"{"resultType":null,"content":"x"}"#), Is(&["result \"x\""])),
        plain("no object for a result", Result("[]"), Is(&["fails protocol, shown"])),
        plain("a page has to be opened first", Faults(|| vec![Fault::Error(json!({ "code": -32042, "message": "Sign", "data": { "elicitations": [7] } }))]),
            Is(&["fails rpc -32042 Sign"])),
        rounds("round_lost", Odd, Is(&["result "])),
        rounds("round_of_nothing", Odd, Is(&["round of 0", "result "])),
        rounds("round_without_state", Odd, Is(&["round of 1, -", "result "])),
    ]
}

/// What became of a task.
#[rustfmt::skip]
fn results() -> Vec<Row> {
    let legacy = |name, does, holds| Row::new(Ask::Done, name, does, holds).on(Legacy, NO_RESULTS);
    vec![
        legacy("result_of_meta_alone", Odd, Is(&["result \"\""])),
        legacy("result_without_meta", Odd, Same),
        legacy("result_with_a_type", Odd, Same),
        legacy("content_is_text", Odd, But(&["result that failed: \"done\""])),
        legacy("post_stream_closed", Odd, Same).over(Http, STREAMS),
        Row::new(Ask::Cancel, "a cancel of what has ended", Faults(|| vec![Fault::Error(json!({ "code": -32602, "message": "It has ended" }))]),
            Is(&["fails rpc -32602 It has ended"])),
        Row::new(Ask::Cancel, "news go on after a cancel", Faults(|| vec![
            Fault::Extra(json!({ "method": "notifications/tasks/status", "params": { "taskId": "x", "status": "working" } })),
        ]), Same),
        Row::new(Ask::Cancel, "nothing for an acknowledgement", Result("null"), On { modern: &Same, legacy: &EMPTY_TASK }),
        Row::new(Ask::List, "a list of no tasks", Manners("empty-list"), Is(&["listed 0, all"])).on(Legacy, NO_LIST),
        Row::new(Ask::List, "a list of odd tasks", Result(r#"{"tasks":[7,null,{"taskId":"x"},{"status":"paused"}],"nextCursor":null,"total":1.0}"#),
            Is(&["listed 4, all", "status unknown (paused)"])).on(Legacy, NO_LIST),
        Row::new(Ask::List, "a list that is none", Result(r#"{"tasks":{}}"#), Is(&["fails protocol, shown"])).on(Legacy, NO_LIST),
        Row::new(Ask::Done, "no result of what has ended", Results(r#"{"status":"completed"}"#, "{}"),
            On { modern: &Is(&["status completed"]), legacy: &Is(&["result \"\""]) }),
        Row::new(Ask::Done, "an error for a result", Says(r#"{"id":$ID,"error":{"code":-32000,"message":"It failed"}}"#), Is(&["fails rpc -32000 It failed"])),
        Row::new(Ask::Done, "a result that is no object", Results(r#"{"status":"completed","result":[1.0]}"#, "[1.0]"), Is(&["result \"\""])),
        Row::new(Ask::Done, "an error that is no object", Results(r#"{"status":"failed","error":"why"}"#, r#"{"isError":true,"content":"why"}"#),
            On { modern: &Is(&["status failed", "error 0 why"]), legacy: &Is(&["result that failed: \"why\""]) }),
    ]
}

/// Questions, and what becomes of their answers.
#[rustfmt::skip]
fn questions() -> Vec<Row> {
    let both = |name, modern, legacy, holds| Row::new(Ask::Question, name, Odds(modern, legacy), holds);
    let modern = |name, holds| Row::new(Ask::Question, name, Odd, holds).on(Modern, NO_MAP);
    let legacy = |name, holds| Row::new(Ask::Question, name, Odd, holds).on(Legacy, REQUESTS);
    let asked = |name, does, holds| Row::new(Ask::Question, name, does, holds);
    let update = |name, holds| Row::new(Ask::Update, name, Odd, holds).on(Modern, NO_UPDATES);
    vec![
        both("limits as floats", "modern_float_limits", "float_limits", Same),
        both("a question without words", "modern_no_message", "no_message", But(&["words \"\""])),
        both("a question without a mode", "modern_no_mode", "no_mode", Same),
        both("a question without a schema", "modern_no_schema", "no_schema", But(&["form -"])),
        both("a question with a broken schema", "modern_broken_schema", "broken_schema", Is(&["asks a form", "form as JSON", "taken 1"])),
        both("a question with a schema from elsewhere", "modern_foreign_schema", "foreign_schema", Is(&["asks a form", "form as JSON", "taken 1"])),
        modern("unknown_question_beside", Is(&["asks a form by \"survey\"", "asks JSON \"weather/ask\"", "taken 1"])),
        modern("questions_of_the_wrong_kind_beside", Is(&["asks a form by \"survey\"", "asks JSON \"\" by \"\"", "asks a form by \"no params\"", "taken 1"])),
        modern("questions_as_a_list", Is(&["taken 0"])),
        modern("no_questions", Is(&["taken 0"])),
        update("answer_lost", Is(&["status input_required", "asks a form by \"survey\""])),
        update("update_acknowledged_with_more", Same),
        legacy("question_without_task", But(&["belongs nowhere"])),
        legacy("question_of_another_task", But(&["belongs elsewhere"])),
        legacy("question_with_odd_task", But(&["belongs nowhere"])),
        legacy("unknown_mode", Is(&["result "])),
        legacy("no_params", Is(&["asks a form", "form -", "belongs nowhere", "taken 1"])),
        legacy("unknown_question", Is(&["result "])),
        legacy("asked_twice", Is(&["asks a form", "taken 1"])),
        Row::new(Ask::Question, "asked on the push stream, of no task, while it works", Manners("ask-on-stream,unrelated,says-working"), But(&["belongs nowhere"])).on(Legacy, MANNERS),
        Row::new(Ask::Question, "asked without a session", Manners("no-sessions"), Same).on(Legacy, MANNERS),
        asked("a schema that is a list", Schema("[]"), Is(&["form as JSON: The schema is not valid", "taken 1"])),
        asked("a schema that is true", Schema("true"), Is(&["form as JSON: ", "taken 1"])),
        asked("a schema of something else", Schema(r#"{"type":"string"}"#), Is(&["form as JSON: The schema does not describe an object", "taken 1"])),
        asked("a schema without a type", Schema(r#"{"properties":{"a":{"type":"string","minLength":1.0}}}"#), Is(&["form a Text { min_length: Some(1)", "taken 1"])),
        asked("a schema with a field of every wrong kind", Schema(r#"{"type":"object","required":["a",7],"properties":{"a":7,"b":{"type":"hologram"},"c":{"type":"integer","minimum":"x","maximum":5.0},"d":{"enum":"x"}}}"#),
            Is(&["form a Json", "b Json", "c Integer { minimum: None, maximum: Some(\"5\")", "d Json", "taken 1"])),
        asked("a schema in an older dialect", Schema(r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"number","minimum":1,"exclusiveMinimum":true}}}"#),
            Is(&["form a Number { minimum: Some(\"1\"), maximum: None, exclusive_minimum: true", "taken 1"])),
        asked("a schema with half a character", Schema(r#"{"type":"object","properties":{"a":{"type":"string","title":"\ud800"}}}"#), Is(&["form as JSON: The schema cannot be read", "taken 1"])),
        asked("a schema with a member twice", Schema(r#"{"type":"string","type":"object","properties":{"a":{"type":"boolean"}}}"#), Is(&["form a Boolean", "taken 1"])),
        Row::new(Ask::Sample, "no_messages_to_sample", Odd, Same).on(Legacy, REQUESTS),
    ]
}

/// Lists of tools.
#[rustfmt::skip]
fn lists() -> Vec<Row> {
    let list = |name, holds| Row::new(Ask::Tools, name, Odd, holds);
    vec![
        list("odd_tools_beside", Is(&["tools deploy", "no_schema odd_schema", "region_status"])),
        list("tool_twice", Is(&["tools deploy", "region_status"])),
        list("null_cursor", Is(&["tools deploy build survey two_questions sign"])),
        list("cursor_is_a_number", Is(&["fails protocol"])),
        Row::new(Ask::Tools, "same_cursor_again", OddTwice, Is(&["fails protocol"])),
        list("no_tools", Is(&["fails protocol, shown"])),
        list("tools_as_a_map", Is(&["fails protocol, shown"])),
        list("unknown_task_support", Is(&["support Forbidden Forbidden Forbidden Forbidden Forbidden Optional"])).on(Legacy, NO_SUPPORT),
        list("no_execution", Is(&["support Forbidden Forbidden Forbidden Forbidden Forbidden Optional"])).on(Legacy, NO_SUPPORT),
        list("header_annotations_that_are_invalid", Same).on(Modern, NO_PARAMS).over(Http, NO_PARAMS),
    ]
}

/// How connections begin and end.
#[rustfmt::skip]
fn beginnings() -> Vec<Row> {
    let begin = |name, does, holds| Row::new(Ask::Connect, name, does, holds);
    vec![
        begin("no_capabilities", Odd, But(&["tasks false"])).on(Legacy, "the modern one's row is below"),
        begin("no_server_info", Odd, But(&["name \"\""])).on(Legacy, NO_SESSIONS),
        begin("unknown_version", Odd, Is(&["fails only 2031-01-01"])).on(Legacy, NO_SESSIONS),
        begin("version_is_a_number", Odd, Same).on(Legacy, NO_SESSIONS),
        begin("no_supported_versions", Odd, Same).on(Modern, "asked of the modern wire alone"),
        begin("more_supported_versions", Odd, Same).on(Modern, "asked of the modern wire alone"),
        begin("capabilities are a list", Faults(|| vec![Fault::Edit(|m| m["result"]["capabilities"] = json!([1]))]), But(&["tasks false"])),
        begin("a name that is no text", Faults(|| vec![Fault::Edit(|m| {
            m["result"]["serverInfo"] = 7.into();
            m["result"]["_meta"] = "x".into();
        })]), But(&["name \"\""])),
        Row::new(Ask::Leave, "delete_not_offered", Odd, Same).on(Legacy, NO_SESSIONS).over(Http, STATUSES),
    ]
}

/// What is told unasked.
#[rustfmt::skip]
fn news() -> Vec<Row> {
    let listen = |name, holds| Row::new(Ask::News, name, Odd, holds).on(Modern, NO_LISTENING);
    let told = |name, holds| Row::new(Ask::News, name, Odd, holds).on(Legacy, NOTICES);
    vec![
        listen("push_without_ids", Is(&["granted 0"])),
        listen("push_refused", Is(&["fails rpc -32601"])),
        listen("push_cut", Is(&["granted 1", "cut lost"])).over(Http, "on the only stream nothing can be cut alone: it is just silent"),
        listen("push_cut_at_once", Over { http: &Is(&["fails lost"]), stdio: &Is(&["fails timeout"]) }),
        listen("push_of_somebody_else", Over { http: &Same, stdio: &Is(&["fails timeout"]) }),
        listen("push_without_id", Over { http: &Same, stdio: &Is(&["fails timeout"]) }),
        Row::new(Ask::News, "news of what was not granted", Faults(|| vec![
            Fault::Extra(json!({ "method": "notifications/tasks", "params": { "taskId": "another", "status": "failed" } })),
        ]), Same).on(Modern, NO_LISTENING),
        Row::new(Ask::Call, "news before the answer", Manners("early-notices"), Same).on(Legacy, MANNERS),
        told("notice_without_status", Is(&["status unknown", "progress t-1"])),
        told("notice_of_nothing", Is(&["told Other", "progress t-1"])),
        told("progress_in_words", Is(&["progress t-1 \"much\" of -1"])),
        told("get_not_offered", Is(&["no news offered"])).over(Http, STREAMS),
        told("get_stream_closed", Same).over(Http, STREAMS),
    ]
}
