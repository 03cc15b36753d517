//! The command `watch`.

use std::time::Duration;

use serde_json::Value;
use signalbox_api::{Code, Trouble};
use signalbox_model::{CallId, Outcome};
use tokio::time::Instant;

use super::Trial;
use super::desk::{SCHEMA, Scripted, World, request, task};
use crate::exit::Exit;

fn lines(trial: &Trial) -> Vec<Value> {
    trial
        .out
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is a document"))
        .collect()
}

/// Lets the command run until it has printed so many lines.
async fn printed(trial: &Trial, count: usize) {
    while trial.out.text().lines().count() < count {
        tokio::task::yield_now().await;
    }
}

fn two_tasks() -> Scripted {
    let mut world = World::default();
    world.tasks.extend([(CallId(1), task(1)), (CallId(2), task(2))]);
    Scripted::showing(world)
}

#[tokio::test]
async fn named_tasks_are_watched_until_all_have_ended() {
    let desk = two_tasks();
    let trial = Trial::json();
    let server = async {
        printed(&trial, 2).await;
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "fine"));
        printed(&trial, 3).await;
        desk.happens(|world| world.end(CallId(2), Outcome::ToolError, "bad"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["watch", "t1", "task-2"]), server);
    assert_eq!(exit.unwrap(), Exit::Failed, "one of them did not end well");
    let lines = lines(&trial);
    let seen: Vec<_> =
        lines.iter().map(|line| (line["task"]["id"].clone(), line["task"]["outcome"].clone())).collect();
    assert_eq!(
        serde_json::to_value(seen).unwrap(),
        serde_json::json!([["t1", null], ["t2", null], ["t1", "ok"], ["t2", "tool_error"]])
    );
    assert!(lines.iter().all(|line| line["epoch"] == 7 && line["seq"].is_u64()), "{lines:?}");
}

#[tokio::test]
async fn questions_of_a_watched_task_have_lines_of_their_own() {
    let desk = two_tasks();
    let trial = Trial::json();
    let server = async {
        printed(&trial, 1).await;
        desk.happens(|world| world.ask(request(1, 1, SCHEMA)));
        printed(&trial, 3).await;
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "fine"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["watch", "t1"]), server);
    assert_eq!(exit.unwrap(), Exit::Done);
    let lines = lines(&trial);
    assert_eq!(lines[1]["request"]["id"], "r1");
    assert_eq!(lines[2]["task"]["status"], "input_required");
    assert_eq!(lines[2]["task"]["inputRequests"][0]["id"], "r1");
}

/// The disk fills up and has room again: whoever waits hears each at once and once. No clock moves meanwhile.
pub(super) async fn full_for_a_while(desk: &Scripted, trial: &Trial) {
    let said = |text: &str| trial.err.text().matches(text).count();
    let hears = async |text: &str| {
        while said(text) == 0 {
            tokio::task::yield_now().await;
        }
    };
    let begun = Instant::now();
    let message = "the disk is full: nothing new can be stored".to_owned();
    desk.happens(|world| world.troubles.push(Trouble { code: Code::StorageFull, message, detail: None }));
    hears("the disk is full").await;
    desk.happens(|_| ());
    desk.happens(|world| world.troubles.clear());
    hears("is kept and shown again").await;
    assert_eq!(begun.elapsed(), Duration::ZERO, "it was said late");
    assert_eq!(said("the disk is full"), 1, "{}", trial.err.text());
}

#[tokio::test(start_paused = true)]
async fn that_nothing_can_be_kept_is_said_at_once_and_the_wait_goes_on() {
    let (desk, trial) = (two_tasks(), Trial::text());
    let server = async {
        full_for_a_while(&desk, &trial).await;
        desk.happens(|world| world.end(CallId(1), Outcome::Ok, "fine"));
    };
    let (exit, ()) = tokio::join!(trial.run(&desk, &["watch", "t1"]), server);
    assert_eq!(exit.unwrap(), Exit::Done, "what waited for room came in the end");
}

#[tokio::test(start_paused = true)]
async fn who_watches_everything_hears_of_a_full_disk_too() {
    let (desk, trial) = (two_tasks(), Trial::text());
    tokio::select! {
        exit = trial.run(&desk, &["watch"]) => panic!("it ended with {exit:?}"),
        () = full_for_a_while(&desk, &trial) => {}
    }
}

#[tokio::test]
async fn an_ended_task_is_told_at_once() {
    let desk = two_tasks();
    desk.happens(|world| world.end(CallId(1), Outcome::Ok, "fine"));
    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["watch", "t1"]).await.unwrap(), Exit::Done);
    assert!(trial.out.text().contains("done"), "{}", trial.out.text());
}

#[tokio::test]
async fn everything_begins_with_what_is_live() {
    let desk = two_tasks();
    desk.happens(|world| {
        world.end(CallId(2), Outcome::Ok, "long ago");
        world.ask(request(1, 1, SCHEMA));
    });
    let trial = Trial::json();
    let server = async {
        printed(&trial, 2).await;
        desk.happens(|world| drop(world.tasks.insert(CallId(3), task(3))));
        printed(&trial, 3).await;
        desk.happens(|world| world.end(CallId(3), Outcome::Ok, "fine"));
        printed(&trial, 4).await;
    };
    tokio::select! {
        exit = trial.run(&desk, &["watch"]) => panic!("without names it goes on: {exit:?}"),
        () = server => {}
    }
    let mut ids: Vec<_> = lines(&trial)
        .iter()
        .map(|line| line["task"]["id"].as_str().or(line["request"]["id"].as_str()).unwrap().to_owned())
        .collect();
    ids[..2].sort();
    assert_eq!(ids, ["r1", "t1", "t3", "t3"], "t2 had ended before and did not change");
}

#[tokio::test]
async fn more_tasks_than_a_view_gives_are_all_watched() {
    let mut world = World::default();
    world.tasks.extend((1..=1_100).map(|id| (CallId(id), task(id))));
    let desk = Scripted::showing(world);
    let trial = Trial::text();
    let server = async {
        printed(&trial, 1_100).await;
        desk.happens(|world| world.end(CallId(1_100), Outcome::Ok, "the last one"));
        printed(&trial, 1_101).await;
    };
    tokio::select! {
        exit = trial.run(&desk, &["watch"]) => panic!("without names it goes on: {exit:?}"),
        () = server => {}
    }
    assert!(trial.out.text().lines().last().unwrap().starts_with("t1100"), "only what changed is told");
}

#[tokio::test]
async fn what_ended_long_ago_costs_no_look() {
    let mut world = World::default();
    world.tasks.extend((1..=3_000).map(|id| (CallId(id), task(id))));
    for id in 1..=2_999 {
        world.end(CallId(id), Outcome::Ok, "long ago");
    }
    let desk = Scripted::showing(world);
    let trial = Trial::text();
    let server = async {
        printed(&trial, 1).await;
        desk.happens(|world| world.end(CallId(3_000), Outcome::Ok, "the last one"));
        printed(&trial, 2).await;
    };
    tokio::select! {
        exit = trial.run(&desk, &["watch"]) => panic!("without names it goes on: {exit:?}"),
        () = server => {}
    }
    assert_eq!(desk.looked_from(), [0], "one window of tasks is held, and none of those behind it");
}

#[tokio::test]
async fn more_tasks_by_name_than_an_owner_holds_looks_for_are_refused() {
    let mut world = World::default();
    world.tasks.extend((1..=33).map(|id| (CallId(id), task(id))));
    let desk = Scripted::showing(world);
    let names: Vec<String> = (1..=33).map(|id| format!("t{id}")).collect();
    let line: Vec<&str> = ["watch"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let failure = Trial::text().run(&desk, &line).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage, "{failure:?}");
}
