//! Questions on the call itself, where no task is made.

use serde_json::json;

use signalbox_tests::{Stage, said, text};

/// What is open of the only call, by key.
async fn open(stage: &Stage, key: &str) -> String {
    let inbox = stage.machine.run(&["inbox"]).await.ok();
    let requests = inbox["requests"].as_array().unwrap();
    let found = requests.iter().find(|request| request["key"] == key);
    text(found.unwrap_or_else(|| panic!("{key} should be asked: {inbox}")), "id").to_owned()
}

async fn accept(stage: &Stage, key: &str, content: &str) -> serde_json::Value {
    let id = open(stage, key).await;
    stage.machine.run(&["answer", &id, "--accept", "--content", content]).await.ok()
}

#[tokio::test]
async fn two_rounds_from_call_to_result() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let arguments = ["call", "demo", "confirm", "--args", r#"{"volume":"tank"}"#, "--no-input"];
        let asked = machine.run(&arguments).await.exits(3).document();
        assert_eq!(asked["inputRequests"][0]["identity"]["kind"], "round", "{asked}");
        assert!(asked["raw"]["create"]["requestState"].is_string(), "nothing of it is lost: {asked}");
        let sure = accept(&stage, "sure", r#"{"sure":true}"#).await;
        assert_eq!(sure["state"], "answered", "acknowledged: {sure}");
        let (first, other) = (open(&stage, "name").await, open(&stage, "reason").await);
        let answer = ["answer", &first, "--accept", "--content", r#"{"name":"tank"}"#];
        let kept = machine.run(&answer).await.exits(0);
        assert!(kept.stderr.contains("Kept. It goes out with"), "{kept}");
        assert!(kept.stderr.contains(&other), "and which are missing: {kept}");
        let name = kept.document();
        assert_eq!(name["state"], "sending", "kept until its round is whole: {name}");
        let reason = accept(&stage, "reason", r#"{"reason":"full"}"#).await;
        assert_eq!(reason["state"], "answered", "{reason}");
        let done = machine.run(&["show", text(&asked, "id")]).await.ok();
        assert_eq!(said(&done), "Volume tank is deleted.", "{done}");
        let _ = machine.run(&["verify"]).await.ok();
    }
}

#[tokio::test]
async fn a_round_outlives_an_owner_that_is_killed() {
    let mut stage = Stage::served().await;
    let asked = stage.machine.run(&["call", "demo", "mrtr_question", "--no-input"]).await.exits(3).document();
    stage.owner.take().unwrap().kill().await;
    let answered = accept(&stage, "environment", r#"{"environment":"staging"}"#).await;
    assert_eq!(answered["state"], "answered", "{answered}");
    let done = stage.machine.run(&["show", text(&asked, "id")]).await.ok();
    assert_eq!(done["outcome"], "ok", "{done}");
    assert_eq!(stage.demo.taken("environment").len(), 1);
}

#[tokio::test]
async fn a_round_that_was_under_way_when_its_owner_was_killed_is_the_persons_to_decide() {
    let mut stage = Stage::served().await;
    let asked = stage.machine.run(&["call", "demo", "mrtr_question", "--no-input"]).await.exits(3).document();
    let id = open(&stage, "environment").await;
    let gate = stage.demo.faults().hold("tools/call");
    let content = r#"{"environment":"staging"}"#;
    let answering = stage.machine.start(&["answer", &id, "--accept", "--content", content]);
    stage.demo.held(&gate, 1).await;
    stage.owner.take().unwrap().kill().await;
    answering.kill().await;
    stage.demo.faults().clear();
    let unknown = stage.machine.run(&["show", &id]).await.ok();
    assert_eq!(unknown["state"], "unknown", "{unknown}");
    let second = ["answer", &id, "--accept", "--content", content];
    let refused = stage.machine.run(&second).await.exits(6);
    assert!(refused.stderr.contains("--again"), "whoever saw it open must not answer twice: {refused}");
    let again = stage.machine.run(&[&second[..], &["--again"]].concat()).await.ok();
    assert_eq!(again["state"], "answered", "{again}");
    let done = stage.machine.run(&["show", text(&asked, "id")]).await.ok();
    assert_eq!(done["outcome"], "ok", "{done}");
}

#[tokio::test]
async fn a_model_is_answered_for_by_hand_or_not_at_all() {
    let stage = Stage::alone().await;
    let asked = stage.asks("summarize", "{}").await;
    let request = &asked["inputRequests"][0];
    assert!(text(request, "message").contains("in one sentence"), "the whole conversation: {request}");
    let id = text(request, "id");
    let _ =
        stage.machine.run(&["answer", id, "--accept", "--content", "{}"]).await.failure(2, "invalid_content");
    let said_by_hand = ["answer", id, "--accept", "--content", r#"{"text":"All is well."}"#];
    let _ = stage.machine.run(&said_by_hand).await.ok();
    let done = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(done["result"]["structuredContent"]["content"]["text"], "All is well.", "{done}");
    let asked = stage.asks("summarize", "{}").await;
    let id = text(&asked["inputRequests"][0], "id");
    let declined = stage.machine.run(&["answer", id, "--decline"]).await.ok();
    assert_eq!((&declined["state"], &declined["reason"]), (&json!("closed"), &json!("declined_by_us")));
    assert_eq!(stage.demo.taken("summary").len(), 1, "a no has no shape, and is not sent");
}

#[tokio::test]
async fn roots_are_named_per_server() {
    let stage = Stage::alone().await;
    let machine = &stage.machine;
    let none = machine.run(&["call", "demo", "list_roots"]).await.ok();
    assert_eq!(said(&none), "0 roots");
    let edit = ["server", "edit", "demo", "--root", "file:///srv/a", "--root", "file:///srv/b"];
    let named = machine.run(&edit).await.ok();
    assert_eq!(named["roots"], json!(["file:///srv/a", "file:///srv/b"]));
    let two = machine.run(&["call", "demo", "list_roots"]).await.ok();
    assert_eq!(said(&two), "2 roots");
    let _ =
        machine.run(&["server", "edit", "demo", "--root", "https://a.example/"]).await.failure(2, "usage");
    let _ = machine.run(&["server", "edit", "demo"]).await.failure(2, "usage");
    let emptied = machine.run(&["server", "edit", "demo", "--no-roots"]).await.ok();
    assert!(emptied["roots"].is_null(), "{emptied}");
}
