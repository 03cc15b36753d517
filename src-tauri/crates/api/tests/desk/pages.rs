//! Pages that questions ask for, opened with a browser that is a function here.

use signalbox_api::{
    ApiError, Code, DeskExt as _,
    command::{self, Act},
    open_page,
};
use signalbox_model::{Action, Outcome, RequestState};

use crate::stage::Stage;

fn works(url: &str) -> Result<(), ApiError> {
    assert_eq!(url, "https://signing.example.com/requests/7f3a?purpose=release", "as the server sent it");
    Ok(())
}

fn unopened(_: &str) -> Result<(), ApiError> {
    panic!("no browser is started")
}

fn fails(_: &str) -> Result<(), ApiError> {
    Err(ApiError::new(Code::BrowserFailed, "none here"))
}

const SIGN: &str = r#"{"document":"release-notes"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn opening_a_page_is_the_consent_and_no_browser_is_none() {
    let stage = Stage::set().await;
    let call = stage.start("sign", SIGN).await;
    let request = stage.question_of(call).await.row.id;
    let desk = stage.opened.desk();
    assert_eq!(
        open_page(desk.as_ref(), request, None, None, None, fails).await.unwrap_err().code,
        Code::BrowserFailed
    );
    let other_words = Some("what it asked before".to_owned());
    let changed = open_page(desk.as_ref(), request, None, None, other_words, unopened);
    assert_eq!(changed.await.unwrap_err().code, Code::ChangedMeanwhile);
    let long = Some("x".repeat(2_001));
    let too_long = open_page(desk.as_ref(), request, None, long, None, unopened).await.unwrap_err();
    assert_eq!(too_long.code, Code::Usage, "it is refused while nothing is open yet: {too_long}");
    let question = stage.question(request).await;
    let row = question.row;
    assert_eq!((row.state, row.visited_at, row.answer), (RequestState::Open, None, None));
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "nothing may have been sent");

    open_page(desk.as_ref(), request, None, Some("asked Ada ".to_owned()), Some(question.asks), works)
        .await
        .unwrap();
    let task = stage.ended(call).await;
    assert_eq!(task.row.outcome, Some(Outcome::Ok));
    let row = stage.question(request).await.row;
    let answer = row.answer.expect("that was the answer");
    assert_eq!((answer.action, answer.remark.as_deref()), (Action::Accept, Some("asked Ada")));
    assert!(row.visited_at.is_some(), "the receipt says when it was opened");
    assert_eq!(stage.demo.journal().taken().len(), 1, "once");

    let seen = Some(answer.decided_at);
    let over = desk.act(command::BeginVisit { request, seen, asks: None }).await.unwrap_err();
    assert_eq!(over.code, Code::AlreadyClosed, "{over}");
    let meanwhile = desk.act(command::BeginVisit { request, seen: None, asks: None }).await.unwrap_err();
    assert_eq!(meanwhile.code, Code::AnsweredMeanwhile, "who saw it unanswered: {meanwhile}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_before_a_call_is_opened_and_the_call_waits_until_the_person_is_done() {
    let stage = Stage::set().await;
    let call = stage.start("connect_account", "{}").await;
    let question = stage.question_of(call).await;
    let request = question.row.id;
    let desk = stage.opened.desk();
    let calls = stage.demo.journal().requests("tools/call").len();
    open_page(desk.as_ref(), request, None, None, None, |_| Ok(())).await.unwrap();
    let question = stage.question(request).await;
    if question.round.as_ref().is_some_and(|round| round.paged) {
        assert_eq!(question.row.state, RequestState::Open);
        assert_eq!(stage.demo.journal().requests("tools/call").len(), calls, "nothing goes by itself");
        stage
            .act(command::Answer {
                request,
                action: Action::Accept,
                content: None,
                hold_ms: 0,
                seen: None,
                remark: None,
                asks: None,
            })
            .await;
    }
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_goes_back_to_drafts_when_nobody_is_left_to_send_it() {
    let stage = Stage::set().await;
    goes_back_to_drafts(&stage, command::TakeBackHeld {}).await;
}

/// By the tray or by a command.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_goes_back_to_drafts_when_the_owner_is_asked_to_end() {
    let stage = Stage::set().await;
    goes_back_to_drafts(&stage, command::Quit {}).await;
}

async fn goes_back_to_drafts(stage: &Stage, end: impl Act<Reply = ()>) {
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let content = Some(signalbox_model::Json::parse(crate::stage::APPROVAL).unwrap());
    stage
        .act(command::Answer {
            request,
            action: Action::Accept,
            content: content.clone(),
            hold_ms: 60_000,
            seen: None,
            remark: None,
            asks: None,
        })
        .await;
    stage.act(end).await;
    let question = stage.question(request).await;
    assert_eq!(question.row.state, RequestState::Open);
    assert_eq!(question.draft, content, "to go on from");
    assert!(stage.demo.journal().requests("tasks/update").is_empty());
}
