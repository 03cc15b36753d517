//! Pushes, over both transports.

use std::time::Duration;

use crate::common::{
    Http, Stdio, capabilities, clock, first_message, headers, patiently, request, request_of,
};
use serde_json::json;
use signalbox_demo::{Demo, Fault};

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

#[tokio::test]
async fn a_subscription_tells_of_new_tools_and_can_be_ended() {
    let demo = Demo::builder().build().unwrap();
    let mut stdio = Stdio::serve(demo.clone());
    let filter = json!({ "notifications": { "toolsListChanged": true, "promptsListChanged": true } });
    let acknowledged = stdio.ask(5, "subscriptions/listen", filter).await;
    assert_eq!(acknowledged["params"]["notifications"], json!({ "toolsListChanged": true }));
    demo.change_tools();
    assert_eq!(stdio.message().await["method"], "notifications/tools/list_changed");
    demo.end_subscriptions();
    let end = stdio.message().await;
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(5), &json!("complete")), "{end}");
    assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 5);
    stdio.close().await;
}

#[tokio::test]
async fn pushes_can_be_refused_and_their_stream_cut() {
    let http = Http::serve(Demo::builder()).await;
    let task = http.start("forever", json!({})).await;
    let listen = async |id: u64| {
        let body = request(id, "subscriptions/listen", json!({ "notifications": { "taskIds": [task] } }));
        patiently(http.builder_for(&body, headers(&body)).send()).await.unwrap()
    };
    http.demo.faults().next(1, "subscriptions/listen", Fault::RefuseIds);
    let mut refused = listen(1).await;
    let first = String::from_utf8(patiently(refused.chunk()).await.unwrap().unwrap().to_vec()).unwrap();
    assert_eq!(first_message(&first)["params"]["notifications"], json!({}), "{first}");
    http.demo.end_subscriptions();
    let end = patiently(refused.text()).await.unwrap();
    assert_eq!(first_message(&end)["id"], 1, "it stayed open until it was ended: {end}");
    http.demo.faults().next(1, "subscriptions/listen", Fault::HangUp(1));
    let cut = patiently(listen(2).await.text()).await.unwrap();
    assert_eq!(cut.matches("data: ").count(), 1, "the acknowledgement, and no end: {cut}");
    assert_eq!(first_message(&cut)["params"]["notifications"]["taskIds"], json!([task]));
}
