//! Several people at the same things: each is told the truth about their own wish.

use signalbox_api::{
    ApiError, Code, DeskExt as _, Detail, Said,
    command::{self, Act},
};
use signalbox_demo::Fault;
use signalbox_model::{Action, CallId, ItemRef, Json, Outcome, RequestId, RequestState, Timestamp};
use tokio::task::JoinHandle;

use crate::stage::{APPROVAL, LIMIT, Stage, accept};

async fn asked() -> (Stage, CallId, RequestId) {
    let stage = Stage::set().await;
    let (call, request) = asked_on(&stage).await;
    (stage, call, request)
}

async fn asked_on(stage: &Stage) -> (CallId, RequestId) {
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    (call, stage.question_of(call).await.row.id)
}

/// Asks from another window, say.
fn ask<A: Act<Reply = ()> + 'static>(stage: &Stage, act: A) -> JoinHandle<Result<(), ApiError>> {
    let desk = stage.opened.desk();
    tokio::spawn(async move { desk.act(act).await })
}

async fn refused<A: Act<Reply = ()> + 'static>(stage: &Stage, act: A) -> ApiError {
    told(ask(stage, act)).await.expect_err("somebody else was first")
}

async fn told(asked: JoinHandle<Result<(), ApiError>>) -> Result<(), ApiError> {
    tokio::time::timeout(LIMIT, asked).await.expect("whoever asked must be told").unwrap()
}

fn held(request: RequestId) -> command::Answer {
    let content = Some(Json::parse(APPROVAL).unwrap());
    command::Answer {
        request,
        action: Action::Accept,
        content,
        hold_ms: 60_000,
        seen: None,
        remark: None,
        asks: None,
    }
}

fn decline(request: RequestId) -> command::Answer {
    command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    }
}

async fn decided_at(stage: &Stage, request: RequestId) -> Timestamp {
    stage.question(request).await.row.answer.expect("it was answered").decided_at
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_each_cancel_once_do_not_insist() {
    let stage = Stage::set().await;
    // Nothing but a poll tells of the task's end.
    let _pushes = stage.demo.faults().hold("subscriptions/listen");
    let call = asked_on(&stage).await.0;
    let gate = stage.demo.faults().hold("tasks/cancel");
    let theirs = ask(&stage, command::Cancel { call, seen: None });
    gate.reached(1).await;
    let error = refused(&stage, command::Cancel { call, seen: None }).await;
    assert_eq!(error.code, Code::CancelledMeanwhile, "{error}");
    assert!(error.message.contains("on its way"), "{error}");
    let seen = stage.until_task(call, |task| task.row.cancel.is_some()).await.row.cancel;
    // Whoever insists is heard before anybody hears that the first wish ended the task.
    let _polls = stage.demo.faults().hold("tasks/get");
    let insists = ask(&stage, command::Cancel { call, seen: seen.map(|wish| wish.requested_at) });
    gate.open();
    assert_eq!(told(theirs).await, Ok(()));
    assert_eq!(told(insists).await, Ok(()), "whoever saw the wish may insist");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_ends_before_its_server_took_note_was_not_cancelled() {
    let (stage, call, request) = asked().await;
    let gate = stage.demo.faults().hold("tasks/cancel");
    let cancels = ask(&stage, command::Cancel { call, seen: None });
    gate.reached(1).await;
    stage.act(accept(request, APPROVAL)).await;
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Ok));
    let error = told(cancels).await.expect_err("the task came to its result");
    assert_eq!(error.code, Code::AlreadyClosed, "{error}");
    gate.open();
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_task_is_forgotten_meanwhile_is_told_how_far_it_had_come() {
    let (stage, call, request) = asked().await;
    let gate = stage.demo.faults().hold("*");
    let answers = ask(&stage, accept(request, APPROVAL));
    let cancels = ask(&stage, command::Cancel { call, seen: None });
    stage.until_task(call, |task| task.row.cancel.is_some()).await;
    stage
        .until_task(call, |task| {
            let sent =
                |row: &signalbox_api::RequestRow| row.answer.as_ref().is_some_and(|a| a.sent_at.is_some());
            task.requests.iter().any(sent)
        })
        .await;
    // Both wait by now, or find nothing any more: what they are told is the same.
    stage.act(command::Forget { call }).await;
    for told in [told(answers).await, told(cancels).await] {
        let error = told.expect_err("nobody knows");
        assert_eq!(error.code, Code::UnknownItem, "{error}");
        assert!(error.message.contains("was forgotten meanwhile"), "{error}");
        assert!(error.message.contains("may have arrived"), "{error}");
    }
    gate.open();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_takes_back_the_answer_that_is_meant() {
    let (stage, _, request) = asked().await;
    stage.act(held(request)).await;
    let mine = decided_at(&stage, request).await;
    stage.act(command::Undo { request, decided_at: mine }).await;
    let error = refused(&stage, command::Undo { request, decided_at: mine }).await;
    assert_eq!(error.code, Code::AlreadyClosed, "none was given since: {error}");
    assert!(error.message.contains("has no answer"), "{error}");
    let no = command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 60_000,
        seen: None,
        remark: None,
        asks: None,
    };
    stage.act(no).await;
    let error = refused(&stage, command::Undo { request, decided_at: mine }).await;
    assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
    assert!(error.message.contains("Nothing was taken back"), "{error}");
    assert!(matches!(error.detail, Some(Detail::Answer { action: Action::Decline, .. })), "{error:?}");
    assert_eq!(stage.question(request).await.row.state, RequestState::Held, "theirs stands");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_what_was_sent_says_what_was_sent_and_when() {
    let (stage, _, request) = asked().await;
    let no = command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    stage.act(no).await;
    let decided_at = decided_at(&stage, request).await;
    let error = refused(&stage, command::Undo { request, decided_at }).await;
    assert_eq!(error.code, Code::AlreadyClosed, "{error}");
    assert!(error.message.contains("(decline) was sent at 2"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_an_answer_that_was_taken_back_is_told() {
    let (stage, _, request) = asked().await;
    stage.act(held(request)).await;
    let decided_at = decided_at(&stage, request).await;
    stage.act(command::Undo { request, decided_at }).await;
    let said = Said { action: Action::Accept, content: Some(Json::parse(APPROVAL).unwrap()) };
    let error = refused(&stage, command::Settle { item: ItemRef::Request(request), said: Some(said) }).await;
    assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
    assert!(error.message.contains("taken back"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_said_is_told_also_when_the_task_has_ended() {
    let (stage, call, request) = asked().await;
    // Answered by somebody else, and over before that has left.
    stage.act(held(request)).await;
    stage.act(command::Cancel { call, seen: None }).await;
    stage.ended(call).await;
    assert_eq!(stage.question(request).await.row.state, RequestState::Closed);
    let error = refused(&stage, decline(request)).await;
    assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
    assert!(error.message.contains("its task has ended") && error.message.contains("gradual"), "{error}");
    assert!(matches!(error.detail, Some(Detail::Answer { action: Action::Accept, .. })), "{error:?}");
    // Whoever saw that answer hears only why it is over.
    let seen = Some(decided_at(&stage, request).await);
    let again = command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen,
        remark: None,
        asks: None,
    };
    assert_eq!(refused(&stage, again).await.code, Code::AlreadyClosed);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_said_is_whole_for_programs() {
    let (stage, _, request) = asked().await;
    let refusal = Fault::Refuse { status: 422, retry_after: None };
    stage.demo.faults().next(1, "tasks/update", refusal);
    stage.opened.desk().act(accept(request, APPROVAL)).await.expect_err("the server refuses it");
    let error = refused(&stage, decline(request)).await;
    let decided_at = decided_at(&stage, request).await;
    let content = Some(Json::parse(APPROVAL).unwrap());
    assert_eq!(error.detail, Some(Detail::Answer { action: Action::Accept, content, decided_at }));
}
