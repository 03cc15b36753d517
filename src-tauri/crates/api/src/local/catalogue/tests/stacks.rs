//! Stacks of alike questions: in lists, and by themselves.

use signalbox_model::{Action, Attention, ELICITATION, Mode, PayloadKind, RequestState, Snooze, Snoozed};

use super::*;
use crate::{Retry, Stack, StackColumn, Stacked};

const SCHEMA: &str = r#"{"type":"object","properties":{"approved":{"type":"boolean"}}}"#;

/// A question of a task of its own, for the service of its number.
fn asked(id: u32) -> InputRequest {
    InputRequest {
        method: ELICITATION.to_owned(),
        mode: Mode::Form,
        message: format!("Deploy service-{id}?"),
        schema: Some(Json::parse(SCHEMA).unwrap()),
        raw: Json::parse(r#"{"method":"elicitation/create"}"#).unwrap(),
        ..InputRequest::new(
            RequestId(id),
            ServerId(1),
            Identity::Task { call: CallId(id), key: "approval".to_owned() },
            Timestamp(id.into()),
        )
    }
}

fn ask(request: InputRequest) -> [Write; 3] {
    let call = request.call.unwrap();
    let arguments = Json::parse(format!(r#"{{"service":"service-{}","region":"eu"}}"#, call.0)).unwrap();
    [
        put(Call { open_requests: 1, ..going_on(call.0) }),
        Write::PutPayload { call, kind: PayloadKind::Arguments, json: arguments },
        Write::PutRequest(Box::new(request)),
    ]
}

/// What the server listed: its tool says nothing of itself.
fn listed() -> Write {
    let tools = Json::parse(r#"[{"name":"deploy"}]"#).unwrap();
    Write::PutTools { server: ServerId(1), tools }
}

async fn asking(dir: &Path, questions: impl IntoIterator<Item = InputRequest>) -> Local {
    let writes = [server(1, "ci")].into_iter().chain(questions.into_iter().flat_map(ask));
    desk(dir, crate::OwnerKind::Serve, writes.collect()).await
}

async fn stack(desk: &Local, id: u32) -> Option<Stack> {
    desk.see(look::Stack { request: RequestId(id) }).await.unwrap().map(|stack| *stack)
}

/// A no to all that are shown there.
fn declined(stack: &Stack) -> command::AnswerTogether {
    let seen = |of: &Stacked| command::SeenQuestion { request: of.row.id, asks: of.asks.clone() };
    command::AnswerTogether {
        requests: stack.questions.iter().map(seen).collect(),
        schema: Some(Json::parse(SCHEMA).unwrap()),
        action: Action::Decline,
        content: None,
        hold_ms: 60_000,
        remark: None,
    }
}

fn ids(stack: &Stack) -> Vec<u32> {
    stack.questions.iter().map(|question| question.row.id.0).collect()
}

#[tokio::test]
async fn alike_questions_stand_together_with_what_tells_them_apart() {
    let dir = tempfile::tempdir().unwrap();
    let snoozed = InputRequest {
        wants: Attention::Snoozed,
        snoozed: Some(Snoozed { until: Snooze::At { at: Timestamp(4_000_000_000_000) }, task_seen_at: None }),
        ..asked(4)
    };
    let other = InputRequest { schema: Some(Json::parse("{}").unwrap()), ..asked(5) };
    let drafted = InputRequest { draft: Some(Json::parse(r#"{"approved":false}"#).unwrap()), ..asked(3) };
    let desk = asking(dir.path(), [asked(1), asked(2), drafted, snoozed, other]).await;
    let found = stack(&desk, 2).await.unwrap();
    assert_eq!((ids(&found), found.more), (vec![2, 1, 3], 0), "the one in hand, then the oldest");
    let service = StackColumn::Argument { name: "service".to_owned() };
    assert_eq!(found.columns, [StackColumn::Message, service], "not the region, which is the same");
    let values = [Some("Deploy service-1?".to_owned()), Some(r#""service-1""#.to_owned())];
    assert_eq!(found.questions[1].values, values);
    let drafts: Vec<bool> = found.questions.iter().map(|question| question.row.has_draft).collect();
    assert_eq!(drafts, [false, false, true], "who answers them together sees that something was typed");
    assert!(!found.destructive);
    let alone = desk.see(look::Request { request: RequestId(1) }).await.unwrap().unwrap();
    assert!(alone.unlisted && !alone.destructive, "its server has listed nothing yet");
    for alone in [4, 5, 99] {
        assert_eq!(stack(&desk, alone).await, None, "r{alone}");
    }
}

#[tokio::test]
async fn a_tool_that_may_destroy_something_says_so_of_its_stack() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Json::parse(r#"[{"name":"deploy","annotations":{"destructiveHint":true}}]"#).unwrap();
    let questions = [asked(1), asked(2)].into_iter().flat_map(ask);
    let writes =
        [server(1, "ci"), Write::PutTools { server: ServerId(1), tools }].into_iter().chain(questions);
    let desk = desk(dir.path(), crate::OwnerKind::Serve, writes.collect()).await;
    assert!(stack(&desk, 1).await.unwrap().destructive);
    let alone = desk.see(look::Request { request: RequestId(1) }).await.unwrap().unwrap();
    assert!(alone.destructive && !alone.unlisted, "also by itself");
    let seen = stack(&desk, 1).await.unwrap();
    let refused = desk.act(declined(&seen)).await.unwrap_err();
    assert_eq!(refused.code, Code::NotPossible, "whoever asks: {refused}");
}

#[tokio::test]
async fn a_tool_of_which_nobody_could_learn_that_is_answered_in_the_same_careful_way() {
    let other = Json::parse(r#"[{"name":"build"}]"#).unwrap();
    for tools in [None, Some(Write::PutTools { server: ServerId(1), tools: other })] {
        let dir = tempfile::tempdir().unwrap();
        let questions = [asked(1), asked(2)].into_iter().flat_map(ask);
        let writes = [server(1, "ci")].into_iter().chain(tools).chain(questions).collect();
        let desk = desk(dir.path(), crate::OwnerKind::Serve, writes).await;
        let seen = stack(&desk, 1).await.unwrap();
        for action in [Action::Accept, Action::Decline] {
            let content = (action == Action::Accept).then(|| Json::parse(r#"{"approved":true}"#).unwrap());
            let refused = desk.act(command::AnswerTogether { action, content, ..declined(&seen) }).await;
            let refused = refused.unwrap_err();
            assert_eq!(
                refused.code,
                Code::NotPossible,
                "its server is off, so it cannot be asked: {refused}"
            );
            assert!(refused.message.contains("could not learn whether the tool"), "{refused}");
        }
        let row = desk.see(look::Request { request: RequestId(1) }).await.unwrap().unwrap().row;
        assert_eq!(row.state, RequestState::Open, "nothing of it was committed");
    }
}

#[tokio::test]
async fn one_that_changed_since_it_was_seen_gets_no_answer_and_the_others_do() {
    let dir = tempfile::tempdir().unwrap();
    let writes = [server(1, "ci"), listed()].into_iter().chain((1..=4).map(asked).flat_map(ask)).collect();
    let (desk, submit) = desk_and_submit(dir.path(), crate::OwnerKind::Serve, writes).await;
    let seen = stack(&desk, 1).await.unwrap();
    let raw = |text: &str| Json::parse(text).unwrap();
    let reworded = InputRequest {
        message: "Destroy service-2?".to_owned(),
        raw: raw(r#"{"method":"elicitation/create","params":{"message":"Destroy service-2?"}}"#),
        ..asked(2)
    };
    let other_schema = InputRequest {
        schema: Some(raw("{}")),
        raw: raw(r#"{"method":"elicitation/create","params":{"requestedSchema":{}}}"#),
        ..asked(3)
    };
    for changed in [reworded, other_schema] {
        hand_in(&submit, ask(changed).into()).recv().unwrap().unwrap();
    }
    let outcomes = desk.act(declined(&seen)).await.unwrap();
    let told: Vec<_> = outcomes.iter().map(|of| of.failure.as_ref().map(|failure| failure.code)).collect();
    let changed = Some(Code::ChangedMeanwhile);
    assert_eq!(told, [None, changed, changed, None], "its person saw other words, or another form");
    let decided: Vec<_> = outcomes.iter().map(|of| of.decided_at.is_some()).collect();
    assert_eq!(decided, [true, false, false, true]);
    let why = outcomes[1].failure.as_ref().unwrap().to_string();
    assert!(why.contains("r2 has changed since you saw it"), "{why}");
}

#[tokio::test]
async fn nor_does_one_by_itself_but_whoever_reads_it_again_answers_it() {
    let raw = r#"{"method":"elicitation/create","params":{"message":"Destroy service-1?"}}"#;
    let reworded = || InputRequest {
        message: "Destroy service-1?".to_owned(),
        raw: Json::parse(raw).unwrap(),
        ..asked(1)
    };
    for action in [Action::Accept, Action::Decline, Action::Cancel] {
        let dir = tempfile::tempdir().unwrap();
        let writes = [server(1, "ci")].into_iter().chain(ask(asked(1))).collect();
        let (desk, submit) = desk_and_submit(dir.path(), crate::OwnerKind::Serve, writes).await;
        let look = async || *desk.see(look::Request { request: RequestId(1) }).await.unwrap().unwrap();
        let seen = look().await.asks;
        hand_in(&submit, ask(reworded()).into()).recv().unwrap().unwrap();
        let content = (action == Action::Accept).then(|| Json::parse(r#"{"approved":true}"#).unwrap());
        let answer = |asks: &str| command::Answer {
            request: RequestId(1),
            action,
            content: content.clone(),
            hold_ms: 60_000,
            seen: None,
            remark: None,
            asks: Some(asks.to_owned()),
        };
        let refused = desk.act(answer(&seen)).await.unwrap_err();
        assert_eq!((refused.code, refused.retry), (Code::ChangedMeanwhile, Retry::Never), "{action:?}");
        assert!(refused.message.contains("r1 has changed since you saw it"), "what happened: {refused}");
        assert!(refused.message.contains("Nothing of this answer was sent"), "what it means: {refused}");
        let now = look().await;
        assert_eq!(now.row.state, RequestState::Open, "{action:?}: it waits as before");
        desk.act(answer(&now.asks)).await.unwrap();
        assert_eq!(look().await.row.state, RequestState::Held, "{action:?}: that was for these words");
    }
}

#[tokio::test]
async fn questions_of_a_round_of_several_are_like_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let round = |id: u32, call: u32, key: &str| InputRequest {
        call: Some(CallId(call)),
        identity: Identity::Round { call: CallId(call), n: 1, key: key.to_owned() },
        ..asked(id)
    };
    let desk =
        asking(dir.path(), [round(1, 1, "a"), round(2, 1, "b"), round(3, 3, "a"), round(4, 4, "a")]).await;
    assert_eq!(stack(&desk, 1).await, None, "its answer goes out with another one");
    assert_eq!(ids(&stack(&desk, 3).await.unwrap()), [3, 4], "one alone in its round goes by itself");
}

#[tokio::test]
async fn a_stack_is_bounded_and_says_how_many_more_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let desk = asking(dir.path(), (1..=250).map(asked)).await;
    let found = stack(&desk, 250).await.unwrap();
    assert_eq!((found.questions.len(), found.more), (200, 50));
    assert_eq!(ids(&found)[..3], [250, 1, 2]);
}

#[tokio::test]
async fn long_texts_bound_a_stack_too() {
    let dir = tempfile::tempdir().unwrap();
    let long = |id| InputRequest {
        raw: Json::parse(format!(
            r#"{{"method":"elicitation/create","params":{{"message":"{}"}}}}"#,
            "x".repeat(400 * 1024)
        ))
        .unwrap(),
        message: format!("{}…", "x".repeat(16 * 1024 - 3)),
        ..asked(id)
    };
    let desk = asking(dir.path(), (1..=5).map(long)).await;
    let found = stack(&desk, 1).await.unwrap();
    assert_eq!((found.questions.len(), found.more), (3, 2), "three have 1 MiB together");
    assert!(serde_json::to_string(&found).unwrap().len() < 32 * 1024, "and what crosses is short");
}

#[tokio::test]
async fn a_list_says_how_many_stand_in_the_stack_of_a_row() {
    let dir = tempfile::tempdir().unwrap();
    let writes: Vec<Write> =
        [server(1, "ci")].into_iter().chain([asked(1), asked(2)].into_iter().flat_map(ask)).collect();
    let (desk, submit) = desk_and_submit(dir.path(), crate::OwnerKind::Serve, writes).await;
    whole(&desk.begun()).await;
    let inbox = |after| {
        let view = View::Inbox {
            tab: InboxTab::NeedsYou,
            filter: "-attention:expiring".to_owned(),
            within: String::new(),
            offset: 0,
            limit: 10,
        };
        desk.look(view, after, Duration::from_secs(30))
    };
    let page = |changes: Changes| match changes.data {
        Some(ViewData::Inbox { page }) => page,
        other => panic!("{other:?}"),
    };
    let before = inbox(None).await.unwrap();
    let cursor = Some(before.cursor);
    let counted = |n: u32| Some(vec![(RequestId(1), n), (RequestId(2), n)]);
    assert_eq!(page(before).stacked, counted(2), "itself included");
    let hidden = InputRequest { wants: Attention::Expiring, ..asked(3) };
    hand_in(&submit, ask(hidden).into()).recv().unwrap().unwrap();
    let after = page(inbox(cursor).await.unwrap());
    assert_eq!(after.stacked, counted(3), "also with one that the filter does not show");
    assert_eq!(after.rows, [], "and no row is sent again");
}
