//! From the call to the question to the answer to the result.

use signalbox_engine::{Intent, NoticeKind, Refusal};
use signalbox_model::{Health, ItemRef, Outcome, PayloadKind, RequestState, Status, Wire};

use crate::rig::{Rig, SERVER, patiently};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deployment_to_its_end() {
    let rig = Rig::new().await;
    let mut notices = rig.engine.take_notices().unwrap();
    assert!(rig.engine.take_notices().is_none(), "one reader");
    rig.wish(Intent::Check(SERVER)).await;
    assert!(matches!(rig.health().await, Health::Ok { .. }), "known as soon as the check is done");

    let call = rig.call("deploy", r#"{ "service": "api", "version": "1.0" }"#).await;
    assert_eq!(rig.row(call).await.summary, "api 1.0", "kept as soon as it is granted");
    let question = rig.question(call, RequestState::Open).await;
    assert!(question.message.starts_with("Approve deployment"), "{}", question.message);
    assert_eq!(rig.row(call).await.status, Status::InputRequired);
    rig.wish(Rig::accept(&question)).await;
    let row = rig.ended(call).await;
    assert_eq!((row.outcome, row.wire, row.open_requests), (Some(Outcome::Ok), Some(Wire::Modern), 0));

    let taken = rig.demo.journal().taken();
    assert_eq!(taken.len(), 1, "answered once");
    assert_eq!(taken[0].2["content"]["rollout"], "gradual");
    let result = rig.read(move |reads| reads.payload(call, PayloadKind::Result).unwrap().unwrap()).await;
    assert!(result.text().contains("Deployed api 1.0"), "{}", result.text());
    let answered = rig.question(call, RequestState::Answered).await.answer.unwrap();
    assert!(answered.acknowledged_at.is_some() && answered.taken_at.is_some());

    let asked = patiently(notices.recv()).await.unwrap();
    assert_eq!((asked.kind, asked.item), (NoticeKind::NeedsInput, ItemRef::Request(question.id)));
    let ended = patiently(notices.recv()).await.unwrap();
    assert_eq!((ended.kind, ended.server_name.as_str()), (NoticeKind::Ended(Outcome::Ok), "demo"));

    patiently(rig.engine.stop()).await;
    assert_eq!(rig.engine.intent(Intent::Check(SERVER)).await, Err(Refusal::Stopping));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_never_ends_is_cancelled() {
    let rig = Rig::new().await;
    let call = rig.call("forever", "{}").await;
    rig.handle(call).await;
    rig.cancel(call).await;
    let row = rig.ended(call).await;
    assert_eq!(row.outcome, Some(Outcome::Cancelled));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_of_tools_is_kept_as_received() {
    let rig = Rig::new().await;
    let tools = patiently(rig.engine.tools(SERVER)).await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "deploy"));
    let kept = rig.until("the list", |reads| reads.tools(SERVER).unwrap()).await;
    let entries: Vec<serde_json::Value> = kept.read().unwrap();
    assert_eq!(entries.len(), tools.len());
    let deploy = tools.iter().find(|tool| tool.name == "deploy").unwrap();
    assert!(kept.text().contains(deploy.raw.text()), "byte for byte");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_all_end() {
    let rig = Rig::new().await;
    let mut calls = Vec::new();
    for _ in 0..20 {
        calls.push((rig.call("lint", "{}").await, Outcome::ToolError));
        calls.push((rig.call("echo", r#"{"text":"x"}"#).await, Outcome::Ok));
    }
    for (call, expected) in calls {
        assert_eq!(rig.ended(call).await.outcome, Some(expected));
    }
    assert_eq!(rig.requests("tools/call"), 40, "each once");
}
