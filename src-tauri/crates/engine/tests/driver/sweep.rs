//! Retention, through the whole engine: what ended long ago goes a minute after the start, and what has not stays.

use std::sync::Arc;

use signalbox_engine::{Engine, EngineOptions, Tuning, wall};
use signalbox_model::{
    Call, CallId, Delivery, Event, EventKind, Origin, Outcome, Status, Timestamp, Tracking, Transport,
};
use signalbox_signin::Secrets;
use signalbox_store::{Batch, BatchKind, Store, Write};

use crate::rig::{SERVER, server};

fn ended(id: u32, ended_at: Option<Timestamp>) -> Write {
    Write::PutCall(Box::new(Call {
        tool: "t".to_owned(),
        delivery: Delivery::Answered,
        status: Status::Completed,
        outcome: ended_at.map(|_| Outcome::Ok),
        tracking: Tracking::Done,
        ended_at,
        ..Call::new(CallId(id), SERVER, Origin::Started, Timestamp(0))
    }))
}

#[tokio::test(start_paused = true)]
async fn a_clock_far_ahead_of_all_that_is_kept_lets_nothing_go_for_a_day() {
    assert!(goes_after(Some(wall().plus_ms(-8 * 86_400_000))).await >= 86_400, "it may be wrong");
    assert!(goes_after(Some(wall())).await < 86_400);
}

#[tokio::test(start_paused = true)]
async fn what_ended_long_ago_goes() {
    assert!(goes_after(None).await >= 60, "whoever starts has other things to do first");
}

/// How many seconds after the start it goes, when something was last told at `newest`.
async fn goes_after(newest: Option<Timestamp>) -> u64 {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open(dir.path()).expect("a store");
    let mut one = server(Transport::Http { url: "http://127.0.0.1:9/".to_owned(), headers: Vec::new() });
    one.id = SERVER;
    let now = wall();
    let mut writes = vec![
        Write::PutServer(one),
        ended(1, Some(Timestamp(0))),
        ended(2, Some(now.plus_ms(-89 * 86_400_000))),
        ended(3, None),
    ];
    writes.extend(newest.map(|at| {
        Write::AddEvent(Event {
            call: CallId(2),
            at,
            kind: EventKind::Ended,
            request: None,
            text: None,
            note: None,
        })
    }));
    let (told, tell) = std::sync::mpsc::channel();
    let done = Box::new(move |result| told.send(result).expect("somebody waits"));
    store.submit(Batch { writes, kind: BatchKind::Intent, done }).expect("taken");
    tell.recv().expect("told").expect("committed");
    let options = EngineOptions {
        follow: Default::default(),
        tuning: Tuning::default(),
        version: "0".to_owned(),
        programs: None,
    };
    let engine = Engine::start(store, Arc::new(Secrets::new("test")), options).await.expect("a start");
    let mut seq = engine.news().seq();
    // The clock of this test runs to the next timer whenever nothing else is to do.
    let began = tokio::time::Instant::now();
    let kept = |id| {
        let reads = engine.reads();
        tokio::task::spawn_blocking(move || reads.call(CallId(id)).expect("readable").is_some())
    };
    while kept(1).await.expect("read") {
        seq.changed().await.expect("it runs");
    }
    let waited = began.elapsed().as_secs();
    assert!(kept(2).await.expect("read"), "89 days are no 90");
    assert!(kept(3).await.expect("read"), "what has not ended is never let go");
    engine.stop().await;
    waited
}
