//! The request log against a server.

use signalbox_demo::Fault;
use signalbox_model::{Brought, Outcome, RequestLog, RequestState, TaskMethod};

use crate::rig::Rig;

/// How many requests of a method it tells of.
fn told_of(log: &RequestLog, method: TaskMethod) -> usize {
    let of = log.exchanges.iter().filter(|exchange| exchange.method == method);
    of.map(|exchange| exchange.times as usize).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_about_a_task_is_told_of_once() {
    let rig = Rig::untold().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    let log = rig.engine.exchanges(call);
    let methods = [
        (TaskMethod::Call, "tools/call"),
        (TaskMethod::Get, "tasks/get"),
        (TaskMethod::Update, "tasks/update"),
        (TaskMethod::Cancel, "tasks/cancel"),
    ];
    for (method, name) in methods {
        assert_eq!(told_of(&log, method), rig.requests(name), "{name}: {:?}", log.exchanges);
    }
    assert_eq!(log.exchanges[0].method, TaskMethod::Call, "the oldest comes first");
    let last = log.states.last().expect("its end is a state");
    assert!(last.json.text().contains(r#""completed""#), "{}", last.json.text());
    let texts: Vec<_> = log.states.iter().map(|state| state.json.text()).collect();
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "only what differs is kept: {texts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_an_error_is_told_with_its_number_and_no_text_of_the_server() {
    let rig = Rig::untold().await;
    rig.demo.faults().next(1, "tools/call", Fault::Refuse { status: 401, retry_after: None });
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    rig.ended(call).await;
    let log = rig.engine.exchanges(call);
    let brought: Vec<_> = log.exchanges.iter().map(|exchange| exchange.brought).collect();
    assert!(matches!(brought[..], [Brought::Error { number: Some(401), .. }]), "{brought:?}");
}
