//! Streams of Streamable HTTP that are cut, and taken up again.

use std::time::{Duration, Instant};

use signalbox_mcp::{
    CallOptions, Error, Options, ServerNews, Session, SessionEvent, SessionReplied, SessionReply, TaskWish,
};

use super::{json, over_http, swift};
use crate::peer::soon;

fn told(event: SessionEvent) -> ServerNews {
    match event {
        SessionEvent::Notification(notification) => notification.news,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_push_stream_goes_on_where_it_was_cut() {
    let (mut peer, mut opened, mut push) = over_http(swift()).await;
    push.write("id: e-1\nretry: 30\ndata: {\"method\":\"notifications/tools/list_changed\"}\n\n").await;
    assert_eq!(told(opened.event().await), ServerNews::ToolsListChanged);
    push.write("id: e-2\ndata:\n\ndata: {\"method\":\"notifications/mess").await;
    let cut = Instant::now();
    drop(push);
    let get = peer.take("GET").await;
    assert!(cut.elapsed() >= Duration::from_millis(30), "the server's wish to wait is heeded");
    assert_eq!(get.header("last-event-id"), Some("e-2"), "an empty event moves on, a cut one does not");
    assert_eq!(get.header("mcp-session-id"), Some("s-1"));
    assert_eq!((get.header("accept"), get.header("content-type")), (Some("text/event-stream"), None));
    let mut push = get.stream().await;
    push.message(r#"{"method":"notifications/message"}"#).await;
    assert_eq!(told(opened.event().await), ServerNews::Log);
    drop(push);
    let get = peer.take("GET").await;
    assert_eq!(get.header("last-event-id"), Some("e-2"), "an event without an id changes nothing");
}

#[tokio::test]
async fn the_answer_is_awaited_over_cuts() {
    let (mut peer, mut opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let held = tokio::spawn(async move { session.task_result("t", None).await });
    let fetch = peer.take("tasks/result").await;
    let answer = fetch.request.result("{}");
    let mut stream = fetch.stream().await;
    stream.write("id: a\nretry: 1\ndata:\n\n").await;
    drop(stream);
    for round in 0..3 {
        let get = peer.take("GET").await;
        assert_eq!(get.header("last-event-id"), Some(if round == 0 { "a" } else { "b" }));
        let mut stream = get.stream().await;
        stream.write("id: b\ndata: {\"method\":\"notifications/message\"}\n\n").await;
        assert_eq!(told(opened.event().await), ServerNews::Log);
        if round == 2 {
            stream.message(&answer).await;
            break;
        }
    }
    assert!(soon("the answer", held).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_stream_that_cannot_go_on_is_lost() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    type Refuse = (&'static str, u16, usize);
    let cases: [Refuse; 4] =
        [("no id to go on from", 0, 0), ("405", 405, 1), ("400", 400, 1), ("500, always", 500, 5)];
    for (name, status, tries) in cases {
        let session = opened.session.clone();
        let call = CallOptions { task: Some(TaskWish::default()), ..CallOptions::default() };
        let calling = tokio::spawn(async move { session.call_tool("t", &json("{}"), call).await });
        let mut stream = peer.take("tools/call").await.stream().await;
        stream.write(if tries == 0 { ": nothing\n\n" } else { "id: x\ndata:\n\n" }).await;
        drop(stream);
        for _ in 0..tries {
            peer.take("GET").await.status(status, "").await;
        }
        let error = soon(name, calling).await.unwrap().expect_err(name);
        assert!(matches!(error, Error::Lost { .. }), "{name}: {error:?}");
        assert_eq!(peer.left(), [""; 0], "{name}: nothing is sent again");
    }
}

#[tokio::test]
async fn an_answer_is_found_among_others() {
    let (mut peer, mut opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    let get = peer.take("tasks/get").await;
    let answer = get.request.result(r#"{"n":1.0}"#);
    let mut stream = get.stream().await;
    stream.message("{nope").await;
    stream.message(r#"{"id":99,"result":{}}"#).await;
    stream.message(&format!(r#"[{{"method":"notifications/message"}},{answer}]"#)).await;
    assert_eq!(looking.await.unwrap().unwrap().text(), r#"{"n":1.0}"#);
    assert_eq!(told(opened.event().await), ServerNews::Log);
}

#[tokio::test]
async fn an_event_that_is_too_large_costs_only_its_stream() {
    let (mut peer, opened, mut push) = over_http(Options { message_limit: 4096, ..swift() }).await;
    push.write(&format!("data: {}", "x".repeat(5000))).await;
    push.left().await;
    let _push = peer.take("GET").await.stream().await;
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    let mut stream = peer.take("tasks/get").await.stream().await;
    stream.write(&format!("data: {}", "x".repeat(5000))).await;
    assert_eq!(looking.await.unwrap(), Err(Error::TooLarge { limit: 4096 }));
}

#[tokio::test]
async fn a_request_for_a_result_takes_the_place_of_the_one_before() {
    let (mut peer, mut opened, _push) = over_http(swift()).await;
    let asks = |session: &Session| {
        let session = session.clone();
        tokio::spawn(async move { session.task_result("t", None).await })
    };
    let held = asks(&opened.session);
    let first = peer.take("tasks/result").await;
    let id = first.request.body["id"].clone();
    let mut stream = first.stream().await;
    let question =
        r#"{"id":7,"method":"elicitation/create","params":{"message":"Really?","requestedSchema":{}}}"#;
    stream.message(question).await;
    assert!(matches!(opened.event().await, SessionEvent::Request(_)));
    held.abort();
    stream.left().await;
    assert_eq!(peer.left(), [""; 0], "its question can still be answered: nothing is withdrawn");
    let session = opened.session.clone();
    let replying = tokio::spawn(async move { session.reply("7", SessionReply::Result(json("{}"))).await });
    peer.take("reply").await.accept().await;
    assert_eq!(replying.await.unwrap(), Ok(SessionReplied::Delivered));

    let held = asks(&opened.session);
    let notice = peer.take("notifications/cancelled").await;
    assert_eq!(notice.request.body["params"]["requestId"], id, "nobody reads what would be asked there next");
    assert_eq!(peer.left(), [""; 0], "first the one, then the other");
    notice.accept().await;
    peer.take("tasks/result").await.result("{}").await;
    assert!(soon("the result", held).await.unwrap().is_ok());
    let held = asks(&opened.session);
    peer.take("tasks/result").await.result("{}").await;
    assert!(soon("the result", held).await.unwrap().is_ok());
    assert_eq!(peer.left(), [""; 0], "what was answered needs no notice");
    let held = asks(&opened.session);
    peer.take("tasks/result").await.status(429, "").await;
    assert!(soon("the refusal", held).await.unwrap().is_err());
    let held = asks(&opened.session);
    peer.take("tasks/result").await.result("{}").await;
    assert!(soon("the result", held).await.unwrap().is_ok());
    assert_eq!(peer.left(), [""; 0], "nor what the server did not take");
}
