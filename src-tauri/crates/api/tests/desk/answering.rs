//! What is said of an answer to whoever gives it.

use signalbox_api::{Code, Command, Reply};
use signalbox_model::{Action, ItemRef, Json, Outcome, RequestId, RequestState};

use crate::stage::{APPROVAL, Stage};

async fn validate(stage: &Stage, request: RequestId) -> Result<Reply, Code> {
    let content = Json::parse(APPROVAL).unwrap();
    let reply = stage.opened.desk().call(Command::Validate { request, content }).await;
    reply.map_err(|error| error.code)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_is_not_said_to_fit() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let fits = validate(&stage, request).await;
    assert!(matches!(&fits, Ok(Reply::Validated { sends: Some(_), .. })), "{fits:?}");
    stage
        .call(Command::Answer { request, action: Action::Decline, content: None, hold_ms: 0, seen: None })
        .await;
    assert_eq!(validate(&stage, request).await.unwrap_err(), Code::AlreadyClosed);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_completes_a_round_need_not_wait_for_its_tool() {
    let stage = Stage::set().await;
    let call = stage.start("mrtr_question", "{}").await;
    let request = stage.question_of(call).await.row.id;
    let gate = stage.demo.faults().hold("tools/call");
    let reply = stage
        .call(Command::Answer { request, action: Action::Decline, content: None, hold_ms: 0, seen: None })
        .await;
    assert!(matches!(reply, Reply::Done), "the tool has not even begun: {reply:?}");
    assert_eq!(stage.question(request).await.row.state, RequestState::Sending);
    gate.open();
    stage.call(Command::Settle { item: ItemRef::Request(request), said: None }).await;
    assert_eq!(
        stage.question(request).await.row.state,
        RequestState::Answered,
        "who wants to can wait for it"
    );
    assert_eq!(stage.ended(call).await.row.outcome, Some(Outcome::Ok));
}
