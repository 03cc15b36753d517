//! Servers that go away and come back, with or without their memory.

use serde_json::json;
use signalbox_demo::{Builder, Demo, Speed};
use signalbox_tests::{DemoServer, Machine, Running, Stage, said, text};

fn instant() -> Builder {
    Demo::builder().speed(Speed::INSTANT)
}

/// Follows a task until it is tracked like this.
async fn tracked(machine: &Machine, task: &str, tracking: &str) -> Running {
    let mut watch = machine.start(&["watch", task]);
    watch.until(tracking, |line| line["task"]["tracking"] == tracking).await;
    watch
}

/// The same address, another server.
async fn replaced(stage: Stage, builder: Builder) -> Stage {
    let Stage { demo, machine, owner } = stage;
    let addr = demo.stop().await.addr;
    Stage { demo: DemoServer::at(builder, addr).await, machine, owner }
}

#[tokio::test]
async fn a_server_that_was_down_for_a_while() {
    let stage = Stage::served().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let (task, request) = (text(&asked, "id"), text(&asked["inputRequests"][0], "id"));
    let Stage { demo, machine, owner } = stage;
    let stopped = demo.stop().await;
    let mut watch = tracked(&machine, task, "unreachable").await;

    let content = r#"{"approved":true,"rollout":"gradual"}"#;
    let answer = ["answer", request, "--accept", "--content", content];
    let failure = machine.run(&answer).await.failure(4, "unreachable");
    assert_eq!(failure["retry"], "queued", "it is kept: {failure}");
    let _ = machine.run(&answer).await.failure(6, "already_closed");

    let stage = Stage { demo: stopped.listen().await, machine, owner };
    watch.until("it is reached again", |line| line["task"]["tracking"] == "live").await;
    let _ = watch.end().await.exits(0);
    let done = stage.machine.run(&["show", task]).await.ok();
    assert_eq!(said(&done), "Deployed web latest to eu-west.");
    assert_eq!(stage.demo.taken("approval").len(), 1, "delivered by itself, once");
}

#[tokio::test]
async fn a_server_that_remembers_its_tasks() {
    let files = Machine::untouched();
    let state = files.path("tasks");
    let mut stage = Stage::of(instant().state_file(&state)).await;
    stage.serve().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let stage = replaced(stage, instant().state_file(&state)).await;
    let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--decline"];
    let answered = stage.machine.run(&answer).await;
    // Between two looks nobody has noticed that it was away; if somebody had, the answer would be queued.
    assert!(matches!(answered.code, Some(0 | 4)), "{answered}");
    let _ = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(stage.demo.taken("approval"), [json!({ "action": "decline" })]);
}

#[tokio::test]
async fn a_server_that_forgot_its_tasks() {
    let stage = Stage::served().await;
    let task = stage.start("forever", "{}").await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let stage = replaced(stage, instant()).await;
    for task in [&task, &asked] {
        let watched = stage.machine.run(&["watch", text(task, "id")]).await.exits(1);
        let last = &watched.documents().pop().unwrap()["task"];
        assert_eq!((&last["outcome"], &last["tracking"]), (&json!("lost"), &json!("not_found")), "{last}");
    }
    let request = text(&asked["inputRequests"][0], "id");
    let _ = stage.machine.run(&["answer", request, "--decline"]).await.failure(6, "already_closed");
    let shown = stage.machine.run(&["show", request]).await.ok();
    assert_eq!((&shown["state"], &shown["reason"]), (&json!("closed"), &json!("task_ended")));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_that_dies_is_started_again() {
    use rustix::process::{Pid, Signal, kill_process};

    let machine = Machine::new();
    let program = signalbox_tests::signalbox().into_os_string().into_string().unwrap();
    let state = machine.path("tasks").into_os_string().into_string().unwrap();
    let demo = ["--", &program, "demo", "stdio", "--speed", "instant", "--state", &state];
    let _ = machine.run(&[&["server", "add", "demo"], demo.as_slice()].concat()).await.ok();
    let owner = machine.serve().await;
    let task = machine.run(&["call", "demo", "forever", "--detach"]).await.ok();

    let children = |pid: u32| {
        let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
        let of = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).unwrap();
        let ids: String = threads.map(|thread| of(thread.unwrap())).collect();
        ids.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<i32>>()
    };
    let before = children(owner.pid());
    assert_eq!(before.len(), 1, "one child for one server");
    kill_process(Pid::from_raw(before[0]).unwrap(), Signal::KILL).unwrap();

    let _ = machine.run(&["cancel", text(&task, "id")]).await;
    let watched = machine.run(&["watch", text(&task, "id")]).await.exits(1);
    assert_eq!(watched.documents().last().unwrap()["task"]["outcome"], "cancelled", "it went on");
    let after = children(owner.pid());
    assert!(after.len() == 1 && after != before, "a new child took its place: {before:?}, {after:?}");
}
