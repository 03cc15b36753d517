//! Tasks that servers want us to host.

use serde_json::json;
use signalbox_mcp::{Declared, Options, ServerAsk, SessionEvent, SessionReplied, SessionReply, TaskWish};

use super::{Opened, json, over_stdio, swift};

const QUESTION: &str = r#"{"id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{},"task":TASK,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"theirs"}}}}"#;

async fn wish(opened: &mut Opened) -> Option<TaskWish> {
    match opened.event().await {
        SessionEvent::Request(request) => request.as_task,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_wish_is_read_and_ignored_where_it_is_not_declared() {
    let (mut pipe, mut opened) = over_stdio(swift()).await;
    let some = |ttl_ms| Some(TaskWish { ttl_ms });
    let cases = [
        (r#"{"ttl":60000}"#, some(Some(60_000))),
        (r#"{"ttl":60000.0}"#, some(Some(60_000))),
        (r#"{"ttl":"60000"}"#, some(Some(60_000))),
        (r#"{"ttl":-1}"#, some(None)),
        (r#"{"ttl":null}"#, some(None)),
        ("{}", some(None)),
        ("7", some(None)),
        ("null", None),
    ];
    for (task, expected) in cases {
        pipe.say(&QUESTION.replace("TASK", task)).await;
        assert_eq!(wish(&mut opened).await, expected, "{task}");
    }
    pipe.say(r#"{"id":2,"method":"roots/list","params":{"task":{}}}"#).await;
    assert_eq!(wish(&mut opened).await, None, "nobody declared tasks for roots");

    let declared = Declared { host_tasks: false, ..super::ALL };
    let (mut pipe, mut opened) = over_stdio(Options { declared, ..swift() }).await;
    pipe.say(&QUESTION.replace("TASK", "{}")).await;
    assert_eq!(wish(&mut opened).await, None, "then the question is answered as any other");
}

#[tokio::test]
async fn one_is_served_to_its_end() {
    let (mut pipe, mut opened) = over_stdio(swift()).await;
    let session = opened.session.clone();
    pipe.say(&QUESTION.replace("TASK", r#"{"ttl":1000}"#)).await;
    assert!(wish(&mut opened).await.is_some());
    let created = json(r#"{"task":{"taskId":"ours","status":"working","ttl":1000}}"#);
    assert_eq!(session.reply("1", SessionReply::Result(created)).await, Ok(SessionReplied::Delivered));
    let theirs = json!({"io.modelcontextprotocol/related-task": {"taskId": "theirs"}});
    assert_eq!(pipe.line().await["result"]["_meta"], theirs, "the answer belongs to the server's task");

    pipe.say(r#"{"id":2,"method":"tasks/result","params":{"taskId":"ours"}}"#).await;
    let SessionEvent::Request(held) = opened.event().await else { panic!("a request") };
    assert_eq!(held.ask, ServerAsk::TaskResult { task_id: "ours".into() });
    pipe.say(r#"{"id":3,"method":"tasks/get","params":{"taskId":"ours"}}"#).await;
    assert!(matches!(opened.event().await, SessionEvent::Request(_)));
    let task = json(r#"{"taskId":"ours","status":"completed"}"#);
    assert_eq!(session.reply("3", SessionReply::Result(task)).await, Ok(SessionReplied::Delivered));
    let reply = pipe.line().await;
    assert_eq!(reply["result"].get("_meta"), None, "a task names itself: {reply}");
    let result = json(r#"{"action":"accept","content":{}}"#);
    assert_eq!(session.reply(&held.id, SessionReply::Result(result)).await, Ok(SessionReplied::Delivered));
    let ours = json!({"io.modelcontextprotocol/related-task": {"taskId": "ours"}});
    assert_eq!(pipe.line().await["result"]["_meta"], ours, "a result does not, so it is said");
}
