//! Every tool to its end, over HTTP, with the clock in hand.

use crate::common::Http;
use serde_json::{Value, json};
use signalbox_demo::{Demo, JournalEntry, NotTaken, Speed};

async fn http() -> Http {
    Http::serve(Demo::builder()).await
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// `deploy` up to its question.
async fn deploy_asked(http: &Http) -> String {
    let task = http.start("deploy", json!({ "service": "api", "version": "1.2", "region": "us-east" })).await;
    assert_eq!(http.after(2500, &task).await["statusMessage"], "building image, layer 3/12");
    let asked = http.after(6000, &task).await;
    assert_eq!(asked["status"], "input_required", "{asked}");
    let params = &asked["inputRequests"]["approval"]["params"];
    assert!(
        params["message"].as_str().unwrap_or_default().contains("Approve deployment to production?"),
        "{params}"
    );
    assert_eq!(params["requestedSchema"]["properties"]["max_error_rate"]["maximum"], 5);
    task
}

#[tokio::test]
async fn deploy_is_approved_and_rolls_out() {
    let http = http().await;
    let task = deploy_asked(&http).await;
    let content = json!({ "approved": true, "rollout": "gradual", "max_error_rate": 1.5 });
    http.answer(&task, json!({ "approval": { "action": "accept", "content": content } })).await;
    assert_eq!(http.after(600, &task).await["statusMessage"], "rolling out, 1/10 instances");
    let done = http.after(60_000, &task).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(text(&done["result"]), "Deployed api 1.2 to us-east.");
    let structured = &done["result"]["structuredContent"];
    assert_eq!(structured["deployed"], true);
    assert_eq!((&structured["rollout"], &structured["maxErrorRate"]), (&json!("gradual"), &json!(1.5)));
    assert_eq!(
        done["lastUpdatedAt"], "2026-01-01T00:00:16Z",
        "it ended when the story says, not when it was looked at"
    );
    assert_eq!(http.demo.journal().taken().len(), 1);
}

#[tokio::test]
async fn deploy_says_who_said_no() {
    for (response, decision) in [
        (json!({ "action": "decline" }), "declined"),
        (json!({ "action": "accept", "content": { "approved": false, "rollout": "gradual" } }), "rejected"),
    ] {
        let http = http().await;
        let task = deploy_asked(&http).await;
        http.answer(&task, json!({ "approval": response })).await;
        let done = http.get(&task).await;
        assert_eq!(done["status"], "completed", "{done}");
        assert_eq!(done["result"]["structuredContent"]["decision"], decision);
        assert_eq!(done["result"]["structuredContent"]["deployed"], false);
    }
}

#[tokio::test]
async fn dismissing_the_approval_cancels_the_deployment() {
    let http = http().await;
    let task = deploy_asked(&http).await;
    http.answer(&task, json!({ "approval": { "action": "cancel" } })).await;
    assert_eq!(http.get(&task).await["status"], "cancelled");
}

#[tokio::test]
async fn build_counts() {
    let http = http().await;
    let task = http.start("build", json!({ "ref": "v7" })).await;
    let working = http.after(9250, &task).await;
    assert_eq!(working["statusMessage"], "compiled 37/120");
    assert_eq!(working["pollIntervalMs"], 1000);
    let done = http.after(20_750, &task).await;
    assert_eq!(text(&done["result"]), "Built v7: 120 units, no warnings.");
}

#[tokio::test]
async fn a_thousand_times_faster_is_the_same_story() {
    let http = Http::serve(Demo::builder().speed(Speed::INSTANT)).await;
    let task = http.start("build", json!({})).await;
    assert_eq!(http.after(15, &task).await["statusMessage"], "compiled 60/120");
    let done = http.after(15, &task).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["pollIntervalMs"], 10, "no client is asked to poll without a pause");
    assert_eq!(done["ttlMs"], 3_600_000, "the ordinary TTL is not part of the story");
}

#[tokio::test]
async fn survey_asks_everything_and_echoes() {
    let http = http().await;
    let task = http.start("survey", json!({})).await;
    let asked = http.after(500, &task).await;
    let fields = &asked["inputRequests"]["survey"]["params"]["requestedSchema"]["properties"];
    assert_eq!(fields.as_object().unwrap().len(), 15);
    for (field, keyword) in
        [("email", "format"), ("colour", "oneOf"), ("shipping", "enumNames"), ("ticket", "pattern")]
    {
        assert!(!fields[field][keyword].is_null(), "{field} should have {keyword}");
    }
    let content = json!({ "name": "Ada", "days": ["mon", "fri"], "seats": 3 });
    http.answer(&task, json!({ "survey": { "action": "accept", "content": content } })).await;
    assert_eq!(http.get(&task).await["result"]["structuredContent"], content);
}

#[tokio::test]
async fn two_questions_are_answered_one_by_one_in_any_order() {
    let http = http().await;
    let task = http.start("two_questions", json!({})).await;
    let asked = http.after(1000, &task).await;
    assert_eq!(asked["inputRequests"].as_object().unwrap().len(), 2);
    let accept = |content: Value| json!({ "action": "accept", "content": content });
    let window = accept(json!({ "start": "2026-02-01T22:00:00Z", "minutes": 30 }));
    http.answer(&task, json!({ "window": window, "made_up": { "action": "accept" } })).await;
    let asked = http.get(&task).await;
    assert_eq!(asked["status"], "input_required");
    assert_eq!(asked["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["strategy"]);
    // The second answer to the same key must change nothing.
    http.answer(&task, json!({ "window": { "action": "decline" } })).await;
    http.answer(&task, json!({ "strategy": accept(json!({ "strategy": "online" })) })).await;
    let done = http.after(1000, &task).await;
    assert_eq!(done["result"]["structuredContent"]["window"], window);
    let refused: Vec<_> = http.demo.journal().entries().into_iter().filter_map(not_taken).collect();
    let expected = [("made_up", NotTaken::NotOutstanding), ("window", NotTaken::AlreadyTaken)];
    assert_eq!(refused, expected.map(|(key, why)| (key.to_owned(), why)));
    let taken: Vec<_> = http.demo.journal().taken().into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(taken, ["window", "strategy"]);
}

#[tokio::test]
async fn drop_database_says_that_it_may_destroy_something_and_heeds_a_no() {
    let http = http().await;
    let listed = http.result("tools/list", json!({ "cursor": "last" })).await;
    let hints: Vec<_> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["annotations"]["destructiveHint"])
        .collect();
    assert_eq!(hints.last(), Some(&&json!(true)), "{listed}");
    for (sure, end) in [(true, "Database orders is dropped."), (false, "Database orders stays.")] {
        let task = http.start("drop_database", json!({ "database": "orders" })).await;
        let asked = http.after(1000, &task).await;
        let message = &asked["inputRequests"]["drop"]["params"]["message"];
        assert_eq!(message, "Drop database orders, with all that is in it?", "{asked}");
        let yes = json!({ "action": "accept", "content": { "sure": sure } });
        http.answer(&task, json!({ "drop": yes })).await;
        assert_eq!(text(&http.after(2000, &task).await["result"]), end);
    }
}

fn not_taken(entry: JournalEntry) -> Option<(String, NotTaken)> {
    if let JournalEntry::NotTaken { key, why, .. } = entry { Some((key, why)) } else { None }
}

#[tokio::test]
async fn sign_tells_accept_decline_and_cancel_apart() {
    for (action, status, says) in [
        ("accept", "completed", "Release 2.0 is signed."),
        ("decline", "completed", "Release 2.0 stays unsigned: the signature was declined."),
        ("cancel", "cancelled", ""),
    ] {
        let http = http().await;
        let task = http.start("sign", json!({ "release": "2.0" })).await;
        let asked = http.after(1000, &task).await;
        let params = &asked["inputRequests"]["signature"]["params"];
        assert_eq!(params["mode"], "url");
        assert!(params["url"].as_str().unwrap().starts_with("https://signing.example.com/"));
        http.answer(&task, json!({ "signature": { "action": action } })).await;
        let done = http.after(2000, &task).await;
        assert_eq!((&done["status"], text(&done["result"])), (&json!(status), says), "{action}");
    }
}

#[tokio::test]
async fn lint_completes_with_an_error_of_the_tool_and_crash_fails() {
    let http = http().await;
    let (lint, crash) = (http.start("lint", json!({})).await, http.start("crash", json!({})).await);
    let lint = http.after(3000, &lint).await;
    assert_eq!((&lint["status"], &lint["result"]["isError"]), (&json!("completed"), &json!(true)));
    let crash = http.get(&crash).await;
    assert_eq!((&crash["status"], &crash["error"]["code"]), (&json!("failed"), &json!(-32603)));
    assert!(crash.get("result").is_none(), "a failed task has no result");
}

#[tokio::test]
async fn short_lived_is_forgotten_after_its_ttl() {
    let http = http().await;
    let task = http.start("short_lived", json!({})).await;
    let alive = http.after(19_999, &task).await;
    assert_eq!((&alive["status"], &alive["ttlMs"]), (&json!("working"), &json!(20_000)));
    http.clock.advance(std::time::Duration::from_millis(1));
    assert_eq!(http.ask("tasks/get", json!({ "taskId": task })).await["error"]["code"], -32602);
}

#[tokio::test]
async fn forever_stops_a_moment_after_it_is_asked_to() {
    let http = http().await;
    let task = http.start("forever", json!({})).await;
    let working = http.after(86_400_000, &task).await;
    assert_eq!((&working["status"], &working["ttlMs"]), (&json!("working"), &Value::Null));
    http.result("tasks/cancel", json!({ "taskId": task })).await;
    assert_eq!(http.get(&task).await["status"], "working", "cancellation is cooperative");
    assert_eq!(http.after(800, &task).await["status"], "cancelled");
    http.result("tasks/cancel", json!({ "taskId": task })).await;
    assert_eq!(
        http.after(60_000, &task).await["lastUpdatedAt"],
        "2026-01-02T00:00:00.8Z",
        "terminal is terminal"
    );
}

#[tokio::test]
async fn a_question_can_come_before_any_task() {
    let http = http().await;
    let call = json!({ "name": "mrtr_question", "arguments": { "action": "restart" } });
    let round = http.result("tools/call", call.clone()).await;
    assert_eq!(round["resultType"], "input_required", "{round}");
    let mut retry = call.clone();
    retry["requestState"] = round["requestState"].clone();
    retry["inputResponses"] = json!({});
    assert_eq!(
        http.result("tools/call", retry.clone()).await["resultType"],
        "input_required",
        "it asks again"
    );
    let production = json!({ "action": "accept", "content": { "environment": "production" } });
    retry["inputResponses"] = json!({ "environment": production });
    assert_eq!(text(&http.result("tools/call", retry.clone()).await), "Done: restart in production");
    retry["inputResponses"] = json!({ "environment": { "action": "decline" } });
    let again = http.result("tools/call", retry.clone()).await;
    assert_eq!(text(&again), "Done: restart in production", "what was taken stays");
    assert_eq!(http.demo.journal().taken().len(), 1);
    retry["arguments"] = json!({ "action": "delete" });
    let stolen = http.ask("tools/call", retry).await;
    assert_eq!(stolen["error"]["code"], -32602, "the state belongs to one request: {stolen}");
    let id = round["requestState"].as_str().unwrap().split('.').next().unwrap();
    let as_task = http.ask("tasks/get", json!({ "taskId": id })).await;
    assert_eq!(as_task["error"]["code"], -32602, "a round is no task");
}

#[tokio::test]
async fn echo_answers_at_once_and_slow_plain_after_its_wait() {
    let http = http().await;
    let echo =
        http.result("tools/call", json!({ "name": "echo", "arguments": { "text": "hi {text}" } })).await;
    assert_eq!((&echo["resultType"], text(&echo)), (&json!("complete"), "hi {text}"));
    let slow = http.result("tools/call", json!({ "name": "slow_plain", "arguments": { "ms": 0 } })).await;
    assert_eq!(text(&slow), "Waited 0 ms.");
    let params = json!({ "name": "slow_plain", "arguments": { "ms": 5000 } });
    let mut call = std::pin::pin!(http.result("tools/call", params));
    // The clock moves until the call is through: whenever the server began to wait, the wait ends.
    let slow = loop {
        tokio::select! {
            slow = &mut call => break slow,
            () = tokio::task::yield_now() => http.clock.advance(std::time::Duration::from_secs(1)),
        }
    };
    assert_eq!(text(&slow), "Waited 5000 ms.");
}

#[tokio::test]
async fn wrong_arguments_are_named() {
    let http = http().await;
    let arguments = json!({ "region": "mars", "version": 7 });
    let result = http.result("tools/call", json!({ "name": "deploy", "arguments": arguments })).await;
    assert_eq!(result["isError"], true);
    for part in ["service is required", "region must be one of", "version must be of type"] {
        assert!(text(&result).contains(part), "{part} is missing in {result}");
    }
    assert_eq!(http.ask("tools/call", json!({ "name": "nothing" })).await["error"]["code"], -32602);
}

#[tokio::test]
async fn tools_come_in_pages_and_an_empty_cursor_is_a_cursor() {
    let http = http().await;
    let (mut names, mut cursors, mut params) = (Vec::new(), Vec::new(), json!({}));
    loop {
        let page = http.result("tools/list", params).await;
        for tool in page["tools"].as_array().unwrap() {
            assert!(["title", "description"].iter().all(|member| tool[member].is_string()), "{tool}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            names.push(tool["name"].as_str().unwrap().to_owned());
        }
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursors.push(next.to_owned());
        params = json!({ "cursor": next });
    }
    assert_eq!(cursors, ["", "next \u{1f682}", "last"]);
    assert_eq!((names.len(), names[0].as_str()), (19, "deploy"));
    assert_eq!(http.ask("tools/list", json!({ "cursor": "7" })).await["error"]["code"], -32602);
}
