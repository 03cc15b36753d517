use rustix::process::Signal;
use serde_json::{Value, json};
use signalbox_tests::said;

use super::owner::Owner;
use super::{Story, open_questions};
use crate::app::App;
use crate::desktop::Desktop;
use crate::page::ESCAPE;
use crate::spot;

const CLOSE: &str = "Close Signalbox?";
/// What the button for it begins with: behind it stands what is waited for.
const WAIT: &str = "Close when";
/// Polls within which whatever looks once a second has looked.
const A_WHILE: usize = 20;

/// What the dialog names as lost, line by line.
pub(super) async fn named(app: &App) -> Value {
    let script = "return [...document.querySelectorAll('[role=dialog] li')].map((line) => line.innerText)";
    app.0.execute(script, Vec::new()).await.unwrap()
}

#[tokio::test]
async fn closing_while_tasks_run_says_what_stops_and_staying_stops_nothing() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    let asked = spot::dialog("Close Signalbox?");
    story.desktop.close_front_window().await;
    app.says(&asked, "1 task is not over.").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    // Who stayed is asked anew, however soon.
    story.desktop.close_front_window().await;
    app.says(&asked, "1 task is not over.").await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&asked).await;
    let looks = story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", looks + 2).await;
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0);
    app.terminate().await;
}

#[tokio::test]
async fn serve_can_follow_on_when_the_window_closes() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    story.desktop.close_front_window().await;
    app.see(&spot::dialog("Close Signalbox?")).await;
    app.ends_by(&spot::button("Keep following")).await;

    // Somebody else owns the data directory now, and follows the task.
    let owner = Owner::of(&story);
    assert_eq!(owner.kind(), "serve", "{owner:?}");
    let looks = story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", looks + 2).await;
    assert_eq!(story.show("t1").await["status"], "working");
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;

    // When it leaves, the window takes over by itself.
    owner.signal(Signal::TERM);
    app.read("This window keeps the data").await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_window_without_live_tasks_closes_at_once() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    assert_eq!(story.demo.journal().requests("tools/call").len(), 0);
}

#[tokio::test]
async fn what_a_hand_over_would_lose_is_named_and_waited_for_and_nothing_is_lost() {
    let story = Story::begin().await;
    story.add_program().await;
    let app = story.open_on_the_queue().await;
    let window = Owner::of(&story);
    assert_eq!(window.kind(), "window", "no tray would show anybody else: {window:?}");
    story.desktop.call("lab", "deploy", &json!({ "service": "checkout" })).await;
    app.hear(&open_questions("1 open question")).await;
    let asked = spot::dialog(CLOSE);
    // Whoever wants to quit asks for the same here.
    app.control('q').await;
    app.says(&asked, "2 tasks are not over.").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    story.desktop.close_front_window().await;
    app.says(&asked, "1 ends with this window and cannot be resumed:").await;
    let lost = "lab · deploy (t2): its server is a program that this window runs";
    assert_eq!(named(&app).await, json!([lost]), "this one, and no other");
    app.says(&asked, "1 task goes on at its server").await;
    app.see(&spot::button("Keep following").within(&asked)).await;
    app.says(&spot::button(WAIT), "Close when lab · deploy has ended").await;
    story.desktop.picture("close-loses").await;
    app.button(WAIT).await;
    app.gone(&asked).await;
    let waits = "Signalbox closes when 1 task has ended.";
    app.read(waits).await;
    let polls = || story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", polls() + A_WHILE).await;
    app.read(waits).await;
    assert_eq!(Owner::of(&story), window, "it has not ended yet");

    let _ = story.desktop.machine.run(&["answer", "r1", "--decline"]).await.ok();
    app.ended_well().await;
    let ended = story.show("t2").await;
    assert_eq!(ended["outcome"], "ok", "it came to its own end: {ended}");
    assert_eq!(said(&ended), "Not deployed: the approval was declined.");
    assert_eq!(Owner::of(&story).kind(), "serve", "the other one is followed on");
    story.demo.received("tasks/get", polls() + 2).await;
    let goes_on = story.show("t1").await;
    assert_eq!((&goes_on["status"], &goes_on["tracking"]), (&json!("working"), &json!("live")), "{goes_on}");
    assert_eq!(story.demo.journal().requests("tools/call").len(), 1, "no call was repeated");
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "and none was cancelled");
}

/// A tray is there, but the person wants nothing in the background.
#[tokio::test]
async fn a_call_that_waits_is_named_and_the_window_closes_with_its_answer() {
    let settings = json!({ "undoMs": 0, "background": false });
    let story = Story::on(Desktop::with_tray().await, settings).await;
    let app = story.desktop.open().await;
    let window = Owner::of(&story);
    assert_eq!(window.kind(), "window", "as its person wishes: {window:?}");
    let gate = story.demo.faults().hold_reply("tools/call");
    let call = story.desktop.machine.start(&["call", "ci", "echo", "--args", r#"{"text":"for me"}"#]);
    story.demo.held(&gate, 1).await;

    let asked = spot::dialog(CLOSE);
    story.desktop.close_front_window().await;
    app.says(&asked, "1 task is not over.").await;
    let lost = "ci · echo (t1): the call waits for its answer on this window's connection";
    assert_eq!(named(&app).await, json!([lost]));
    let others = spot::button("Keep following").within(&asked);
    assert!(!app.has(&others).await, "it would lose all that there is");
    app.says(&spot::button(WAIT), "Close when ci · echo has ended").await;
    app.button(WAIT).await;
    app.read("Signalbox closes when 1 task has ended.").await;
    app.button("Do not close").await;
    app.gone(&spot::text("Signalbox closes when")).await;

    story.desktop.close_front_window().await;
    app.see(&asked).await;
    app.button(WAIT).await;
    app.gone(&asked).await;
    assert_eq!(Owner::of(&story), window, "it waits");
    gate.open();
    app.ended_well().await;
    let done = call.end().await.ok();
    assert_eq!(said(&done), "for me", "whoever called has its answer");
    let kept = story.show("t1").await;
    assert_eq!((&kept["outcome"], said(&kept)), (&json!("ok"), "for me"), "{kept}");
    assert_eq!(story.demo.journal().requests("tools/call").len(), 1, "it was called once");
}
