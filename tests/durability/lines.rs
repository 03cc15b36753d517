//! Lines that break: an answer that is cut, spoilt or never comes is not taken for what it is not.

use serde_json::json;
use signalbox_demo::Fault;
use signalbox_tests::{Stage, text};

#[tokio::test]
async fn a_call_whose_answer_is_cut_is_unknown_and_not_repeated() {
    for stage in Stage::both().await {
        stage.demo.faults().next(1, "tools/call", Fault::Cut);
        let call = ["call", "demo", "deploy", "--args", r#"{"service":"web"}"#];
        let task = stage.machine.run(&call).await.exits(1).document();
        assert_eq!(task["outcome"], "unknown", "the server may have begun: {task}");
        assert_eq!(stage.demo.journal().requests("tools/call").len(), 1);
    }
}

#[tokio::test]
async fn looks_that_fail_are_tried_again() {
    let faults = [
        Fault::Cut,
        Fault::Garbage,
        Fault::NoId,
        Fault::Refuse { status: 503, retry_after: None },
        Fault::Refuse { status: 429, retry_after: Some("0".into()) },
    ];
    for fault in faults {
        let stage = Stage::served().await;
        stage.demo.faults().next(2, "tasks/get", fault.clone());
        let task = stage.start("build", "{}").await;
        let done = stage.ends_well(text(&task, "id")).await;
        assert_eq!(done["outcome"], "ok", "after {fault:?}: {done}");
    }
}

#[tokio::test]
async fn an_answer_whose_acknowledgement_is_cut_is_not_given_twice() {
    let stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    stage.demo.faults().next(1, "tasks/update", Fault::Cut);
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--decline"];
    let _ = stage.machine.run(&answer).await.ok();
    let _ = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(stage.demo.taken("approval"), [json!({ "action": "decline" })]);
    assert_eq!(stage.demo.journal().requests("tasks/update").len(), 1, "a look showed that it had arrived");
}

#[tokio::test]
async fn a_large_result_comes_whole() {
    let stage = Stage::served().await;
    // 20 MB, the size that servers were seen to send.
    stage.demo.faults().next(1, "tools/call", Fault::Huge(20_000_000));
    let done = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    let block = done["result"]["content"][1]["text"].as_str().unwrap();
    assert_eq!(block.len(), 20_000_000);
    let listed = stage.machine.run(&["tasks"]).await.exits(0);
    assert!(listed.stdout.len() < 10_000, "lists stay small");
}
