//! What goes out within a session, and what comes back.

use std::time::Duration;

use serde_json::json;
use signalbox_mcp::{
    CallOptions, CallReply, Error, Meaning, Session, TaskSupport, TaskView, TaskWish, ToolResult, Ttl,
};
use signalbox_model::Status;

use super::{connecting, json, legacy, over_http, over_stdio, swift};
use crate::{
    peer::{Peer, soon},
    pipe::Pipe,
};

const CREATED: &str = r#"{"task":{"taskId":"t-1","status":"working","createdAt":"2025-11-25T10:30:00Z",
    "lastUpdatedAt":"2025-11-25T10:40:00+00:00","ttl":60000,"pollInterval":5000.0},"content":[],
    "_meta":{"io.modelcontextprotocol/model-immediate-response":"under way"}}"#;

#[tokio::test]
async fn a_tool_is_called_as_a_task() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    let options = CallOptions {
        task: Some(TaskWish { ttl_ms: Some(60_000) }),
        progress_token: Some("call \"7\"".into()),
        ..CallOptions::default()
    };
    let session = opened.session.clone();
    let calling =
        tokio::spawn(async move { session.call_tool("tool", &json(r#"{"n": 1.50}"#), options).await });
    let call = peer.take("tools/call").await;
    let expected = json!({
        "name": "tool", "arguments": {"n": 1.50}, "task": {"ttl": 60000},
        "_meta": {"progressToken": "call \"7\""},
    });
    assert_eq!(call.request.body["params"], expected);
    for (name, value) in [("mcp-session-id", "s-1"), ("mcp-protocol-version", "2025-11-25")] {
        assert_eq!(call.header(name), Some(value), "{name}");
    }
    assert_eq!(call.header("accept"), Some("application/json, text/event-stream"));
    call.result(CREATED).await;
    let called = calling.await.unwrap().unwrap();
    let CallReply::Task(task) = &called.reply else { panic!("{called:?}") };
    assert_eq!((task.task_id.as_deref(), task.status), (Some("t-1"), Status::Working));
    assert_eq!((task.ttl, task.poll_interval_ms), (Ttl::Ms(60_000), Some(5_000)));
    assert_eq!(called.immediate_response().as_deref(), Some("under way"));
    assert_eq!(called.raw.text(), CREATED);
}

#[tokio::test]
async fn replies_are_read_by_what_was_asked() {
    let (mut pipe, opened) = over_stdio(swift()).await;
    let task = r#"{"task":{"taskId":"t","status":"working"}}"#;
    let flat = r#"{"taskId":"t","status":"working","ttl":null}"#;
    let both = r#"{"task":{"taskId":"t"},"content":[{"type":"text","text":"done"}]}"#;
    let cases = [
        (true, task, "task"),
        (true, flat, "task"),
        (true, both, "task"),
        (true, r#"{"task":{}}"#, "task"),
        (true, r#"{"content":[]}"#, "result"),
        (true, r#"{"task":"t","content":[]}"#, "result"),
        (false, task, "task"),
        (false, both, "result"),
        (false, r#"{"content":[],"taskId":"x"}"#, "result"),
        (false, r#"{"task":{"name":"mine"}}"#, "result"),
        (false, "{}", "result"),
        (true, "[]", "error"),
        (false, "null", "error"),
    ];
    for (as_task, result, expected) in cases {
        let options = CallOptions { task: as_task.then(TaskWish::default), ..CallOptions::default() };
        let session = opened.session.clone();
        let calling = tokio::spawn(async move { session.call_tool("tool", &json("{}"), options).await });
        let call = pipe.take("tools/call").await;
        assert_eq!(call["params"].get("task"), as_task.then(|| json!({})).as_ref(), "{result}");
        assert_eq!(call["params"].get("_meta"), None, "{result}: no token, no metadata");
        pipe.result(&call, result).await;
        let reply = match calling.await.unwrap() {
            Ok(called) if matches!(called.reply, CallReply::Task(_)) => "task",
            Ok(_) => "result",
            Err(Error::Protocol { raw: Some(_), .. }) => "error",
            Err(error) => panic!("{result}: {error:?}"),
        };
        assert_eq!(reply, expected, "{result}, asked as a task: {as_task}");
    }
}

#[tokio::test]
async fn tasks_are_looked_at_listed_fetched_and_cancelled() {
    let (mut peer, opened, _push) = over_http(swift()).await;
    let session = opened.session.clone();
    let all = tokio::spawn(async move {
        let task = session.get_task("t:1").await.unwrap();
        let view = TaskView::read_legacy(&task);
        assert_eq!(
            (view.status, view.ttl, view.poll_interval_ms),
            (Status::InputRequired, Ttl::Unlimited, Some(0))
        );
        let result = session.task_result("t:1", None).await.unwrap();
        assert!(ToolResult::read(&result).is_error);
        let error = session.task_result("t:2", None).await.expect_err("the call's own error");
        assert!(matches!(error, Error::Rpc { code: -32050, .. }), "{error:?}");
        let list = session.list_tasks().await.unwrap();
        assert!(list.complete);
        let ids: Vec<_> = list.tasks.iter().map(|task| TaskView::read_legacy(task).task_id).collect();
        assert_eq!(
            ids,
            [Some("a".to_owned()), Some("b".into()), None],
            "what is odd stays in the list as it came"
        );
        let cancelled = session.cancel_task("t:1").await.unwrap();
        assert_eq!(TaskView::read_legacy(&cancelled).status, Status::Cancelled);
        let error = session.cancel_task("t:1").await.expect_err("it has ended");
        assert_eq!(error.meaning(), Some(Meaning::InvalidParams));
    });
    let get = peer.take("tasks/get").await;
    assert_eq!(get.request.body["params"], json!({"taskId": "t:1"}));
    assert_eq!(get.header("mcp-name"), None, "the modern wire's headers are not the legacy one's");
    get.result(r#"{"taskId":"t:1","status":"input_required","ttl":null,"pollInterval":"0"}"#).await;
    let fetch = peer.take("tasks/result").await;
    fetch.result(r#"{"content":[],"isError":true,"_meta":{}}"#).await;
    let fetch = peer.take("tasks/result").await;
    let body = fetch.request.error(r#"{"code":-32050,"message":"boom"}"#);
    fetch.status(400, &body).await;
    let list = peer.take("tasks/list").await;
    assert_eq!(list.request.body["params"], json!({}));
    list.result(r#"{"tasks":[{"taskId":"a"},{"taskId":"b"}],"nextCursor":""}"#).await;
    let list = peer.take("tasks/list").await;
    assert_eq!(list.request.body["params"], json!({"cursor": ""}), "an empty string is a cursor");
    list.result(r#"{"tasks":[7]}"#).await;
    peer.take("tasks/cancel").await.result(r#"{"taskId":"t:1","status":"cancelled"}"#).await;
    let cancel = peer.take("tasks/cancel").await;
    let body = cancel.request.error(r#"{"code":-32602,"message":"terminal"}"#);
    cancel.status(200, &body).await;
    all.await.unwrap();
}

#[tokio::test]
async fn lists_end() {
    let (mut peer, opened, _push) = over_http(signalbox_mcp::Options { page_limit: 3, ..swift() }).await;
    let session = opened.session.clone();
    let listing = tokio::spawn(async move {
        (session.list_tasks().await, session.list_tasks().await, session.list_tools().await)
    });
    for n in 0..3 {
        peer.take("tasks/list")
            .await
            .result(&format!(r#"{{"tasks":[{{"taskId":"{n}"}}],"nextCursor":"{n}"}}"#))
            .await;
    }
    for _ in 0..2 {
        peer.take("tasks/list").await.result(r#"{"tasks":[],"nextCursor":"again"}"#).await;
    }
    for n in 0..3 {
        peer.take("tools/list")
            .await
            .result(&format!(r#"{{"tools":[{{"name":"{n}"}}],"nextCursor":"{n}"}}"#))
            .await;
    }
    let (long, endless, tools) = listing.await.unwrap();
    let long = long.unwrap();
    assert_eq!((long.tasks.len(), long.complete), (3, false), "what was read is a help all the same");
    assert!(matches!(endless, Err(Error::Protocol { .. })), "{endless:?}");
    assert!(matches!(tools, Err(Error::TooMuch { .. })), "{tools:?}");
}

#[tokio::test]
async fn lists_are_bounded_in_bytes() {
    let options = || signalbox_mcp::Options { list_limit: 10_000, ..swift() };
    let entry = |n: usize| format!(r#"{{"taskId":"{n}","name":"{n}","x":"{}"}}"#, "x".repeat(3_000));
    let page = |of: &str, n: usize| format!(r#"{{"{of}":[{}],"nextCursor":"{n}"}}"#, entry(n));
    let (mut peer, opened, _push) = over_http(options()).await;
    let session = opened.session.clone();
    let listing = tokio::spawn(async move {
        (session.list_tasks().await, session.list_tasks().await, session.list_tools().await)
    });
    for n in 0..4 {
        peer.take("tasks/list").await.result(&page("tasks", n)).await;
    }
    let flood = vec![entry(0); 50].join(",");
    peer.take("tasks/list").await.result(&format!(r#"{{"tasks":[{flood}]}}"#)).await;
    for n in 0..4 {
        peer.take("tools/list").await.result(&page("tools", n)).await;
    }
    let (tasks, nothing, tools) = listing.await.unwrap();
    let tasks = tasks.unwrap();
    assert_eq!((tasks.tasks.len(), tasks.complete), (3, false), "what there was room for");
    assert_eq!(
        nothing.expect_err("one page").to_string(),
        "its list of tasks has more than 10000 bytes",
        "nobody may believe that there are none"
    );
    assert_eq!(tools.expect_err("too many").to_string(), "its list of tools has more than 10000 bytes");

    let (mut pipe, opened) = over_stdio(options()).await;
    let session = opened.session.clone();
    let listing = tokio::spawn(async move { session.list_tools().await });
    let list = pipe.take("tools/list").await;
    pipe.result(&list, &format!(r#"{{"tools":[{flood}]}}"#)).await;
    let error = listing.await.unwrap().expect_err("too much");
    assert!(matches!(error, Error::TooMuch { .. }), "on a channel that is shared, too: {error:?}");
}

#[tokio::test]
async fn what_a_server_says_of_itself_is_bounded() {
    let much = format!(
        r#"{{"protocolVersion":"2025-11-25","capabilities":{{}},"instructions":"{}"}}"#,
        "x".repeat(1024 * 1024)
    );
    let expected = "what it says of itself has more than 1 MiB";
    let mut peer = Peer::start().await;
    let client = peer.client(swift());
    let over_http = connecting(&client, legacy());
    peer.take("initialize").await.result(&much).await;
    assert_eq!(over_http.await.unwrap().err().expect("over HTTP").to_string(), expected);

    let (mut pipe, client) = Pipe::start(swift());
    let over_stdio = connecting(&client, legacy());
    let initialize = pipe.take("initialize").await;
    pipe.result(&initialize, &much).await;
    assert_eq!(over_stdio.await.unwrap().err().expect("over stdio").to_string(), expected);
}

#[tokio::test]
async fn tools_say_whether_they_can_be_tasks() {
    let (mut pipe, opened) = over_stdio(swift()).await;
    let session = opened.session.clone();
    let listing = tokio::spawn(async move { session.list_tools().await });
    let list = pipe.take("tools/list").await;
    let support = ["", r#""forbidden""#, r#""optional""#, r#""required""#, r#""perhaps""#, "7", "null"];
    let entries = support.map(|support| match support {
        "" => r#"{"name":"x"}"#.to_owned(),
        _ => format!(r#"{{"name":"x","execution":{{"taskSupport":{support}}}}}"#),
    });
    pipe.result(&list, &format!(r#"{{"tools":[{},{{"name":"y","execution":[]}}]}}"#, entries.join(",")))
        .await;
    let tools = listing.await.unwrap().unwrap();
    let support: Vec<_> = tools.iter().map(signalbox_mcp::Tool::task_support).collect();
    use TaskSupport::{Forbidden, Optional, Required};
    assert_eq!(
        support,
        [Forbidden, Forbidden, Optional, Required, Forbidden, Forbidden, Forbidden, Forbidden]
    );
}

#[tokio::test]
async fn giving_up_tells_the_server_where_it_may() {
    let calling = |session: &Session, task: Option<TaskWish>| {
        let (session, options) = (session.clone(), CallOptions { task, ..CallOptions::default() });
        tokio::spawn(async move { session.call_tool("t", &json("{}"), options).await })
    };
    let fetching = |session: &Session| {
        let session = session.clone();
        tokio::spawn(async move { session.task_result("t", None).await })
    };
    let (mut peer, opened, _push) = over_http(swift()).await;
    let call = calling(&opened.session, Some(TaskWish::default()));
    let _call = (peer.take("tools/call").await, call.abort());
    let fetch = fetching(&opened.session);
    let _fetch = (peer.take("tasks/result").await, fetch.abort());
    let call = calling(&opened.session, None);
    let plain = peer.take("tools/call").await;
    call.abort();
    let notice = peer.take("notifications/cancelled").await;
    assert_eq!(notice.request.body["params"], json!({"requestId": plain.request.body["id"]}));
    assert_eq!(notice.header("mcp-session-id"), Some("s-1"));
    notice.accept().await;
    assert_eq!(peer.left(), [""; 0], "never for tasks");

    let (mut pipe, opened) = over_stdio(swift()).await;
    let call = calling(&opened.session, Some(TaskWish::default()));
    pipe.take("tools/call").await;
    call.abort();
    let fetch = fetching(&opened.session);
    let fetched = pipe.take("tasks/result").await;
    fetch.abort();
    let notice = pipe.take("notifications/cancelled").await;
    assert_eq!(
        notice["params"],
        json!({"requestId": fetched["id"]}),
        "the request is given up, not the task"
    );
    let options = CallOptions { timeout: Some(Duration::from_millis(5)), ..CallOptions::default() };
    let timed_out = opened.session.call_tool("t", &json("{}"), options).await;
    assert_eq!(timed_out, Err(Error::Timeout { ms: 5 }));
    let call = pipe.take("tools/call").await;
    let notice = pipe.take("notifications/cancelled").await;
    assert_eq!(notice["params"], json!({"requestId": call["id"]}), "a timeout gives up, too");
}

#[tokio::test]
async fn a_held_result_delays_nothing() {
    let (mut peer, opened, _push) =
        over_http(signalbox_mcp::Options { request_timeout: Duration::from_secs(5), ..swift() }).await;
    let (session, other) = (opened.session.clone(), opened.session.clone());
    let held = tokio::spawn(async move { session.task_result("t", None).await });
    let fetch = peer.take("tasks/result").await;
    let answer = fetch.request.result(r#"{"content":[]}"#);
    let mut stream = fetch.stream().await;
    for _ in 0..3 {
        let looking = {
            let other = other.clone();
            tokio::spawn(async move { other.get_task("t").await })
        };
        peer.take("tasks/get").await.result(r#"{"taskId":"t","status":"working"}"#).await;
        looking.await.unwrap().unwrap();
    }
    assert!(!held.is_finished(), "no short timeout");
    stream.message(&answer).await;
    assert!(soon("the result", held).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_child_that_asks_faster_than_it_reads_gets_every_answer() {
    let (mut pipe, _opened) = over_stdio(swift()).await;
    let ask = |n: u32| format!(r#"{{"jsonrpc":"2.0","id":{n},"method":"ping"}}"#);
    let all: Vec<String> = (0..1_000).map(ask).collect();
    pipe.say(&all.join("\n")).await;
    for n in 0..1_000 {
        assert_eq!(pipe.line().await["id"], n, "none is lost");
    }
}
