//! What the server sends of its own accord, and our replies.

use std::time::Duration;

use serde_json::{Value, json};
use signalbox_mcp::{
    Channel, Declared, Error, Options, PushStream, Sent, ServerAsk, ServerNews, ServerRequest, SessionEvent,
    SessionReplied, SessionReply,
};
use signalbox_model::{Mode, Status};

use super::{Opened, json, over_http, over_stdio, swift};
use crate::peer::soon;

const QUESTION: &str = r#"{"jsonrpc":"2.0","id":"q 1","method":"elicitation/create","params":{"message":"Go?",
    "requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1.0}}},
    "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t-1"}}}}"#;

async fn request(opened: &mut Opened) -> ServerRequest {
    match opened.event().await {
        SessionEvent::Request(request) => *request,
        other => panic!("{other:?}"),
    }
}

async fn news(opened: &mut Opened) -> ServerNews {
    match opened.event().await {
        SessionEvent::Notification(notification) => notification.news,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_question_on_a_held_result_is_answered_once() {
    let (mut peer, mut opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let held = tokio::spawn(async move { session.task_result("t-1", None).await });
    let fetch = peer.take("tasks/result").await;
    let result = fetch.request.result(r#"{"content":[]}"#);
    let mut stream = fetch.stream().await;
    stream.write(": hello\n\n").await;
    stream.message(QUESTION).await;

    let asked = request(&mut opened).await;
    assert_eq!((asked.id.as_str(), asked.related_task.as_deref()), ("\"q 1\"", Some("t-1")));
    assert_eq!(asked.channel, Channel::Response { method: "tasks/result", task_id: Some("t-1".into()) });
    assert_eq!(asked.as_task, None);
    assert_eq!(asked.raw.text(), QUESTION, "as received");
    let ServerAsk::Elicitation(question) = &asked.ask else { panic!("{asked:?}") };
    assert_eq!((question.mode, question.message.as_str()), (Mode::Form, "Go?"));
    assert_eq!(
        question.schema.as_ref().unwrap().text(),
        r#"{"type":"object","properties":{"n":{"type":"integer","minimum":1.0}}}"#
    );

    let session = opened.session.clone();
    let replying = tokio::spawn(async move {
        let reply = SessionReply::Result(json(r#"{"action":"accept","content":{"n":12345678901234567890}}"#));
        let first = session.reply(&asked.id, reply.clone()).await;
        (first, session.reply(&asked.id, reply).await)
    });
    let reply = peer.take("reply").await;
    assert_eq!(reply.header("mcp-session-id"), Some("s-1"));
    let expected = json!({
        "jsonrpc": "2.0", "id": "q 1",
        "result": {
            "action": "accept", "content": {"n": 12345678901234567890_u64},
            "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t-1"}},
        },
    });
    assert_eq!(reply.request.body, expected);
    reply.accept().await;
    let (first, second) = replying.await.unwrap();
    assert_eq!(
        (first, second),
        (Ok(SessionReplied::Delivered), Ok(SessionReplied::NotOpen)),
        "answered once"
    );
    stream.message(&result).await;
    assert_eq!(
        held.await.unwrap().unwrap().text(),
        r#"{"content":[]}"#,
        "the stream goes on after the question"
    );
    assert_eq!(peer.left(), [""; 0]);
}

#[tokio::test]
async fn a_question_over_stdio_is_answered_on_a_line() {
    let (mut pipe, mut opened) = over_stdio(swift()).await;
    pipe.say(&QUESTION.replace('\n', "").replace("\"q 1\"", "7")).await;
    let asked = request(&mut opened).await;
    assert_eq!((asked.id.as_str(), &asked.channel), ("7", &Channel::Shared));
    let replied =
        opened.session.reply("7", SessionReply::Result(json("{\n\"action\":\r\n\"decline\"}"))).await;
    assert_eq!(replied, Ok(SessionReplied::Delivered));
    let reply = pipe.line().await;
    assert_eq!((&reply["id"], &reply["result"]["action"]), (&json!(7), &json!("decline")));
    assert_eq!(
        opened.session.reply("7", SessionReply::Result(json("{}"))).await,
        Ok(SessionReplied::NotOpen)
    );
    assert_eq!(
        opened.session.reply("8", SessionReply::Result(json("{}"))).await,
        Ok(SessionReplied::NotOpen),
        "never asked"
    );
}

#[tokio::test]
async fn what_needs_nobody_is_answered_at_once() {
    let (mut pipe, mut opened) = over_stdio(Options { declared: Declared::default(), ..swift() }).await;
    let form = r#""message":"m","requestedSchema":{}"#;
    let cases = [
        (r#""method":"ping""#.to_owned(), None),
        (format!(r#""method":"elicitation/create","params":{{"mode":"hologram",{form}}}"#), Some(-32602)),
        (format!(r#""method":"elicitation/create","params":{{"mode":7,{form}}}"#), Some(-32602)),
        (r#""method":"sampling/createMessage","params":{"messages":[]}"#.into(), Some(-32601)),
        (r#""method":"roots/list""#.into(), Some(-32601)),
        (r#""method":"tasks/get","params":{"taskId":"x"}"#.into(), Some(-32601)),
        (r#""method":"something/else""#.into(), Some(-32601)),
    ];
    for (message, code) in cases {
        for id in ["0", "\"a\\\"b\"", "-3", "1.5"] {
            pipe.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},{message}}}"#)).await;
            let reply = pipe.line().await;
            let expected: Value = serde_json::from_str(id).unwrap();
            assert_eq!(reply["id"], expected, "{message}: the id goes back as it came");
            assert_eq!(reply["error"].get("code"), code.map(|code| json!(code)).as_ref(), "{message}");
            assert_eq!(reply.get("result"), code.is_none().then(|| json!({})).as_ref(), "{message}");
            if code.is_some() {
                let told = news(&mut opened).await;
                let ServerNews::Refused { method } = told else { panic!("{message}: {told:?}") };
                assert!(message.contains(&method), "what was refused is told: {message}");
            }
        }
    }
    for id in ["[1]", "{}", "true", &format!("\"{}\"", "x".repeat(2000))] {
        pipe.say(&format!(r#"{{"id":{id},"method":"elicitation/create","params":{{{form}}}}}"#)).await;
        let reply = pipe.line().await;
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)), "{id}");
    }
    pipe.say(r#"{"method":"notifications/tools/list_changed"}"#).await;
    assert_eq!(news(&mut opened).await, ServerNews::ToolsListChanged, "none of those asked anybody");
}

#[tokio::test]
async fn over_http_it_is_answered_at_once_on_any_stream() {
    let (mut peer, _opened, mut push) = over_http(swift()).await;
    push.message(r#"{"id":1,"method":"ping"}"#).await;
    let reply = peer.take("reply").await;
    assert_eq!(reply.request.body, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    reply.accept().await;
    push.message(r#"[{"id":2,"method":"ping"},{"id":3,"method":"nothing"}]"#).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let reply = peer.take("reply").await;
        ids.push(reply.request.body["id"].as_i64());
        reply.accept().await;
    }
    ids.sort_unstable();
    assert_eq!(ids, [Some(2), Some(3)], "a list of messages, as older versions send it");
}

#[tokio::test]
async fn all_kinds_of_requests_are_told_apart() {
    let (mut pipe, mut opened) = over_stdio(swift()).await;
    let cases = [
        (r#""method":"sampling/createMessage","params":{"messages":[],"maxTokens":5}"#, ServerAsk::Sampling),
        (r#""method":"roots/list""#, ServerAsk::Roots),
        (r#""method":"tasks/get","params":{"taskId":"x"}"#, ServerAsk::GetTask { task_id: "x".into() }),
        (r#""method":"tasks/result","params":{"taskId":"x"}"#, ServerAsk::TaskResult { task_id: "x".into() }),
        (r#""method":"tasks/list""#, ServerAsk::ListTasks { cursor: None }),
        (
            r#""method":"tasks/list","params":{"cursor":""}"#,
            ServerAsk::ListTasks { cursor: Some(String::new()) },
        ),
        (r#""method":"tasks/cancel","params":{"taskId":"x"}"#, ServerAsk::CancelTask { task_id: "x".into() }),
    ];
    for (message, ask) in cases {
        pipe.say(&format!(r#"{{"id":1,{message}}}"#)).await;
        let asked = request(&mut opened).await;
        assert_eq!(asked.ask, ask, "{message}");
        let refused = SessionReply::Error { code: -1, message: "no \"thanks\"".into() };
        assert_eq!(opened.session.reply("1", refused).await, Ok(SessionReplied::Delivered));
        assert_eq!(pipe.line().await["error"], json!({"code": -1, "message": "no \"thanks\""}), "{message}");
    }
    pipe.say(r#"{"id":1,"method":"tasks/get","params":{"taskId":7}}"#).await;
    assert_eq!(pipe.line().await["error"]["code"], -32602, "no task is named");
    assert_eq!(news(&mut opened).await, ServerNews::Refused { method: "tasks/get".to_owned() });
    let url = r#""mode":"url","elicitationId":"e","url":"https://example.com/","message":"Sign""#;
    pipe.say(&format!(r#"{{"id":1,"method":"elicitation/create","params":{{{url}}}}}"#)).await;
    let asked = request(&mut opened).await;
    assert!(matches!(asked.ask, ServerAsk::Elicitation(question) if question.mode == Mode::Url));
}

#[tokio::test]
async fn notifications_keep_their_order_and_their_oddities() {
    let (_peer, mut opened, mut push) = over_http(swift()).await;
    let messages = [
        r#"{"method":"notifications/tasks/status","params":{"taskId":"t","status":"working","ttl":60000.0}}"#,
        r#"{"method":"notifications/progress","params":{"progressToken":"p","progress":0.1,"total":12345678901234567890,"message":"m"}}"#,
        r#"{"method":"notifications/progress","params":{"progressToken":7,"progress":"half"}}"#,
        r#"{"method":"notifications/progress","params":{"progress":1}}"#,
        r#"{"method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}"#,
        r#"{"method":"notifications/elicitation/complete"}"#,
        r#"{"method":"notifications/message","params":{"level":"info","data":"x"}}"#,
        r#"{"method":"notifications/tasks/status","params":{"task":{"taskId":"t","status":"paused"}}}"#,
        r#"{"method":"notifications/tasks/status"}"#,
        r#"{"method":"notifications/new","params":[1]}"#,
        r#"{"method":"notifications/cancelled","params":{"requestId":99}}"#,
        r#"{"method":"notifications/tools/list_changed"}"#,
    ];
    for message in messages {
        push.message(message).await;
    }
    let other = |method: &str| ServerNews::Other { method: method.into() };
    let ServerNews::TaskStatus(task) = news(&mut opened).await else { panic!("a status") };
    assert_eq!((task.task_id.as_deref(), task.status), (Some("t"), Status::Working));
    let ServerNews::Progress(progress) = news(&mut opened).await else { panic!("progress") };
    assert_eq!((progress.token.as_str(), progress.message.as_deref()), ("p", Some("m")));
    assert_eq!(progress.total.unwrap().text(), "12345678901234567890", "numbers stay as they are");
    let ServerNews::Progress(progress) = news(&mut opened).await else { panic!("progress") };
    assert_eq!((progress.token.as_str(), progress.progress.unwrap().text()), ("7", "\"half\""));
    assert_eq!(news(&mut opened).await, other("notifications/progress"), "nobody's progress");
    assert_eq!(news(&mut opened).await, ServerNews::ElicitationComplete { elicitation_id: "e".into() });
    assert_eq!(news(&mut opened).await, other("notifications/elicitation/complete"));
    assert_eq!(news(&mut opened).await, ServerNews::Log);
    let ServerNews::TaskStatus(task) = news(&mut opened).await else { panic!("a status") };
    assert_eq!((task.task_id.as_deref(), task.status_text.as_deref()), (Some("t"), Some("paused")));
    assert_eq!(news(&mut opened).await, other("notifications/tasks/status"));
    assert_eq!(news(&mut opened).await, other("notifications/new"));
    assert_eq!(
        news(&mut opened).await,
        ServerNews::ToolsListChanged,
        "the cancellation of nothing is nothing"
    );
}

#[tokio::test]
async fn a_report_of_progress_is_short_whatever_a_server_says() {
    let (_peer, mut opened, mut push) = over_http(swift()).await;
    let (words, number) = ("m".repeat(1 << 20), "1".repeat(1 << 20));
    let params = format!(
        r#"{{"progressToken":"p","progress":{number},"total":{{"a":"{words}"}},"message":"{words}"}}"#
    );
    push.message(&format!(r#"{{"method":"notifications/progress","params":{params}}}"#)).await;
    let ServerNews::Progress(progress) = news(&mut opened).await else { panic!("progress") };
    assert_eq!((progress.progress, progress.total), (None, None), "these are no numbers to keep");
    let message = progress.message.expect("its beginning is kept");
    assert!(message.len() <= 16 << 10 && message.ends_with('…'), "{} bytes", message.len());
}

#[tokio::test]
async fn a_cancelled_question_cannot_be_answered() {
    let (mut pipe, mut opened) = over_stdio(swift()).await;
    pipe.say(&QUESTION.replace('\n', "")).await;
    request(&mut opened).await;
    pipe.say(r#"{"method":"notifications/cancelled","params":{"requestId":"q 1","reason":"too late"}}"#)
        .await;
    let expected = ServerNews::Cancelled { id: "\"q 1\"".into(), reason: Some("too late".into()) };
    assert_eq!(news(&mut opened).await, expected);
    assert_eq!(
        opened.session.reply("\"q 1\"", SessionReply::Result(json("{}"))).await,
        Ok(SessionReplied::NotOpen)
    );
}

#[tokio::test]
async fn a_reply_that_did_not_leave_can_be_given_again() {
    let (mut peer, mut opened, mut push) = over_http(swift()).await;
    push.message(QUESTION).await;
    let id = request(&mut opened).await.id;
    let cases = [(429, "", Some(Sent::No)), (401, "", Some(Sent::No)), (200, "", None)];
    for (status, body, failed) in cases {
        let (session, id) = (opened.session.clone(), id.clone());
        let replying =
            tokio::spawn(async move { session.reply(&id, SessionReply::Result(json("{}"))).await });
        peer.take("reply").await.status(status, body).await;
        match (replying.await.unwrap(), failed) {
            (Ok(replied), None) => assert_eq!(replied, SessionReplied::Delivered),
            (Err(error), Some(sent)) => assert_eq!(error.sent(), sent, "{status}: {error:?}"),
            (other, _) => panic!("{status}: {other:?}"),
        }
    }
    for (status, body) in [(500, ""), (422, r#"{"error":{"code":-32600,"message":"no"}}"#)] {
        push.message(QUESTION).await;
        let id = request(&mut opened).await.id;
        let (session, again) = (opened.session.clone(), opened.session.clone());
        let replying = {
            let id = id.clone();
            tokio::spawn(async move { session.reply(&id, SessionReply::Result(json("{}"))).await })
        };
        peer.take("reply").await.status(status, body).await;
        let error = replying.await.unwrap().expect_err("not taken");
        assert_ne!(error.sent(), Sent::No, "{error:?}");
        assert_eq!(
            again.reply(&id, SessionReply::Result(json("{}"))).await,
            Ok(SessionReplied::NotOpen),
            "{status}: at most once"
        );
    }
}

#[tokio::test]
async fn a_flood_is_bounded_and_told() {
    let options = Options { event_limit: 4, event_patience: Duration::from_millis(1), ..swift() };
    let (mut pipe, mut opened) = over_stdio(options).await;
    for n in 0..50 {
        pipe.say(&format!(r#"{{"method":"notifications/progress","params":{{"progressToken":{n}}}}}"#)).await;
    }
    pipe.say(&QUESTION.replace('\n', "")).await;
    let refusal = pipe.line().await;
    assert_eq!(
        (&refusal["id"], &refusal["error"]["code"]),
        (&json!("q 1"), &json!(-32603)),
        "no request is dropped in silence"
    );
    for n in 0..4 {
        let ServerNews::Progress(progress) = news(&mut opened).await else { panic!("progress") };
        assert_eq!(progress.token, n.to_string(), "what there was room for");
    }
    assert_eq!(opened.event().await, SessionEvent::Missed(47));
    pipe.say(r#"{"method":"notifications/tools/list_changed"}"#).await;
    assert_eq!(news(&mut opened).await, ServerNews::ToolsListChanged, "the session goes on");
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    let get = pipe.take("tasks/get").await;
    pipe.result(&get, "{}").await;
    looking.await.unwrap().unwrap();
}

#[tokio::test]
async fn open_questions_are_bounded() {
    let (mut pipe, mut opened) = over_stdio(Options { event_limit: 3, ..swift() }).await;
    for id in 0..5 {
        pipe.say(&format!(r#"{{"id":{id},"method":"roots/list"}}"#)).await;
        if id < 3 {
            assert_eq!(request(&mut opened).await.id, id.to_string());
        } else {
            assert_eq!(pipe.line().await["error"]["code"], -32603, "{id}");
        }
    }
    assert_eq!(
        opened.session.reply("1", SessionReply::Result(json("{}"))).await,
        Ok(SessionReplied::Delivered)
    );
    pipe.line().await;
    pipe.say(r#"{"id":5,"method":"roots/list"}"#).await;
    assert_eq!(request(&mut opened).await.id, "5", "there is room again");
    pipe.say(r#"{"id":5,"method":"tasks/list"}"#).await;
    assert_eq!(
        request(&mut opened).await.ask,
        ServerAsk::ListTasks { cursor: None },
        "asked anew under the same id"
    );
    opened.session.close_request("5");
    pipe.say(r#"{"id":6,"method":"roots/list"}"#).await;
    assert_eq!(request(&mut opened).await.id, "6", "what is closed takes no room, and nothing is said of it");
    assert_eq!(
        opened.session.reply("5", SessionReply::Result(json("{}"))).await,
        Ok(SessionReplied::NotOpen)
    );
}

#[tokio::test]
async fn the_push_stream_says_how_it_is() {
    let (mut peer, mut opened, push) = over_http(swift()).await;
    let mut next = async || soon("an event", opened.events.next()).await;
    assert_eq!(next().await, Some(SessionEvent::Push(PushStream::Up)));
    drop(push);
    assert_eq!(next().await, Some(SessionEvent::Push(PushStream::Down)));
    peer.take("GET").await.status(500, "").await;
    let push = peer.take("GET").await.stream().await;
    assert_eq!(next().await, Some(SessionEvent::Push(PushStream::Up)), "told once each");
    drop(push);
    assert_eq!(next().await, Some(SessionEvent::Push(PushStream::Down)));
    peer.take("GET").await.status(405, "").await;
    assert_eq!(next().await, Some(SessionEvent::Push(PushStream::NotOffered)));
    opened.client.close().await;
    assert_eq!(soon("the end", opened.events.next()).await, Some(SessionEvent::Ended(Error::Closed)));
    assert_eq!(opened.events.next().await, None);
}
