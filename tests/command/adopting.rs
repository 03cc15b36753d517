//! Tasks that only the server's own list tells of (2025-11-25).

use serde_json::{Value, json};
use signalbox_demo::{Demo, Speed, Wires};
use signalbox_tests::{DemoServer, Machine, Stage, text};

async fn legacy() -> Stage {
    Stage::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await
}

/// Another machine that starts tasks on the same server.
async fn elsewhere(stage: &Stage, tasks: usize) -> Vec<String> {
    let elsewhere = Machine::new();
    elsewhere.add("ci", &stage.demo.url()).await;
    let mut ids = Vec::new();
    for _ in 0..tasks {
        let task = elsewhere.run(&["call", "ci", "forever", "--detach"]).await.ok();
        ids.push(text(&task, "taskId").to_owned());
    }
    ids
}

fn handles<'a>(document: &'a Value, list: &str) -> Vec<&'a str> {
    document[list].as_array().unwrap().iter().map(|task| text(task, "taskId")).collect()
}

#[tokio::test]
async fn what_a_server_lists_and_nobody_follows_is_offered() {
    let mut stage = legacy().await;
    for owned in [false, true] {
        if owned {
            stage.serve().await;
        }
        let machine = &stage.machine;
        let ours = stage.start("forever", "{}").await;
        let theirs = elsewhere(&stage, 2).await;
        let offered = machine.run(&["track", "demo"]).await.ok();
        assert_eq!(handles(&offered, "offered"), theirs, "ours is not offered: {offered}");
        assert_eq!(offered["complete"], true);
        let _ = machine.run(&["show", &theirs[0]]).await.failure(6, "unknown_item");

        let _ = machine.run(&["track", "demo", &theirs[0]]).await.ok();
        let offered = machine.run(&["track", "demo"]).await.ok();
        assert_eq!(handles(&offered, "offered"), theirs[1..]);
        let adopted = machine.run(&["track", "demo", "--all"]).await.ok();
        assert_eq!(handles(&adopted, "tasks"), theirs[1..], "{adopted}");
        assert_eq!(adopted["tasks"][0]["status"], "working", "it was looked at: {adopted}");
        let none = machine.run(&["track", "demo"]).await.ok();
        assert_eq!(none["offered"], json!([]), "all are followed: {none}");
        assert_eq!(machine.run(&["track", "demo", "--all"]).await.ok(), json!({ "tasks": [] }));
        let _ = machine.run(&["cancel", text(&ours, "id")]).await.ok();
    }
}

#[tokio::test]
async fn a_server_without_a_list_wants_an_id() {
    let stage = Stage::alone().await;
    for line in [&["track", "demo"][..], &["track", "demo", "--all"]] {
        let failure = stage.machine.run(line).await.failure(2, "usage");
        assert!(text(&failure, "message").contains("task id"), "{failure}");
    }
    let _ = stage.machine.run(&["track", "demo", "an-id", "--all"]).await.failure(2, "usage");
    let _ = stage.machine.run(&["track", "nowhere"]).await.failure(2, "unknown_server");
}

#[tokio::test]
async fn only_a_life_without_limit_is_said_to_have_none() {
    let mut stage = Stage::alone().await;
    let unlimited: fn(&mut Value) = |message| set_ttl(message, Value::Null);
    let negative: fn(&mut Value) = |message| set_ttl(message, (-1).into());
    let absent: fn(&mut Value) = |message| {
        if let Some(task) = told(message) {
            task.remove("ttlMs");
        }
    };
    for (edit, expected) in [(unlimited, Some(Value::Null)), (negative, None), (absent, None)] {
        for method in ["tools/call", "tasks/get", "notifications/tasks"] {
            stage.demo.faults().next(usize::MAX, method, signalbox_demo::Fault::Edit(edit));
        }
        let task = stage.start("forever", "{}").await;
        let shown = stage.machine.run(&["show", text(&task, "id")]).await.ok();
        assert_eq!(shown.get("ttlMs").cloned(), expected, "{shown}");
        let plain = stage.machine.run_plain(&["show", text(&task, "id")]).await.exits(0);
        assert_eq!(plain.stdout.contains("without limit"), expected.is_some(), "{plain}");
        stage.demo.faults().clear();
    }

    stage.demo = DemoServer::start().await;
    stage.machine.add("gone", &stage.demo.url()).await;
    let stopped = stage.demo.stop().await;
    let adopted = stage.machine.run(&["track", "gone", "never-seen"]).await.document();
    assert_eq!(adopted.get("ttlMs"), None, "nothing is known of it: {adopted}");
    drop(stopped);
}

fn set_ttl(message: &mut Value, ttl: Value) {
    if let Some(task) = told(message) {
        task.insert("ttlMs".to_owned(), ttl);
    }
}

/// The task in an answer or a notification.
fn told(message: &mut Value) -> Option<&mut serde_json::Map<String, Value>> {
    let member = if message.get("params").is_some() { "params" } else { "result" };
    message.get_mut(member)?.as_object_mut()
}
