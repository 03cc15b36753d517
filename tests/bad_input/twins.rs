//! Two servers with the same URL: the person gave them two names, so they are two, and nothing of theirs mixes.

use serde_json::Value;
use signalbox_demo::{AsksOn, Demo, JournalEntry, Legacy, Notices, Speed, Wires};
use signalbox_tests::{DemoServer, Machine, Running, each, said, soon, text};

const CONTENT: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// A machine that knows one server by two names, with its owner.
async fn twins(demo: &DemoServer) -> (Machine, Running) {
    let machine = Machine::new();
    for name in ["left", "right"] {
        machine.add(name, &demo.url()).await;
    }
    let owner = machine.serve().await;
    (machine, owner)
}

/// A call at each that asks; their documents.
async fn ask(machine: &Machine) -> [Value; 2] {
    let mut asked = Vec::new();
    for (server, service) in [("left", r#"{"service":"web"}"#), ("right", r#"{"service":"api"}"#)] {
        let call = ["call", server, "deploy", "--args", service, "--no-input"];
        asked.push(machine.run(&call).await.exits(3).document());
    }
    asked.try_into().unwrap()
}

/// Each is answered, the last first, and ends with what it was asked for.
async fn answer(machine: &Machine, asked: &[Value; 2]) {
    for (task, service) in asked.iter().zip(["web", "api"]).rev() {
        let request = &task["inputRequests"][0];
        assert_eq!(request["server"], task["server"], "a question is its own server's: {request}");
        let answer = ["answer", text(request, "id"), "--accept", "--content", CONTENT];
        let _ = machine.run(&answer).await.ok();
        let _ = machine.run(&["watch", text(task, "id")]).await.exits(0);
        let done = machine.run(&["show", text(task, "id")]).await.ok();
        assert_eq!(said(&done), format!("Deployed {service} latest to eu-west."));
    }
}

/// Each has its own tasks and nothing of the other's.
async fn apart(machine: &Machine, asked: &[Value; 2]) {
    for (server, task) in ["left", "right"].into_iter().zip(asked) {
        let tasks = machine.run(&["tasks", "--server", server]).await.ok();
        assert_eq!(each(&tasks["tasks"], "id"), [text(task, "id")], "{server}");
    }
}

/// Waits until a check shows that the server tells by itself; the checks are the time that passes.
async fn pushes(machine: &Machine, server: &str) {
    let told = async { while machine.run(&["server", "check", server]).await.ok()["push"] != "on" {} };
    soon("push", told).await;
}

#[tokio::test]
async fn on_the_modern_wire_with_push() {
    let demo = DemoServer::start().await;
    let (machine, _owner) = twins(&demo).await;
    let asked = ask(&machine).await;
    apart(&machine, &asked).await;
    demo.received("subscriptions/listen", 2).await;
    let listens = demo.journal().requests("subscriptions/listen");
    for task in &asked {
        let id = text(task, "taskId");
        let tells = |entry: &&JournalEntry| matches!(entry, JournalEntry::Request { params, .. } if params.to_string().contains(id));
        assert_eq!(listens.iter().filter(tells).count(), 1, "each is told of its own tasks alone");
    }
    for server in ["left", "right"] {
        pushes(&machine, server).await;
    }
    answer(&machine, &asked).await;
    assert_eq!(demo.taken("approval").len(), 2, "one answer each");
}

#[tokio::test]
async fn on_the_legacy_wire_in_sessions_of_their_own() {
    let manners =
        Legacy { own_tasks_only: true, asks_on: AsksOn::Stream, notices: Notices::On, ..Legacy::default() };
    let builder = Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy).legacy(manners);
    let demo = DemoServer::of(builder).await;
    let (machine, _owner) = twins(&demo).await;
    let asked = ask(&machine).await;
    apart(&machine, &asked).await;
    let sessions = || {
        demo.journal()
            .entries()
            .into_iter()
            .filter(|e| matches!(e, JournalEntry::SessionOpened { .. }))
            .count()
    };
    assert_eq!(sessions(), 2, "one each");
    // What one of them forgets is no matter of the other's.
    let _ = machine.run(&["server", "disable", "left"]).await.ok();
    let _ = machine.run(&["server", "check", "right"]).await.ok();
    let _ = machine.run(&["server", "enable", "left"]).await.ok();
    // On its new connection it is asked again; the looks are the time that passes.
    let request = text(&asked[0]["inputRequests"][0], "id");
    let asked_again = async { while machine.run(&["show", request]).await.ok()["state"] != "open" {} };
    soon("the question of the one that was away", asked_again).await;
    answer(&machine, &asked).await;
    assert_eq!(demo.taken("approval").len(), 2, "one answer each");
}

#[tokio::test]
async fn a_task_that_both_know_is_named_by_its_server() {
    let demo = DemoServer::start().await;
    let (machine, _owner) = twins(&demo).await;
    let task = machine.run(&["call", "left", "forever", "--detach"]).await.ok();
    let handle = text(&task, "taskId");
    let adopted = machine.run(&["track", "right", handle]).await.ok();
    assert_eq!((&adopted["server"], &adopted["taskId"]), (&"right".into(), &task["taskId"]), "{adopted}");
    let failure = machine.run(&["show", handle]).await.failure(2, "ambiguous");
    for task in [&task, &adopted] {
        assert!(failure.to_string().contains(text(task, "id")), "the candidates are named: {failure}");
    }
    let _ = machine.run(&["forget", text(&adopted, "id")]).await.exits(0);
    let shown = machine.run(&["show", handle]).await.ok();
    assert_eq!(shown["id"], task["id"], "the other one is still there");
}
