//! Secrets that a server asks for in a form: delivered once, and kept by nobody afterwards.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use signalbox_demo::Fault;
use signalbox_tests::{Stage, text};

const SECRET: &str = "correct-horse-battery";

/// Has the approval ask for a password, too, asked or unasked.
pub(super) fn ask_for_password(stage: &Stage) {
    let edit: fn(&mut Value) = |message| {
        let told = if message.get("params").is_some() { "params" } else { "result" };
        let schema = message[told].pointer_mut("/inputRequests/approval/params/requestedSchema/properties");
        if let Some(properties) = schema {
            properties["password"] = json!({ "type": "string", "title": "Password of the cluster" });
        }
    };
    for method in ["tasks/get", "subscriptions/listen"] {
        stage.demo.faults().next(usize::MAX, method, Fault::Edit(edit));
    }
}

#[tokio::test]
async fn a_secret_is_delivered_and_is_nowhere_afterwards() {
    for mut stage in Stage::both().await {
        ask_for_password(&stage);
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let request = text(&asked["inputRequests"][0], "id");
        let content = json!({ "approved": true, "rollout": "gradual", "password": SECRET });
        let answer =
            ["answer", request, "--accept", "--content", &content.to_string(), "--note", "asked Ada"];
        let answered = stage.machine.run(&answer).await.exits(0);
        assert!(
            answered.stderr.contains("demo asks for a secret in a form: Password of the cluster."),
            "{answered}"
        );
        let delivered = json!({ "action": "accept", "content": content });
        assert_eq!(stage.demo.taken("approval"), [delivered], "the server has it, byte for byte");
        let _ = stage.ends_well(text(&asked, "id")).await;

        let mut said = vec![answered];
        for line in [
            &["show", request][..],
            &["inbox", "--all"],
            &["export"],
            &["export", "--with-handles"],
            &["verify"],
            &["doctor"],
        ] {
            said.push(stage.machine.run(line).await);
            said.push(stage.machine.run_plain(line).await);
        }
        for done in &said {
            assert!(!done.stdout.contains(SECRET) && !done.stderr.contains(SECRET), "{done}");
        }
        let shown = stage.machine.run_plain(&["show", request]).await.exits(0);
        assert!(shown.stdout.contains("/password: 21 characters (not kept)"), "{shown}");
        assert!(shown.stdout.contains("asked Ada"), "{shown}");
        assert_eq!(stage.machine.run(&["show", request]).await.ok()["remark"], "asked Ada");

        let log = stage.machine.run(&["export", "--what", "decisions"]).await.exits(0);
        let entries: Vec<Value> = log.documents().into_iter().map(|line| line["entry"].clone()).collect();
        let decided = entries.iter().find(|entry| entry["kind"] == "answered").expect("it was decided");
        assert_eq!(decided["remark"], "asked Ada");
        assert_eq!(decided["masked"][0]["path"], "/content/password", "{decided}");
        assert_eq!(decided["masked"][0]["length"], 21);
        assert!(decided["masked"][0]["sha256"].is_string(), "whoever knows it can prove it: {decided}");
        let file = stage.machine.file("decisions.jsonl", &log.stdout);
        let verified = stage.machine.run(&["verify", &file]).await.exits(0);
        assert_eq!(
            stage.machine.run(&["verify"]).await.exits(0).document()["findings"],
            verified.document()["findings"]
        );

        if let Some(owner) = stage.owner.take() {
            let _ = owner.terminate().await;
        }
        fs::remove_file(file).unwrap();
        assert_eq!(
            stage.machine.files_with(SECRET),
            [] as [PathBuf; 0],
            "no file has it: not the store, not the logs"
        );
    }
}

#[tokio::test]
async fn a_note_has_a_bound() {
    let stage = Stage::alone().await;
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let request = text(&asked["inputRequests"][0], "id");
    let note = "ä".repeat(2_001);
    let failure =
        stage.machine.run(&["answer", request, "--decline", "--note", &note]).await.failure(2, "usage");
    assert!(text(&failure, "message").contains("2000 characters"), "{failure}");
    assert!(stage.demo.taken("approval").is_empty(), "nothing was sent");
    let note = "ä".repeat(2_000);
    let _ = stage.machine.run(&["answer", request, "--decline", "--note", &note]).await.exits(0);
}
