//! A server that tells by itself how tasks fare, and ones that only seem to.

use signalbox_demo::Oddity;
use signalbox_engine::{Intent, Tuning};
use signalbox_model::{Outcome, Push, RequestState, TaskMethod};

use crate::rig::{Rig, SERVER, json, patiently};

/// From now on nothing is polled before five minutes have passed: longer than anybody here waits.
async fn poll_seldom(rig: &Rig) {
    let tuning = Tuning { poll_floor_ms: 300_000, ..Tuning::default() };
    rig.wish(Intent::PutSetting { key: "poll".to_owned(), value: json("1"), tuning }).await;
}

async fn shown(rig: &Rig, push: Push) {
    let mut pushing = rig.engine.pushing();
    let told = patiently(pushing.wait_for(|shown| shown.get(&SERVER) == Some(&push))).await;
    told.expect("the engine is there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deployment_to_its_end_without_a_poll() {
    let rig = Rig::new().await;
    poll_seldom(&rig).await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    shown(&rig, Push::On).await;
    rig.wish(Rig::accept(&question)).await;
    let row = rig.ended(call).await;
    assert_eq!(row.outcome, Some(Outcome::Ok));
    assert_eq!(rig.requests("tasks/get"), 0, "all of it was pushed");
    assert_eq!(rig.requests("subscriptions/listen"), 1, "over one stream");
    assert_eq!(rig.demo.journal().taken().len(), 1, "answered once");
    let log = rig.engine.exchanges(call);
    let told: Vec<_> = log.exchanges.iter().filter(|line| line.method == TaskMethod::Told).collect();
    assert!(!told.is_empty(), "the request log has what was pushed: {log:?}");
    assert!(told.iter().all(|line| line.took_ms.is_none() && line.bytes.is_some()), "{told:?}");
    patiently(rig.engine.stop()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_begin_later_are_covered_too() {
    let rig = Rig::new().await;
    poll_seldom(&rig).await;
    let first = rig.call("deploy", r#"{"service":"api"}"#).await;
    rig.question(first, RequestState::Open).await;
    let second = rig.call("deploy", r#"{"service":"web"}"#).await;
    let question = rig.question(second, RequestState::Open).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(second).await.outcome, Some(Outcome::Ok));
    let question = rig.question(first, RequestState::Open).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(first).await.outcome, Some(Outcome::Ok), "the first still is");
    assert_eq!((rig.requests("subscriptions/listen"), rig.requests("tasks/get")), (2, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_becomes_of_the_stream_polls_go_on() {
    let names = [
        "push_without_ids",
        "push_refused",
        "push_cut",
        "push_cut_at_once",
        "push_of_somebody_else",
        "push_without_id",
    ];
    for name in names {
        let rig = Rig::new().await;
        rig.demo.faults().odd(usize::MAX, Oddity::named(name).unwrap());
        let refused = matches!(name, "push_without_ids" | "push_refused");
        for _ in 0..2 {
            let call = rig.call("deploy", r#"{"service":"api"}"#).await;
            let question = rig.question(call, RequestState::Open).await;
            if refused {
                shown(&rig, Push::Off).await;
            }
            rig.wish(Rig::accept(&question)).await;
            assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "{name}");
        }
        assert!(rig.requests("tasks/get") > 0, "{name}");
        assert!(!refused || rig.requests("subscriptions/listen") == 1, "{name}: not asked again");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_that_change_are_listed_again() {
    let rig = Rig::new().await;
    patiently(rig.engine.tools(SERVER)).await.unwrap();
    rig.call("forever", "{}").await;
    shown(&rig, Push::On).await;
    let before = rig.requests("tools/list");
    rig.demo.change_tools();
    let again = move |entries: &[signalbox_demo::JournalEntry]| {
        entries.iter().filter(|entry| entry.is_request("tools/list")).count() > before
    };
    patiently(rig.demo.journal().until(again)).await;
}
