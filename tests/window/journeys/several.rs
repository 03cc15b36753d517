//! Tags and notes of one's own, and several tasks at once.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use super::Story;
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot;

/// A window on the list of two tasks that go on and one that has ended.
pub(super) async fn three_tasks() -> (Story, App) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    for tool in ["lint", "forever", "forever"] {
        drop(story.desktop.call("ci", tool, &json!({})).await);
    }
    story.pass(Duration::from_secs(5));
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "lint"), "tool error").await;
    (story, app)
}

#[tokio::test]
async fn a_tag_and_a_note_stay_with_their_task() {
    let (story, app) = three_tasks().await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.see(&spot::field("Add a tag")).await;
    app.keys("t").await;
    app.focused(&spot::field("Add a tag")).await;
    app.keys(&format!("Urgent{ENTER}")).await;
    app.see(&spot::named("Remove the tag urgent")).await;
    app.keys(&ESCAPE.to_string()).await;
    app.keys("i").await;
    app.keys("ask Ada first").await;
    app.keys(&ESCAPE.to_string()).await;

    // A press on the tag leaves what has it.
    app.press(&spot::text("urgent")).await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    app.see(&spot::entry("Tasks", "lint")).await;
    app.terminate().await;

    let shown = story.show("t1").await;
    assert_eq!((&shown["tags"], &shown["remark"]), (&json!(["urgent"]), &json!("ask Ada first")));
    let sent = format!("{:?}", story.demo.journal().entries());
    assert!(!sent.contains("urgent") && !sent.contains("Ada"), "no server hears of them");
}

#[tokio::test]
async fn all_that_are_shown_are_cancelled_and_then_forgotten() {
    let (story, app) = three_tasks().await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.control('a').await;
    app.read("3 tasks picked").await;
    app.keys("x").await;
    let dialog = spot::dialog("Cancel 2 tasks?");
    app.says(&dialog, "1 other has ended, and is not touched.").await;
    // Enter keeps them.
    app.keys(&ENTER.to_string()).await;
    app.gone(&dialog).await;
    assert!(story.demo.journal().requests("tasks/cancel").is_empty(), "nothing was asked");
    app.keys("x").await;
    app.press(&spot::button("Cancel 2 tasks").within(&dialog)).await;
    story.demo.received("tasks/cancel", 2).await;
    story.pass(Duration::from_secs(1));
    app.gone(&dialog).await;
    app.says(&spot::entry("Tasks", "forever"), "cancelled").await;

    app.control('a').await;
    app.read("3 tasks picked").await;
    app.button("Forget…").await;
    let dialog = spot::dialog("Forget 3 tasks?");
    app.says(&dialog, "3 of them have ended.").await;
    app.press(&spot::button("Forget 3 tasks").within(&dialog)).await;
    app.read("No tasks yet").await;
    app.terminate().await;
}

#[tokio::test]
async fn all_that_are_shown_are_tagged_and_then_saved_to_a_file() {
    let (story, app) = three_tasks().await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.control('a').await;
    app.read("3 tasks picked").await;
    app.button("Tag…").await;
    let dialog = spot::dialog("Tag 3 tasks");
    app.see(&dialog).await;
    app.keys(&format!("Friday{ENTER}")).await;
    app.gone(&dialog).await;
    for task in ["t1", "t2", "t3"] {
        assert_eq!(story.show(task).await["tags"], json!(["friday"]), "{task} has it");
    }

    app.button("Save as…").await;
    story.desktop.answer_dialog("Save").await;
    app.read("Saved 3 tasks.").await;
    let machine = &story.desktop.machine;
    let saved = [machine.path("tasks.jsonl"), machine.path("home").join("tasks.jsonl")];
    let saved = saved.iter().find_map(|file| fs::read_to_string(file).ok()).expect("it is saved");
    let tasks: Vec<Value> = saved.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(tasks.iter().any(|task| task["tool"] == "lint"), "one document a line: {saved}");
    app.terminate().await;
}

#[tokio::test]
async fn a_note_that_a_command_changes_meanwhile_is_not_overwritten_unseen() {
    let (story, app) = three_tasks().await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.see(&spot::field("Add a tag")).await;
    app.keys("i").await;
    app.keys("ask Ada").await;
    let note = ["note", "t1", "ask Cy"];
    let _ = story.desktop.machine.run(&note).await.ok();
    app.read("ask Cy").await;
    app.button("Keep mine").await;
    app.gone(&spot::button("Keep mine")).await;
    app.terminate().await;
    assert_eq!(story.show("t1").await["remark"], "ask Ada", "what stood there was seen first");
}
