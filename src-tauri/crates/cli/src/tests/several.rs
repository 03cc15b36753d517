//! `cancel`, `forget` and `tag` of several tasks: those that a filter means, and what is said before anything is done.

use serde_json::{Value, json};
use signalbox_api::command::{self, TaskOutcome};
use signalbox_api::{ApiError, Code, Command, Reply};
use signalbox_model::{CallId, Cancel, Outcome};

use super::desk::{Scripted, World, task};
use super::{Trial, at};
use crate::exit::Exit;

/// Two working tasks, one that was asked to be cancelled, a call without a task, and two that have ended.
fn world() -> World {
    let mut world = World::default();
    for id in 1..=6 {
        world.tasks.insert(CallId(id), task(id));
    }
    let wish = Cancel { requested_at: at("2026-07-28T10:00:06Z"), acknowledged_at: None };
    world.tasks.get_mut(&CallId(3)).unwrap().row.cancel = Some(wish);
    world.tasks.get_mut(&CallId(4)).unwrap().row.has_task = false;
    for id in [5, 6] {
        world.tasks.get_mut(&CallId(id)).unwrap().row.outcome = Some(Outcome::Ok);
    }
    world
}

/// A desk that does all of it, but with t2.
fn desk(world: World) -> Scripted {
    Scripted::new(world, |world, command| match command {
        Command::Find(find) => Ok(Reply::Found { calls: vec![find.text.parse().unwrap()] }),
        Command::Refresh(_) => {
            // Its server says now that it is over.
            world.tasks.get_mut(&CallId(1)).unwrap().row.outcome = Some(Outcome::Ok);
            Ok(Reply::Done)
        }
        Command::CancelTasks(command::CancelTasks { calls })
        | Command::ForgetTasks(command::ForgetTasks { calls })
        | Command::TagTasks(command::TagTasks { calls, .. }) => {
            let failure = |call: &CallId| {
                (*call == CallId(2)).then(|| ApiError::new(Code::AlreadyClosed, "it has ended"))
            };
            let outcomes = calls.iter().map(|call| TaskOutcome { call: *call, failure: failure(call) });
            Ok(Reply::Several { outcomes: outcomes.collect() })
        }
        other => panic!("{other:?}"),
    })
}

/// What the desk was told to do.
fn told(desk: &Scripted) -> Vec<Value> {
    let commands: Vec<Value> =
        desk.world().commands.iter().map(|command| serde_json::to_value(command).unwrap()).collect();
    commands.into_iter().filter(|command| command["type"].as_str().unwrap().ends_with("_tasks")).collect()
}

#[tokio::test]
async fn what_a_filter_means_is_said_first_and_done_once_it_is_confirmed() {
    let desk = desk(world());
    let trial = Trial::person(&["y"]);
    let exit = trial.run(&desk, &["cancel", "--filter", "tool:deploy"]).await.unwrap();
    assert_eq!(exit, Exit::Gone, "it ends as the first that failed would");
    let said = trial.err.text();
    for words in [
        "3 tasks can be cancelled.",
        "may still complete",
        "Of these, 1 is a call that no server has made a task yet",
        "because it has ended: 2 tasks.",
        "because somebody asked to cancel it before: 1 task.",
        "Cancel 3 tasks? [y/N] ",
        "t2: it has ended",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(told(&desk), [json!({"type": "cancel_tasks", "calls": ["t1", "t2", "t4"]})]);
    assert_eq!(trial.out.text(), "2 of 3 are cancelled, or their servers have the request to cancel.\n");
}

#[tokio::test]
async fn each_wish_says_which_kinds_it_is_about() {
    let table = [
        (vec!["forget"], "6 tasks match: 4 live, 2 ended.", "cannot be undone", "Forget 6 tasks? [y/N] "),
        (vec!["tag", "eu"], "6 tasks match: 4 live, 2 ended.", "Tags to put on: eu", "Tag 6 tasks? [y/N] "),
        (vec!["tag", "eu", "--remove"], "4 live, 2 ended.", "Tags to take off: eu", "Tag 6 tasks? [y/N] "),
    ];
    for (line, kinds, means, question) in table {
        let desk = desk(world());
        let trial = Trial::person(&["n"]);
        let line = [line.as_slice(), &["--filter", "tool:deploy"]].concat();
        assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Failed, "{line:?}");
        let said = trial.err.text();
        for words in [kinds, means, question, "nothing was done"] {
            assert!(said.contains(words), "{line:?}: {words}: {said}");
        }
        assert_eq!(told(&desk), [] as [Value; 0], "{line:?}");
    }
}

#[tokio::test]
async fn off_a_terminal_a_filter_takes_a_word_and_the_document_tells_of_each() {
    let desk = desk(world());
    let failure = Trial::json().run(&desk, &["cancel", "--filter", "tool:deploy"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::InputNeeded, "{failure}");
    assert_eq!(told(&desk), [] as [Value; 0], "nobody confirmed it");
    let trial = Trial::json();
    let exit = trial.run(&desk, &["cancel", "--filter", "tool:deploy", "--yes"]).await.unwrap();
    assert_eq!(exit, Exit::Gone);
    let document = trial.document();
    assert_eq!(
        (&document["done"], &document["failures"][0]["task"], &document["left"]),
        (&json!(["t1", "t4"]), &json!("t2"), &json!({"ended": 2, "asked": 1}))
    );
    let trial = Trial::json();
    trial.run(&desk, &["tag", "--filter", "tool:deploy", "eu", "--yes"]).await.unwrap();
    let done = trial.document();
    assert_eq!(done["done"], json!(["t1", "t3", "t4", "t5", "t6"]), "tags are for all: {done}");
    assert_eq!(done.get("left"), None, "it leaves none alone: {done}");
}

#[tokio::test]
async fn where_nothing_matches_nothing_is_asked() {
    for (line, words) in [
        (["cancel", "--filter", "tool:lint"], "no task here that can be cancelled"),
        (["forget", "--filter", "tool:lint"], "No task matches this filter."),
    ] {
        let desk = desk(world());
        let trial = Trial::person(&[]);
        assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
        assert!(trial.err.text().contains(words), "{}", trial.err.text());
        assert_eq!(told(&desk), [] as [Value; 0]);
    }
}

#[tokio::test]
async fn more_than_a_thousand_are_too_many() {
    let mut world = World::default();
    for id in 1..=1_001 {
        world.tasks.insert(CallId(id), task(id));
    }
    world.tasks.get_mut(&CallId(7)).unwrap().row.outcome = Some(Outcome::Ok);
    let desk = desk(world);
    let failure =
        Trial::text().run(&desk, &["forget", "--filter", "tool:deploy", "--yes"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    assert!(
        failure.to_string().contains("1001 tasks match") && failure.to_string().contains("narrow"),
        "{failure}"
    );
    assert_eq!(told(&desk), [] as [Value; 0]);
    let exit = Trial::text().run(&desk, &["cancel", "--filter", "tool:deploy", "--yes"]).await.unwrap();
    assert_eq!(exit, Exit::Gone, "those that have ended do not count: t2 refused, the others are done");
    assert_eq!(told(&desk)[0]["calls"].as_array().unwrap().len(), 1_000);
}

#[tokio::test]
async fn an_empty_filter_never_means_all() {
    for line in [["forget", "--yes", "--filter", ""], ["cancel", "--yes", "--filter", " "]] {
        let desk = desk(world());
        let failure = Trial::text().run(&desk, &line).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage, "a variable of a script may be empty: {failure}");
        assert_eq!(told(&desk), [] as [Value; 0]);
    }
}

#[tokio::test]
async fn without_an_owner_tasks_are_looked_at_before_they_are_filtered() {
    let desk = desk(world());
    let trial = Trial::text().owner();
    trial.run(&desk, &["cancel", "--filter", "tool:deploy", "--yes"]).await.unwrap();
    assert_eq!(told(&desk)[0]["calls"], json!(["t2", "t4"]), "t1 has ended by now");
}

#[tokio::test]
async fn tasks_and_tags_are_told_apart() {
    let desk = desk(world());
    let trial = Trial::json();
    trial.run(&desk, &["tag", "t1", "t5", "Release", "eu"]).await.unwrap();
    assert_eq!(trial.document(), json!({"done": ["t1", "t5"], "failures": []}));
    assert_eq!(
        told(&desk),
        [json!({"type": "tag_tasks", "calls": ["t1", "t5"], "add": ["Release", "eu"], "remove": []})]
    );
    for line in [
        &["tag", "t1", "t2"] as &[_],
        &["tag", "t1", "--remove"],
        &["tag", "t1", "t2", "--remove"],
        &["tag", "--filter", "tool:deploy", "t1"],
        &["tag", "--filter", "tool:deploy", "eu", "t1"],
    ] {
        let failure = Trial::text().run(&desk, line).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage, "{line:?}: {failure}");
    }
    assert_eq!(told(&desk).len(), 1, "none of these did anything");
}
