//! Faults on demand.

use std::time::Duration;

use crate::common::{Http, first_message, headers, patiently, request};
use serde_json::{Value, json};
use signalbox_demo::{Demo, Fault};

#[tokio::test]
async fn faults_hit_the_next_requests_and_then_no_more() {
    let http = Http::serve(Demo::builder()).await;
    let faults = http.demo.faults();
    let body = request(1, "server/discover", json!({}));
    let send = async || http.send(&body, headers(&body)).await;

    faults.next(2, "*", Fault::Refuse { status: 429, retry_after: Some("7".into()) });
    for _ in 0..2 {
        let (status, headers, _) = send().await;
        assert_eq!((status, headers["retry-after"].to_str().unwrap()), (429, "7"));
    }
    faults.next(1, "tools/list", Fault::HtmlPage);
    assert_eq!(send().await.0, 200, "another method's fault does not hit");
    faults.clear();

    faults.next(1, "*", Fault::HtmlPage);
    assert_eq!(send().await.1["content-type"], "text/html; charset=utf-8");
    faults.next(1, "*", Fault::Garbage);
    assert_eq!(first_message(&send().await.2), Value::Null);
    faults.next(1, "*", Fault::NoId);
    assert!(first_message(&send().await.2).get("id").is_none());
    faults.next(1, "*", Fault::Huge(20_000_000));
    assert!(send().await.2.len() > 20_000_000);

    faults.next(1, "*", Fault::Cut);
    let cut = async { http.builder_for(&body, headers(&body)).send().await?.text().await };
    assert!(patiently(cut).await.is_err(), "half an answer is no answer");

    faults.set_legacy_only(true);
    assert_eq!(
        http.ask("server/discover", json!({})).await["error"]["code"],
        -32600,
        "no session, no such version"
    );
    assert_eq!(http.result("initialize", json!({})).await["protocolVersion"], "2025-11-25");
    faults.clear();
    assert_eq!(send().await.0, 200);
}

#[tokio::test]
async fn a_chatty_server_says_something_else_at_every_look() {
    let http = Http::serve(Demo::builder()).await;
    let task = http.start("forever", json!({})).await;
    let written = http.demo.journal().written();
    http.demo.faults().next(2, "tasks/get", Fault::Chatty);
    let first = http.get(&task).await["statusMessage"].clone();
    let second = http.after(1, &task).await["statusMessage"].clone();
    let micros = |message: &Value| message.as_str().unwrap().parse::<i64>().unwrap();
    assert_eq!(micros(&second) - micros(&first), 1000, "each is the moment of its answer");
    assert_eq!(http.get(&task).await["statusMessage"], "watching the queue");
    assert_eq!(http.demo.journal().written() - written, 3, "every request counts");
}

#[tokio::test]
async fn an_update_can_be_lost_or_its_answer_held() {
    let http = Http::serve(Demo::builder()).await;
    let task = http.start("survey", json!({})).await;
    http.clock.advance(Duration::from_millis(500));
    let decline = json!({ "survey": { "action": "decline" } });
    http.demo.faults().next(1, "tasks/update", Fault::LoseUpdate);
    http.answer(&task, decline.clone()).await;
    assert_eq!(http.get(&task).await["status"], "input_required", "acknowledged and lost");
    assert!(http.demo.journal().taken().is_empty());

    let gate = http.demo.faults().hold_reply("tasks/update");
    let check = async {
        patiently(gate.reached(1)).await;
        assert_eq!(http.get(&task).await["status"], "completed", "taken before it is acknowledged");
        gate.open();
    };
    tokio::join!(http.answer(&task, decline), check);
}
