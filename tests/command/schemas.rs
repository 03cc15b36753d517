//! What a schema asks for and cannot be checked, and results that are not what the tool promised: both are said.

use serde_json::{Value, json};
use signalbox_demo::Fault;
use signalbox_tests::{Stage, each, text};

const ANSWER: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// Changes what the server tells of its tasks, asked or unasked.
fn spoil_tasks(stage: &Stage, edit: fn(&mut Value)) {
    // What is pushed is spoilt with the stream that it comes on.
    for method in ["tasks/get", "subscriptions/listen"] {
        stage.demo.faults().next(usize::MAX, method, Fault::Edit(edit));
    }
}

/// A part of the task that a message tells of.
fn part<'a>(message: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let told = if message.get("params").is_some() { "params" } else { "result" };
    message.get_mut(told)?.pointer_mut(path)
}

/// The schema of the approval, in a message that carries it.
fn approval(message: &mut Value) -> Option<&mut Value> {
    part(message, "/inputRequests/approval/params/requestedSchema")
}

#[tokio::test]
async fn a_schema_that_is_not_understood_is_said_so() {
    let unknown: fn(&mut Value) = |message| {
        if let Some(schema) = approval(message) {
            schema["$schema"] = "https://example.com/dialect".into();
        }
    };
    let remote: fn(&mut Value) = |message| {
        if let Some(schema) = approval(message) {
            schema["properties"]["rollout"] = json!({ "$ref": "https://example.com/rollout.json" });
        }
    };
    for (edit, said) in [(unknown, "https://example.com/dialect"), (remote, "reference")] {
        for stage in Stage::both().await {
            spoil_tasks(&stage, edit);
            let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
            let request = text(&asked["inputRequests"][0], "id");
            let shown = stage.machine.run(&["show", request]).await.ok();
            assert!(shown["schemaTroubles"][0].as_str().is_some_and(|one| one.contains(said)), "{shown}");
            let plain = stage.machine.run_plain(&["show", request]).await.exits(0);
            assert!(plain.stdout.contains("not checked") && plain.stdout.contains(said), "{plain}");
            let answer = ["answer", request, "--accept", "--content", ANSWER];
            let answered = stage.machine.run(&answer).await.exits(0);
            assert!(
                answered.stderr.contains("can be checked here") && answered.stderr.contains(said),
                "{answered}"
            );
            assert_eq!(answered.document()["state"], "answered", "the server decides");
        }
    }
}

#[tokio::test]
async fn a_schema_that_is_understood_needs_no_word() {
    for stage in Stage::both().await {
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let shown = stage.machine.run(&["show", request]).await.ok();
        assert_eq!(shown.get("schemaTroubles"), None, "{shown}");
        let answer = ["answer", request, "--accept", "--content", ANSWER];
        let answered = stage.machine.run(&answer).await.exits(0);
        assert_eq!(answered.stderr, "", "{answered}");
        let done = stage.ends_well(text(&asked, "id")).await;
        assert_eq!(done["outputCheck"], json!({ "type": "valid" }), "{done}");
        let plain = stage.machine.run_plain(&["show", text(&asked, "id")]).await.exits(0);
        assert!(plain.stdout.contains("\"decision\""), "the structured content is shown, too: {plain}");
        assert!(!plain.stdout.contains("outputSchema"), "{plain}");
    }
}

#[tokio::test]
async fn a_result_that_is_not_what_the_tool_promised_is_said_so() {
    let spoil: fn(&mut Value) = |message| {
        if let Some(structured) = part(message, "/result/structuredContent") {
            structured["deployed"] = "certainly".into();
        }
    };
    let drop: fn(&mut Value) = |message| {
        if let Some(Value::Object(result)) = part(message, "/result") {
            result.remove("structuredContent");
        }
    };
    for (edit, path, said) in [(spoil, "/deployed", "true or false"), (drop, "", "no structuredContent")] {
        for stage in Stage::both().await {
            let machine = &stage.machine;
            let _ = machine.run(&["tools", "demo"]).await.ok();
            spoil_tasks(&stage, edit);
            let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
            let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content", ANSWER];
            let _ = machine.run(&answer).await.ok();
            let done = stage.ends_well(text(&asked, "id")).await;
            assert_eq!(done["outcome"], "ok", "it is told, and changes nothing else: {done}");
            assert_eq!(done["outputCheck"]["type"], "invalid", "{done}");
            assert_eq!(each(&done["outputCheck"]["errors"], "path"), [path], "{done}");
            let plain = machine.run_plain(&["show", text(&asked, "id")]).await.exits(0);
            assert!(plain.stdout.contains("outputSchema") && plain.stdout.contains(said), "{plain}");
        }
    }
}

#[tokio::test]
async fn who_waits_for_a_call_learns_that_its_result_differs() {
    let spoil: fn(&mut Value) = |message| {
        if let Some(Value::Array(tools)) = message.pointer_mut("/result/tools") {
            for tool in tools.iter_mut().filter(|tool| tool["name"] == "echo") {
                tool["outputSchema"] = json!({ "type": "object", "required": ["echo"] });
            }
        }
    };
    for stage in Stage::both().await {
        stage.demo.faults().next(usize::MAX, "tools/list", Fault::Edit(spoil));
        let called =
            stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"hi"}"#]).await.exits(0);
        assert!(called.stderr.contains("outputSchema"), "{called}");
        assert_eq!(called.document()["outputCheck"]["type"], "invalid");
    }
}

#[tokio::test]
async fn values_with_titles_are_both_named() {
    let stage = Stage::alone().await;
    let asked = stage.asks("survey", "{}").await;
    let request = text(&asked["inputRequests"][0], "id");
    let content = r#"{"colour":"Red","shipping":"Standard"}"#;
    let answer = ["answer", request, "--accept", "--content", content];
    let failure = stage.machine.run(&answer).await.failure(2, "invalid_content");
    let said = text(&failure, "message");
    assert!(said.contains("#c00 (Red), #0a0 (Green)"), "{said}");
    assert!(said.contains("std (Standard), exp (Express)"), "{said}");
}
