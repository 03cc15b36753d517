//! The scripted server on the legacy wire, with the manners that servers in the field have.

use signalbox_demo::{AsksOn, Demo, Legacy, Notices, Sessions, Wires};
use signalbox_engine::Follow;
use signalbox_model::{Outcome, RequestState, Status, Wire};

use crate::rig::Rig;

async fn rig(legacy: Legacy) -> Rig {
    Rig::with(Demo::builder().wires(Wires::Legacy).legacy(legacy)).await
}

/// A task that asks, is answered, and comes to its end.
async fn asks_and_ends(legacy: Legacy) {
    let rig = rig(legacy).await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    assert_eq!(rig.row(call).await.open_requests, 1, "{legacy:?}");
    rig.wish(Rig::accept(&question)).await;
    let row = rig.ended(call).await;
    assert_eq!(
        (row.outcome, row.status, row.wire),
        (Some(Outcome::Ok), Status::Completed, Some(Wire::Legacy))
    );
    assert_eq!(rig.demo.journal().taken().len(), 1, "{legacy:?}: answered once");
    assert_eq!(rig.requests("tools/call"), 1);
    let answered = rig.question(call, RequestState::Answered).await;
    assert_eq!(answered.id, question.id, "{legacy:?}: shown once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_on_the_held_result() {
    asks_and_ends(Legacy::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_on_the_push_stream_while_the_task_says_it_works() {
    let manners =
        Legacy { asks_on: AsksOn::Stream, related: false, says_input_required: false, ..Legacy::default() };
    asks_and_ends(manners).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_wants_a_task_for_its_answer() {
    asks_and_ends(Legacy { hosted: true, ..Legacy::default() }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statuses_before_the_answer_that_names_the_task() {
    asks_and_ends(Legacy { notices: Notices::Early, ..Legacy::default() }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_outlives_us_with_its_session() {
    let manners = Legacy { own_tasks_only: true, sessions: Sessions::Kept, ..Legacy::default() };
    let mut rig = rig(manners).await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    rig.restart(Follow::All).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "in the session of before");
    assert_eq!(rig.requests("initialize"), 1);
    assert_eq!(rig.demo.journal().taken().len(), 1);
    let mut ids = rig.ids(None);
    ids.sort_unstable();
    let twice = ids.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "no id twice in one session: {ids:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_we_host_outlives_us_although_its_server_asks_anew() {
    let mut rig = rig(Legacy { hosted: true, ..Legacy::default() }).await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    rig.restart(Follow::All).await;
    rig.wish(Rig::accept(&question)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    let taken = rig.demo.journal().taken();
    assert!(taken.iter().all(|(.., response)| response["action"] == "accept"), "nobody declined: {taken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_the_server_forgets_takes_its_question_and_asks_it_again() {
    let rig = rig(Legacy::default()).await;
    let call = rig.call("deploy", r#"{"service":"api"}"#).await;
    let question = rig.question(call, RequestState::Open).await;
    rig.demo.lose_sessions().unwrap();
    rig.until("it is orphaned, or asked again already", move |reads| {
        let request = reads.request(question.id).unwrap()?.0;
        (request.state == RequestState::Orphaned || request.identity != question.identity).then_some(())
    })
    .await;
    let again = rig.question(call, RequestState::Open).await;
    assert_eq!(again.id, question.id, "the same question");
    rig.wish(Rig::accept(&again)).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    assert_eq!(rig.demo.journal().taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ends_of_every_kind() {
    let rig = rig(Legacy::default()).await;
    let lint = rig.call("lint", "{}").await;
    assert_eq!(rig.ended(lint).await.outcome, Some(Outcome::ToolError));
    let crash = rig.call("crash", "{}").await;
    assert_eq!(rig.ended(crash).await.outcome, Some(Outcome::ProtocolError));
    let plain = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(plain).await.outcome, Some(Outcome::Ok));
    let forever = rig.call("forever", "{}").await;
    rig.handle(forever).await;
    rig.cancel(forever).await;
    assert_eq!(rig.ended(forever).await.outcome, Some(Outcome::Cancelled));
    let slow = rig.call("slow_progress", "{}").await;
    assert_eq!(rig.ended(slow).await.outcome, Some(Outcome::Ok));
    let progress = rig.row(slow).await.progress;
    assert!(progress.is_some_and(|progress| progress.total.is_some()), "what it told while it worked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_tasks_ask_than_results_can_be_held() {
    let rig = rig(Legacy::default()).await;
    let mut calls = Vec::new();
    for _ in 0..24 {
        calls.push(rig.call("deploy", r#"{"service":"api"}"#).await);
    }
    let mut questions = Vec::new();
    for call in &calls {
        questions.push(rig.question(*call, RequestState::Open).await);
    }
    for question in &questions {
        rig.wish(Rig::accept(question)).await;
    }
    for call in calls {
        assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
    }
    assert_eq!(rig.demo.journal().taken().len(), questions.len(), "each was answered once");
}
