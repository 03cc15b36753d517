//! Odd answers, each over all transports: none may reject, truncate or hang.

use signalbox_mcp::{Error, Options, Session, TaskView, Ttl};
use signalbox_model::{Json, Status};

use super::{over_http, over_stdio, swift};
use crate::{peer::soon, support::response};

type Expected = fn(&Result<Json, Error>) -> bool;

fn is(text: &'static str) -> impl Fn(&Result<Json, Error>) -> bool {
    move |answer| matches!(answer, Ok(json) if json.text() == text)
}

fn rpc(code: i64) -> impl Fn(&Result<Json, Error>) -> bool {
    move |answer| matches!(answer, Err(Error::Rpc { code: c, .. }) if *c == code)
}

fn view(answer: &Result<Json, Error>) -> TaskView {
    TaskView::read_legacy(answer.as_ref().expect("an answer"))
}

/// A message of the server, with `ID` for the request's id.
fn cases() -> Vec<(&'static str, &'static str, Expected)> {
    vec![
        ("by the book", r#"{"jsonrpc":"2.0","id":ID,"result":{"a":1}}"#, |a| is(r#"{"a":1}"#)(a)),
        ("no jsonrpc", r#"{"id":ID,"result":{}}"#, |a| is("{}")(a)),
        ("result first", r#"{"result":{},"id":ID}"#, |a| is("{}")(a)),
        ("id as text", r#"{"id":"ID","result":{}}"#, |a| is("{}")(a)),
        ("id as a float", r#"{"id":ID.0,"result":{}}"#, |a| is("{}")(a)),
        ("error is null", r#"{"id":ID,"error":null,"result":{}}"#, |a| is("{}")(a)),
        (
            "result is null beside an error",
            r#"{"id":ID,"error":{"code":-1,"message":""},"result":null}"#,
            |a| rpc(-1)(a),
        ),
        ("both", r#"{"id":ID,"error":{"code":-1,"message":""},"result":{}}"#, |a| rpc(-1)(a)),
        ("result null", r#"{"id":ID,"result":null}"#, |a| is("null")(a)),
        ("result text", r#"{"id":ID,"result":"x"}"#, |a| is("\"x\"")(a)),
        ("result list", r#"{"id":ID,"result":[]}"#, |a| is("[]")(a)),
        ("extra members", r#"{"id":ID,"result":{},"x":[{}],"trace":null}"#, |a| is("{}")(a)),
        ("numbers as they are", r#"{"id":ID,"result":{"n":1.0,"m":12345678901234567890123}}"#, |a| {
            is(r#"{"n":1.0,"m":12345678901234567890123}"#)(a)
        }),
        ("a lone surrogate", r#"{"id":ID,"result":"\ud800"}"#, |a| is(r#""\ud800""#)(a)),
        ("blanks", " \t{ \"id\" : ID , \"result\" : { } } ", |a| is("{ }")(a)),
        ("error text", r#"{"id":ID,"error":"no"}"#, |a| rpc(0)(a)),
        ("error without a message", r#"{"id":ID,"error":{"code":-32602}}"#, |a| rpc(-32602)(a)),
        ("error code as text", r#"{"id":ID,"error":{"code":"-32602","message":"x"}}"#, |a| rpc(-32602)(a)),
        ("error code as a float", r#"{"id":ID,"error":{"code":-32602.0,"message":"x"}}"#, |a| rpc(-32602)(a)),
        ("a list with the answer", r#"[{"method":"notifications/message"},{"id":ID,"result":{}}]"#, |a| {
            is("{}")(a)
        }),
        ("unknown status", r#"{"id":ID,"result":{"status":"paused"}}"#, |a| {
            view(a).status_text.as_deref() == Some("paused")
        }),
        ("status no text", r#"{"id":ID,"result":{"status":3}}"#, |a| view(a).status == Status::Unknown),
        ("nested task", r#"{"id":ID,"result":{"task":{"status":"working","taskId":"t"}}}"#, |a| {
            view(a).status == Status::Working && view(a).task_id.as_deref() == Some("t")
        }),
        ("task is no object", r#"{"id":ID,"result":{"task":7,"status":"failed"}}"#, |a| {
            view(a).status == Status::Failed
        }),
        ("ttl float", r#"{"id":ID,"result":{"ttl":60000.0}}"#, |a| view(a).ttl == Ttl::Ms(60_000)),
        ("ttl text", r#"{"id":ID,"result":{"ttl":"60000"}}"#, |a| view(a).ttl == Ttl::Ms(60_000)),
        ("ttl null", r#"{"id":ID,"result":{"ttl":null}}"#, |a| view(a).ttl == Ttl::Unlimited),
        ("ttl negative", r#"{"id":ID,"result":{"ttl":-5}}"#, |a| view(a).ttl == Ttl::Unknown),
        ("ttl absent", r#"{"id":ID,"result":{}}"#, |a| view(a).ttl == Ttl::Unknown),
        ("the modern ttl", r#"{"id":ID,"result":{"ttlMs":5,"pollIntervalMs":6}}"#, |a| {
            view(a).ttl == Ttl::Ms(5) && view(a).poll_interval_ms == Some(6)
        }),
        ("both ttls", r#"{"id":ID,"result":{"ttlMs":5,"ttl":7}}"#, |a| view(a).ttl == Ttl::Ms(7)),
        ("interval text", r#"{"id":ID,"result":{"pollInterval":"250"}}"#, |a| {
            view(a).poll_interval_ms == Some(250)
        }),
        ("interval negative", r#"{"id":ID,"result":{"pollInterval":-1}}"#, |a| {
            view(a).poll_interval_ms.is_none()
        }),
        (
            "times",
            r#"{"id":ID,"result":{"createdAt":"2025-11-25T10:30:00+00:00","lastUpdatedAt":"now"}}"#,
            |a| view(a).created_at.is_some() && view(a).last_updated_at.is_none(),
        ),
        (
            "time with nine digits",
            r#"{"id":ID,"result":{"createdAt":"2025-11-25T10:30:00.123456789Z"}}"#,
            |a| view(a).created_at.is_some(),
        ),
        ("id of a task with colons", r#"{"id":ID,"result":{"taskId":"a:b/c=="}}"#, |a| {
            view(a).task_id.as_deref() == Some("a:b/c==")
        }),
        ("id of a task as a number", r#"{"id":ID,"result":{"taskId":7,"status":"working"}}"#, |a| {
            view(a).task_id.is_none() && view(a).status == Status::Working
        }),
        ("twice the same member", r#"{"id":ID,"result":{"status":"working","status":"failed"}}"#, |a| {
            view(a).status == Status::Failed
        }),
        ("task_result with nothing but metadata", r#"{"id":ID,"result":{"_meta":{"x":1}}}"#, |a| {
            is(r#"{"_meta":{"x":1}}"#)(a)
        }),
    ]
}

async fn asking(session: &Session) -> tokio::task::JoinHandle<Result<Json, Error>> {
    let session = session.clone();
    tokio::spawn(async move { session.get_task("t").await })
}

#[tokio::test]
async fn over_stdio_every_answer_is_read() {
    let (mut pipe, opened) = over_stdio(swift()).await;
    for (name, message, expected) in cases() {
        let answer = asking(&opened.session).await;
        let id = pipe.take("tasks/get").await["id"].to_string();
        pipe.say(&message.replace("ID", &id)).await;
        let answer = soon(name, answer).await.unwrap();
        assert!(expected(&answer), "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn over_http_every_answer_is_read_as_a_body_and_as_an_event() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    for (name, message, expected) in cases() {
        for as_event in [false, true] {
            let answer = asking(&opened.session).await;
            let get = peer.take("tasks/get").await;
            let message = message.replace("ID", &get.request.body["id"].to_string());
            if as_event {
                get.stream().await.message(&message).await;
            } else {
                get.status(200, &message).await;
            }
            let answer = soon(name, answer).await.unwrap();
            assert!(expected(&answer), "{name}, event: {as_event}: {answer:?}");
        }
    }
    for status in [400, 404, 500] {
        let answer = asking(&opened.session).await;
        let get = peer.take("tasks/get").await;
        let body = get.request.error(r#"{"code":-32602,"message":"x"}"#);
        get.bytes(&response(status, "", &body)).await;
        let answer = answer.await.unwrap();
        assert!(rpc(-32602)(&answer), "{status}: {answer:?}");
    }
}

#[tokio::test]
async fn junk_on_stdio_hurts_nothing() {
    let (mut pipe, opened) = over_stdio(Options { message_limit: 4096, ..swift() }).await;
    let answer = asking(&opened.session).await;
    let id = pipe.take("tasks/get").await["id"].to_string();
    let junk = [
        "Welcome!",
        "",
        "{",
        "[",
        "[[]]",
        "7",
        "null",
        r#"{"id":null,"error":{"code":-32700,"message":"?"}}"#,
        r#"{"error":{}}"#,
        r#"{"id":99,"result":{}}"#,
        r#"{"method":7}"#,
        r#"{"id":1}"#,
        r#"[{"id":98,"result":{}},7]"#,
    ];
    for line in junk {
        pipe.say(line).await;
    }
    pipe.say(&format!(r#"{{"id":97,"result":"{}"}}"#, "x".repeat(10_000))).await;
    pipe.say(&format!(r#"{{"id":{id},"result":{{}}}}"#)).await;
    assert!(is("{}")(&soon("the answer", answer).await.unwrap()));

    let answer = asking(&opened.session).await;
    let id = pipe.take("tasks/get").await["id"].to_string();
    pipe.say(&format!(r#"{{"id":{id},"result":"{}"}}"#, "x".repeat(10_000))).await;
    assert_eq!(soon("the refusal", answer).await.unwrap(), Err(Error::TooLarge { limit: 4096 }));
    assert!(opened.client.stderr_tail().iter().any(|line| line == "Welcome!"), "kept for diagnostics");
}

#[tokio::test]
async fn large_and_deep_results_come_through() {
    let large = format!("\"{}\"", "x".repeat(20 * 1024 * 1024));
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let (mut pipe, stdio) = over_stdio(swift()).await;
    let (mut peer, http, _push) = over_http(swift()).await;
    for result in [large, deep] {
        let answer = asking(&stdio.session).await;
        let get = pipe.take("tasks/get").await;
        pipe.result(&get, &result).await;
        assert!(soon("the result", answer).await.unwrap().is_ok_and(|json| json.text() == result));
        let answer = asking(&http.session).await;
        peer.take("tasks/get").await.result(&result).await;
        assert!(soon("the result", answer).await.unwrap().is_ok_and(|json| json.text() == result));
    }
}
