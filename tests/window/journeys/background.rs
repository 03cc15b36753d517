//! A desktop with a tray: the tasks are followed in the background, and the window comes and goes.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use signalbox_tests::signalbox;

use super::{APPROVAL, Story, open_question, open_questions};
use crate::app::start_again;
use crate::desktop::Desktop;
use crate::spot;

async fn story() -> Story {
    Story::on(Desktop::with_tray().await, json!({ "undoMs": 0 })).await
}

#[tokio::test]
async fn closing_the_window_stops_nothing_and_it_comes_back_as_it_was() {
    let story = story().await;
    // Its server is a program of whoever follows it.
    let program = signalbox();
    let line = ["server", "add", "lab", "--", program.to_str().unwrap(), "demo", "stdio"];
    let _ = story.desktop.machine.run(&line).await.ok();
    let app = story.desktop.open().await;
    let first = owner(&story);
    assert_eq!(first["kind"], "serve", "{first}");
    let task = story.desktop.call("lab", "forever", &json!({})).await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    // Before the pause after which typing is saved by itself.
    story.desktop.close_front_window().await;
    app.ended_well().await;

    assert_eq!(owner(&story), first, "nobody took over from anybody");
    let shown = story.show(task["id"].as_str().unwrap()).await;
    assert_eq!((&shown["status"], &shown["tracking"]), (&json!("working"), &json!("live")), "{shown}");

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&spot::field("Maximum error rate"), "1.5").await;
    app.terminate().await;
    assert_eq!(owner(&story), first, "it went on with the second window, too");
}

#[tokio::test]
async fn an_answer_that_is_held_when_the_window_closes_goes_out_at_its_time() {
    let story = Story::on(Desktop::with_tray().await, json!({ "undoMs": 1_500 })).await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.button("Review and send").await;
    app.button("Send").await;
    app.read("Sending in").await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    story.demo.received("tasks/update", 1).await;
    assert_eq!(story.demo.journal().taken().len(), 1, "once");
}

#[tokio::test]
async fn a_window_that_dies_and_an_owner_that_dies_under_it_lose_nothing() {
    let story = story().await;
    let app = story.open_on_the_queue().await;
    let first = owner(&story);
    app.kill().await;
    assert_eq!(owner(&story), first, "it does not mind");

    let app = story.desktop.open().await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    let looks = story.demo.journal().requests("tasks/get").len();
    kill(&first, Signal::KILL);
    let next = app
        .until("the next owner", async || {
            let next = owner(&story);
            // The window holds the lock for moments, to see who is to own it.
            (next["pid"] != first["pid"] && next["kind"] == "serve").then_some(next)
        })
        .await;
    assert!(runs(&next), "the window stays a guest: {next}");
    story.demo.received("tasks/get", looks + 2).await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    app.terminate().await;
}

#[tokio::test]
async fn quitting_says_what_stops_and_ends_all_of_it() {
    let story = story().await;
    let app = story.open_on_the_queue().await;
    let first = owner(&story);
    app.control('q').await;
    let asked = spot::dialog("Quit Signalbox?");
    app.says(&asked, "1 task goes on at its server").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    app.control('q').await;
    app.see(&asked).await;
    app.button("Quit").await;
    app.ended_well().await;
    assert!(!runs(&first), "it ended with the window");
    assert_eq!(owner(&story), first, "and nobody came after it");
}

#[tokio::test]
async fn where_the_person_wants_no_background_closing_asks() {
    let story = Story::on(Desktop::with_tray().await, json!({ "undoMs": 0, "background": false })).await;
    let app = story.open_on_the_queue().await;
    assert_eq!(owner(&story)["kind"], "window");
    story.desktop.close_front_window().await;
    app.says(&spot::dialog("Close Signalbox?"), "1 task is not over.").await;
    app.button("Stay").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_start_without_a_window_has_the_tasks_followed() {
    let story = story().await;
    start_again(&story.desktop.machine, &["--hidden"]).await;
    let first = owner(&story);
    assert_eq!(first["kind"], "serve", "{first}");
    start_again(&story.desktop.machine, &["--hidden"]).await;
    assert_eq!(owner(&story), first, "there is one already");
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    app.terminate().await;
}

#[tokio::test]
async fn an_owner_of_another_version_can_be_replaced() {
    let mut story = story().await;
    story.desktop.other_version().await;
    let other = owner(&story);
    let app = story.desktop.open().await;
    app.read("is another version of Signalbox").await;
    app.button("Restart the background program").await;
    let asked = spot::dialog("Restart the background program?");
    app.says(&asked, "nobody can ask it what it is doing").await;
    app.button("Restart").await;
    app.see(&spot::place("Inbox")).await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    assert_ne!(owner(&story)["pid"], other["pid"]);
    app.terminate().await;
}

/// Who owns the data directory, or did last, as its lock file says.
fn owner(story: &Story) -> Value {
    let lock = story.desktop.machine.data().join("owner.lock");
    serde_json::from_slice(&fs::read(lock).unwrap()).unwrap_or_default()
}

fn kill(owner: &Value, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(owner["pid"].as_u64().unwrap()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

fn runs(owner: &Value) -> bool {
    fs::read(format!("/proc/{}/cmdline", owner["pid"])).is_ok_and(|line| !line.is_empty())
}
