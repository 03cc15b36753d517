//! `mcp` 1.x (PyPI) over both transports: the experimental tasks of 2025-11-25 as their reference implementation has them.

use std::time::Duration;

use serde_json::json;
use signalbox_mcp::{
    CallOptions, Channel, Error, Meaning, Remembered, ServerAsk, SessionEvent, SessionReplied, SessionReply,
    TaskSupport,
};
use signalbox_model::{Mode, Status, Wire};
use signalbox_tests::soon;

use super::{Opened, raw, result, said, value};
use crate::kit::{Kind, Transport};

const BOTH: [Transport; 2] = [Transport::Stdio, Transport::Http];

async fn opened(transport: Transport) -> Opened {
    Opened::new(Kind::Python, transport).await
}

#[tokio::test]
async fn it_is_found_to_be_legacy_with_its_tools() {
    for transport in BOTH {
        let opened = opened(transport).await;
        let found = &opened.found;
        assert_eq!((found.wire, found.server.protocol_version.as_str()), (Wire::Legacy, "2025-11-25"));
        assert!(found.server.tasks && found.lists_tasks && found.cancels_tasks, "{found:?}");
        assert_eq!(
            opened.session.saved().is_some(),
            transport == Transport::Http,
            "stdio has no session ids"
        );
        let tools = opened.session.list_tools().await.unwrap();
        let support =
            |name| tools.iter().find(|tool| tool.name == name).map(signalbox_mcp::Tool::task_support);
        assert_eq!(support("slow"), Some(TaskSupport::Optional));
        assert_eq!(support("approve"), Some(TaskSupport::Required));
        assert_eq!(support("at_once"), Some(TaskSupport::Forbidden));
    }
}

#[tokio::test]
async fn a_slow_task_is_followed_to_its_result() {
    for transport in BOTH {
        let mut opened = opened(transport).await;
        let id = opened.call("slow", &json!({})).await;
        let told = opened.told().await;
        assert_eq!((told.task_id.as_deref(), told.status_message.as_deref()), (Some(&*id), Some("digging")));
        let task = opened.task(&id).await;
        assert_eq!((task.status, task.poll_interval_ms), (Status::Working, Some(500)));
        let held = opened.held(&id);
        opened.foreign.journal.requests("tasks/result", 1).await;
        opened.plain("go_on").await;
        assert_eq!(said(&result(held).await), "found it");
        assert_eq!(opened.task(&id).await.status, Status::Completed);
        let list = opened.session.list_tasks().await.unwrap();
        assert_eq!(list.tasks.len(), 1, "it lists the tasks of this session: {list:?}");
    }
}

#[tokio::test]
async fn a_question_comes_while_the_result_is_held_and_is_answered_once() {
    for transport in BOTH {
        let mut opened = opened(transport).await;
        let id = opened.call("approve", &json!({})).await;
        let held = opened.held(&id);
        let asked = opened.asked().await;
        assert_eq!(asked.related_task.as_deref(), Some(&*id));
        let expected = match transport {
            Transport::Stdio => Channel::Shared,
            Transport::Http => Channel::Response { method: "tasks/result", task_id: Some(id.clone()) },
        };
        assert_eq!(asked.channel, expected);
        assert_eq!(opened.task(&id).await.status, Status::InputRequired);
        opened.reply(&asked.id, &json!({"action": "accept", "content": {"percent": 25}})).await;
        let again =
            opened.session.reply(&asked.id, SessionReply::Result(raw(&json!({"action": "decline"})))).await;
        assert_eq!(again, Ok(SessionReplied::NotOpen));
        let heard = said(&result(held).await);
        assert!(heard.contains(r#""percent":25"#), "{heard}");
        assert_eq!(opened.foreign.journal.answers().len(), 1, "one answer arrived");
    }
}

#[tokio::test]
async fn a_url_is_asked_to_be_visited() {
    for transport in BOTH {
        let mut opened = opened(transport).await;
        let id = opened.call("visit", &json!({})).await;
        let held = opened.held(&id);
        let asked = opened.asked().await;
        let ServerAsk::Elicitation(question) = &asked.ask else { panic!("{asked:?}") };
        assert_eq!((question.mode, question.message.as_str()), (Mode::Url, "Connect your account"));
        assert_eq!(question.url.as_deref(), Some("https://example.com/connect?state=1"));
        assert_eq!(value(&asked.raw)["params"]["elicitationId"], "connect-1");
        opened.reply(&asked.id, &json!({"action": "accept"})).await;
        assert!(said(&result(held).await).contains("accept"));
    }
}

#[tokio::test]
async fn a_question_can_want_a_task_of_ours() {
    for (tool, answer) in [
        ("approve_as_task", json!({"action": "accept", "content": {"percent": 7}})),
        (
            "sample_as_task",
            json!({"role": "assistant", "content": {"type": "text", "text": "7"}, "model": "m"}),
        ),
    ] {
        for transport in BOTH {
            let mut opened = opened(transport).await;
            let id = opened.call(tool, &json!({})).await;
            let held = opened.held(&id);
            let asked = opened.asked().await;
            assert_eq!(asked.as_task.as_ref().unwrap().ttl_ms, Some(600_000));
            let now = "2026-01-01T00:00:00Z";
            let task = |status: &str| {
                json!({
                    "taskId": "ours", "status": status, "createdAt": now, "lastUpdatedAt": now,
                    "ttl": 600_000, "pollInterval": 20,
                })
            };
            opened.reply(&asked.id, &json!({"task": task("working")})).await;
            // It looks again and again, and asks for the result only once it was told of the end.
            for status in ["working", "input_required", "completed"] {
                let look = opened.asked().await;
                assert_eq!(look.ask, ServerAsk::GetTask { task_id: "ours".into() });
                assert_eq!(look.related_task, None, "its looks name no task of its own");
                opened.reply(&look.id, &task(status)).await;
            }
            let fetch = opened.asked().await;
            assert_eq!(fetch.ask, ServerAsk::TaskResult { task_id: "ours".into() });
            opened.reply(&fetch.id, &answer).await;
            let heard = said(&result(held).await);
            assert!(heard.contains('7'), "{heard}");
        }
    }
}

#[tokio::test]
async fn a_sampling_request_is_answered_or_refused() {
    for transport in BOTH {
        let mut opened = opened(transport).await;
        let id = opened.call("sample", &json!({})).await;
        let held = opened.held(&id);
        let asked = opened.asked().await;
        assert_eq!((&asked.ask, asked.related_task.as_deref()), (&ServerAsk::Sampling, Some(&*id)));
        let answer =
            json!({"role": "assistant", "content": {"type": "text", "text": "blue"}, "model": "a person"});
        opened.reply(&asked.id, &answer).await;
        assert!(said(&result(held).await).contains("blue"));

        let id = opened.call("sample", &json!({})).await;
        let held = opened.held(&id);
        let asked = opened.asked().await;
        let refusal = SessionReply::Error { code: -1, message: "User rejected sampling request".into() };
        assert_eq!(opened.session.reply(&asked.id, refusal).await, Ok(SessionReplied::Delivered));
        soon("the end", held).await.unwrap().unwrap();
        let task = opened.task(&id).await;
        assert_eq!(task.status, Status::Failed, "a refusal is an exception in the tool");
        assert_eq!(task.status_message.as_deref(), Some("User rejected sampling request"));
    }
}

#[tokio::test]
async fn the_reason_of_a_failure_is_in_the_status_message_alone() {
    for transport in BOTH {
        let opened = opened(transport).await;
        let id = opened.call("fail", &json!({})).await;
        let ended = result(opened.held(&id)).await;
        let related = json!({"io.modelcontextprotocol/related-task": {"taskId": id}});
        assert_eq!(value(&ended), json!({ "_meta": related }), "no content, no error");
        let task = opened.task(&id).await;
        assert_eq!((task.status, task.status_message.as_deref()), (Status::Failed, Some("it broke")));

        let id = opened.call("refuse", &json!({})).await;
        let ended = result(opened.held(&id)).await;
        assert_eq!(value(&ended)["isError"], true);
        assert_eq!(
            opened.task(&id).await.status,
            Status::Completed,
            "not failed, as the specification has it"
        );
    }
}

#[tokio::test]
async fn a_cancelled_task_stays_cancelled() {
    for transport in BOTH {
        let opened = opened(transport).await;
        for tool in ["slow", "approve"] {
            let id = opened.call(tool, &json!({})).await;
            let held = opened.held(&id);
            opened.session.cancel_task(&id).await.unwrap();
            assert_eq!(opened.task(&id).await.status, Status::Cancelled);
            let ended = result(held).await;
            assert!(
                value(&ended).get("content").is_none(),
                "the result of what was cancelled is empty: {ended:?}"
            );
            let again = opened.session.cancel_task(&id).await.expect_err("it has ended");
            assert_eq!(again.meaning(), Some(Meaning::InvalidParams), "{again:?}");
        }
    }
}

#[tokio::test]
async fn work_that_ends_after_its_cancellation_takes_the_session_along() {
    for transport in BOTH {
        let opened = opened(transport).await;
        let id = opened.call("slow", &json!({})).await;
        opened.session.cancel_task(&id).await.unwrap();
        let session = opened.session.clone();
        // Over stdio it is never answered, and the program ends only with the next line that it reads.
        let go_on = tokio::spawn(async move {
            session.call_tool("go_on", &raw(&json!({})), CallOptions::default()).await
        });
        opened.foreign.journal.requests("tools/call", 2).await;
        let is_its_end = |error: &Error| match transport {
            Transport::Http => error.session_is_over(),
            Transport::Stdio => matches!(error, Error::Exited { code: Some(1), .. }),
        };
        // What was asked in the moment of its end is lost, with or without a word.
        let its_end = async {
            let look = || tokio::time::timeout(Duration::from_secs(1), opened.session.get_task(&id));
            while !matches!(look().await, Ok(Err(error)) if is_its_end(&error)) {}
        };
        soon("its end", its_end).await;
        drop(go_on);
    }
}

#[tokio::test]
async fn a_call_without_a_task_asks_on_the_push_stream() {
    for transport in BOTH {
        let mut opened = opened(transport).await;
        let session = opened.session.clone();
        let options = CallOptions::default();
        let call =
            tokio::spawn(async move { session.call_tool("approve_now", &raw(&json!({})), options).await });
        let asked = opened.asked().await;
        assert_eq!(asked.related_task, None);
        if transport == Transport::Http {
            assert_eq!(asked.channel, Channel::Push, "nothing says which call it belongs to");
        }
        opened.reply(&asked.id, &json!({"action": "decline"})).await;
        assert!(said(&soon("the call", call).await.unwrap().unwrap().raw).contains("decline"));
    }
}

#[tokio::test]
async fn how_a_tool_is_called_wrongly() {
    for transport in BOTH {
        let opened = opened(transport).await;
        let called = opened.plain("approve").await;
        assert_eq!(value(&called)["isError"], true, "a result, not the error -32601 of the specification");
        let unknown = opened.session.get_task("nobody's").await.expect_err("it knows no such task");
        assert_eq!(unknown.meaning(), Some(Meaning::InvalidParams), "{unknown:?}");
    }
}

#[tokio::test]
async fn a_session_goes_on_after_our_restart_with_its_open_question() {
    let mut opened = opened(Transport::Http).await;
    let id = opened.call("approve", &json!({})).await;
    let held = opened.held(&id);
    let asked = opened.asked().await;
    let remembered = Remembered { wire: Some(Wire::Legacy), session: opened.session.saved() };
    held.abort();
    let mut opened = opened.again(remembered).await;
    assert!(opened.resumed, "the session outlives us");
    assert_eq!(opened.task(&id).await.status, Status::InputRequired);

    // What was asked is not asked again, but its answer is still taken.
    let held = opened.held(&id);
    opened.foreign.journal.requests("tasks/result", 2).await;
    let remembered = opened.session.remember_request(&asked.raw).expect("it can be answered");
    opened.reply(&remembered, &json!({"action": "accept", "content": {"percent": 3}})).await;
    assert!(said(&result(held).await).contains(r#""percent":3"#));
    while let Ok(event) = tokio::time::timeout(Duration::ZERO, opened.event()).await {
        assert!(!matches!(event, SessionEvent::Request(_)), "{event:?}");
    }
}

#[tokio::test]
async fn another_session_sees_none_of_its_tasks() {
    let opened = opened(Transport::Http).await;
    let id = opened.call("slow", &json!({})).await;
    let opened = opened.again(Remembered { wire: Some(Wire::Legacy), session: None }).await;
    let unknown = opened.session.get_task(&id).await.expect_err("ids belong to sessions");
    assert_eq!(unknown.meaning(), Some(Meaning::InvalidParams));
    assert!(opened.session.list_tasks().await.unwrap().tasks.is_empty());
}

#[tokio::test]
async fn its_restart_ends_the_session_and_its_tasks() {
    let mut opened = opened(Transport::Http).await;
    let id = opened.call("slow", &json!({})).await;
    let saved = opened.session.saved();
    let port = opened.http.take().unwrap().kill().await;
    opened.http = Some(opened.foreign.listen_at(port).await);
    let error =
        soon("a look", opened.session.get_task(&id)).await.expect_err("the server knows nothing of it");
    assert!(error.session_is_over(), "{error:?}");
    let opened = opened.again(Remembered { wire: Some(Wire::Legacy), session: saved }).await;
    assert!(!opened.resumed);
    let unknown = opened.session.get_task(&id).await.expect_err("its tasks went with it");
    assert_eq!(unknown.meaning(), Some(Meaning::InvalidParams));
}
