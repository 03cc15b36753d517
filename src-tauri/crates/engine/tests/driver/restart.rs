//! An engine that ends in the middle, and another that goes on.

use signalbox_demo::Fault;
use signalbox_engine::{Follow, Intent};
use signalbox_model::{Delivery, Outcome, RequestState, Status, Then};

use crate::rig::{Rig, patiently};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_where_it_was_and_goes_on() {
    let mut rig = Rig::new().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    rig.restart(Follow::All).await;
    assert_eq!(rig.question(call, RequestState::Open).await.id, question.id);
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!((rig.requests("tools/call"), rig.demo.journal().taken().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_whose_acknowledgement_is_lost_is_taken_once() {
    let mut rig = Rig::new().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    // The server has taken it; we end before we hear of it.
    let gate = rig.demo.faults().hold_reply("tasks/update");
    rig.wish(Rig::accept(&question)).await;
    patiently(gate.reached(1)).await;
    rig.restart(Follow::All).await;
    gate.open();
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.question(call, RequestState::Answered).await.id, question.id);
    assert_eq!(rig.requests("tasks/update"), 1, "a poll told that it was taken");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_never_left_is_sent_after_a_poll() {
    let mut rig = Rig::new().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    // It is held before anything is done, and dropped when we end.
    let gate = rig.demo.faults().hold("tasks/update");
    rig.wish(Rig::accept(&question)).await;
    patiently(gate.reached(1)).await;
    rig.restart(Follow::Named).await;
    rig.demo.faults().clear();
    let answered = rig.question(call, RequestState::Answered).await;
    assert!(
        answered.answer.unwrap().acknowledged_at.is_some(),
        "also by a command that follows nothing else"
    );
    assert_eq!(rig.demo.journal().taken().len(), 1, "taken once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_with_calls_under_way_loses_no_handle_that_came() {
    let mut rig = Rig::new().await;
    let mut calls = Vec::new();
    for _ in 0..40 {
        calls.push(rig.call("forever", "{}").await);
    }
    // Some have their answer, some are about to, some are on their way.
    rig.handle(calls[10]).await;
    rig.restart(Follow::Named).await;
    let mut handles = 0;
    for call in calls {
        let settled = move |reads: &signalbox_store::Reads| {
            let (row, _) = reads.call(call).unwrap()?;
            (row.ended() || row.task.is_some()).then_some(row)
        };
        let row = rig.until("what is known of it", settled).await;
        match row.outcome {
            None => {
                assert_eq!((row.delivery, row.status), (Delivery::Answered, Status::Working));
                handles += 1;
            }
            Some(outcome) => {
                assert_eq!(outcome, Outcome::Unknown, "what was not answered is not known");
                assert!(row.task.is_none() && row.note.is_some());
            }
        }
    }
    assert!(handles >= 1);
    assert!(rig.requests("tools/call") <= 40, "none was sent again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_under_way_when_we_end_is_unknown() {
    let mut rig = Rig::new().await;
    let gate = rig.demo.faults().hold_reply("tools/call");
    let call = rig.call("forever", "{}").await;
    patiently(gate.reached(1)).await;
    rig.restart(Follow::All).await;
    let row = rig.ended(call).await;
    assert_eq!((row.outcome, row.status), (Some(Outcome::Unknown), Status::Unknown));
    assert_eq!(rig.requests("tools/call"), 1, "never repeated by itself");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_has_not_left_when_we_end_was_not_sent() {
    let mut rig = Rig::new().await;
    let gate = rig.demo.faults().hold("server/discover");
    let call = rig.call("forever", "{}").await;
    patiently(gate.reached(1)).await;
    rig.restart(Follow::All).await;
    let row = rig.ended(call).await;
    assert_eq!(row.outcome, Some(Outcome::ProtocolError), "nobody can have acted on it: {row:?}");
    assert_eq!(row.note.and_then(|note| note.then), Some(Then::CallNotSent));
    assert_eq!(rig.requests("tools/call"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_discovery_answers_is_no_answer_about_a_task() {
    let mut rig = Rig::new().await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    // The first connections after the restart meet a server that is not itself.
    rig.demo.faults().next(2, "server/discover", Fault::NoId);
    rig.restart(Follow::All).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wish_that_waits_when_we_end_is_told() {
    let rig = Rig::untold().await;
    let call = rig.call("forever", "{}").await;
    rig.handle(call).await;
    let gate = rig.demo.faults().hold("tasks/get");
    patiently(gate.reached(1)).await;
    let engine = rig.engine.clone();
    let waiting = tokio::spawn(async move { engine.intent(Intent::Refresh(call)).await });
    // Its place is taken once a later wish has been granted.
    rig.cancel(call).await;
    patiently(rig.engine.stop()).await;
    patiently(waiting).await.unwrap().expect_err("the engine is gone, and says so");
}
