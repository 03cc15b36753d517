//! Sessions that end, are gone on with, and are given back.

use serde_json::json as value;
use signalbox_mcp::{
    Error, Options, Remembered, SavedSession, Sent, SessionEvent, SessionReplied, SessionReply,
};
use signalbox_model::Wire;

use super::{INITIALIZED, Opened, connecting, json, over_http, over_stdio, swift};
use crate::{
    peer::{Peer, soon},
    support::response,
};

const QUESTION: &str = r#"{"id":1,"method":"roots/list"}"#;

async fn ended(opened: &mut Opened) -> Error {
    loop {
        match soon("the end", opened.events.next()).await {
            Some(SessionEvent::Ended(error)) => {
                assert_eq!(opened.events.next().await, None, "nothing follows");
                return error;
            }
            Some(_) => {}
            None => panic!("the end is an event"),
        }
    }
}

#[tokio::test]
async fn a_forgotten_session_is_said_once_and_for_all() {
    type Answer = (&'static str, u16, &'static str, bool);
    let cases: [Answer; 4] = [
        ("404", 404, "Session not found", true),
        (
            "404 with an error of nobody",
            404,
            r#"{"id":null,"error":{"code":-32001,"message":"Session not found"}}"#,
            true,
        ),
        (
            "404 with an id of its own",
            404,
            r#"{"id":"server-error","error":{"code":-32600,"message":"Session not found"}}"#,
            true,
        ),
        (
            "400, and ping is refused, too",
            400,
            r#"{"id":null,"error":{"code":-32000,"message":"No valid session ID"}}"#,
            false,
        ),
    ];
    for (name, status, body, at_once) in cases {
        let (mut peer, mut opened, mut push) = over_http(swift()).await;
        push.message(QUESTION).await;
        assert!(matches!(opened.event().await, SessionEvent::Request(_)));
        let session = opened.session.clone();
        let looking = tokio::spawn(async move { session.get_task("t").await });
        peer.take("tasks/get").await.status(status, body).await;
        if !at_once {
            peer.take("ping").await.status(status, body).await;
        }
        let error = looking.await.unwrap().expect_err(name);
        assert!(error.session_is_over(), "{name}: {error:?}");
        assert_eq!(error.sent(), Sent::No, "{name}");
        assert!(ended(&mut opened).await.session_is_over(), "{name}");
        push.left().await;
        assert!(opened.session.get_task("t").await.expect_err(name).session_is_over());
        let replied = opened.session.reply("1", SessionReply::Result(json("{}"))).await;
        assert_eq!(replied, Ok(SessionReplied::NotOpen), "{name}: what was asked in it is gone");
        assert_eq!(peer.left(), [""; 0], "{name}: nothing more is sent in it");
    }
}

#[tokio::test]
async fn other_refusals_do_not_end_a_session() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let looking = tokio::spawn(async move {
        (session.get_task("t").await, session.get_task("t").await, session.get_task("t").await)
    });
    let get = peer.take("tasks/get").await;
    let body = get.request.error(r#"{"code":-32602,"message":"no such task"}"#);
    get.status(404, &body).await;
    let mut ids = Vec::new();
    for doubtful in [r#"{"id":null,"error":{"code":-32700,"message":"?"}}"#, "what?"] {
        peer.take("tasks/get").await.status(400, doubtful).await;
        let ping = peer.take("ping").await;
        ids.push(ping.request.body["id"].clone());
        ping.result("{}").await;
    }
    let (own, nobodys, text) = looking.await.unwrap();
    assert_eq!(
        ids,
        [value!(4), value!(6)],
        "each question whether the session is there has an id of its own"
    );
    assert!(matches!(own, Err(Error::Rpc { code: -32602, .. })), "the body decides: {own:?}");
    assert!(matches!(nobodys, Err(Error::Rpc { code: -32700, .. })), "{nobodys:?}");
    assert!(matches!(text, Err(Error::NotMcp { status: Some(400), .. })), "{text:?}");
}

#[tokio::test]
async fn the_push_stream_notices_a_forgotten_session() {
    let (mut peer, mut opened, push) = over_http(swift()).await;
    let session = opened.session.clone();
    let held = tokio::spawn(async move { session.task_result("t", None).await });
    let _stream = peer.take("tasks/result").await.stream().await;
    drop(push);
    peer.take("GET").await.status(404, "").await;
    assert!(ended(&mut opened).await.session_is_over());
    let error = soon("the held request's end", held).await.unwrap().expect_err("nothing can come");
    assert!(matches!(error, Error::Lost { .. }), "it was sent: {error:?}");
}

#[tokio::test]
async fn a_session_is_gone_on_with_after_a_restart() {
    let (_, opened, _) = over_http(swift()).await;
    let saved = opened.session.saved().expect("a session with an id");
    assert_eq!(saved, SavedSession { id: "s-1".into(), initialized: json(INITIALIZED) });
    assert!(!format!("{saved:?}").contains("s-1"), "a sensitive handle prints nothing");

    let mut peer = Peer::start().await;
    let client = peer.client(swift());
    let remembered = Remembered { wire: Some(Wire::Legacy), session: Some(saved.clone()) };
    let connecting_again = connecting(&client, remembered.clone());
    let ping = peer.take("ping").await;
    assert_eq!(ping.header("mcp-session-id"), Some("s-1"));
    assert_eq!(ping.header("mcp-protocol-version"), Some("2025-11-25"));
    let dated = "content-type: application/json\r\ndate: Tue, 28 Jul 2026 10:00:00 GMT\r\n";
    let answer = response(200, dated, &ping.request.result("{}"));
    ping.bytes(&answer).await;
    let mut push = peer.take("GET").await.stream().await;
    let mut opened = Opened::of(client, connecting_again.await.unwrap());
    assert!(opened.resumed);
    assert_eq!(opened.found.clock, "2026-07-28T10:00:00Z".parse().ok(), "its clock as it is now");
    assert_eq!(
        (opened.found.server.name.as_str(), opened.found.lists_tasks),
        ("old", true),
        "as it said then"
    );
    assert_eq!(peer.left(), [""; 0], "no second session");

    // A question of the former run can be answered still.
    assert_eq!(opened.session.remember_request(&json(QUESTION)).as_deref(), Some("1"));
    assert_eq!(opened.session.remember_request(&json(r#"{"method":"x"}"#)), None);
    let session = opened.session.clone();
    let replying =
        tokio::spawn(async move { session.reply("1", SessionReply::Result(json("{\"roots\":[]}"))).await });
    peer.take("reply").await.accept().await;
    assert_eq!(replying.await.unwrap(), Ok(SessionReplied::Delivered));
    push.message(QUESTION).await;
    assert!(matches!(opened.event().await, SessionEvent::Request(_)), "the session goes on");

    for (status, body) in [(404, ""), (400, "")] {
        let mut peer = Peer::start().await;
        let client = peer.client(swift());
        let connecting_again = connecting(&client, remembered.clone());
        peer.take("ping").await.status(status, body).await;
        if status == 400 {
            peer.take("ping").await.status(status, body).await;
        }
        let initialize = peer.take("initialize").await;
        assert_eq!(initialize.header("mcp-session-id"), None, "{status}: a new session");
        initialize.result(INITIALIZED).await;
        peer.take("notifications/initialized").await.accept().await;
        peer.take("GET").await.status(405, "").await;
        assert!(!Opened::of(client, connecting_again.await.unwrap()).resumed);
    }

    let mut peer = Peer::start().await;
    let connecting_again = connecting(&peer.client(swift()), remembered);
    peer.take("ping").await.status(503, "").await;
    let error = connecting_again.await.unwrap().err().expect("busy");
    assert!(matches!(error, Error::Throttled { .. }), "the session may be there still: {error:?}");
    assert_eq!(peer.left(), [""; 0], "so it is not given up");
}

#[tokio::test]
async fn a_session_is_deleted_only_when_asked() {
    let (mut peer, opened, push) = over_http(swift()).await;
    drop(opened);
    push.left().await;
    assert_eq!(peer.left(), [""; 0], "neither a dropped session");
    let (mut peer, opened, push) = over_http(swift()).await;
    opened.client.close().await;
    push.left().await;
    assert_eq!(opened.session.get_task("t").await, Err(Error::Closed));
    assert_eq!(peer.left(), [""; 0], "nor a closed client deletes it");

    for status in [204, 405, 404, 500] {
        let (mut peer, mut opened, push) = over_http(swift()).await;
        let session = opened.session.clone();
        let ending = tokio::spawn(async move { session.end().await });
        let delete = peer.take("DELETE").await;
        assert_eq!(delete.header("mcp-session-id"), Some("s-1"));
        delete.bytes(&response(status, "", "")).await;
        assert_eq!(ending.await.unwrap().is_ok(), status != 500, "{status}");
        assert_eq!(ended(&mut opened).await, Error::Closed);
        if status != 500 {
            push.left().await;
        }
    }
}

#[tokio::test]
async fn a_session_ends_with_its_child() {
    let options = Options { restart_delay: std::time::Duration::from_secs(3600), ..swift() };
    let (mut pipe, mut opened) = over_stdio(options).await;
    pipe.say(QUESTION).await;
    assert!(matches!(opened.event().await, SessionEvent::Request(_)));
    let session = opened.session.clone();
    let held = tokio::spawn(async move { session.task_result("t", None).await });
    pipe.take("tasks/result").await;
    drop(pipe);
    let error = held.await.unwrap().expect_err("the child ended");
    assert!(matches!(error, Error::Exited { sent: Sent::Maybe, .. }), "{error:?}");
    assert!(matches!(ended(&mut opened).await, Error::Exited { .. }));
    let error = opened.session.get_task("t").await.expect_err("another child is another session");
    assert!(matches!(error, Error::Exited { sent: Sent::No, .. }), "{error:?}");
    let replied = opened.session.reply("1", SessionReply::Result(json("{}"))).await;
    assert_eq!(replied, Ok(SessionReplied::NotOpen));
    let again = opened.client.connect(super::legacy()).await.err().expect("too soon");
    assert!(again.retry_after().is_some(), "{again:?}");
}
