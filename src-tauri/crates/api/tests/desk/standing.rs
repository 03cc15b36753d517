//! Whoever asked an owner that died in the middle is told what became of it, and of nobody else's.

use std::{sync::Arc, time::Duration};

use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Cursor, Desk, DeskExt as _, Detail, Home, OwnerKind, Reply,
    Role, SocketServer, Standing, View, ViewData,
    command::{self, Act},
    own_or_join,
};
use signalbox_demo::Fault;
use signalbox_model::{Action, ItemRef, Json, Outcome, RequestId, RequestState, Timestamp};
use tokio::{sync::mpsc, task::JoinSet};

use crate::stage::{APPROVAL, LIMIT, Stage, accept};

/// An owner that hears what is asked, and does nothing of it.
struct Deaf(mpsc::UnboundedSender<()>);

impl Desk for Deaf {
    fn call(&self, _: Command) -> Answering<'_, Reply> {
        let _ = self.0.send(());
        Box::pin(std::future::pending())
    }

    fn changes(&self, _: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
        Box::pin(std::future::pending())
    }
}

/// Leaves the stage's data directory, and asks an owner that dies before it has done anything: the next owner is whoever asked.
async fn asked_of_a_dying_owner<A: Act>(
    stage: Stage,
    act: A,
) -> (Standing, Result<A::Reply, ApiError>, Kept) {
    let Stage { opened, demo, server, dir } = stage;
    opened.close().await;
    let home = Home::at(&dir.path().join("home")).unwrap();
    let Role::Owner(ownership) = own_or_join(&home, OwnerKind::Command).await.unwrap() else {
        panic!("nobody else is there")
    };
    let (heard, mut hears) = mpsc::unbounded_channel();
    let socket = SocketServer::start(Arc::new(Deaf(heard)), &ownership).unwrap();
    let desk = Standing::open(home, OwnerKind::Serve, None, Box::new(|_| JoinSet::new())).await.unwrap();
    let dies = async {
        hears.recv().await.expect("the owner must hear of it");
        drop((socket, ownership));
    };
    let asked = async { tokio::join!(desk.act(act), dies).0 };
    let reply = tokio::time::timeout(LIMIT, asked).await.expect("whoever asked must be told");
    (desk, reply, Kept { demo, _server: server, _dir: dir })
}

struct Kept {
    demo: signalbox_demo::Demo,
    _server: signalbox_demo::HttpServer,
    _dir: tempfile::TempDir,
}

impl Kept {
    /// How often a tool was called, rounds included.
    fn calls(&self) -> usize {
        self.demo.journal().requests("tools/call").len()
    }
}

async fn asked() -> (Stage, RequestId) {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    (stage, request)
}

async fn answer_of(desk: &Standing, request: RequestId) -> (RequestState, Option<Action>) {
    match desk.changes(View::Request { request }, None, Duration::ZERO).await.unwrap().data {
        Some(ViewData::Request { request: Some(detail) }) => {
            (detail.row.state, detail.row.answer.map(|answer| answer.action))
        }
        other => panic!("the question is not there: {other:?}"),
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

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_lost_is_given_to_the_next_owner() {
    let (stage, request) = asked().await;
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, decline(request)).await;
    assert!(reply.is_ok(), "{reply:?}");
    assert_eq!(answer_of(&desk, request).await, (RequestState::Answered, Some(Action::Decline)));
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_committed_is_waited_for() {
    let (stage, request) = asked().await;
    stage.act(accept(request, APPROVAL)).await;
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, accept(request, APPROVAL)).await;
    assert!(reply.is_ok(), "the server got just that: {reply:?}");
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_answered_is_nobody_elses_answer() {
    let other = accept(RequestId(0), &APPROVAL.replace("gradual", "all_at_once"));
    for held in [0, 60_000] {
        for ours in [decline(RequestId(0)), other.clone()] {
            let (stage, id) = asked().await;
            let content = Some(Json::parse(APPROVAL).unwrap());
            let theirs = command::Answer {
                request: id,
                action: Action::Accept,
                content,
                hold_ms: held,
                seen: None,
                remark: None,
                asks: None,
            };
            stage.act(theirs).await;
            let mut ours = ours.clone();
            ours.request = id;
            let (desk, reply, _kept) = asked_of_a_dying_owner(stage, ours.clone()).await;
            let error = reply.expect_err("the server never gets it");
            assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
            assert!(error.message.contains("gradual"), "it says what was said: {error}");
            let Some(Detail::Answer { action, content, .. }) = &error.detail else {
                panic!("also to programs: {error:?}")
            };
            assert_eq!((*action, content.as_ref().map(Json::text)), (Action::Accept, Some(APPROVAL)));
            let state = if held == 0 { RequestState::Answered } else { RequestState::Held };
            assert_eq!(answer_of(&desk, id).await, (state, Some(Action::Accept)), "{ours:?}");
            desk.close().await;
        }
    }
}

/// An earlier answer of the same words is not the one that was under way: nothing of that one was ever committed.
#[tokio::test(flavor = "multi_thread")]
async fn what_failed_before_is_not_the_answer_that_was_lost() {
    let (stage, request) = asked().await;
    let refusal = Fault::Refuse { status: 422, retry_after: None };
    stage.demo.faults().next(1, "tasks/update", refusal);
    stage.opened.desk().act(accept(request, APPROVAL)).await.expect_err("the server refuses it");
    let seen = stage.question(request).await.row.answer.map(|answer| answer.decided_at);
    let theirs = command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 60_000,
        seen,
        remark: None,
        asks: None,
    };
    stage.act(theirs).await;
    let content = Some(Json::parse(APPROVAL).unwrap());
    let ours = command::Answer {
        request,
        action: Action::Accept,
        content,
        hold_ms: 0,
        seen,
        remark: None,
        asks: None,
    };
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, ours).await;
    let error = reply.expect_err("the server never gets it");
    assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
    assert!(error.message.contains("decline"), "it says what was said: {error}");
    desk.close().await;
}

/// What is said to the question of `mrtr_question`.
fn choose(request: RequestId, environment: &str, seen: Option<Timestamp>) -> command::Answer {
    let content = format!(r#"{{"environment":"{environment}"}}"#);
    command::Answer { seen, ..accept(request, &content) }
}

/// Waits until its round has come to something.
fn settle(request: RequestId) -> command::Settle {
    command::Settle { item: ItemRef::Request(request), said: None }
}

/// A question of a round that was answered with `staging`, and nobody knows whether that arrived; and when it was decided.
async fn in_doubt() -> (Stage, RequestId, Option<Timestamp>) {
    let stage = Stage::set().await;
    let call = stage.start("mrtr_question", "{}").await;
    let request = stage.question_of(call).await.row.id;
    stage.demo.faults().next(1, "tools/call", Fault::Cut);
    let told = stage.opened.desk().act(choose(request, "staging", None)).await;
    assert!(told.is_ok() || told.is_err_and(|error| error.code == Code::Lost), "it went out");
    let task = stage.until_task(call, |task| task.requests[0].state == RequestState::Unknown).await;
    let decided_at = task.requests[0].answer.as_ref().map(|answer| answer.decided_at);
    (stage, request, decided_at)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_fate_is_unknown_is_ours_only_if_it_is_the_same() {
    let (stage, request, _) = in_doubt().await;
    let (desk, reply, kept) = asked_of_a_dying_owner(stage, choose(request, "staging", None)).await;
    let error = reply.expect_err("nobody knows whether it arrived");
    assert_eq!(error.code, Code::Lost, "it is ours, and that is what became of it: {error}");
    desk.close().await;
    assert_eq!(kept.calls(), 2, "and it did not go again");
    for ours in ["decline", "production"] {
        let (stage, request, _) = in_doubt().await;
        let ours = match ours {
            "decline" => decline(request),
            environment => choose(request, environment, None),
        };
        let (desk, reply, kept) = asked_of_a_dying_owner(stage, ours).await;
        is_somebody_elses(&reply.expect_err("it was never sent"), "staging");
        assert_eq!(answer_of(&desk, request).await, (RequestState::Unknown, Some(Action::Accept)));
        desk.close().await;
        assert_eq!(kept.calls(), 2, "nothing of it was sent");
    }
}

/// The person saw that nobody knows what became of the first answer, and answers again.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_again_where_the_fate_was_unknown_is_ours_only_if_it_is_the_same() {
    let (stage, request, seen) = in_doubt().await;
    let (desk, reply, kept) = asked_of_a_dying_owner(stage, choose(request, "production", seen)).await;
    assert_eq!(reply, Ok(()), "nobody had answered since: it is given to the next owner");
    desk.act(settle(request)).await.unwrap();
    desk.close().await;
    assert_eq!(kept.calls(), 3, "and goes out once");

    let (stage, request, seen) = in_doubt().await;
    stage.act(choose(request, "production", seen)).await;
    stage.act(settle(request)).await;
    let (desk, reply, kept) = asked_of_a_dying_owner(stage, choose(request, "production", seen)).await;
    assert_eq!(reply, Ok(()), "the same was committed since");
    desk.close().await;
    assert_eq!(kept.calls(), 3, "and does not go again");

    // `staging` is what stood there when the person looked. What was said since is `production`.
    for ours in ["decline", "staging"] {
        let (stage, request, seen) = in_doubt().await;
        stage.act(choose(request, "production", seen)).await;
        stage.act(settle(request)).await;
        let ours = match ours {
            "decline" => command::Answer { seen, ..decline(request) },
            environment => choose(request, environment, seen),
        };
        let (desk, reply, kept) = asked_of_a_dying_owner(stage, ours).await;
        is_somebody_elses(&reply.expect_err("the server never gets it"), "production");
        desk.close().await;
        assert_eq!(kept.calls(), 3, "nothing of it was sent");
    }
}

/// It says so, and what they said: to people, and whole to programs.
fn is_somebody_elses(error: &ApiError, environment: &str) {
    assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
    assert!(error.message.contains(environment), "{error}");
    let Some(Detail::Answer { action: Action::Accept, content: Some(content), .. }) = &error.detail else {
        panic!("also to programs: {error:?}")
    };
    assert_eq!(content.text(), format!(r#"{{"environment":"{environment}"}}"#));
}

/// Numbers that a double cannot tell apart are two answers all the same.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_known_by_its_bytes() {
    for (theirs, ours) in [("1.5", "1.50000000000000001"), ("1e-400", "1e-401")] {
        let (stage, request) = asked().await;
        let of = |rate: &str| accept(request, &APPROVAL.replace("1.5", rate));
        stage.act(of(theirs)).await;
        let (desk, reply, _kept) = asked_of_a_dying_owner(stage, of(ours)).await;
        let error = reply.expect_err("the server got another number");
        assert_eq!(error.code, Code::AnsweredMeanwhile, "{error}");
        desk.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_back_is_not_waited_for() {
    let (stage, request) = asked().await;
    let content = Some(Json::parse(APPROVAL).unwrap());
    let held = command::Answer {
        request,
        action: Action::Accept,
        content,
        hold_ms: 60_000,
        seen: None,
        remark: None,
        asks: None,
    };
    stage.act(held.clone()).await;
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, held).await;
    assert!(reply.is_ok(), "{reply:?}");
    assert_eq!(answer_of(&desk, request).await, (RequestState::Held, Some(Action::Accept)));
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_ended_by_itself_was_not_cancelled_by_a_wish_that_was_lost() {
    let (stage, request) = asked().await;
    let call = stage.question(request).await.row.call.expect("a task asks");
    stage.act(accept(request, APPROVAL)).await;
    stage.ended(call).await;
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, command::Cancel { call, seen: None }).await;
    let error = reply.expect_err("no server ever heard of the wish");
    assert_eq!(error.code, Code::AlreadyClosed, "{error}");
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_to_cancel_that_was_committed_is_waited_for() {
    let (stage, request) = asked().await;
    let call = stage.question(request).await.row.call.expect("a task asks");
    stage.act(command::Cancel { call, seen: None }).await;
    let (desk, reply, _kept) = asked_of_a_dying_owner(stage, command::Cancel { call, seen: None }).await;
    assert!(reply.is_ok(), "the server took note of it: {reply:?}");
    desk.close().await;
}

/// A call that was given up has ended by that, although no server took note of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_given_up_is_cancelled() {
    let stage = Stage::set().await;
    let call = stage.start("mrtr_question", "{}").await;
    stage.question_of(call).await;
    stage.act(command::Cancel { call, seen: None }).await;
    let row = stage.ended(call).await.row;
    let wish = row.cancel.expect("it was cancelled");
    assert_eq!((row.outcome, wish.acknowledged_at), (Some(Outcome::Cancelled), None), "nobody was asked");
    for seen in [None, Some(wish.requested_at)] {
        let command = Command::Resumed { command: Box::new(command::Cancel { call, seen }.into()) };
        let reply = stage.opened.desk().call(command).await.unwrap();
        assert!(matches!(reply, Reply::Done), "who saw {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_took_over_waits_for_no_owner() {
    let (stage, request) = asked().await;
    let (desk, _, _kept) = asked_of_a_dying_owner(stage, decline(request)).await;
    assert!(desk.local().await.is_some(), "the question to the desk made us the owner");
    let left = tokio::time::timeout(LIMIT, desk.owner_left()).await;
    assert!(left.is_ok(), "the owner before us has left already");
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_answers_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    let desk = Standing::open(home, OwnerKind::Serve, None, Box::new(|_| JoinSet::new())).await.unwrap();
    assert!(desk.local().await.is_some(), "nobody else owns it");
    desk.close().await;
    let error = desk.changes(View::Overview, None, Duration::ZERO).await.unwrap_err();
    assert_eq!(error.code, Code::OwnerGone);
}
