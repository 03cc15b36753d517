//! The lenient views, field by field, on what real servers were seen to send.

use serde_json::value::RawValue;
use signalbox_mcp::{QuestionView, TaskView, ToolResult, Ttl};
use signalbox_model::{Json, Mode, Status, Timestamp};

fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}

fn task(text: &str) -> TaskView {
    TaskView::read(&json(text))
}

#[test]
fn a_task_by_the_book() {
    let view = task(
        r#"{"resultType":"complete","taskId":"t:1","status":"input_required","statusMessage":"50 %",
            "createdAt":"2026-07-28T10:00:00Z","lastUpdatedAt":"2026-07-28T10:00:01.5+00:00","ttlMs":60000,
            "pollIntervalMs":1000,"inputRequests":{"b":{"method":"x"},"a":{"method":"y"}}}"#,
    );
    let start: Timestamp = "2026-07-28T10:00:00Z".parse().unwrap();
    assert_eq!(view.task_id.as_deref(), Some("t:1"));
    assert_eq!((view.status, view.status_text), (Status::InputRequired, None));
    assert_eq!(view.status_message.as_deref(), Some("50 %"));
    assert_eq!(view.created_at, Some(start));
    assert_eq!(view.last_updated_at, Some(start.plus_ms(1500)));
    assert_eq!((view.ttl, view.poll_interval_ms), (Ttl::Ms(60_000), Some(1000)));
    let keys: Vec<&str> = view.input_requests.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["b", "a"], "in the server's order");
    assert_eq!(view.input_requests[1].1.text(), r#"{"method":"y"}"#, "entries are kept as received");
}

#[test]
fn times_to_live() {
    let cases = [
        (r#"{"ttlMs":null}"#, Ttl::Unlimited),
        (r#"{"ttlMs":0}"#, Ttl::Ms(0)),
        (r#"{"ttlMs":60000.0}"#, Ttl::Ms(60_000)),
        (r#"{"ttlMs":"60000"}"#, Ttl::Ms(60_000)),
        (r#"{"ttlMs":9223372036854775807}"#, Ttl::Ms(i64::MAX)),
        (r#"{"ttlMs":-1}"#, Ttl::Unknown),
        (r#"{"ttlMs":1e300}"#, Ttl::Unknown),
        (r#"{"ttlMs":"for ever"}"#, Ttl::Unknown),
        (r#"{"ttlMs":{}}"#, Ttl::Unknown),
        ("{}", Ttl::Unknown),
    ];
    for (text, ttl) in cases {
        assert_eq!(task(text).ttl, ttl, "{text}");
    }
}

#[test]
fn poll_intervals() {
    let cases = [
        ("1000", Some(1000)),
        ("1000.0", Some(1000)),
        ("\"1000\"", Some(1000)),
        ("0", Some(0)),
        ("-1", None),
        ("null", None),
        ("\"soon\"", None),
        ("[]", None),
    ];
    for (text, ms) in cases {
        assert_eq!(task(&format!(r#"{{"pollIntervalMs":{text}}}"#)).poll_interval_ms, ms, "{text}");
    }
}

#[test]
fn statuses_beyond_the_five_keep_their_text() {
    let cases = [
        ("\"working\"", Status::Working, None),
        ("\"completed\"", Status::Completed, None),
        ("\"failed\"", Status::Failed, None),
        ("\"cancelled\"", Status::Cancelled, None),
        ("\"paused\"", Status::Unknown, Some("paused")),
        ("\"Working\"", Status::Unknown, Some("Working")),
        ("7", Status::Unknown, Some("7")),
        ("null", Status::Unknown, None),
    ];
    for (text, status, status_text) in cases {
        let view = task(&format!(r#"{{"status":{text}}}"#));
        assert_eq!((view.status, view.status_text.as_deref()), (status, status_text), "{text}");
    }
    assert_eq!(task("{}").status, Status::Unknown, "absent");
}

#[test]
fn no_field_takes_another_down() {
    let view = task(
        r#"{"resultType":"task","content":[],"taskId":7,"status":"working","statusMessage":["x"],"createdAt":"yesterday",
            "lastUpdatedAt":1753696800,"ttlMs":"?","pollIntervalMs":true,"inputRequests":[1],"result":null,"error":7}"#,
    );
    assert_eq!(view.status, Status::Working, "the one legible field is read");
    assert_eq!(view.task_id, None);
    assert_eq!(view.status_message, None);
    assert_eq!((view.created_at, view.last_updated_at), (None, None));
    assert_eq!(view.input_requests, []);
    assert_eq!(view.result, None);
    assert_eq!(view.error.map(|error| (error.code, error.message)), Some((0, String::new())));
}

#[test]
fn what_is_no_object_is_an_empty_task() {
    for text in ["null", "[]", "\"x\"", "1", "{}"] {
        let view = task(text);
        assert_eq!((view.status, view.ttl, view.task_id), (Status::Unknown, Ttl::Unknown, None), "{text}");
    }
}

#[test]
fn lone_surrogates_and_depth_stay_in_their_field() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let view = task(&format!(
        r#"{{"taskId":"\ud83d","statusMessage":"a \udc00 b","result":{deep},"status":"completed",
            "inputRequests":{{"k\ud800":{{"method":"m"}},"😀\u00e9":{deep}}}}}"#
    ));
    assert_eq!(view.status, Status::Completed);
    assert_eq!(view.status_message.as_deref(), Some("a \u{FFFD} b"));
    assert_eq!(view.result.map(|result| result.text().len()), Some(deep.len()));
    let keys: Vec<&str> = view.input_requests.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(
        keys,
        [r#""k\ud800""#, "😀é"],
        "a key that is no text is its JSON, and does not hide the other"
    );
    let question = QuestionView::read(&view.input_requests[1].1);
    assert_eq!(question.mode, Mode::Other, "depth is no danger in a view either");
}

#[test]
fn a_repeated_member_counts_once_the_last() {
    let view =
        task(r#"{"status":"working","status":"failed","inputRequests":{"k":{"n":1},"j":{},"k":{"n":2}}}"#);
    assert_eq!(view.status, Status::Failed);
    let requests: Vec<(&str, &str)> =
        view.input_requests.iter().map(|(key, raw)| (key.as_str(), raw.text())).collect();
    assert_eq!(requests, [("k", r#"{"n":2}"#), ("j", "{}")]);
}

#[test]
fn errors_of_failed_tasks() {
    let view = task(r#"{"status":"failed","error":{"code":-32603.0,"message":"boom","data":{"x":1}}}"#);
    let error = view.error.expect("an error stands there");
    assert_eq!((error.code, error.message.as_str()), (-32603, "boom"));
    assert_eq!(error.data.map(|data| data.text().to_owned()).as_deref(), Some(r#"{"x":1}"#));
}

#[test]
fn questions() {
    let schema = r#"{"type":"object","properties":{"n":{"minLength":1.0}}}"#;
    let form = |mode: &str| {
        format!(
            r#"{{"method":"elicitation/create","params":{{{mode}"message":"Go?","requestedSchema":{schema}}}}}"#
        )
    };
    for text in [form(""), form(r#""mode":"form","#)] {
        let view = QuestionView::read(&json(&text));
        assert_eq!((view.mode, view.message.as_str()), (Mode::Form, "Go?"), "{text}");
        assert_eq!(view.schema.as_ref().map(Json::text), Some(schema), "the schema is kept as received");
    }
    let url = r#""message":"Sign","url":"https://example.com/a?b#c""#;
    for mode in ["", r#""mode":"url","#] {
        let text = format!(r#"{{"method":"elicitation/create","params":{{{mode}{url}}}}}"#);
        let view = QuestionView::read(&json(&text));
        assert_eq!(
            (view.mode, view.url.as_deref()),
            (Mode::Url, Some("https://example.com/a?b#c")),
            "{text}"
        );
    }
    let others = [
        (form(r#""mode":"hologram","#), "elicitation/create", "Go?"),
        (
            r#"{"method":"sampling/createMessage","params":{"messages":[]}}"#.into(),
            "sampling/createMessage",
            "",
        ),
        (r#"{"method":7,"params":[]}"#.into(), "", ""),
        ("null".into(), "", ""),
        ("[]".into(), "", ""),
    ];
    for (text, method, message) in others {
        let view = QuestionView::read(&json(&text));
        assert_eq!(
            (view.mode, view.method.as_str(), view.message.as_str()),
            (Mode::Other, method, message),
            "{text}"
        );
    }
    let view = QuestionView::read(&json(r#"{"method":"elicitation/create"}"#));
    assert_eq!((view.mode, view.schema), (Mode::Form, None), "a form without a schema is still a question");
}

#[test]
fn results() {
    let cases = [
        (
            r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"x"},{"type":"text","text":"b"}]}"#,
            false,
            "a\nb",
        ),
        (r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#, true, "no"),
        (r#"{"isError":"true","content":"bare"}"#, true, "bare"),
        (r#"{"isError":null,"content":{"type":"text","text":"one"}}"#, false, "one"),
        (r#"{"isError":0,"content":["bare",7,null,{"text":8}]}"#, false, "bare"),
        (r#"{"content":null}"#, false, ""),
        ("{}", false, ""),
        ("[]", false, ""),
    ];
    for (text, is_error, shown) in cases {
        let result = json(text);
        let view = ToolResult::read(&result);
        assert_eq!((view.is_error, view.text().as_str()), (is_error, shown), "{text}");
    }
    let result = json(r#"{"content":[{"type":"image","data":"x"},"t"],"structuredContent":null}"#);
    let view = ToolResult::read(&result);
    let kinds: Vec<&str> = view.content.iter().map(|part| part.kind.as_str()).collect();
    assert_eq!(kinds, ["image", "text"]);
    assert_eq!(view.content[0].raw.get(), r#"{"type":"image","data":"x"}"#, "parts are kept as received");
    assert_eq!(view.structured.map(RawValue::get), Some("null"), "null is a structured result, too");
}
