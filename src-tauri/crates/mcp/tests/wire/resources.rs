//! `resources/read`, on both wires.

use signalbox_mcp::{Error, Options, resource_contents};

use crate::{
    legacy::{over_http, swift},
    support::{Server, ok_json},
};

const READ: &str = r#"{"contents":[{"uri":"file:///a","mimeType":"text/plain","text":"hello"}]}"#;

/// An answer that is longer than one may be.
fn flood() -> String {
    format!(r#"{{"contents":[{{"uri":"a:b","text":"{}"}}]}}"#, "x".repeat(16 * 1024 * 1024))
}

#[tokio::test]
async fn a_resource_is_asked_for_by_its_uri() {
    let mut server = Server::start(|request| ok_json(&request.result(READ))).await;
    let read = server.client(Options::default()).read_resource("file:///a").await.unwrap();
    let [(embedded, _)] = &resource_contents(&read)[..] else { panic!("{read:?}") };
    assert_eq!((embedded.uri.as_str(), embedded.text.as_deref()), ("file:///a", Some("hello")));
    let [request] = &server.received()[..] else { panic!("once") };
    assert_eq!(
        (&request.body["method"], &request.body["params"]["uri"]),
        (&"resources/read".into(), &"file:///a".into())
    );
    assert_eq!(request.headers.get("mcp-name").map(String::as_str), Some("file:///a"));

    let (mut peer, opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let reading = tokio::spawn(async move { session.read_resource("file:///a").await });
    let asked = peer.take("resources/read").await;
    assert_eq!(asked.request.body["params"], serde_json::json!({ "uri": "file:///a" }));
    asked.result(READ).await;
    assert_eq!(reading.await.unwrap().unwrap().text(), READ);
}

#[tokio::test]
async fn a_server_that_wants_something_first_is_not_answered() {
    let server = Server::start(|request| {
        ok_json(&request.result(r#"{"resultType":"input_required","inputRequests":{}}"#))
    });
    let error = server.await.client(Options::default()).read_resource("a:b").await.unwrap_err();
    assert!(matches!(error, Error::Protocol { .. }), "{error:?}");
}

#[tokio::test]
async fn a_resource_has_a_bound_on_both_wires() {
    let server = Server::start(|request| ok_json(&request.result(&flood()))).await;
    let error = server.client(Options::default()).read_resource("a:b").await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");

    let (mut peer, opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let reading = tokio::spawn(async move { session.read_resource("a:b").await });
    peer.take("resources/read").await.result(&flood()).await;
    let error = reading.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
}
