//! What is said of an answer to whoever gives it.

use signalbox_api::{
    Code, DeskExt as _, Said,
    command::{self, Validated},
};
use signalbox_demo::Fault;
use signalbox_model::{Action, ItemRef, Json, Outcome, RequestId, RequestState};

use crate::stage::{APPROVAL, Stage, accept};

async fn validate(stage: &Stage, request: RequestId) -> Result<Validated, Code> {
    let content = Json::parse(APPROVAL).unwrap();
    let reply = stage.opened.desk().act(command::Validate { request, content }).await;
    reply.map_err(|error| error.code)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_is_not_said_to_fit() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let fits = validate(&stage, request).await;
    assert!(matches!(&fits, Ok(Validated { sends: Some(_), .. })), "{fits:?}");
    stage
        .act(command::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .await;
    assert_eq!(validate(&stage, request).await.unwrap_err(), Code::AlreadyClosed);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_completes_a_round_need_not_wait_for_its_tool() {
    let stage = Stage::set().await;
    let call = stage.start("mrtr_question", "{}").await;
    let request = stage.question_of(call).await.row.id;
    let gate = stage.demo.faults().hold("tools/call");
    // The tool has not even begun.
    stage
        .act(command::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms: 0,
            seen: None,
            remark: None,
            asks: None,
        })
        .await;
    assert_eq!(stage.question(request).await.row.state, RequestState::Sending);
    gate.open();
    stage.act(command::Settle { item: ItemRef::Request(request), said: None }).await;
    assert_eq!(
        stage.question(request).await.row.state,
        RequestState::Answered,
        "who wants to can wait for it"
    );
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_late_is_told_of_the_answer_that_they_gave() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    stage.demo.faults().next(1, "tasks/update", Fault::Refuse { status: 422, retry_after: None });
    let refused = stage.opened.desk().act(accept(request, APPROVAL)).await.unwrap_err();
    let seen = stage.question(request).await.row.answer.map(|answer| answer.decided_at);
    // Somebody else answers, and then the first asks again: after their owner died, say.
    stage
        .act(command::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms: 0,
            seen,
            remark: None,
            asks: None,
        })
        .await;
    let settle = async |action, content: Option<&str>| {
        let content = content.map(|content| Json::parse(content).unwrap());
        let said = Some(Said { action, content });
        stage.opened.desk().act(command::Settle { item: ItemRef::Request(request), said }).await
    };
    assert_eq!(
        settle(Action::Accept, Some(APPROVAL)).await.unwrap_err(),
        refused,
        "it was sent, and refused"
    );
    assert_eq!(settle(Action::Decline, None).await, Ok(()));
    let other = settle(Action::Cancel, None).await.unwrap_err();
    assert_eq!(other.code, Code::AnsweredMeanwhile, "nobody has said that");
}
