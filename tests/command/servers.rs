//! `server …` and `tools`.

use serde_json::json;
use signalbox_tests::{DemoServer, Machine, Stage, each};

#[tokio::test]
async fn a_server_lives_from_add_to_remove() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let added = machine.add("ci", &stage.demo.url()).await;
        assert_eq!(added["name"], "ci", "{added}");
        let listed = machine.run(&["server", "list"]).await.ok();
        assert_eq!(each(&listed["servers"], "name"), ["ci", "demo"], "by name");

        let renamed = machine.run(&["server", "rename", "ci", "the works"]).await.ok();
        assert_eq!((&renamed["id"], &renamed["name"]), (&added["id"], &json!("the works")));
        let taken = machine.run(&["server", "rename", "the works", "demo"]).await;
        let _ = taken.failure(2, "name_taken");

        let other = DemoServer::start().await;
        let edited = machine.run(&["server", "edit", "the works", "--url", &other.url()]).await.ok();
        assert_eq!(edited["origin"], other.url().strip_suffix("/mcp").unwrap());
        assert_eq!(edited["id"], added["id"], "it stays the same server");
        let _ = machine.run(&["server", "check", "the works"]).await.ok();
        assert_eq!(other.journal().requests("server/discover").len(), 1, "the new address is used");

        let removed = machine.run(&["server", "remove", "the works"]).await.ok();
        assert_eq!(removed, json!({ "removed": { "id": added["id"], "name": "the works" } }));
        let listed = machine.run(&["server", "list"]).await.ok();
        assert_eq!(each(&listed["servers"], "name"), ["demo"]);
        let _ = machine.run(&["tools", "the works"]).await.failure(2, "unknown_server");
    }
}

#[tokio::test]
async fn check_says_what_was_found() {
    for stage in Stage::both().await {
        let server = stage.machine.run(&["server", "check", "demo"]).await.ok();
        assert_eq!(server["wire"], "modern", "{server}");
        assert_eq!(server["protocolVersion"], "2026-07-28");
        assert_eq!(server["health"]["state"], "ok");
        assert_eq!(server["tools"], 19);
        let listed = stage.machine.run(&["server", "list"]).await.ok();
        assert_eq!(listed["servers"][0]["tools"], 19, "as listed last, without asking again: {listed}");
        assert!(server["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object());
    }
}

#[tokio::test]
async fn tools_come_from_all_pages_with_their_schemas() {
    for stage in Stage::both().await {
        let tools = stage.machine.run(&["tools", "demo"]).await.ok();
        assert_eq!(
            tools["tools"].as_array().unwrap().len(),
            19,
            "four pages, one of them behind an empty cursor"
        );
        let deploy = &tools["tools"][0];
        assert_eq!(deploy["name"], "deploy");
        assert_eq!(deploy["inputSchema"]["required"], json!(["service"]), "{deploy}");
    }
}

#[tokio::test]
async fn a_disabled_server_is_kept_and_left_alone() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let disabled = machine.run(&["server", "disable", "demo"]).await.ok();
        assert_eq!(disabled["enabled"], false, "{disabled}");
        let _ = machine
            .run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#])
            .await
            .failure(2, "server_disabled");
        let _ = machine.run(&["tools", "demo"]).await.failure(2, "server_disabled");
        assert_eq!(stage.demo.journal().entries(), [], "nothing is sent to it");
        let enabled = machine.run(&["server", "enable", "demo"]).await.ok();
        assert!(enabled.get("enabled").is_none(), "told only while it is off: {enabled}");
        let _ = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    }
}

#[tokio::test]
async fn a_server_with_live_tasks_is_not_removed() {
    for stage in Stage::both().await {
        let task = stage.start("forever", "{}").await;
        let refused = stage.machine.run(&["server", "remove", "demo"]).await.failure(2, "live_tasks");
        assert_eq!(refused["detail"]["tasks"], json!([task["id"]]), "it says which");
    }
}

#[tokio::test]
async fn a_header_value_comes_from_where_it_was_said_to_be() {
    let demo = DemoServer::start().await;
    let machine = Machine::new().with("CI_TOKEN", "abc");
    let file = machine.file("token", "xyz\n");
    let (url, key) = (demo.url(), format!("X-Key=@{file}"));
    let add =
        ["server", "add", "ci", "--url", &url, "--header", "Authorization=env:CI_TOKEN", "--header", &key];
    let added = machine.run(&add).await;
    assert!(!added.stdout.contains("xyz") && !added.stdout.contains("abc"), "values are not shown: {added}");
    let _ = added.ok();
    let _ = machine.run(&["server", "check", "ci"]).await.ok();

    let machine = machine.with("CI_TOKEN", "");
    let edit = ["server", "edit", "ci", "--url", &demo.url(), "--header", "Authorization=env:NOT_THERE"];
    let _ = machine.run(&edit).await.ok();
    let failed = machine.run(&["server", "check", "ci"]).await;
    assert_ne!(failed.code, Some(0), "a missing secret is no reason to connect without it: {failed}");
    assert!(failed.stderr.contains("NOT_THERE"), "it says what is missing: {failed}");
}
