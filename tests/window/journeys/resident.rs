//! A program that outlives its window, as on macOS and Windows. It is tried here, where no icon of its own shows it.

use std::process::Stdio;

use serde_json::json;
use signalbox_tests::soon;

use super::owner::Owner;
use super::{APPROVAL, Story, open_question, open_questions};
use crate::app::{App, program, start_again};
use crate::desktop::Desktop;
use crate::page::look_again;
use crate::spot;

const STAYS: &str = "--outlives-window";

pub(super) async fn shows(desktop: &Desktop, windows: usize) {
    let shown = async {
        while desktop.windows().await != windows {
            look_again().await;
        }
    };
    soon(&format!("{windows} windows on the display"), shown).await;
}

#[tokio::test]
async fn closing_the_window_stops_nothing_and_keeps_what_was_typed() {
    let story = Story::on(Desktop::start().await, json!({ "undoMs": 0 })).await;
    story.add_program().await;
    let app = App::start(&story.desktop, &[STAYS]).await;
    let first = Owner::of(&story);
    assert_eq!(first.kind(), "window", "{first:?}");
    let task = story.desktop.call("lab", "forever", &json!({})).await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    // Before the pause after which typing is saved by itself.
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    story.desktop.close_front_window().await;
    shows(&story.desktop, 0).await;

    assert!(first.runs(), "it goes on, and nothing was asked");
    let shown = story.show(task["id"].as_str().unwrap()).await;
    assert_eq!((&shown["status"], &shown["tracking"]), (&json!("working"), &json!("live")), "{shown}");
    let asked = story.show("r1").await;
    let typed = json!(["max_error_rate", "1.5"]);
    assert!(asked["draft"]["fields"].as_array().is_some_and(|fields| fields.contains(&typed)), "{asked}");

    // Who ends it is told what stops, and it ends well.
    let machine = &story.desktop.machine;
    assert_eq!(machine.run(&["quit", "--yes"]).await.ok()["stops"]["lost"], json!(1));
    app.ended_well().await;
    assert!(!first.runs());
}

#[tokio::test]
async fn a_hidden_start_has_no_window_until_somebody_wishes_for_one() {
    let story = Story::on(Desktop::start().await, json!({ "undoMs": 0 })).await;
    let (desktop, machine) = (&story.desktop, &story.desktop.machine);
    let mut hidden = machine.command(&program());
    hidden.args([STAYS, "--hidden"]).stdin(Stdio::null()).kill_on_drop(true);
    let mut hidden = hidden.spawn().unwrap();
    let owns = async {
        while !machine.data().join("owner.lock").exists() || Owner::of(&story).kind() != "window" {
            look_again().await;
        }
    };
    soon("the owner of the data directory", owns).await;
    let first = Owner::of(&story);
    start_again(machine, &[STAYS, "--hidden"]).await;
    story.deploy("checkout").await;
    let asked = async {
        while machine.run(&["show", "r1"]).await.code != Some(0) {
            look_again().await;
        }
    };
    soon("the task's question", asked).await;
    assert_eq!(desktop.windows().await, 0, "nobody wishes for a window, and tasks are followed");

    // As often as somebody wishes for it.
    for wish in [&["open", "r1"][..], &["focus"], &["next"]] {
        drop(machine.run(wish).await.exits(0));
        shows(desktop, 1).await;
        desktop.close_front_window().await;
        shows(desktop, 0).await;
        assert_eq!(Owner::of(&story), first);
    }
    start_again(machine, &[]).await;
    shows(desktop, 1).await;
    // A wish in the moment in which it goes.
    desktop.close_front_window().await;
    start_again(machine, &[]).await;
    shows(desktop, 1).await;
    drop(machine.run(&["quit", "--yes"]).await.exits(0));
    let ended = soon("the end of the program", hidden.wait()).await.unwrap();
    assert!(ended.success(), "{ended}");
    shows(desktop, 0).await;
}

#[tokio::test]
async fn a_hidden_start_says_where_its_data_cannot_be_opened() {
    let desktop = Desktop::start().await;
    let machine = &desktop.machine;
    std::fs::create_dir_all(machine.data()).unwrap();
    std::fs::write(machine.data().join("signalbox.db"), "not a database".repeat(100)).unwrap();
    let mut hidden = machine.command(&program());
    hidden.args([STAYS, "--hidden"]).stdin(Stdio::null()).kill_on_drop(true);
    let mut hidden = hidden.spawn().unwrap();
    shows(&desktop, 1).await;
    // There is nothing to go on with.
    desktop.close_front_window().await;
    let ended = soon("the end of the program", hidden.wait()).await.unwrap();
    assert!(ended.success(), "{ended}");
}

#[tokio::test]
async fn where_it_is_not_to_go_on_it_asks_and_ends_with_its_window() {
    let story = Story::on(Desktop::start().await, json!({ "undoMs": 0, "background": false })).await;
    let app = App::start(&story.desktop, &[STAYS]).await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    story.desktop.close_front_window().await;
    app.see(&spot::dialog("Close Signalbox?")).await;
    app.ends_by(&spot::button("Close")).await;
    assert!(!Owner::of(&story).runs());
}

#[tokio::test]
async fn quitting_in_the_page_is_asked_about_as_that() {
    let story = Story::on(Desktop::start().await, json!({ "undoMs": 0 })).await;
    story.add_program().await;
    let app = App::start(&story.desktop, &[STAYS]).await;
    story.desktop.call("lab", "forever", &json!({})).await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    app.control('q').await;
    let asked = spot::dialog("Quit Signalbox?");
    app.says(&asked, "1 ends with Signalbox and cannot be resumed").await;
    app.says(&asked, "1 task goes on at its server").await;
    assert!(!app.has(&spot::button("Keep following").within(&asked)).await, "nothing would show it there");
    story.desktop.picture("quit-loses").await;
    app.ends_by(&spot::button("Quit").within(&asked)).await;
    assert!(!Owner::of(&story).runs());
}
