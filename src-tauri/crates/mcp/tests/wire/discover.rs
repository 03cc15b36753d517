//! Telling modern servers, legacy servers and no servers apart over HTTP.

use signalbox_mcp::{Error, Hint, Options};

use crate::support::{Received, Server, ok_json, response};

const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],
    "capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"instructions":"Be kind.",
    "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2","title":"The demo"}}}"#;

fn methods(received: &[Received]) -> Vec<String> {
    received.iter().map(|request| format!("{} {}", &request.line[..4], request.method())).collect()
}

#[tokio::test]
async fn a_modern_server_is_read() {
    let server = Server::start(|request| ok_json(&request.result(DISCOVERED))).await;
    let found = server.client(Options::default()).discover().await.unwrap();
    assert_eq!((found.name.as_str(), found.version.as_str()), ("demo", "1.2"));
    assert_eq!(found.title.as_deref(), Some("The demo"));
    assert_eq!(found.protocol_version, "2026-07-28");
    assert_eq!(found.instructions.as_deref(), Some("Be kind."));
    assert!(found.tasks, "the extension is declared");
    assert_eq!(found.raw.text(), DISCOVERED);
    assert!(found.capabilities.text().starts_with(r#"{"tools":{}"#));
}

#[tokio::test]
async fn version_errors_are_modern_and_never_probed() {
    type Expected = fn(&Error) -> bool;
    let cases: [(&str, &str, Expected); 6] = [
        (
            r#"{"code":-32022,"message":"v","data":{"supported":["2025-11-25","2026-07-28"]}}"#,
            "usable",
            |_| false,
        ),
        (r#"{"code":-32022,"message":"v","data":{"supported":["2025-06-18","2025-11-25"]}}"#, "older", |e| {
            *e == Error::LegacyOnly { version: Some("2025-11-25".into()) }
        }),
        (r#"{"code":-32022,"message":"v","data":{"supported":["2027-01-01"]}}"#, "newer", |e| {
            matches!(e, Error::Protocol { .. })
        }),
        (r#"{"code":-32022,"message":"v"}"#, "silent", |e| matches!(e, Error::Rpc { code: -32022, .. })),
        (r#"{"code":-32020,"message":"h"}"#, "headers", |e| matches!(e, Error::Rpc { code: -32020, .. })),
        (r#"{"code":-32003,"message":"c"}"#, "capability", |e| matches!(e, Error::Rpc { code: -32003, .. })),
    ];
    for (error, name, expected) in cases {
        let mut server = Server::start(move |request| {
            response(400, "content-type: application/json\r\n", &request.error(error))
        })
        .await;
        match server.client(Options::default()).discover().await {
            Ok(found) => assert_eq!((name, found.protocol_version.as_str()), ("usable", "2026-07-28")),
            Err(error) => assert!(expected(&error), "{name}: {error:?}"),
        }
        assert_eq!(methods(&server.received()), ["POST server/discover"], "{name}: modern, so no initialize");
    }
}

#[tokio::test]
async fn a_legacy_server_is_told_and_its_session_given_back() {
    let refusals: [fn(&Received) -> Vec<u8>; 4] = [
        |_| response(400, "", "Bad Request: no valid session ID"),
        |request| ok_json(&request.error(r#"{"code":-32601,"message":"Method not found"}"#)),
        |_| response(422, "content-type: text/plain\r\n", "expect initialize request"),
        |request| ok_json(&request.result("{}")),
    ];
    for refuse in refusals {
        let mut server = Server::start(move |request| match (request.line.as_str(), request.method()) {
            ("DELETE /mcp HTTP/1.1", _) => response(204, "", ""),
            (_, "initialize") => {
                let session = "content-type: text/event-stream\r\nmcp-session-id: s1\r\n";
                let result = request.result(r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#);
                response(200, session, &format!("data: {result}\n\n"))
            }
            _ => refuse(request),
        })
        .await;
        let error = server.client(Options::default()).discover().await.expect_err("legacy");
        assert_eq!(error, Error::LegacyOnly { version: Some("2025-06-18".into()) });
        let received = server.received();
        assert_eq!(methods(&received), ["POST server/discover", "POST initialize", "DELE "]);
        assert_eq!(
            received[1].headers.get("mcp-method"),
            None,
            "the question is asked as legacy clients ask it"
        );
        assert_eq!(received[2].headers.get("mcp-session-id").map(String::as_str), Some("s1"));
    }
}

#[tokio::test]
async fn what_is_no_mcp_server_says_so() {
    const HTML: &str = "content-type: text/html\r\n";
    let mut server = Server::start(|_| response(404, HTML, "<html>")).await;
    let error = server.client(Options::default()).discover().await.expect_err("a website");
    let content_type = Some("text/html".to_owned());
    assert_eq!(error, Error::NotMcp { status: Some(404), content_type, hint: Hint::Page });
    let asked = methods(&server.received());
    assert_eq!(asked, ["POST server/discover", "POST initialize", "GET  "], "in the ways of all transports");

    let mut server = Server::start(|_| response(200, HTML, "<html>")).await;
    let error = server.client(Options::default()).discover().await.expect_err("a website");
    assert!(matches!(error, Error::NotMcp { status: Some(200), .. }), "{error:?}");
    assert_eq!(
        methods(&server.received()),
        ["POST server/discover"],
        "a page that says 200 is no legacy refusal"
    );

    for body in [r#"{"hello":"world"}"#, "[1,", r#"{"jsonrpc":"2.0","id":1,"result":{"hello":"world"}}"#] {
        let server = Server::start(move |_| ok_json(body)).await;
        let error = server.client(Options::default()).discover().await.expect_err("some other service");
        assert!(matches!(error, Error::NotMcp { hint: Hint::Other, .. }), "{body}: {error:?}");
    }

    for (status, expected) in [(401, "SignInNeeded"), (429, "Throttled"), (502, "Lost")] {
        let mut server = Server::start(move |_| response(status, "", "")).await;
        let error = server.client(Options::default()).discover().await.expect_err(expected);
        assert!(format!("{error:?}").starts_with(expected), "{error:?}");
        assert_eq!(server.received().len(), 1, "{status} says nothing about the wire");
    }
}

#[tokio::test]
async fn what_a_server_says_of_itself_is_quoted_to_a_limit_and_kept_whole() {
    const QUOTE: usize = 4 * 1024 + '…'.len_utf8();
    let long = "é".repeat(1_000_000);
    let name = "é".repeat(100_000);
    let info = format!(r#"{{"name":"{name}","version":"{name}","title":"{name}"}}"#);
    let result = format!(r#"{{"supportedVersions":["2026-07-28"],"serverInfo":{info}}}"#);
    let server = Server::start(move |request| ok_json(&request.result(&result))).await;
    let found = server.client(Options::default()).discover().await.unwrap();
    for text in [&found.name, &found.version, found.title.as_ref().unwrap()] {
        assert!(text.len() <= QUOTE && text.ends_with("é…"), "{} bytes", text.len());
    }
    assert!(found.raw.text().contains(&name));

    let complaint = format!(r#"{{"code":-32603,"message":"{long}"}}"#);
    let server = Server::start(move |request| ok_json(&request.error(&complaint))).await;
    let error = server.client(Options::default()).get_task("t").await.expect_err("it complains");
    let Error::Rpc { message, raw, .. } = &error else { panic!("an error of the server") };
    assert!(message.len() <= QUOTE && message.ends_with("é…") && raw.text().len() > 2_000_000);

    let version = "1".repeat(1_000_000);
    let older = format!(r#"{{"code":-32022,"message":"v","data":{{"supported":["{version}"]}}}}"#);
    let server = Server::start(move |request| ok_json(&request.error(&older))).await;
    let error = server.client(Options::default()).discover().await.expect_err("no version of ours");
    let Error::LegacyOnly { version: Some(version) } = &error else { panic!("an older version") };
    assert!(version.len() <= QUOTE);
}
