//! The deprecated HTTP+SSE transport of 2024-11-05.

use serde_json::json;
use signalbox_mcp::{
    CallOptions, Channel, Error, Remembered, ServerNews, SessionEvent, SessionReplied, SessionReply,
};

use super::{INITIALIZED, Opened, connecting, json, legacy, swift};
use crate::{
    peer::{Events, Peer, soon},
    support::response,
};

async fn open(remembered: Remembered, refusals: &[(&str, u16)], endpoint: &str) -> (Peer, Opened, Events) {
    let mut peer = Peer::start().await;
    let client = peer.client(swift());
    let connecting = connecting(&client, remembered);
    for (method, status) in refusals {
        peer.take(method).await.bytes(&response(*status, "content-type: text/plain\r\n", "no")).await;
    }
    let mut stream = peer.take("GET").await.stream().await;
    let endpoint = endpoint.replace("ORIGIN", peer.url.origin().ascii_serialization().as_str());
    stream.write(&format!(": hello\n\nevent: endpoint\ndata: {endpoint}\n\n")).await;
    let initialize = peer.take("initialize").await;
    assert_eq!(initialize.request.line, "POST /messages?sid=1 HTTP/1.1", "where the stream says");
    let answer = initialize.request.result(&INITIALIZED.replace("2025-11-25", "2024-11-05"));
    initialize.accept().await;
    stream.message(&answer).await;
    peer.take("notifications/initialized").await.accept().await;
    let opened = Opened::of(client, connecting.await.unwrap());
    assert_eq!(opened.session.protocol_version(), "2024-11-05");
    (peer, opened, stream)
}

#[tokio::test]
async fn it_is_found_and_spoken() {
    let (mut peer, mut opened, mut stream) =
        open(Remembered::default(), &[("server/discover", 405), ("initialize", 405)], "/messages?sid=1")
            .await;
    let session = opened.session.clone();
    let calling =
        tokio::spawn(async move { session.call_tool("t", &json("{}"), CallOptions::default()).await });
    let call = peer.take("tools/call").await;
    let answer = call.request.result(r#"{"content":[]}"#);
    stream.message(&answer).await;
    assert!(calling.await.unwrap().is_ok(), "the answer may come before the POST is accepted");
    call.accept().await;

    stream.message(r#"{"id":4,"method":"ping"}"#).await;
    peer.take("reply").await.accept().await;
    stream.message(r#"{"id":5,"method":"roots/list"}"#).await;
    let SessionEvent::Request(request) = opened.event().await else { panic!("a request") };
    assert_eq!(request.channel, Channel::Shared);
    let session = opened.session.clone();
    let replying =
        tokio::spawn(async move { session.reply("5", SessionReply::Result(json("{\"roots\":[]}"))).await });
    let reply = peer.take("reply").await;
    assert_eq!(reply.request.body, json!({"jsonrpc": "2.0", "id": 5, "result": {"roots": []}}));
    reply.accept().await;
    assert_eq!(replying.await.unwrap(), Ok(SessionReplied::Delivered));
    stream.message(r#"{"method":"notifications/message"}"#).await;
    let SessionEvent::Notification(told) = opened.event().await else { panic!("a notification") };
    assert_eq!(told.news, ServerNews::Log);
}

#[tokio::test]
async fn its_end_is_the_session_s() {
    let (mut peer, mut opened, stream) =
        open(legacy(), &[("initialize", 404)], "ORIGIN/messages?sid=1").await;
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    peer.take("tasks/get").await.accept().await;
    drop(stream);
    let error = soon("the end", looking).await.unwrap().expect_err("nothing can come");
    assert!(matches!(error, Error::Lost { .. }), "it was sent: {error:?}");
    assert!(matches!(opened.event().await, SessionEvent::Ended(error) if error.session_is_over()));
    assert!(opened.session.get_task("t").await.expect_err("over").session_is_over());
    assert_eq!(peer.left(), [""; 0], "nothing is sent any more");
}

#[tokio::test]
async fn a_request_that_is_refused_says_so() {
    let (mut peer, opened, _stream) = open(legacy(), &[("initialize", 400)], "/messages?sid=1").await;
    let session = opened.session.clone();
    let asking = tokio::spawn(async move {
        let none = json("{}");
        let call = || session.call_tool("t", &none, CallOptions::default());
        (session.get_task("t").await, session.get_task("t").await, call().await, call().await, call().await)
    });
    peer.take("tasks/get").await.status(429, "").await;
    peer.take("tasks/get").await.status(400, r#"{"error":{"code":-32600,"message":"no"}}"#).await;
    for status in [400, 503] {
        let call = peer.take("tools/call").await;
        let body = call.request.error(r#"{"code":-32000,"message":"full"}"#);
        call.status(status, &body).await;
    }
    let call = peer.take("tools/call").await;
    let body = call.request.result(r#"{"content":[]}"#);
    call.status(503, &body).await;
    let (throttled, refused, failed, busy, done) = asking.await.unwrap();
    assert!(matches!(throttled, Err(Error::Throttled { .. })), "{throttled:?}");
    assert!(matches!(refused, Err(Error::Rpc { code: -32600, .. })), "{refused:?}");
    assert!(matches!(failed, Err(Error::Rpc { code: -32000, .. })), "{failed:?}");
    assert!(matches!(busy, Err(Error::Rpc { code: -32000, .. })), "{busy:?}");
    assert!(done.is_ok(), "an answer wherever it comes: {done:?}");
    assert_eq!(peer.left(), [""; 0], "what was refused needs no cancelling");
}

#[tokio::test]
async fn our_headers_go_nowhere_else() {
    let cases = [
        ("https://u:p@elsewhere.example/messages?sid=1", "elsewhere.example"),
        ("//elsewhere.example/", "http://elsewhere.example"),
        ("javascript:x", "no address"),
        ("http://[", "no address"),
        ("http://127.0.0.1:1/x", "http://127.0.0.1:1"),
    ];
    for (endpoint, named) in cases {
        for remembered in [Remembered::default(), legacy()] {
            let mut peer = Peer::start().await;
            let first = if remembered.wire.is_none() { Some("server/discover") } else { None };
            let connecting = connecting(&peer.client(swift()), remembered);
            for method in first.into_iter().chain(["initialize"]) {
                peer.take(method).await.bytes(&response(405, "", "")).await;
            }
            let mut stream = peer.take("GET").await.stream().await;
            stream.write(&format!("event: endpoint\ndata: {endpoint}\n\n")).await;
            let error = soon("the verdict", connecting).await.unwrap().err().expect(endpoint);
            let Error::Protocol { breach, .. } = &error else { panic!("{endpoint}: {error:?}") };
            let message = breach.to_string();
            assert!(message.contains(named) && !message.contains("u:p"), "{endpoint}: {message}");
            assert_eq!(peer.left(), [""; 0], "{endpoint}: that is why, and nothing else is tried");
        }
    }
}

#[tokio::test]
async fn the_address_of_an_endpoint_has_a_bound() {
    for (bytes, is_taken) in [(8 * 1024, true), (8 * 1024 + 1, false)] {
        let mut peer = Peer::start().await;
        let connecting = connecting(&peer.client(swift()), legacy());
        peer.take("initialize").await.bytes(&response(405, "", "")).await;
        let mut stream = peer.take("GET").await.stream().await;
        let endpoint = format!("/{}", "x".repeat(bytes - 1));
        stream.write(&format!("event: endpoint\ndata: {endpoint}\n\n")).await;
        if is_taken {
            peer.take("initialize").await;
        } else {
            let error = soon("the verdict", connecting).await.unwrap().err().expect("it is too long");
            let Error::Protocol { breach, .. } = &error else { panic!("{error:?}") };
            let message = breach.to_string();
            assert!(message.contains("longer than 8 KiB"), "{message}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_is_not_of_this_transport_is_no_better_reason() {
    let mut peer = Peer::start().await;
    let connecting = connecting(&peer.client(swift()), Remembered::default());
    for method in ["server/discover", "initialize"] {
        peer.take(method).await.bytes(&response(404, "", "")).await;
    }
    let mut stream = peer.take("GET").await.stream().await;
    stream.write("event: news\ndata: of another kind\n\n").await;
    drop(stream);
    let error = soon("the verdict", connecting).await.unwrap().err().expect("no MCP");
    assert!(matches!(error, Error::NotMcp { status: Some(404), .. }), "{error:?}");
}
