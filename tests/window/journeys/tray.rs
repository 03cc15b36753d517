//! The tray beside an open window.

use serde_json::json;

use super::background::story;
use super::owner::Owner;
use super::{APPROVAL, Story, open_question, open_questions};
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn a_tray_that_goes_and_comes_back_has_its_icon_again_and_the_window_does_not_mind() {
    let mut story = story().await;
    let app = story.open_on_the_queue().await;
    let first = Owner::of(&story);
    story.desktop.icon().await.says("Signalbox").await;
    story.desktop.tray_goes().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    assert_eq!(Owner::of(&story), first, "whoever follows the tasks goes on unseen");

    story.desktop.tray_comes().await;
    let mut icon = story.desktop.icon().await;
    icon.says("Signalbox: 1 question needs you").await;
    let line = icon.line("ci · ").await;
    icon.press(&line).await;
    app.see(&spot::heading(APPROVAL)).await;
    assert_eq!(Owner::of(&story), first, "it is the one that was there");
    app.terminate().await;
}

#[tokio::test]
async fn a_tray_that_went_takes_no_way_to_anything_with_it() {
    let mut story = story().await;
    let app = story.open_on_the_queue().await;
    let first = Owner::of(&story);
    story.desktop.tray_goes().await;
    story.desktop.close_front_window().await;
    app.says(&spot::dialog("Close Signalbox?"), "there is no tray here").await;
    app.ends_by(&spot::button("Close")).await;
    let looks = story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", looks + 2).await;
    assert!(first.runs() && Owner::of(&story) == first, "closing stops nothing: {first:?}");

    let app = story.desktop.open().await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.control('q').await;
    app.says(&spot::dialog("Quit Signalbox?"), "1 task goes on at its server").await;
    app.ends_by(&spot::button("Quit")).await;
    first.ends().await;
    assert_eq!(Owner::of(&story), first, "and nobody came after it");
}

#[tokio::test]
async fn where_the_tray_has_gone_closing_says_that_the_background_goes_on_unseen() {
    let mut story = story().await;
    let app = story.open_on_the_queue().await;
    let first = Owner::of(&story);
    story.desktop.tray_goes().await;
    let asked = spot::dialog("Close Signalbox?");
    story.desktop.close_front_window().await;
    app.says(&asked, "there is no tray here").await;
    // Quitting instead is asked about as ever.
    app.button("Quit").await;
    let quits = spot::dialog("Quit Signalbox?");
    app.says(&quits, "1 task goes on at its server").await;
    app.button("Stay").await;
    app.gone(&quits).await;
    story.desktop.close_front_window().await;
    app.says(&asked, "Nothing stops").await;
    app.button("Stay").await;
    app.gone(&asked).await;

    story.desktop.tray_comes().await;
    story.desktop.icon().await.says("Signalbox").await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    assert_eq!(Owner::of(&story), first, "with a tray closing costs nothing, not even a question");
    assert!(first.runs());
}

#[tokio::test]
async fn where_the_tray_came_after_the_window_closing_goes_on_there_unasked() {
    let mut story = Story::on(Desktop::start().await, json!({ "undoMs": 0 })).await;
    let app = story.open_on_the_queue().await;
    assert_eq!(Owner::of(&story).kind(), "window", "nothing would show a program in the background");
    story.desktop.tray_comes().await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    assert_eq!(Owner::of(&story).kind(), "serve", "the task is followed");
    story.desktop.icon().await.says("Signalbox").await;
}

#[tokio::test]
async fn quitting_in_the_tray_ends_the_open_window_too() {
    let story = story().await;
    let app = story.open_on_the_queue().await;
    let first = Owner::of(&story);
    let mut icon = story.desktop.icon().await;
    let quit = icon.line("Quit: 1 task goes on at its server").await;
    icon.press(&quit).await;
    app.ended_well().await;
    first.ends().await;
    assert_eq!(Owner::of(&story), first, "and nobody came after it");
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "quitting cancels nothing");
}

#[tokio::test]
async fn what_was_typed_last_survives_quitting_in_the_tray() {
    let story = story().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    let first = Owner::of(&story);
    let mut icon = story.desktop.icon().await;
    let quit = icon.line("Quit: 1 task goes on at its server").await;
    open_question(&app, APPROVAL).await;
    let rate = spot::field("Maximum error rate");
    app.fill(&rate, "1.5").await;
    // Before the pause after which typing is saved by itself.
    icon.press(&quit).await;
    app.ended_well().await;
    // A window that comes just then is told to close, too.
    first.ends().await;

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&rate, "1.5").await;
    app.terminate().await;
}
