//! Multi round-trip requests, progress and repeated arguments on the modern wire.

use std::collections::HashMap;
use std::time::Duration;

use crate::common::{
    Http, Stdio, capabilities, clock, first_message, headers, patiently, request, request_of,
};
use serde_json::{Value, json};
use signalbox_demo::{Demo, Fault, JournalEntry, NotTaken};

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The first round of `confirm`, and its retry with this answer.
async fn confirm(http: &Http) -> (Value, Value) {
    let call = json!({ "name": "confirm", "arguments": { "volume": "tank" } });
    let round = http.result("tools/call", call.clone()).await;
    assert_eq!(round["resultType"], "input_required", "{round}");
    let mut retry = call;
    retry["requestState"] = round["requestState"].clone();
    retry["inputResponses"] = json!({ "sure": accept(json!({ "sure": true })) });
    (round, retry)
}

#[tokio::test]
async fn rounds_follow_each_other_with_a_state_that_must_come_back_exactly() {
    let http = Http::serve(Demo::builder()).await;
    let (first, mut retry) = confirm(&http).await;
    let exact = retry["requestState"].as_str().unwrap().to_owned();
    assert!(exact.ends_with(' ') && !exact.is_ascii(), "it punishes who tidies up: {exact:?}");
    for careless in [exact.trim().to_owned(), exact.replace('\t', " "), exact.to_uppercase()] {
        retry["requestState"] = careless.into();
        assert_eq!(http.ask("tools/call", retry.clone()).await["error"]["code"], -32602);
    }
    retry["requestState"] = exact.into();
    let second = http.result("tools/call", retry.clone()).await;
    assert_ne!(second["requestState"], first["requestState"]);
    let asked: Vec<_> = second["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(asked.len(), 2, "{second}");
    retry["requestState"] = second["requestState"].clone();
    retry["inputResponses"] = asked
        .iter()
        .map(|key| (key.clone(), accept(if key == "name" { json!({ "name": "tank" }) } else { json!({}) })))
        .collect();
    assert_eq!(text(&http.result("tools/call", retry).await), "Volume tank is deleted.");
    let entries = http.demo.journal().entries();
    let exact: Vec<bool> = entries
        .iter()
        .filter_map(|entry| if let JournalEntry::Retried { exact, .. } = entry { Some(*exact) } else { None })
        .collect();
    assert_eq!(exact, [false, false, false, true, true]);
    assert_eq!(entries.iter().filter(|entry| matches!(entry, JournalEntry::Round { .. })).count(), 2);
    assert_eq!(http.demo.journal().taken().len(), 3);
}

#[tokio::test]
async fn a_round_can_lose_its_answers_ask_nothing_or_have_no_state() {
    let http = Http::serve(Demo::builder()).await;
    let (_, retry) = confirm(&http).await;
    http.demo.faults().next(1, "tools/call", Fault::LoseUpdate);
    let again = http.result("tools/call", retry.clone()).await;
    assert!(again["inputRequests"]["sure"].is_object(), "asked again: {again}");
    let lost = |entry: &JournalEntry| matches!(entry, JournalEntry::NotTaken { why: NotTaken::Lost, .. });
    assert!(http.demo.journal().entries().iter().any(lost));
    let second = http.result("tools/call", retry).await;
    assert!(second["inputRequests"]["name"].is_object(), "{second}");

    http.demo.faults().next(1, "tools/call", Fault::ComeBack);
    let mut call = json!({ "name": "echo", "arguments": { "text": "x" } });
    let empty = http.result("tools/call", call.clone()).await;
    assert_eq!((&empty["resultType"], empty.get("inputRequests")), (&json!("input_required"), None));
    call["requestState"] = empty["requestState"].clone();
    assert_eq!(text(&http.result("tools/call", call).await), "x");

    let mut bare = json!({ "name": "mrtr_question", "arguments": { "action": "stop" } });
    http.result("tools/call", bare.clone()).await;
    bare["inputResponses"] = json!({ "environment": accept(json!({ "environment": "staging" })) });
    assert_eq!(text(&http.result("tools/call", bare).await), "Done: stop in staging", "without any state");
}

#[tokio::test]
async fn models_and_roots_can_be_asked_for_in_tasks_and_rounds() {
    let http = Http::serve(Demo::builder()).await;
    let missing = http.ask("tools/call", json!({ "name": "summarize" })).await;
    assert_eq!(missing["error"]["data"]["requiredCapabilities"], json!({ "sampling": {} }));
    let mut more = capabilities();
    (more["sampling"], more["roots"]) = (json!({}), json!({}));
    let ask = async |method: &str, params: Value| {
        let body = request_of(&more, 1, method, params);
        first_message(&http.send(&body, headers(&body)).await.2)["result"].clone()
    };
    let task = ask("tools/call", json!({ "name": "summarize" })).await["taskId"].clone();
    http.clock.advance(Duration::from_millis(500));
    let asked = ask("tasks/get", json!({ "taskId": task })).await;
    assert_eq!(asked["inputRequests"]["summary"]["method"], "sampling/createMessage", "{asked}");
    let said =
        json!({ "role": "assistant", "content": { "type": "text", "text": "It broke." }, "model": "m" });
    let update = |response: &Value| json!({ "taskId": task, "inputResponses": { "summary": response } });
    assert_eq!(ask("tasks/update", update(&json!({ "action": "accept" }))).await, Value::Null, "no message");
    ask("tasks/update", update(&said)).await;
    http.clock.advance(Duration::from_millis(500));
    let done = ask("tasks/get", json!({ "taskId": task })).await;
    assert_eq!(done["result"]["structuredContent"], said);
    let task = ask("tools/call", json!({ "name": "list_roots" })).await["taskId"].clone();
    let roots = json!({ "taskId": task, "inputResponses": { "roots": { "roots": [] } } });
    ask("tasks/update", roots).await;
    assert_eq!(text(&ask("tasks/get", json!({ "taskId": task })).await["result"]), "0 roots");
}

#[tokio::test]
async fn progress_of_a_plain_call_comes_before_its_result() {
    let clock = clock();
    let demo = Demo::builder().clock(clock.clone()).build().unwrap();
    let mut stdio = Stdio::serve(demo);
    let mut body = request(1, "tools/call", json!({ "name": "slow_progress" }));
    body["params"]["_meta"]["progressToken"] = 9.into();
    stdio.write(&body.to_string()).await;
    for n in 0..5 {
        let told = stdio.message().await;
        assert_eq!(told["method"], "notifications/progress", "{told}");
        assert_eq!((&told["params"]["progressToken"], &told["params"]["progress"]), (&json!(9), &json!(n)));
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(text(&stdio.message().await["result"]), "Copied 5 volumes.");
    stdio.close().await;
    let http = Http::serve(Demo::builder()).await;
    let mut response = patiently(http.builder_for(&body, headers(&body)).send()).await.unwrap();
    assert!(patiently(response.chunk()).await.unwrap().is_some(), "it has begun");
    drop(response);
    let gone = |entry: &JournalEntry| matches!(entry, JournalEntry::Abandoned { method, .. } if method == "tools/call");
    patiently(http.demo.journal().until(|entries| entries.iter().any(gone))).await;
}

#[tokio::test]
async fn arguments_are_repeated_in_headers_where_the_schema_says_so() {
    let http = Http::serve(Demo::builder()).await;
    let arguments = json!({ "region": "Z\u{fc}rich", "detail": { "level": 3, "verbose": null } });
    let call = request(1, "tools/call", json!({ "name": "region_status", "arguments": arguments }));
    let send = async |more: &[(&'static str, &str)]| {
        let mut headers: HashMap<_, _> = headers(&call);
        headers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let (status, _, text) = http.send(&call, headers).await;
        (status, first_message(&text)["error"]["code"].clone())
    };
    let (region, level) = (("mcp-param-region", "=?base64?WsO8cmljaA==?="), ("mcp-param-detail-level", "3"));
    assert_eq!(send(&[region, level]).await, (200, Value::Null));
    let refused = (400, json!(-32020));
    assert_eq!(send(&[]).await, refused, "missing");
    assert_eq!(send(&[region, ("mcp-param-detail-level", "4")]).await, refused, "another value");
    assert_eq!(
        send(&[region, ("mcp-param-detail-level", "3.0")]).await,
        (200, Value::Null),
        "the same number"
    );
    assert_eq!(send(&[("mcp-param-region", "=?base64?***?="), level]).await, refused, "no base64");
    assert_eq!(send(&[region, level, ("mcp-param-verbose", "true")]).await, refused, "of nothing");
    http.demo.change_tools();
    assert_eq!(send(&[region, level]).await, refused, "the schema has changed");
    assert_eq!(send(&[("mcp-param-place", region.1), level]).await, (200, Value::Null));
    let page = http.result("tools/list", json!({ "cursor": "last" })).await;
    let tool = page["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "region_status");
    assert_eq!(tool.unwrap()["inputSchema"]["properties"]["region"]["x-mcp-header"], "Place");
}
