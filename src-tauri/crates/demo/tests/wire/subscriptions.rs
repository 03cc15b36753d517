//! Pushes, over both transports.

use std::time::Duration;

use crate::common::{
    Http, Stdio, capabilities, clock, first_message, headers, patiently, request, request_of,
};
use serde_json::json;
use signalbox_demo::Demo;

#[tokio::test]
async fn a_subscription_pushes_every_change_and_ends_with_its_tasks() {
    let clock = clock();
    let demo = Demo::builder().clock(clock.clone()).build().unwrap();
    let mut stdio = Stdio::serve(demo);
    let task = stdio.ask(1, "tools/call", json!({ "name": "survey" })).await["result"]["taskId"].clone();
    let filter = json!({ "notifications": { "taskIds": [task, "unknown"] } });
    let acknowledged = stdio.ask(2, "subscriptions/listen", filter).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"]["taskIds"], json!([task]), "only what is known here");
    let mut pushed = async |status: &str| {
        let message = stdio.message().await;
        assert_eq!(message["method"], "notifications/tasks", "{message}");
        assert_eq!(message["params"]["status"], status);
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 2);
    };
    pushed("working").await;
    clock.advance(Duration::from_millis(500));
    pushed("input_required").await;
    let decline = json!({ "taskId": task, "inputResponses": { "survey": { "action": "decline" } } });
    stdio.write(&request(3, "tasks/update", decline).to_string()).await;
    let mut rest = [stdio.message().await, stdio.message().await, stdio.message().await];
    rest.sort_by_key(|message| message["id"].as_u64());
    assert_eq!(rest[0]["params"]["status"], "completed");
    assert_eq!(
        (&rest[1]["id"], &rest[1]["result"]["resultType"]),
        (&json!(2), &json!("complete")),
        "a graceful end"
    );
    stdio.close().await;
}

#[tokio::test]
async fn a_subscription_over_http_is_a_stream_and_needs_the_extension() {
    let http = Http::serve(Demo::builder()).await;
    let task = http.start("forever", json!({})).await;
    let body = request(2, "subscriptions/listen", json!({ "notifications": { "taskIds": [task] } }));
    let mut response = patiently(http.builder_for(&body, headers(&body)).send()).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut seen = String::new();
    while !seen.contains("\"working\"") {
        seen += std::str::from_utf8(&patiently(response.chunk()).await.unwrap().unwrap()).unwrap();
    }
    patiently(http.server.shutdown()).await;

    let http = Http::serve(Demo::builder()).await;
    let mut less = capabilities();
    less["extensions"] = json!({});
    let body = request_of(&less, 1, "subscriptions/listen", json!({ "notifications": { "taskIds": ["t"] } }));
    let (status, _, text) = http.send(&body, headers(&body)).await;
    assert_eq!((status, &first_message(&text)["error"]["code"]), (400, &json!(-32021)));
}
