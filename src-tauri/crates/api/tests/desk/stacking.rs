//! Alike questions, answered together.

use signalbox_api::{
    Code, DeskExt as _, Stack,
    command::{self, GivenAnswer, SeenQuestion, TogetherOutcome},
    look,
};
use signalbox_demo::Fault;
use signalbox_model::{Action, CallId, Json, Outcome, RequestId, RequestState};

use crate::stage::{APPROVAL, Stage};

async fn deployments(stage: &Stage, n: usize) -> Vec<(CallId, RequestId)> {
    let mut asked = Vec::new();
    for service in 0..n {
        let arguments = format!(r#"{{"service":"service-{service}","version":"1","region":"eu-west"}}"#);
        asked.push(stage.start("deploy", &arguments).await);
    }
    let mut all = Vec::new();
    for call in asked {
        all.push((call, stage.question_of(call).await.row.id));
    }
    all
}

async fn stack(stage: &Stage, request: RequestId) -> Option<Stack> {
    stage.opened.desk().see(look::Stack { request }).await.unwrap().map(|stack| *stack)
}

/// A yes to questions as they stand now.
async fn together(
    stage: &Stage,
    ids: Vec<RequestId>,
    schema: Option<Json>,
    hold_ms: u32,
) -> command::AnswerTogether {
    let mut requests = Vec::new();
    for request in ids {
        let found = stage.opened.desk().see(look::Request { request }).await.unwrap();
        let asks = found.map(|detail| detail.asks).unwrap_or_default();
        requests.push(SeenQuestion { request, asks });
    }
    let content = Some(Json::parse(APPROVAL).unwrap());
    command::AnswerTogether { requests, schema, action: Action::Accept, content, hold_ms, remark: None }
}

fn failures(outcomes: &[TogetherOutcome]) -> Vec<(RequestId, Code)> {
    let failed = outcomes.iter().filter_map(|of| Some((of.request, of.failure.as_ref()?.code)));
    failed.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stack_of_fifty_is_answered_together_and_each_delivered_once() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 50).await;
    let seen = stack(&stage, all[0].1).await.expect("they are alike");
    assert_eq!((seen.questions.len(), seen.more, seen.destructive), (50, 0, false));
    let requests: Vec<_> = seen.questions.iter().map(|question| question.row.id).collect();
    let schema = stage.question(all[0].1).await.schema;
    let remark = Some("as agreed with Ada".to_owned());
    let answer = command::AnswerTogether { remark, ..together(&stage, requests.clone(), schema, 0).await };
    let outcomes = stage.act(answer).await;
    assert_eq!(failures(&outcomes), []);
    assert_eq!(outcomes.iter().map(|of| of.request).collect::<Vec<_>>(), requests, "one for each, in order");
    for (call, request) in &all {
        assert_eq!(stage.ended(*call).await.row.outcome, Some(Outcome::Ok));
        let answer = stage.question(*request).await.row.answer.unwrap();
        assert_eq!(answer.content.unwrap().text(), APPROVAL, "byte for byte");
    }
    assert_eq!(stage.demo.journal().taken().len(), 50, "each is taken once");
    let (mut lines, mut next) = (Vec::new(), Some(0));
    while let Some(after) = next {
        let what = signalbox_api::ExportKind::Decisions;
        let export =
            command::Export { what, after, with_handles: false, filter: String::new(), calls: vec![] };
        let portion = stage.act(export).await;
        lines.extend(portion.lines);
        next = portion.next;
    }
    let decided = |id: &RequestId| {
        let of = format!(r#""request":"{id}""#);
        let parts = [of.as_str(), r#""kind":"answered""#, r#""remark":"as agreed with Ada""#];
        lines.iter().filter(|line| parts.iter().all(|part| line.text().contains(part))).count()
    };
    assert!(requests.iter().all(|id| decided(id) == 1), "each has a sealed entry of its own: {lines:?}");
    assert_eq!(stack(&stage, all[0].1).await, None, "nothing of it is open");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_over_meanwhile_is_reported_and_the_others_go() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 4).await;
    let ids: Vec<RequestId> = all.iter().map(|(_, id)| *id).collect();
    let schema = stage.question(ids[0]).await.schema;
    // Somebody else answers the first, and another is put off.
    let no = command::Answer {
        request: ids[0],
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    stage.act(no).await;
    let until = Some(signalbox_model::Snooze::Change);
    stage.act(command::Snooze { request: ids[1], until }).await;
    let unknown = RequestId(999);
    let asked = ids.iter().copied().chain([unknown]).collect();
    let outcomes = stage.act(together(&stage, asked, schema, 0).await).await;
    assert_eq!(
        failures(&outcomes),
        [(ids[0], Code::AnsweredMeanwhile), (ids[1], Code::NotPossible), (unknown, Code::UnknownItem)]
    );
    assert_eq!(
        outcomes.iter().map(|of| of.decided_at.is_some()).collect::<Vec<_>>(),
        [false, false, true, true, false]
    );
    for (call, _) in &all[2..] {
        assert_eq!(stage.ended(*call).await.row.outcome, Some(Outcome::Ok));
    }
    assert_eq!(stage.question(ids[1]).await.row.state, RequestState::Open, "it was not decided silently");
    assert_eq!(
        stage.demo.journal().taken().len(),
        3,
        "the first one's no, and two that were answered together"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_asks_something_else_gets_no_answer_that_was_meant_for_others() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 2).await;
    let call = stage.start("two_questions", "{}").await;
    let other = stage.question_of(call).await.row.id;
    let schema = stage.question(all[0].1).await.schema;
    let outcomes = stage.act(together(&stage, vec![all[0].1, other, all[1].1], schema, 0).await).await;
    assert_eq!(failures(&outcomes), [(other, Code::NotPossible)]);
    let outcomes = stage.act(together(&stage, vec![other], Json::parse("{}").ok(), 0).await).await;
    assert_eq!(failures(&outcomes), [(other, Code::NotPossible)], "it was seen with another schema");
    assert_eq!(stage.question(other).await.row.state, RequestState::Open);
    let page = stage.start("sign", r#"{"release":"1"}"#).await;
    let page = stage.question_of(page).await.row.id;
    let outcomes = stage.act(together(&stage, vec![page], None, 0).await).await;
    assert_eq!(failures(&outcomes), [(page, Code::NotPossible)], "a page is never answered with others");
}

#[tokio::test(flavor = "multi_thread")]
async fn content_that_does_not_fit_is_sent_to_none() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 2).await;
    let schema = stage.question(all[0].1).await.schema;
    let bad = Some(Json::parse(r#"{"approved":"yes"}"#).unwrap());
    let ids: Vec<_> = all.iter().map(|(_, id)| *id).collect();
    let outcomes = stage
        .act(command::AnswerTogether { content: bad, ..together(&stage, ids.clone(), schema, 0).await })
        .await;
    assert_eq!(failures(&outcomes), ids.iter().map(|id| (*id, Code::InvalidContent)).collect::<Vec<_>>());
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "nothing may have been sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_goes_to_one_question_alone() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 2).await;
    let asks = r#"{"type":"object","properties":{"password":{"type":"string"}}}"#;
    let told = Some(Json::parse(r#"{"password":"correct horse"}"#).unwrap());
    let ids = all.iter().map(|(_, id)| *id).collect();
    let answer = command::AnswerTogether {
        content: told,
        ..together(&stage, ids, Some(Json::parse(asks).unwrap()), 0).await
    };
    let refusal = stage.opened.desk().act(answer).await.expect_err("it is given to no other");
    assert_eq!(refusal.code, Code::NotPossible);
    assert!(!refusal.message.contains("horse"), "{refusal}");
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "nothing may have been sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_them_can_be_taken_back_and_each_by_itself() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 3).await;
    let ids: Vec<_> = all.iter().map(|(_, id)| *id).collect();
    let schema = stage.question(ids[0]).await.schema;
    let outcomes = stage.act(together(&stage, ids.clone(), schema, 600_000).await).await;
    let given: Vec<GivenAnswer> = outcomes
        .iter()
        .map(|of| GivenAnswer { request: of.request, decided_at: of.decided_at.unwrap() })
        .collect();
    for id in &ids {
        assert_eq!(stage.question(*id).await.row.state, RequestState::Held);
    }
    stage.act(command::Undo { request: ids[1], decided_at: given[1].decided_at }).await;
    let outcomes = stage.act(command::UndoTogether { answers: given }).await;
    assert_eq!(failures(&outcomes), [(ids[1], Code::AlreadyClosed)], "what was taken back is reported");
    for id in &ids {
        let question = stage.question(*id).await;
        assert_eq!((question.row.state, question.row.answer), (RequestState::Open, None));
    }
    assert!(stage.demo.journal().requests("tasks/update").is_empty(), "nothing has left");
    let again = stack(&stage, ids[0]).await.expect("they are open, and alike again");
    assert!(
        again.questions.iter().all(|question| question.row.has_draft),
        "what was said is each one's draft"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_whose_server_refuses_it_is_told_apart_from_the_others() {
    let stage = Stage::set().await;
    let all = deployments(&stage, 3).await;
    let ids: Vec<_> = all.iter().map(|(_, id)| *id).collect();
    let schema = stage.question(ids[0]).await.schema;
    stage.demo.faults().next(1, "tasks/update", Fault::Refuse { status: 422, retry_after: None });
    let outcomes = stage.act(together(&stage, ids.clone(), schema, 0).await).await;
    let failed = failures(&outcomes);
    assert!(matches!(failed.as_slice(), [(_, Code::ServerError)]), "{failed:?}");
    assert!(outcomes.iter().all(|of| of.decided_at.is_some()), "each was decided");
    assert_eq!(stage.demo.journal().taken().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_than_a_stack_shows_are_answered_at_once() {
    let stage = Stage::set().await;
    let seen = |id| SeenQuestion { request: RequestId(id), asks: String::new() };
    let requests = (1..=201).map(seen).collect();
    let many = command::AnswerTogether { requests, ..together(&stage, vec![], None, 0).await };
    let error = stage.opened.desk().act(many).await.unwrap_err();
    assert_eq!(error.code, Code::Usage);
}
