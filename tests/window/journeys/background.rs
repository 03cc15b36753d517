//! A desktop with a tray: the tasks are followed in the background, and the window comes and goes.

use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;
use serde_json::json;
use signalbox_tests::signalbox;

use super::owner::Owner;
use super::{APPROVAL, Story, open_question, open_questions};
use crate::app::start_again;
use crate::desktop::Desktop;
use crate::spot;

/// The next owner is there within this time after the death of one.
const NEXT_OWNER: SignedDuration = SignedDuration::from_secs(2);

pub(super) async fn story() -> Story {
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
    let first = Owner::of(&story);
    assert_eq!(first.kind(), "serve", "{first:?}");
    assert!(!first.environment().contains("JSC_"), "the window has that for its own page alone");
    let task = story.desktop.call("lab", "forever", &json!({})).await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    // Before the pause after which typing is saved by itself.
    story.desktop.close_front_window().await;
    app.ended_well().await;

    assert_eq!(Owner::of(&story), first, "nobody took over from anybody");
    let shown = story.show(task["id"].as_str().unwrap()).await;
    assert_eq!((&shown["status"], &shown["tracking"]), (&json!("working"), &json!("live")), "{shown}");

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&spot::field("Maximum error rate"), "1.5").await;
    app.terminate().await;
    assert_eq!(Owner::of(&story), first, "it went on with the second window, too");
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
async fn a_window_that_dies_takes_nothing_with_it() {
    let story = story().await;
    let app = story.desktop.open().await;
    let first = Owner::of(&story);
    let task = story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    let rate = spot::field("Maximum error rate");
    app.fill(&rate, "1.5").await;
    app.read("Draft saved").await;
    app.kill().await;
    assert_eq!(Owner::of(&story), first, "it does not mind");
    assert!(first.runs(), "it goes on");
    let shown = story.show(&task).await;
    assert_eq!(shown["tracking"], "live", "and so does what it follows: {shown}");

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&rate, "1.5").await;
    assert!(story.demo.taken("approval").is_empty(), "what is half typed goes nowhere");
    app.terminate().await;
}

#[tokio::test]
async fn an_owner_that_dies_under_the_window_has_a_successor_and_nothing_is_lost() {
    let story = story().await;
    let app = story.open_on_the_queue().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    let first = Owner::of(&story);
    let looks = story.demo.journal().requests("tasks/get").len();
    let died = Timestamp::now();
    first.signal(Signal::KILL);
    let (next, at) = first.next(&story).await;
    let took = at.duration_since(died);
    assert!(took < NEXT_OWNER, "the next owner was there after {took:?}");
    assert!(next.runs(), "the window stays a guest: {next:?}");

    // The window goes on, with all that was there.
    story.demo.received("tasks/get", looks + 2).await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    open_question(&app, APPROVAL).await;
    app.button("Review and send").await;
    app.button("Send").await;
    story.demo.received("tasks/update", 1).await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    assert_eq!(story.demo.journal().requests("tools/call").len(), 2, "no call was repeated");
    app.terminate().await;
}

#[tokio::test]
async fn quitting_says_what_stops_and_ends_all_of_it() {
    let story = story().await;
    let app = story.open_on_the_queue().await;
    let first = Owner::of(&story);
    app.control('q').await;
    let asked = spot::dialog("Quit Signalbox?");
    app.says(&asked, "1 task goes on at its server").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    app.control('q').await;
    app.see(&asked).await;
    app.button("Quit").await;
    app.ended_well().await;
    assert!(!first.runs(), "it ended with the window");
    assert_eq!(Owner::of(&story), first, "and nobody came after it");
}

#[tokio::test]
async fn where_the_person_wants_no_background_closing_asks() {
    let story = Story::on(Desktop::with_tray().await, json!({ "undoMs": 0, "background": false })).await;
    let app = story.open_on_the_queue().await;
    assert_eq!(Owner::of(&story).kind(), "window");
    story.desktop.close_front_window().await;
    app.says(&spot::dialog("Close Signalbox?"), "1 task is not over.").await;
    app.button("Stay").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_start_without_a_window_has_the_tasks_followed() {
    let story = story().await;
    start_again(&story.desktop.machine, &["--hidden"]).await;
    let first = Owner::of(&story);
    assert_eq!(first.kind(), "serve", "{first:?}");
    start_again(&story.desktop.machine, &["--hidden"]).await;
    assert_eq!(Owner::of(&story), first, "there is one already");
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    app.terminate().await;
}

#[tokio::test]
async fn an_owner_of_another_version_can_be_replaced() {
    let mut story = story().await;
    story.desktop.other_version().await;
    let other = Owner::of(&story);
    let app = story.desktop.open().await;
    app.read("is another version of Signalbox").await;
    app.button("Restart the background program").await;
    let asked = spot::dialog("Restart the background program?");
    app.says(&asked, "nobody can ask it what it is doing").await;
    app.button("Restart").await;
    app.see(&spot::place("Inbox")).await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    assert_ne!(Owner::of(&story).pid(), other.pid());
    app.terminate().await;
}
