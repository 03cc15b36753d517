//! Requests over Streamable HTTP: what goes out, and what comes back.

mod busy;
mod failures;
mod lists;

use serde_json::json;
use signalbox_mcp::{CallOptions, CallReply, Client, Endpoint, Error, Options, RoundAnswers, TaskView};
use signalbox_model::{Json, Status};

use crate::support::{Server, ok_json, stream};

fn arguments() -> Json {
    Json::parse("{\n  \"n\": 12345678901234567890.50\n}").expect("the test's own JSON")
}

#[tokio::test]
async fn every_request_says_what_the_specification_wants() {
    let mut server = Server::start(|request| ok_json(&request.result(r#"{"resultType":"complete"}"#))).await;
    let headers = vec![
        ("authorization".parse().unwrap(), "Bearer t".parse().unwrap()),
        // What the specification wants of a request is not the person's to say.
        ("mcp-protocol-version".parse().unwrap(), "1999-01-01".parse().unwrap()),
        ("mcp-method".parse().unwrap(), "ping".parse().unwrap()),
        ("mcp-name".parse().unwrap(), "another".parse().unwrap()),
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
async fn a_look_takes_no_result_of_a_type_that_nobody_knows() {
    let of_type = |kind: &str| format!(r#"{{"resultType":{kind},"taskId":"t","status":"working"}}"#);
    let cases = [
        ("null", true),
        (r#""complete""#, true),
        (r#""comple\u0074e""#, true),
        // What some servers call it, and what one may call a task that asks.
        (r#""task""#, true),
        (r#""input_required""#, true),
        (r#""weird""#, false),
        (r#""Complete""#, false),
        ("7", false),
        (r#"{"type":"complete"}"#, false),
    ];
    for (kind, known) in cases {
        let result = of_type(kind);
        let server = Server::start(move |request| ok_json(&request.result(&of_type(kind)))).await;
        let looked = server.client(Options::default()).get_task("t").await;
        match looked {
            Ok(raw) => assert_eq!((known, raw.text()), (true, result.as_str()), "{kind}"),
            Err(Error::Protocol { raw: Some(raw), .. }) => {
                assert_eq!((known, raw.text()), (false, result.as_str()), "{kind}: kept as it came");
            }
            Err(error) => panic!("{kind}: {error:?}"),
        }
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
        let round = RoundAnswers { request_state: state, input_responses: responses.clone() };
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
