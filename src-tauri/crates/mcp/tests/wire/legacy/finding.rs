//! Finding the wire, and what is remembered of it.

use serde_json::{Value, json};
use signalbox_mcp::{Connection, Error, Hint, Options, PROTOCOL_VERSION, Remembered};
use signalbox_model::{Timestamp, Wire};

use super::{ALL, INITIALIZED, Opened, connecting, legacy, over_http, over_stdio, swift};
use crate::{
    peer::{Peer, soon},
    pipe::Pipe,
    support::response,
};

const MODERN: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],
    "capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#;

#[tokio::test]
async fn a_modern_server_needs_no_session() {
    let mut peer = Peer::start().await;
    let connecting = connecting(&peer.client(swift()), Remembered::default());
    let discover = peer.take("server/discover").await;
    let capabilities =
        &discover.request.body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    let expected = json!({
        "elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    });
    assert_eq!(*capabilities, expected, "what is declared is declared on either wire");
    let body = discover.request.result(MODERN);
    discover
        .bytes(&response(
            200,
            "content-type: application/json\r\ndate: Fri, 28 Nov 2025 10:00:07 GMT\r\n",
            &body,
        ))
        .await;
    let Ok(Connection::Modern(found)) = connecting.await.unwrap() else { panic!("modern") };
    assert_eq!((found.wire, found.server.protocol_version.as_str()), (Wire::Modern, PROTOCOL_VERSION));
    assert!(found.server.tasks && found.cancels_tasks && !found.lists_tasks);
    let clock: Timestamp = "2025-11-28T10:00:07Z".parse().unwrap();
    assert_eq!(found.clock, Some(clock), "the server's clock, for the caller to compare");
}

/// What a server says that knows nothing of the modern question.
#[tokio::test]
async fn a_legacy_server_is_found_behind_every_refusal() {
    let refusals = [
        (400, "", "Bad Request: no valid session ID"),
        (200, "content-type: application/json\r\n", r#"{"id":1,"error":{"code":-32601,"message":"no"}}"#),
        (422, "content-type: text/plain\r\n", "expect initialize request"),
        (404, "content-type: application/json\r\n", r#"{"id":null,"error":{"code":-32000,"message":"no"}}"#),
        (
            400,
            "content-type: application/json\r\n",
            r#"{"id":1,"error":{"code":-32022,"message":"v","data":{"supported":["2025-11-25"]}}}"#,
        ),
    ];
    for (status, headers, body) in refusals {
        let mut peer = Peer::start().await;
        let client = peer.client(swift());
        let connecting = connecting(&client, Remembered::default());
        peer.take("server/discover").await.bytes(&response(status, headers, body)).await;
        let initialize = peer.take("initialize").await;
        assert_eq!(initialize.header("mcp-method"), None, "{body}: asked as legacy clients ask");
        assert_eq!(initialize.header("mcp-session-id"), None, "{body}");
        let result = initialize.request.result(INITIALIZED);
        initialize.bytes(&response(200, "content-type: application/json\r\n", &result)).await;
        peer.take("notifications/initialized").await.accept().await;
        let get = peer.take("GET").await;
        assert!(!connecting.is_finished(), "{body}: what came before the stream stands would be dropped");
        get.status(405, "").await;
        let opened = Opened::of(client, connecting.await.unwrap());
        assert_eq!(opened.found.wire, Wire::Legacy, "{body}");
        assert_eq!(peer.left(), [""; 0], "{body}: nothing else is asked");
    }
}

/// A server may know versions that we do not, newer ones too: one that both know is enough.
#[tokio::test]
async fn a_version_that_both_know_is_spoken_whatever_else_the_server_speaks() {
    let lists = [
        r#"["2027-01-01","2025-11-25"]"#,
        r#"["2024-11-05","2099-01-01"]"#,
        r#"["2026-01-01","2025-06-18"]"#,
        r#"["2025-11-25"]"#,
    ];
    for supported in lists {
        let as_error =
            format!(r#""error":{{"code":-32022,"message":"v","data":{{"supported":{supported}}}}}"#);
        let as_result = format!(r#""result":{{"supportedVersions":{supported},"capabilities":{{}}}}"#);
        for said in [as_error, as_result] {
            let mut peer = Peer::start().await;
            let client = peer.client(swift());
            let connecting = connecting(&client, Remembered::default());
            let discover = peer.take("server/discover").await;
            let body = format!(r#"{{"id":{},{said}}}"#, discover.request.body["id"]);
            discover.status(400, &body).await;
            peer.take("initialize").await.result(INITIALIZED).await;
            peer.take("notifications/initialized").await.accept().await;
            peer.take("GET").await.status(405, "").await;
            let opened = Opened::of(client, connecting.await.unwrap());
            assert_eq!(opened.found.wire, Wire::Legacy, "{said}");
        }
    }
}

#[tokio::test]
async fn a_server_that_refuses_the_version_it_names_is_quoted() {
    let refusal = r#"{"code":-32603,"message":"not today"}"#;
    let unknown = Error::LegacyOnly { version: Some("2020-01-01".into()) };
    for (supported, expected) in [
        (r#"["2027-01-01","2025-11-25"]"#, None),
        (r#"["2025-06-18"]"#, None),
        (r#"["2020-01-01"]"#, Some(unknown)),
    ] {
        let mut peer = Peer::start().await;
        let connecting = connecting(&peer.client(swift()), Remembered::default());
        let discover = peer.take("server/discover").await;
        let error = format!(r#"{{"code":-32022,"message":"v","data":{{"supported":{supported}}}}}"#);
        let body = discover.request.error(&error);
        discover.status(400, &body).await;
        let initialize = peer.take("initialize").await;
        let body = initialize.request.error(refusal);
        initialize.status(400, &body).await;
        let error = connecting.await.unwrap().err().expect(supported);
        match expected {
            Some(expected) => assert_eq!(error, expected, "{supported}: no version of ours"),
            None => {
                let Error::Protocol { breach, raw: Some(raw) } = error else { panic!("{error:?}") };
                let message = breach.to_string();
                assert!(message.contains("not today") && message.contains("version 2025-"), "{message}");
                assert_eq!(raw.text(), refusal);
            }
        }
    }
}

#[tokio::test]
async fn a_remembered_wire_is_asked_first_and_everything_is_said() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    let found = &opened.found;
    assert_eq!(found.wire, Wire::Legacy);
    assert_eq!((found.server.name.as_str(), found.server.version.as_str()), ("old", "0.9"));
    assert_eq!(
        (found.server.title.as_deref(), found.server.protocol_version.as_str()),
        (Some("The old one"), "2025-11-25")
    );
    assert!(found.server.tasks && found.lists_tasks && found.cancels_tasks);
    let clock: Timestamp = "2025-11-28T10:00:00Z".parse().unwrap();
    assert_eq!(found.clock, Some(clock));
    assert_eq!(found.server.raw.text(), INITIALIZED, "as received");
    assert!(!opened.resumed);
    assert_eq!(peer.left(), [""; 0], "no modern question");
}

#[tokio::test]
async fn initialize_says_what_we_can() {
    let cases = [
        (
            ALL,
            json!({
                "elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {"listChanged": true},
                "tasks": {"list": {}, "cancel": {},
                    "requests": {"elicitation": {"create": {}}, "sampling": {"createMessage": {}}}},
            }),
        ),
        (Default::default(), json!({"elicitation": {"form": {}, "url": {}}})),
        (
            signalbox_mcp::Declared { host_tasks: true, ..Default::default() },
            json!({
                "elicitation": {"form": {}, "url": {}},
                "tasks": {"list": {}, "cancel": {}, "requests": {"elicitation": {"create": {}}}},
            }),
        ),
    ];
    for (declared, expected) in cases {
        let (mut pipe, client) = Pipe::start(Options { declared, client_name: "n\"x".into(), ..swift() });
        let _connecting = connecting(&client, legacy());
        let initialize: Value = pipe.take("initialize").await;
        assert_eq!(initialize["params"]["capabilities"], expected);
        assert_eq!(initialize["params"]["protocolVersion"], "2025-11-25");
        assert_eq!(initialize["params"]["clientInfo"]["name"], "n\"x");
    }
}

#[tokio::test]
async fn older_versions_are_spoken_and_unknown_ones_are_not() {
    for version in ["2025-06-18", "2025-03-26", "2024-11-05"] {
        let mut peer = Peer::start().await;
        let client = peer.client(swift());
        let connecting = connecting(&client, legacy());
        let result = INITIALIZED.replace("2025-11-25", version);
        peer.take("initialize").await.result(&result).await;
        let initialized = peer.take("notifications/initialized").await;
        assert_eq!(
            initialized.header("mcp-protocol-version"),
            Some(version),
            "the negotiated version from now on"
        );
        assert_eq!(initialized.header("mcp-session-id"), None, "there is no session");
        initialized.accept().await;
        peer.take("GET").await.status(405, "").await;
        let opened = Opened::of(client, connecting.await.unwrap());
        assert_eq!(opened.session.protocol_version(), version);
        assert_eq!(opened.session.saved(), None, "nothing to go on with");
    }
    let mut peer = Peer::start().await;
    let connecting = connecting(&peer.client(swift()), legacy());
    let initialize = peer.take("initialize").await;
    let body = initialize.request.result(&INITIALIZED.replace("2025-11-25", "2099-01-01"));
    initialize.bytes(&response(200, "content-type: application/json\r\nmcp-session-id: s\r\n", &body)).await;
    let delete = peer.take("DELETE").await;
    assert_eq!(delete.header("mcp-session-id"), Some("s"), "what cannot be used is given back");
    delete.bytes(&response(204, "", "")).await;
    let error = connecting.await.unwrap().err().expect("an unknown version");
    assert_eq!(error, Error::LegacyOnly { version: Some("2099-01-01".into()) });
}

#[tokio::test]
async fn a_server_that_became_modern_is_found_again() {
    let mut peer = Peer::start().await;
    let connecting = connecting(&peer.client(swift()), legacy());
    let initialize = peer.take("initialize").await;
    let body =
        initialize.request.error(r#"{"code":-32022,"message":"v","data":{"supported":["2026-07-28"]}}"#);
    initialize.status(400, &body).await;
    peer.take("server/discover").await.result(MODERN).await;
    assert!(matches!(connecting.await.unwrap(), Ok(Connection::Modern(_))));
}

#[tokio::test]
async fn trouble_is_no_verdict() {
    for (status, expected) in [(401, "SignInNeeded"), (429, "Throttled"), (503, "Throttled"), (500, "Lost")] {
        let mut peer = Peer::start().await;
        let connecting = connecting(&peer.client(swift()), legacy());
        peer.take("initialize").await.status(status, "").await;
        let error = connecting.await.unwrap().err().expect(expected);
        assert!(format!("{error:?}").starts_with(expected), "{status}: {error:?}");
        assert_eq!(peer.left(), [""; 0], "{status} says nothing about the wire");
    }
}

#[tokio::test]
async fn a_child_is_found_too() {
    let (_pipe, opened) = over_stdio(swift()).await;
    assert_eq!((opened.found.wire, opened.found.clock), (Wire::Legacy, None));
    assert_eq!(opened.session.saved(), None, "a child's session ends with it");

    let (mut pipe, client) = Pipe::start(swift());
    let connecting = connecting(&client, Remembered::default());
    let discover = pipe.take("server/discover").await;
    pipe.say(&format!(r#"{{"id":{},"error":{{"code":-32601,"message":"no"}}}}"#, discover["id"])).await;
    let initialize = pipe.take("initialize").await;
    pipe.result(&initialize, r#"{"capabilities":{}}"#).await;
    pipe.take("notifications/initialized").await;
    let opened = Opened::of(client, connecting.await.unwrap());
    assert_eq!(opened.session.protocol_version(), "2025-11-25", "a version left out is the one we offered");
    assert!(!opened.found.server.tasks);
}

#[tokio::test]
async fn a_child_that_is_neither_says_so() {
    let (mut pipe, client) = Pipe::start(swift());
    let connecting = connecting(&client, Remembered::default());
    for method in ["server/discover", "initialize"] {
        let request = pipe.take(method).await;
        pipe.result(&request, r#"{"hello":"world"}"#).await;
    }
    let error = soon("the verdict", connecting).await.unwrap().err().expect("no MCP");
    assert!(matches!(error, Error::NotMcp { hint: Hint::Other, .. }), "{error:?}");
}
