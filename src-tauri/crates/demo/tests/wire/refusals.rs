//! What the server refuses, and how.

use std::time::Duration;

use crate::common::{Http, first_message, headers, request, request_of};
use serde_json::{Value, json};
use signalbox_demo::Demo;

#[tokio::test]
async fn discovery_names_the_version_and_the_extension() {
    let found = Http::serve(Demo::builder()).await.result("server/discover", json!({})).await;
    assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
    assert!(found["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object(), "{found}");
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "signalbox-demo");
}

#[tokio::test]
async fn headers_must_repeat_the_body() {
    let http = Http::serve(Demo::builder()).await;
    let call = request(5, "tools/call", json!({ "name": "echo", "arguments": { "text": "x" } }));
    let wrong = [
        ("mcp-method", Some("tools/list")),
        ("mcp-method", None),
        ("mcp-name", Some("deploy")),
        ("mcp-name", None),
        ("mcp-name", Some("=?base64?***?=")),
        ("mcp-protocol-version", Some("2025-11-25")),
        ("mcp-protocol-version", None),
    ];
    for (name, value) in wrong {
        let mut headers = headers(&call);
        headers.remove(name);
        headers.extend(value.map(|value| (name, value.to_owned())));
        let (status, _, body) = http.send(&call, headers).await;
        let response = first_message(&body);
        assert_eq!((status, &response["error"]["code"]), (400, &json!(-32020)), "{name} {value:?}: {body}");
        assert_eq!(response["id"], 5);
    }
    let mut encoded = headers(&call);
    encoded.insert("mcp-name", "=?base64?ZWNobw==?=".into());
    assert_eq!(http.send(&call, encoded).await.0, 200, "an encoded name is decoded before it is compared");
    let get = request(6, "tasks/get", json!({ "taskId": "t" }));
    let mut unnamed = headers(&get);
    unnamed.remove("mcp-name");
    assert_eq!(http.send(&get, unnamed).await.0, 400, "tasks are routed by their id");
}

#[tokio::test]
async fn refusals_have_their_codes_and_statuses() {
    let http = Http::serve(Demo::builder()).await;
    let mut old = request(1, "tools/list", json!({}));
    old["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "1900-01-01".into();
    let mut no_capabilities = request(1, "tools/list", json!({}));
    no_capabilities["params"]["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let no_meta = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25" } });
    let cases = [
        (old, 400, -32022),
        (no_capabilities, 400, -32602),
        (no_meta, 400, -32602),
        (initialize, 400, -32022),
        (request(1, "resources/list", json!({})), 404, -32601),
        (request(1, "tasks/get", json!({ "taskId": "unknown" })), 200, -32602),
        (json!([]), 400, -32600),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": {} }), 400, -32600),
    ];
    for (body, status, code) in cases {
        let mut headers = headers(&body);
        if let Some(version) = body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str() {
            headers.insert("mcp-protocol-version", version.to_owned());
        }
        let (got, _, text) = http.send(&body, headers).await;
        let response = first_message(&text);
        assert_eq!((got, &response["error"]["code"]), (status, &json!(code)), "{body}: {text}");
        if code == -32022 {
            assert_eq!(response["error"]["data"]["supported"], json!(["2026-07-28"]));
        }
    }
}

#[tokio::test]
async fn capabilities_count_per_request() {
    let http = Http::serve(Demo::builder()).await;
    let refused = async |capabilities: Value, method: &str, params: Value| {
        let body = request_of(&capabilities, 1, method, params);
        let (status, _, text) = http.send(&body, headers(&body)).await;
        let response = first_message(&text);
        (status, response["error"]["data"]["requiredCapabilities"].clone(), response["result"].clone())
    };
    let deploy = json!({ "name": "deploy", "arguments": { "service": "api" } });
    let tasks = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let (status, required, _) = refused(json!({}), "tools/call", deploy.clone()).await;
    assert_eq!((status, &required), (400, &tasks));
    let (_, required, _) = refused(tasks.clone(), "tools/call", deploy).await;
    assert_eq!(
        required,
        json!({ "elicitation": { "form": {} } }),
        "it will ask, so the client must be able to show it"
    );
    let (_, required, _) = refused(json!({}), "tasks/get", json!({ "taskId": "t" })).await;
    assert_eq!(required, tasks);
    let (status, _, result) = refused(json!({}), "tools/call", json!({ "name": "lint" })).await;
    assert_eq!((status, &result["isError"]), (200, &json!(true)), "what need not ask answers without a task");
}

#[tokio::test]
async fn a_response_must_look_like_one() {
    let http = Http::serve(Demo::builder()).await;
    let task = http.start("survey", json!({})).await;
    http.clock.advance(Duration::from_millis(500));
    for bad in [
        json!(7),
        json!({ "survey": { "action": "maybe" } }),
        json!({ "survey": { "action": "accept", "content": [] } }),
    ] {
        let params = json!({ "taskId": task, "inputResponses": bad });
        assert_eq!(http.ask("tasks/update", params).await["error"]["code"], -32602, "{bad}");
    }
    assert_eq!(http.get(&task).await["status"], "input_required");
}
