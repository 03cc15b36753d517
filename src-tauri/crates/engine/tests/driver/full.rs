//! A disk that is full: wishes are refused and nothing of them is sent; what servers say waits for room.

use signalbox_engine::{Granted, Intent, Refusal};
use signalbox_model::{Outcome, PayloadKind, RequestState};
use signalbox_store::CommitError;

use crate::rig::{Rig, SERVER, json, patiently};

/// Far more than a database limited to its present size can take.
fn large() -> String {
    format!(r#"{{"text":"{}"}}"#, "x".repeat(400_000))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wish_is_refused_and_nothing_is_sent() {
    let rig = Rig::new().await;
    rig.wish(Intent::Check(SERVER)).await;
    (rig.limit_pages)(1);
    let intent =
        || Intent::Start { server: SERVER, tool: "echo".to_owned(), arguments: json(&large()), ttl_ms: None };
    for _ in 0..3 {
        let refused = patiently(rig.engine.intent(intent())).await;
        assert_eq!(refused, Err(Refusal::Storage(CommitError::Full)));
    }
    (rig.limit_pages)(u32::MAX);
    let call = rig.call("echo", r#"{"text":"small"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.requests("tools/call"), 1, "nothing of what was refused was sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_servers_say_waits_for_room() {
    let rig = Rig::untold().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    let gate = rig.demo.faults().hold("tasks/get");
    patiently(gate.reached(1)).await;
    rig.wish(Rig::accept(&question)).await;
    let mut trouble = rig.engine.trouble();
    (rig.limit_pages)(1);
    rig.demo.faults().next(usize::MAX, "tasks/get", signalbox_demo::Fault::Huge(400_000));
    gate.open();
    let full = patiently(trouble.wait_for(Option::is_some)).await.unwrap().clone();
    assert_eq!(full, Some(CommitError::Full), "and it is told");
    let start =
        Intent::Start { server: SERVER, tool: "echo".to_owned(), arguments: json("{}"), ttl_ms: None };
    let refused = patiently(rig.engine.intent(start)).await;
    assert_eq!(refused, Err(Refusal::Storage(CommitError::Full)), "wishes are answered meanwhile");
    let given = rig.read(move |reads| reads.request(question.id).unwrap().unwrap().0.decided_at()).await;
    let undo = Intent::Undo { request: question.id, decided_at: given.expect("it was answered") };
    let closed = patiently(rig.engine.intent(undo)).await;
    assert!(
        matches!(closed, Err(Refusal::NothingToTakeBack | Refusal::UnknownRequest)),
        "also what needs no room"
    );
    (rig.limit_pages)(u32::MAX);
    let row = rig.ended(call).await;
    assert_eq!(row.outcome, Some(Outcome::Ok), "published once there was room");
    let size = rig.read(move |reads| reads.payload_size(call, PayloadKind::Result).unwrap()).await;
    assert!(size.unwrap() > 400_000, "whole");
    assert_eq!(rig.requests("tools/call"), 1, "and nothing of what was refused was sent");
}

/// The disk is full, and what a server said waits for room.
async fn fill(rig: &Rig) {
    rig.demo.faults().next(usize::MAX, "tasks/get", signalbox_demo::Fault::Huge(400_000));
    (rig.limit_pages)(1);
    patiently(rig.engine.trouble().wait_for(Option::is_some)).await.expect("the engine is there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_server_learns_that_nothing_can_be_kept() {
    let rig = Rig::untold().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    rig.question(call, RequestState::Open).await;
    let gate = rig.demo.faults().hold("server/discover");
    let engine = rig.engine.clone();
    let begun = tokio::spawn(async move { engine.intent(Intent::Check(SERVER)).await });
    patiently(gate.reached(1)).await;
    let held = rig.demo.faults().hold("tasks/cancel");
    rig.cancel(call).await;
    patiently(held.reached(1)).await;
    let engine = rig.engine.clone();
    let waiting = tokio::spawn(async move { engine.intent(Intent::AwaitCancel(call)).await });
    fill(&rig).await;
    let full = || Err(Refusal::Storage(CommitError::Full));
    assert_eq!(patiently(begun).await.unwrap(), full(), "who waited before");
    assert_eq!(patiently(waiting).await.unwrap(), full(), "also who waits to hear of a wish");
    for intent in
        [Intent::Check(SERVER), Intent::Refresh(call), Intent::AwaitCalls, Intent::AwaitCancel(call)]
    {
        let told = format!("{intent:?}");
        assert_eq!(patiently(rig.engine.intent(intent)).await, full(), "who comes now: {told}");
    }
    patiently(rig.engine.follow_all()).await;
    gate.open();
    held.open();
    (rig.limit_pages)(u32::MAX);
    patiently(rig.engine.trouble().wait_for(Option::is_none)).await.unwrap();
    rig.wish(Intent::Check(SERVER)).await;
    rig.wish(Intent::Refresh(call)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_wished_hears_that_the_wish_could_not_be_kept() {
    let rig = Rig::untold().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    rig.question(call, RequestState::Open).await;
    let gate = rig.demo.faults().hold("tasks/get");
    patiently(gate.reached(1)).await;
    let mut changed = rig.read(|reads| reads.servers().unwrap().remove(0).0).await;
    // Who waits for polls of a server that is switched off is told to wait no longer.
    changed.enabled = false;
    changed.roots = vec![format!("file:///{}", "x".repeat(400_000))];
    let mut waiting = std::pin::pin!(rig.engine.intent(Intent::Refresh(call)));
    (rig.limit_pages)(1);
    let refused = tokio::select! {
        // So that it waits before the other wish comes.
        biased;
        told = &mut waiting => panic!("another's wish was not kept, and who waits for a poll heard {told:?}"),
        refused = patiently(rig.engine.intent(Intent::PutServer(changed))) => refused,
    };
    assert_eq!(refused, Err(Refusal::Storage(CommitError::Full)));
    (rig.limit_pages)(u32::MAX);
    gate.open();
    assert_eq!(patiently(waiting).await, Ok(Granted::Done), "its poll was answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_does_not_keep_us_from_ending() {
    let rig = Rig::untold().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    rig.question(call, RequestState::Open).await;
    fill(&rig).await;
    patiently(rig.engine.stop()).await;
}
