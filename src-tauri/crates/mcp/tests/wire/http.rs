//! Requests over Streamable HTTP: what goes out, and what every kind of answer means.

use std::time::Duration;

use serde_json::json;
use signalbox_mcp::{
    CallOptions, CallReply, Client, Endpoint, Error, Hint, Options, Round, Sent, Stage, TaskView,
};
use signalbox_model::{Json, Status};

use crate::support::{Received, Server, ok_json, response, stream};

fn arguments() -> Json {
    Json::parse("{\n  \"n\": 12345678901234567890.50\n}").expect("the test's own JSON")
}

fn rpc(code: i64, message: &str) -> impl Fn(&Error) -> bool {
    move |error| matches!(error, Error::Rpc { code: c, message: m, .. } if *c == code && m == message)
}

#[tokio::test]
async fn every_request_says_what_the_specification_wants() {
    let mut server = Server::start(|request| ok_json(&request.result(r#"{"resultType":"complete"}"#))).await;
    let headers = vec![
        ("authorization".parse().unwrap(), "Bearer t".parse().unwrap()),
        ("mcp-protocol-version".parse().unwrap(), "1999-01-01".parse().unwrap()),
    ];
    let options = Options { client_name: "name \"x\"".into(), ..Options::default() };
    let client = Client::new(Endpoint::Http { url: server.url.clone(), headers }, options);
    let schema = json!({"properties": {"n": {"type": "string", "x-mcp-header": "N"}}});
    client
        .call_tool(
            "déploy",
            &arguments(),
            CallOptions { input_schema: Some(Json::of(&schema)), ..CallOptions::default() },
        )
        .await
        .unwrap();
    client.get_task("task:1/a").await.unwrap();
    client.update_task(" padded ", &[("k".into(), Json::of(&json!({"action": "decline"})))]).await.unwrap();
    client.cancel_task("t").await.unwrap();

    let received = server.received();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "name \"x\"", "version": env!("CARGO_PKG_VERSION")},
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}, "url": {}},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        },
    });
    let expected = [
        (
            "tools/call",
            "=?base64?ZMOpcGxveQ==?=",
            json!({"name": "déploy", "arguments": {"n": 12345678901234567890.50}}),
        ),
        ("tasks/get", "task:1/a", json!({"taskId": "task:1/a"})),
        (
            "tasks/update",
            "=?base64?IHBhZGRlZCA=?=",
            json!({"taskId": " padded ", "inputResponses": {"k": {"action": "decline"}}}),
        ),
        ("tasks/cancel", "t", json!({"taskId": "t"})),
    ];
    assert_eq!(received.len(), expected.len());
    for (n, (request, (method, name, mut params))) in received.iter().zip(expected).enumerate() {
        params["_meta"] = meta.clone();
        let body = json!({"jsonrpc": "2.0", "id": n + 1, "method": method, "params": params});
        assert_eq!(request.body, body, "{method}: a fresh id, the whole _meta");
        assert_eq!(request.line, "POST /mcp HTTP/1.1");
        let headers = [
            ("mcp-method", method),
            ("mcp-name", name),
            ("mcp-protocol-version", "2026-07-28"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("authorization", "Bearer t"),
        ];
        for (header, value) in headers {
            assert_eq!(request.headers.get(header).map(String::as_str), Some(value), "{method}: {header}");
        }
        let mirrored = request.headers.get("mcp-param-n").map(String::as_str);
        assert_eq!(mirrored, (n == 0).then_some("12345678901234567890.50"), "{method}");
    }
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
async fn an_event_stream_is_read_up_to_the_answer() {
    let server = Server::start(|request| {
        stream(&format!(
            "\u{FEFF}: hello\n\nevent: message\nid: 1\ndata: {{\"method\":\"notifications/progress\"}}\n\n\
             data: {}\r\n\r\nretry: 5\ndata: {{\"jsonrpc\":\"2.0\",\ndata: \"id\":{},\"result\":{{\"n\":1.0}}}}\n\ndata: never read",
            r#"{"id":77,"result":{"other":true}}"#, request.body["id"]
        ))
    })
    .await;
    let result = server.client(Options::default()).get_task("t").await.unwrap();
    assert_eq!(result.text(), r#"{"n":1.0}"#, "the result as received, whatever came before it");
}

#[tokio::test]
async fn replies_are_told_apart_by_result_type_alone() {
    type Expected = fn(&Result<CallReply, Error>) -> bool;
    let cases: [(&str, Expected); 8] = [
        (r#"{"content":[]}"#, |r| matches!(r, Ok(CallReply::Complete))),
        (r#"{"resultType":null}"#, |r| matches!(r, Ok(CallReply::Complete))),
        (r#"{"resultType":"complete","taskId":"x","status":"working"}"#, |r| {
            matches!(r, Ok(CallReply::Complete))
        }),
        (
            r#"{"resultType":"task","content":[],"taskId":"x","status":"working"}"#,
            |r| matches!(r, Ok(CallReply::Task(TaskView { task_id: Some(id), status: Status::Working, .. })) if id == "x"),
        ),
        (r#"{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"m"}}}"#, |r| {
            matches!(r, Ok(CallReply::InputRequired { request_state: Some(state), input_requests })
                if state == "s" && input_requests[0].0 == "k")
        }),
        (
            r#"{"resultType":"input_required"}"#,
            |r| matches!(r, Ok(CallReply::InputRequired { request_state: None, input_requests }) if input_requests.is_empty()),
        ),
        (
            r#"{"resultType":"surprise"}"#,
            |r| matches!(r, Err(Error::Protocol { raw: Some(raw), .. }) if raw.text() == r#"{"resultType":"surprise"}"#),
        ),
        ("[]", |r| matches!(r, Err(Error::Protocol { raw: Some(raw), .. }) if raw.text() == "[]")),
    ];
    for (result, expected) in cases {
        let server = Server::start(move |request| ok_json(&request.result(result))).await;
        let called =
            server.client(Options::default()).call_tool("t", &arguments(), CallOptions::default()).await;
        if let Ok(called) = &called {
            assert_eq!(called.raw.text(), result, "kept as received");
        }
        let reply = called.map(|called| called.reply);
        assert!(expected(&reply), "{result}: {reply:?}");
    }
}

#[tokio::test]
async fn a_round_goes_out_with_the_same_call() {
    let mut server = Server::start(|request| ok_json(&request.result("{}"))).await;
    let client = server.client(Options::default());
    let responses = vec![("k \"1\"".to_owned(), Json::parse(r#"{"action": "accept"}"#).unwrap())];
    for (state, expected) in
        [(Some("a\n\u{1F600}\"=".to_owned()), Some(json!("a\n\u{1F600}\"="))), (None, None)]
    {
        let round = Round { request_state: state, input_responses: responses.clone() };
        let options = CallOptions { round: Some(round), ..CallOptions::default() };
        client.call_tool("t", &arguments(), options).await.unwrap();
        let params = server.received()[0].body["params"].clone();
        assert_eq!(
            params.get("requestState"),
            expected.as_ref(),
            "what came goes back, and nothing where none came"
        );
        assert_eq!(params["inputResponses"], json!({"k \"1\"": {"action": "accept"}}));
        assert_eq!(params["name"], "t", "the same call");
    }
}

#[tokio::test]
async fn lists_are_read_to_their_end() {
    let mut server = Server::start(|request| {
        let page = match request.body["params"].get("cursor").map(|cursor| cursor.as_str().unwrap_or("?")) {
            None => r#"{"tools":[{"name":"a","annotations":{"title":"A"}},{"title":"nameless"}],"nextCursor":""}"#,
            Some("") => {
                r#"{"tools":[{"name":"b","title":"B","inputSchema":{"type":"object"}},
                    {"name":"bad","inputSchema":{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}}],"nextCursor":"2"}"#
            }
            Some(_) => r#"{"tools":[{"name":"c"}],"nextCursor":null}"#,
        };
        ok_json(&request.result(page))
    })
    .await;
    let tools = server.client(Options::default()).list_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| (tool.name.as_str(), tool.title.as_deref())).collect();
    assert_eq!(names, [("a", Some("A")), ("b", Some("B")), ("c", None)]);
    assert_eq!(tools[1].input_schema.as_ref().map(Json::text), Some(r#"{"type":"object"}"#));
    assert_eq!(server.received().len(), 3, "an empty string is a cursor");
}

#[tokio::test]
async fn lists_without_an_end_are_given_up() {
    let cases = [
        (r#"{"tools":[],"nextCursor":"again"}"#, 2, "a repeated cursor"),
        (r#"{"tools":[],"nextCursor":7}"#, 1, "a cursor that is no text"),
        (r#"{"tools":{}}"#, 1, "no list"),
        ("{}", 1, "no list at all"),
    ];
    for (page, requests, why) in cases {
        let mut server = Server::start(move |request| ok_json(&request.result(page))).await;
        let error = server.client(Options::default()).list_tools().await.expect_err(why);
        assert!(matches!(error, Error::Protocol { .. }), "{why}: {error:?}");
        assert_eq!(server.received().len(), requests, "{why}");
    }
    let mut server = Server::start(|request| {
        ok_json(&request.result(&format!(r#"{{"tools":[],"nextCursor":"{}"}}"#, request.body["id"])))
    })
    .await;
    let options = Options { page_limit: 5, ..Options::default() };
    let error = server.client(options).list_tools().await.expect_err("ever new cursors");
    assert!(matches!(error, Error::Protocol { .. }), "{error:?}");
    assert_eq!(server.received().len(), 5, "pages are bounded");
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
    }
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
