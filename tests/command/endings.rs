//! How work ends, and `cancel`, `forget`, `track`.

use serde_json::json;
use signalbox_tests::{Machine, Stage, each, said, text};

#[tokio::test]
async fn a_tool_that_says_it_failed() {
    for stage in Stage::both().await {
        let done = stage.machine.run(&["call", "demo", "lint"]).await.exits(1);
        let task = done.document();
        assert_eq!((&task["status"], &task["outcome"]), (&json!("completed"), &json!("tool_error")));
        assert!(said(&task).contains("3 problems"), "the result is there all the same: {task}");
        assert!(done.stderr.contains(text(&task, "id")), "a person is told: {done}");
    }
}

#[tokio::test]
async fn a_task_that_failed() {
    for stage in Stage::both().await {
        let task = stage.machine.run(&["call", "demo", "crash"]).await.exits(1).document();
        assert_eq!((&task["status"], &task["outcome"]), (&json!("failed"), &json!("protocol_error")));
        let error = json!({
            "code": -32603, "message": "The worker crashed", "data": { "component": "worker", "exitCode": 139 },
        });
        assert_eq!(task["error"], error, "the error whole");
        assert!(task.get("result").is_none(), "{task}");
    }
}

#[tokio::test]
async fn a_task_that_outlived_its_time() {
    for stage in Stage::both().await {
        let task = stage.machine.run(&["call", "demo", "short_lived"]).await.exits(1).document();
        assert_eq!((&task["outcome"], &task["tracking"]), (&json!("expired"), &json!("expired")), "{task}");
        assert_eq!(task["ttlMs"], 20);
    }
}

#[tokio::test]
async fn cancelling_is_a_wish_until_the_server_says() {
    for stage in Stage::both().await {
        let task = stage.start("forever", "{}").await;
        let id = text(&task, "id");
        let cancelled = stage.machine.run(&["cancel", id]).await.ok();
        let kinds = each(&cancelled["timeline"], "kind");
        // A poll may bring the end before the acknowledgement comes, which says the same.
        let heard = kinds.contains(&"cancel_acknowledged") || kinds.contains(&"ended");
        assert!(heard && kinds.contains(&"cancel_requested"), "0 means acknowledged: {kinds:?}");
        let watched = stage.machine.run(&["watch", id]).await.exits(1);
        let last = watched.documents().pop().unwrap();
        assert_eq!(
            (&last["task"]["status"], &last["task"]["outcome"]),
            (&json!("cancelled"), &json!("cancelled"))
        );
        let _ = stage.machine.run(&["cancel", id]).await.failure(6, "already_closed");
        assert_eq!(stage.demo.journal().requests("tasks/cancel").len(), 1);
    }
}

#[tokio::test]
async fn what_is_forgotten_is_gone_here_and_not_there() {
    for stage in Stage::both().await {
        let task = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let (id, task_id) = (text(&task, "id"), text(&task, "taskId"));
        assert_eq!(stage.machine.run(&["forget", id]).await.ok(), json!({ "forgotten": id }));
        for gone in [["show", id], ["forget", id], ["cancel", task_id], ["watch", id]] {
            let _ = stage.machine.run(&gone).await.failure(6, "unknown_item");
        }
        assert_eq!(stage.machine.run(&["inbox", "--all"]).await.ok(), json!({ "requests": [] }));
        assert_eq!(stage.demo.journal().requests("tasks/cancel"), [], "the server is not told");

        let again = stage.machine.run(&["track", "demo", task_id]).await.ok();
        assert_ne!(again["id"], task["id"], "numbers are never used again");
        assert_eq!(again["status"], "input_required");
    }
}

#[tokio::test]
async fn a_handle_made_elsewhere_is_adopted() {
    for stage in Stage::both().await {
        let elsewhere = Machine::new();
        elsewhere.add("ci", &stage.demo.url()).await;
        let args = ["call", "ci", "deploy", "--args", r#"{"service":"web"}"#, "--detach"];
        let theirs = elsewhere.run(&args).await.ok();
        let task_id = text(&theirs, "taskId");

        let adopted = stage.machine.run_with(&["track", "demo", "-"], &format!("{task_id}\n")).await.ok();
        assert_eq!((&adopted["taskId"], &adopted["origin"]), (&task_id.into(), &"adopted".into()));
        let listed =
            stage.machine.run(&["tasks", "--filter", "origin:adopted", "--sort", "origin"]).await.ok();
        assert_eq!(each(&listed["tasks"], "id"), [text(&adopted, "id")], "{listed}");
        let shown = stage.machine.run_plain(&["show", text(&adopted, "id")]).await.exits(0).stdout;
        assert!(
            shown.lines().any(|line| line.split_whitespace().eq(["started", "by", "elsewhere"])),
            "who began it was not us: {shown}"
        );
        assert!(adopted.get("tool").is_none(), "nobody told us which tool it was: {adopted}");
        let file = stage.machine.file("handle", task_id);
        let again = stage.machine.run(&["track", "demo", &format!("@{file}")]).await.ok();
        assert_eq!(again["id"], adopted["id"], "one handle, one task");

        let mut watch = stage.machine.start(&["watch", task_id]);
        let asked = watch.until("its question", |line| line["request"]["state"] == "open").await;
        let request = text(&asked["request"], "id").to_owned();
        drop(watch);
        let content = r#"{"approved":true,"rollout":"all_at_once"}"#;
        let _ = stage.machine.run(&["answer", &request, "--accept", "--content", content]).await.ok();
        assert_eq!(said(&stage.ends_well(task_id).await), "Deployed web latest to eu-west.");
        let _ = elsewhere.run(&["watch", text(&theirs, "id")]).await.exits(0);
    }
}
