//! What every kind of failure means: what can be done about it, and whether the request can have been acted on. (What else
//! servers do is in the table of leniency.)

use std::time::Duration;

use signalbox_mcp::{CallOptions, Client, Endpoint, Error, Hint, Options, Sent, Stage};

use crate::support::{Received, Server, ok_json, response, stream};

fn rpc(code: i64, message: &str) -> impl Fn(&Error) -> bool {
    move |error| matches!(error, Error::Rpc { code: c, message: m, .. } if *c == code && m == message)
}

type Case = (&'static str, fn(&Received) -> Vec<u8>, Sent, Box<dyn Fn(&Error) -> bool>);

/// What an answer with a status and a body means.
fn failures() -> Vec<Case> {
    fn error(status: u16, headers: &str, request: &Received) -> Vec<u8> {
        let body = request.error(r#"{"code":-32602,"message":"no such task","data":{"x":1}}"#);
        response(status, &format!("content-type: application/json\r\n{headers}"), &body)
    }
    const HTML: &str = "content-type: text/html; charset=utf-8\r\n";
    let not_mcp = |status: u16, kind: Option<&'static str>, hint: Hint| -> Box<dyn Fn(&Error) -> bool> {
        let content_type = kind.map(str::to_owned);
        let expected = Error::NotMcp { status: Some(status), content_type, hint };
        Box::new(move |error| *error == expected)
    };
    let throttled = |status: u16, seconds: Option<u64>| -> Box<dyn Fn(&Error) -> bool> {
        let expected = Error::Throttled { status, retry_after: seconds.map(Duration::from_secs) };
        Box::new(move |error| *error == expected)
    };
    let sign_in = |status: u16, challenge: Option<&'static str>| -> Box<dyn Fn(&Error) -> bool> {
        let expected = Error::SignInNeeded { status, challenge: challenge.map(str::to_owned) };
        Box::new(move |error| *error == expected)
    };
    let lost = || -> Box<dyn Fn(&Error) -> bool> { Box::new(|error| matches!(error, Error::Lost { .. })) };
    let garbled = |raw: bool| -> Box<dyn Fn(&Error) -> bool> {
        Box::new(move |error| matches!(error, Error::Garbled { raw: r, .. } if r.is_some() == raw))
    };
    let redirect = |location: Option<&str>| Hint::Redirect { location: location.map(str::to_owned) };
    vec![
        ("error with 200", |r| error(200, "", r), Sent::Yes, Box::new(rpc(-32602, "no such task"))),
        ("error with 400", |r| error(400, "", r), Sent::Yes, Box::new(rpc(-32602, "no such task"))),
        ("error with 404", |r| error(404, "", r), Sent::Yes, Box::new(rpc(-32602, "no such task"))),
        ("error with 500", |r| error(500, "", r), Sent::Yes, Box::new(rpc(-32602, "no such task"))),
        ("error with 403", |r| error(403, "", r), Sent::Yes, Box::new(rpc(-32602, "no such task"))),
        (
            "error without an id or a type",
            |_| response(400, "", r#"{"error":{"code":-32020,"message":"header"}}"#),
            Sent::Yes,
            Box::new(rpc(-32020, "header")),
        ),
        (
            "error as an event",
            |r| stream(&format!("data: {}\n\n", r.error(r#"{"code":1,"message":"m"}"#))),
            Sent::Yes,
            Box::new(rpc(1, "m")),
        ),
        (
            "401",
            |_| response(401, "www-authenticate: Bearer x=\"y\"\r\n", ""),
            Sent::No,
            sign_in(401, Some("Bearer x=\"y\"")),
        ),
        ("401 with an error", |r| error(401, "", r), Sent::No, sign_in(401, None)),
        (
            "403 with a challenge",
            |r| error(403, "www-authenticate: Bearer\r\n", r),
            Sent::No,
            sign_in(403, Some("Bearer")),
        ),
        ("403 with a page", |_| response(403, HTML, "<html>"), Sent::No, sign_in(403, None)),
        ("429 in seconds", |_| response(429, "retry-after: 7\r\n", ""), Sent::No, throttled(429, Some(7))),
        (
            "503 with a date",
            |_| {
                let dates =
                    "date: Tue, 28 Jul 2026 10:00:00 GMT\r\nretry-after: Tue, 28 Jul 2026 10:01:30 GMT\r\n";
                response(503, dates, "busy")
            },
            Sent::Maybe,
            throttled(503, Some(90)),
        ),
        (
            "429 with a date in the past",
            |_| {
                let dates =
                    "date: Tue, 28 Jul 2026 10:00:00 GMT\r\nretry-after: Tue, 28 Jul 2026 09:00:00 GMT\r\n";
                response(429, dates, "")
            },
            Sent::No,
            throttled(429, Some(0)),
        ),
        (
            "429 for ever",
            |_| response(429, "retry-after: 99999999999999999999\r\n", ""),
            Sent::No,
            throttled(429, Some(86_400)),
        ),
        ("429 in the past", |_| response(429, "retry-after: -5\r\n", ""), Sent::No, throttled(429, Some(0))),
        ("429 illegible", |_| response(429, "retry-after: soon\r\n", ""), Sent::No, throttled(429, None)),
        ("503 with an error", |r| error(503, "", r), Sent::Maybe, throttled(503, None)),
        (
            "a page",
            |_| response(200, HTML, "<!doctype html>"),
            Sent::Maybe,
            not_mcp(200, Some("text/html"), Hint::Page),
        ),
        (
            "a page without a type",
            |_| response(404, "", "  <html>"),
            Sent::No,
            not_mcp(404, None, Hint::Page),
        ),
        ("405", |_| response(405, "", ""), Sent::No, not_mcp(405, None, Hint::Empty)),
        (
            "text",
            |_| response(200, "content-type: text/plain\r\n", "hello"),
            Sent::Maybe,
            not_mcp(200, Some("text/plain"), Hint::Other),
        ),
        (
            "a redirect",
            |_| response(307, "location: https://u:p@elsewhere.example/x?secret=1#y\r\n", ""),
            Sent::No,
            not_mcp(307, None, redirect(Some("https://elsewhere.example/x"))),
        ),
        ("a redirect to nowhere", |_| response(302, "", ""), Sent::No, not_mcp(302, None, redirect(None))),
        (
            "407",
            |_| response(407, "", ""),
            Sent::No,
            Box::new(|e| matches!(e, Error::Unreachable { stage: Stage::Proxy, .. })),
        ),
        ("502 page", |_| response(502, HTML, "<html>"), Sent::Maybe, lost()),
        ("500 empty", |_| response(500, "", ""), Sent::Maybe, lost()),
        ("no response at all", |_| Vec::new(), Sent::Maybe, lost()),
        (
            "a body cut in the middle",
            |_| b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{".to_vec(),
            Sent::Maybe,
            lost(),
        ),
        ("a stream without the answer", |_| stream(": nothing\n\n"), Sent::Maybe, lost()),
        (
            "an event cut in the middle",
            |r| stream(&format!("data: {}\n", r.result("{}"))),
            Sent::Maybe,
            lost(),
        ),
        ("an illegible event", |_| stream("data: {nope\n\n"), Sent::Maybe, garbled(false)),
        ("half a JSON document", |_| ok_json("{\"id\":1,"), Sent::Maybe, garbled(false)),
        (
            "a batch without the answer",
            |_| ok_json(r#"[{"method":"x"},{"id":99,"result":{}}]"#),
            Sent::Maybe,
            garbled(true),
        ),
        ("another's answer", |_| ok_json(r#"{"id":99,"result":{}}"#), Sent::Maybe, garbled(true)),
        (
            "too large, said so",
            |_| ok_json(&"x".repeat(5000)),
            Sent::Yes,
            Box::new(|e| *e == Error::TooLarge { limit: 4096 }),
        ),
        (
            "too large, not said so",
            |_| [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".as_slice(), &[b'x'; 5000]].concat(),
            Sent::Yes,
            Box::new(|e| *e == Error::TooLarge { limit: 4096 }),
        ),
        (
            "an event too large",
            |_| stream(&format!("data: {}", "x".repeat(5000))),
            Sent::Yes,
            Box::new(|e| *e == Error::TooLarge { limit: 4096 }),
        ),
    ]
}

#[tokio::test]
async fn every_failure_says_what_can_be_done() {
    for (name, answer, sent, expected) in failures() {
        let mut server = Server::start(answer).await;
        let client = server.client(Options { message_limit: 4096, ..Options::default() });
        let error = client.get_task("t").await.expect_err(name);
        assert!(expected(&error), "{name}: {error:?}");
        assert_eq!(error.sent(), sent, "{name}: {error:?}");
        assert_eq!(server.received().len(), 1, "{name}: no request is ever repeated");
    }
}

#[tokio::test]
async fn nobody_there_is_certainly_not_sent() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed_port = listener.local_addr().unwrap().port();
    drop(listener);
    let server = Server::start(|_| Vec::new()).await;
    let tls_port = server.url.port().unwrap();
    let cases = [
        (format!("http://127.0.0.1:{closed_port}/"), Stage::Connect),
        ("http://name.invalid/".into(), Stage::Dns),
        (format!("https://127.0.0.1:{tls_port}/"), Stage::Tls),
        ("ftp://127.0.0.1/".into(), Stage::Address),
    ];
    for (url, expected) in cases {
        let endpoint = Endpoint::Http { url: url.parse().unwrap(), headers: Vec::new() };
        let error = Client::new(endpoint, Options::default()).get_task("t").await.expect_err(&url);
        assert_eq!(error.sent(), Sent::No, "{url}: {error:?}");
        assert!(matches!(&error, Error::Unreachable { stage, .. } if *stage == expected), "{url}: {error:?}");
        assert!(!error.to_string().contains("client error"), "what the system said, and once: {error}");
    }
}

#[tokio::test]
async fn a_call_without_an_answer_and_a_connection_that_never_stands_are_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let client = |scheme: &str, options| {
        let url = format!("{scheme}://{address}/").parse().unwrap();
        Client::new(Endpoint::Http { url, headers: Vec::new() }, options)
    };
    let options = Options { call_timeout: Duration::from_millis(50), ..Options::default() };
    let arguments = signalbox_model::Json::parse("{}").unwrap();
    let called = client("http", options).call_tool("t", &arguments, CallOptions::default()).await;
    assert_eq!(called.err(), Some(Error::Timeout { ms: 50 }));
    // Nobody shakes hands.
    let options = Options { connect_timeout: Duration::from_millis(50), ..Options::default() };
    let looked = client("https", options).get_task("t").await;
    assert!(matches!(looked, Err(Error::Unreachable { .. })), "certainly not sent: {looked:?}");
}

#[tokio::test]
async fn silence_is_a_timeout_and_a_closed_client_sends_nothing() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let options = Options { request_timeout: Duration::from_millis(50), ..Options::default() };
    let client = Client::new(Endpoint::Http { url, headers: Vec::new() }, options);
    assert_eq!(client.get_task("t").await, Err(Error::Timeout { ms: 50 }));
    client.close().await;
    assert_eq!(client.get_task("t").await, Err(Error::Closed));
}
