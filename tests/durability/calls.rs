//! A handle that was seen is never lost; a call that may have arrived is never made twice.

use serde_json::json;
use signalbox_tests::{Stage, each, said, text};

#[tokio::test]
async fn the_owner_dies_right_after_the_handle_was_seen() {
    let mut stage = Stage::served().await;
    let task = stage.start("build", "{}").await;
    stage.kill_owner().await;
    stage.serve().await;
    let done = stage.ends_well(text(&task, "id")).await;
    assert_eq!((&done["taskId"], said(&done)), (&task["taskId"], "Built main: 120 units, no warnings."));
    assert_eq!(stage.demo.journal().requests("tools/call").len(), 1);
}

#[tokio::test]
async fn every_handle_that_was_printed_is_there_after_a_crash() {
    let mut stage = Stage::served().await;
    let calls: Vec<_> =
        (0..6).map(|_| stage.machine.start(&["call", "demo", "forever", "--detach"])).collect();
    let mut handles = Vec::new();
    for call in calls {
        handles.push(text(&call.end().await.ok(), "taskId").to_owned());
    }
    stage.kill_owner().await;
    let tasks = stage.machine.run(&["tasks"]).await.ok();
    let mut kept = each(&tasks["tasks"], "taskId");
    kept.sort_unstable();
    handles.sort();
    assert_eq!(kept, handles);
    assert!(each(&tasks["tasks"], "tracking").iter().all(|tracking| *tracking == "live"), "{tasks}");
}

#[tokio::test]
async fn the_owner_dies_before_the_server_has_answered_the_call() {
    // Whether the server had begun or not: we cannot know, and do not guess.
    for begun in [false, true] {
        let mut stage = Stage::served().await;
        let faults = stage.demo.faults();
        let gate = if begun { faults.hold_reply("tools/call") } else { faults.hold("tools/call") };
        let calling = stage.machine.start(&["call", "demo", "deploy", "--args", r#"{"service":"web"}"#]);
        stage.demo.held(&gate, 1).await;
        // The server may hear of the call before the command does which one it is: who asks later is answered later.
        let _ = stage.machine.run(&["tasks"]).await.ok();
        stage.kill_owner().await;
        let call = calling.end().await;
        assert_eq!(call.code, Some(1), "taken over, and told that the outcome is not known: {call}");
        stage.demo.faults().clear();
        stage.serve().await;
        let tasks = stage.machine.run(&["tasks"]).await.ok();
        let task = &tasks["tasks"][0];
        assert_eq!((&task["outcome"], &task["status"]), (&json!("unknown"), &json!("unknown")), "{task}");
        assert_eq!(task["arguments"], json!({ "service": "web" }), "what was asked for is kept: {task}");
        assert_eq!(stage.demo.journal().requests("tools/call").len(), 1, "it is never sent again by itself");
        let _ = stage.machine.run(&["watch", text(task, "id")]).await.exits(1);
    }
}

#[tokio::test]
async fn a_restart_in_the_middle_loses_nothing() {
    let mut stage = Stage::served().await;
    let build = stage.start("build", "{}").await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let forever = stage.start("forever", "{}").await;
    let before = stage.machine.run(&["show", text(&asked, "id")]).await.ok();
    let _ = stage.owner.take().unwrap().terminate().await.exits(0);
    stage.serve().await;
    let after = stage.machine.run(&["show", text(&asked, "id")]).await.ok();
    assert_eq!(after["inputRequests"], before["inputRequests"], "the same question, asked once");
    assert_eq!(after["raw"], before["raw"]);
    let _ = stage.ends_well(text(&build, "id")).await;
    let request = text(&asked["inputRequests"][0], "id");
    let _ = stage.machine.run(&["answer", request, "--decline"]).await.ok();
    let _ = stage.ends_well(text(&asked, "id")).await;
    let _ = stage.machine.run(&["cancel", text(&forever, "id")]).await.ok();
    let _ = stage.machine.run(&["watch", text(&forever, "id")]).await.exits(1);
    assert_eq!(stage.demo.journal().requests("tools/call").len(), 3);
}

#[tokio::test]
async fn a_wish_to_cancel_outlives_the_owner() {
    let mut stage = Stage::served().await;
    let task = stage.start("forever", "{}").await;
    let gate = stage.demo.faults().hold("tasks/cancel");
    let cancelling = stage.machine.start(&["cancel", text(&task, "id")]);
    stage.demo.held(&gate, 1).await;
    stage.kill_owner().await;
    stage.demo.faults().clear();
    let cancelled = cancelling.end().await.ok();
    assert_eq!(text(&cancelled, "id"), text(&task, "id"), "who asked takes over and waits on");
    stage.serve().await;
    let watched = stage.machine.run(&["watch", text(&task, "id")]).await.exits(1);
    assert_eq!(watched.documents().last().unwrap()["task"]["outcome"], "cancelled");
}
