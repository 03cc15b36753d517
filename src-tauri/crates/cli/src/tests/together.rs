//! `answer --same`.

use serde_json::json;
use signalbox_api::{
    ApiError, Code, Command, Reply, RequestDetail, command,
    command::{SeenQuestion, TogetherOutcome},
};
use signalbox_model::{CallId, RequestId, RequestState};

use super::Trial;
use super::desk::{SCHEMA, Scripted, World, request, task, tool};
use crate::exit::{Exit, Failure};

const YES: &str = r#"{"approve":true}"#;

/// Three questions that are alike.
fn alike(unlisted: bool) -> World {
    let mut world = World::default();
    for id in 1..=3 {
        world.tasks.insert(CallId(id), task(id));
        let mut asked = RequestDetail { unlisted, ..request(id, id, SCHEMA) };
        asked.row.message = format!("Deploy \u{1b}[31m{id}?");
        world.ask(asked);
    }
    world
}

/// The three, and what becomes of the second.
fn desk(second: Option<ApiError>, destructive: bool) -> Scripted {
    let mut world = alike(false);
    if destructive {
        world.tools.push(signalbox_api::ToolView { destructive, ..tool("{}") });
    }
    Scripted::new(world, move |world, command| match command {
        Command::AnswerTogether(command::AnswerTogether { requests, .. }) => {
            let outcome = |seen: &SeenQuestion| {
                let request = seen.request;
                let failure = second.clone().filter(|_| request == RequestId(2));
                if failure.is_none() {
                    world.settle(request, RequestState::Answered, None);
                }
                let decided_at = failure.is_none().then(|| super::at("2026-07-28T10:00:00Z"));
                TogetherOutcome { request, decided_at, failure }
            };
            Ok(Reply::Together { outcomes: requests.iter().map(outcome).collect() })
        }
        other => panic!("there is no reason for {other:?}"),
    })
}

fn sent(desk: &Scripted) -> Option<serde_json::Value> {
    desk.world().commands.last().map(|command| serde_json::to_value(command).unwrap())
}

/// A question as this desk's stack shows it.
fn seen(id: &str) -> serde_json::Value {
    json!({ "request": id, "asks": format!("asks of {id}") })
}

fn line<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["answer", "--same", "r2", "--accept", "--content", YES][..], rest].concat()
}

#[tokio::test]
async fn at_a_terminal_what_differs_is_shown_and_a_yes_is_asked_for() {
    let (desk, trial) = (desk(None, false), Trial::person(&["yes"]));
    assert_eq!(trial.run(&desk, &line(&[])).await.unwrap(), Exit::Done);
    let shown = trial.err.text();
    for part in [
        r#"message "Deploy \u001b[31m1?""#,
        "DIFFERS IN",
        r#"Each of these 3 gets the same answer, once: accept with {"approve":true}"#,
        "Send this answer to all of them? [y/N]",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains('\u{1b}'), "what a server says acts nowhere: {shown:?}");
    assert_eq!(
        sent(&desk),
        Some(json!({
            "type": "answer_together", "requests": [seen("r2"), seen("r1"), seen("r3")], "schema": SCHEMA,
            "action": "accept", "content": YES, "holdMs": 0
        })),
        "exactly those that were shown, the one that was named first"
    );
    assert!(trial.out.text().starts_with("3 of 3 are answered.\n"), "{}", trial.out.text());
}

#[tokio::test]
async fn without_a_yes_nothing_goes() {
    for typed in [&["n"][..], &[""], &[]] {
        let (desk, trial) = (desk(None, false), Trial::person(typed));
        trial.typed.try_send(String::new()).unwrap();
        assert_eq!(trial.run(&desk, &line(&[])).await.unwrap(), Exit::Failed, "{typed:?}");
        assert_eq!(sent(&desk), None);
        assert!(trial.err.text().contains("Not confirmed: nothing was sent"), "{}", trial.err.text());
    }
}

#[tokio::test]
async fn off_a_terminal_it_takes_a_yes_beforehand() {
    let desk = desk(None, false);
    let failure = Trial::json().run(&desk, &line(&[])).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::InputNeeded, "{failure}");
    assert!(failure.to_string().contains("--yes"), "{failure}");
    assert_eq!(sent(&desk), None);
    let trial = Trial::json();
    assert_eq!(trial.run(&desk, &line(&["--yes"])).await.unwrap(), Exit::Done);
    let document = trial.document();
    let states: Vec<_> = document["requests"].as_array().unwrap().iter().map(|of| &of["state"]).collect();
    assert_eq!(states, ["answered"; 3]);
    assert_eq!(document["failures"], json!([]));
}

#[tokio::test]
async fn one_that_is_over_meanwhile_is_told_and_the_others_count() {
    let over = || Some(ApiError::new(Code::AlreadyClosed, "r2 cannot be answered: its task has ended"));
    let trial = Trial::json();
    assert_eq!(trial.run(&desk(over(), false), &line(&["--yes"])).await.unwrap(), Exit::Gone);
    let document = trial.document();
    assert_eq!(document["requests"].as_array().unwrap().len(), 2);
    assert_eq!(document["failures"][0]["request"], "r2");
    assert_eq!(document["failures"][0]["failure"]["code"], "already_closed");
    let trial = Trial::text();
    assert_eq!(trial.run(&desk(over(), false), &line(&["--yes"])).await.unwrap(), Exit::Gone);
    assert!(trial.out.text().starts_with("2 of 3 are answered.\n"), "{}", trial.out.text());
    assert!(trial.err.text().contains("its task has ended"), "{}", trial.err.text());
}

#[tokio::test]
async fn what_was_typed_into_another_question_is_not_overruled() {
    let desk = desk(None, false);
    for id in [2, 3] {
        desk.world().requests.get_mut(&RequestId(id)).unwrap().row.has_draft = true;
    }
    let trial = Trial::json();
    trial.run(&desk, &line(&["--yes"])).await.unwrap();
    assert_eq!(
        sent(&desk).unwrap()["requests"],
        json!([seen("r2"), seen("r1")]),
        "the one that is named is meant"
    );
    assert!(trial.err.text().contains("typed into it before: r3"), "{}", trial.err.text());
}

#[tokio::test]
async fn where_nobody_can_learn_what_the_tool_says_neither_a_yes_nor_a_no_goes_to_several() {
    for said in [&["--accept", "--content", YES][..], &["--decline"]] {
        let desk = Scripted::new(alike(true), |_, command| match command {
            Command::Tool(_) => Err(ApiError::new(Code::Unreachable, "ci cannot be reached.")),
            other => panic!("nothing is sent: {other:?}"),
        });
        let line = [&["answer", "--same", "r2", "--yes"], said].concat();
        let failure = Trial::json().run(&desk, &line).await.unwrap_err().to_string();
        assert!(failure.contains("could not learn whether the tool"), "as the desk has it: {failure}");
        assert!(failure.contains("(ci cannot be reached)"), "and why: {failure}");
        assert!(failure.contains("answered by itself"), "{failure}");
    }
}

#[tokio::test]
async fn a_tool_that_may_destroy_something_and_one_that_is_like_no_other_are_refused() {
    let refused = async |desk: &Scripted| {
        let Failure::Api(error) = Trial::json().run(desk, &line(&["--yes"])).await.unwrap_err() else {
            panic!("it is from the closed list")
        };
        assert_eq!((error.code, sent(desk)), (Code::NotPossible, None));
        error.message
    };
    let message = refused(&desk(None, true)).await;
    assert!(message.contains("may destroy"), "{message}");
    let alone = desk(None, false);
    for id in [1, 3] {
        alone.world().requests.remove(&RequestId(id));
    }
    let message = refused(&alone).await;
    assert!(message.contains("without --same"), "{message}");
}
