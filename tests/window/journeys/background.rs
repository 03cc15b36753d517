//! A desktop with a tray: the tasks are followed in the background, and the window comes and goes.

use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;
use serde_json::{Value, json};
use signalbox_tests::{Running, signalbox, soon};

use super::closing::named;
use super::owner::Owner;
use super::resident::shows;
use super::{APPROVAL, Story, decided, open_question, open_questions};
use crate::app::{App, start_again};
use crate::desktop::Desktop;
use crate::page::look_again;
use crate::spot::{self, Spot};

/// The next owner is there within this time after the death of one.
const NEXT_OWNER: SignedDuration = SignedDuration::from_secs(2);

pub(super) async fn story() -> Story {
    Story::on(Desktop::with_tray().await, json!({ "undoMs": 0 })).await
}

#[tokio::test]
async fn closing_the_window_stops_nothing_and_it_comes_back_as_it_was() {
    let story = story().await;
    story.add_program().await;
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

/// No driver holds the window that the icon opens: what it shows is known by what its keys do.
#[tokio::test]
async fn show_in_the_tray_opens_the_window_with_what_was_half_typed() {
    let story = story().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.choose(&spot::field("Rollout"), "All at once").await;
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    assert_eq!(story.desktop.windows().await, 0, "it is gone");

    let mut icon = story.desktop.icon().await;
    let show = icon.line("Show Signalbox").await;
    icon.press(&show).await;
    story.desktop.press_until(&["1", "Return"], || !story.demo.taken("approval").is_empty()).await;
    let content = json!({ "approved": true, "rollout": "all_at_once", "max_error_rate": 1.5 });
    assert_eq!(story.demo.taken("approval"), [json!({ "action": "accept", "content": content })]);
    assert_eq!(story.desktop.windows().await, 1, "one window");
    story.desktop.close_front_window().await;
    shows(&story.desktop, 0).await;
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
    open_question(&app, APPROVAL).await;
    let rate = spot::field("Maximum error rate");
    let first = Owner::of(&story);
    let looks = story.demo.journal().requests("tasks/get").len();
    // Half typed, and before the pause after which typing is saved by itself.
    app.fill(&rate, "1.5").await;
    let died = Timestamp::now();
    first.signal(Signal::KILL);
    let (next, at) = first.next(&story).await;
    let took = at.duration_since(died);
    assert!(took < NEXT_OWNER, "the next owner was there after {took:?}");
    assert!(next.runs(), "the window stays a guest: {next:?}");

    // The window goes on, with all that was there.
    app.read("Draft saved").await;
    app.holds(&rate, "1.5").await;
    story.demo.received("tasks/get", looks + 2).await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&rate, "1.5").await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    let again = story.desktop.machine.run(&["answer", "r1", "--decline"]).await;
    assert_ne!(again.code, Some(0), "once is all: {again}");
    let taken = story.demo.taken("approval");
    assert_eq!((taken.len(), &taken[0]["content"]["max_error_rate"]), (1, &json!(1.5)), "{taken:?}");
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
    app.ends_by(&spot::button("Quit")).await;
    assert!(!first.runs(), "it ended with the window");
    assert_eq!(Owner::of(&story), first, "and nobody came after it");
}

#[tokio::test]
async fn quitting_names_what_is_lost_and_the_next_start_says_that_it_was() {
    let story = story().await;
    story.add_program().await;
    let app = story.desktop.open().await;
    let first = Owner::of(&story);
    story.desktop.call("lab", "forever", &json!({})).await;
    let gate = story.demo.faults().hold_reply("tools/call");
    let call = story.desktop.machine.start(&["call", "ci", "echo", "--args", r#"{"text":"for me"}"#]);
    story.demo.held(&gate, 1).await;
    // Whoever follows it goes on waiting for its answer.
    call.kill().await;

    let asked = spot::dialog("Quit Signalbox?");
    let lost = json!([
        "ci · echo (t2): the call waits for its answer on the background program's connection",
        "lab · forever (t1): its server is a program that the background program runs",
    ]);
    app.control('q').await;
    app.says(&asked, "2 end with the background program and cannot be resumed:").await;
    assert_eq!(in_order(named(&app).await), lost);
    app.button("Stay").await;
    app.gone(&asked).await;
    assert!(first.runs() && Owner::of(&story) == first, "it goes on: {first:?}");
    for task in ["t1", "t2"] {
        let shown = story.show(task).await;
        assert_eq!((&shown["status"], &shown["outcome"]), (&json!("working"), &json!(null)), "{shown}");
    }

    app.control('q').await;
    app.see(&asked).await;
    assert_eq!(in_order(named(&app).await), lost, "and it was told nothing else before");
    app.ends_by(&spot::button("Quit")).await;
    first.ends().await;
    assert_eq!(Owner::of(&story), first, "nobody came after it");

    let app = story.desktop.open().await;
    app.go("Tasks").await;
    for (task, outcome, advice) in [
        ("forever", "lost", "Check on the server what became of it before you run it again."),
        ("echo", "unknown", "Check on the server whether it ran before you run it again."),
    ] {
        app.says(&spot::entry("Tasks", task), outcome).await;
        app.press(&spot::entry("Tasks", task)).await;
        app.says(&spot::region("Task"), advice).await;
    }
    gate.open();
    assert_eq!(story.demo.journal().requests("tools/call").len(), 1, "nothing is called again by itself");
    app.terminate().await;
}

/// The same lines in the order of their words.
fn in_order(mut lines: Value) -> Value {
    lines.as_array_mut().unwrap().sort_by_key(ToString::to_string);
    lines
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
async fn who_switches_the_background_off_has_the_window_follow_after_quitting() {
    let story = story().await;
    let app = story.desktop.open().await;
    let first = Owner::of(&story);
    app.go("Settings").await;
    let name = "Go on in the background when the window closes";
    app.press(&Spot(format!("//label[normalize-space(.)='{name}']/input"))).await;
    app.read("Saved").await;
    assert_eq!(Owner::of(&story), first, "whoever follows goes on until then");
    app.ends_by(&spot::button("Quit Signalbox")).await;
    assert!(!first.runs(), "nothing would be lost, so nothing is asked");

    let app = story.open_on_the_queue().await;
    assert_eq!(Owner::of(&story).kind(), "window");
    story.desktop.close_front_window().await;
    app.says(&spot::dialog("Close Signalbox?"), "1 task is not over.").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_start_without_a_window_has_the_tasks_followed() {
    let story = story().await;
    start_again(&story.desktop.machine, &["--hidden"]).await;
    let first = Owner::of(&story);
    assert_eq!(first.kind(), "serve", "{first:?}");
    first.knows_of_no_window();
    start_again(&story.desktop.machine, &["--hidden"]).await;
    assert_eq!(Owner::of(&story), first, "there is one already");
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_second_start_while_only_the_background_runs_opens_a_window_at_what_it_names() {
    let story = story().await;
    start_again(&story.desktop.machine, &["--hidden"]).await;
    let first = Owner::of(&story);
    story.deploy("checkout").await;
    let asked = async {
        while story.desktop.machine.run(&["show", "r1"]).await.code != Some(0) {
            look_again().await;
        }
    };
    soon("the question", asked).await;

    let app = App::start(&story.desktop, &["--open", "r1"]).await;
    app.see(&spot::heading(APPROVAL)).await;
    assert_eq!(Owner::of(&story), first, "the window is a guest");
    start_again(&story.desktop.machine, &["--hidden"]).await;
    start_again(&story.desktop.machine, &["--open", "t1"]).await;
    app.says(&spot::region("Task"), "waiting for approval").await;
    assert_eq!(story.desktop.windows().await, 1, "one data directory, one window");
    app.terminate().await;
    assert!(first.runs() && Owner::of(&story) == first, "it goes on without: {first:?}");
    assert!(story.demo.taken("approval").is_empty(), "showing a question answers nothing");
}

#[tokio::test]
async fn an_owner_of_another_version_can_be_replaced() {
    let mut story = story().await;
    story.desktop.other_version().await;
    let other = Owner::of(&story);
    let app = story.desktop.open().await;
    app.read("is another version of Signalbox").await;
    // One window is enough to say so: the next start ends, and this one is in front.
    start_again(&story.desktop.machine, &[]).await;
    app.button("Restart the background program").await;
    let asked = spot::dialog("Restart the background program?");
    app.says(&asked, "nobody can ask it what it is doing").await;
    app.says(&asked, "kept for one run only").await;
    app.button("Not now").await;
    app.gone(&asked).await;
    assert!(other.runs() && Owner::of(&story) == other, "nobody agreed to that: {other:?}");
    app.button("Restart the background program").await;
    app.see(&asked).await;
    app.button("Restart").await;
    app.see(&spot::place("Inbox")).await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;
    let ours = Owner::of(&story);
    assert!(!other.runs() && ours.runs() && ours.kind() == "serve", "{other:?}, {ours:?}");
    // It can be asked now.
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    start_again(&story.desktop.machine, &[]).await;
    app.terminate().await;
}

#[tokio::test]
async fn an_owner_that_an_update_left_behind_is_replaced_unasked_where_nothing_is_lost() {
    let story = story().await;
    let before = update_leaves_behind(&story).await;
    let first = Owner::of(&story);
    let app = story.open_on_the_queue().await;
    app.read("The background program is Signalbox 0.0.1, older than this window").await;
    app.button("Restart the background program").await;
    let _ = before.end().await.exits(0);
    let looks = story.demo.journal().requests("tasks/get").len();
    let (next, _) = first.next(&story).await;
    app.gone(&spot::button("Restart the background program")).await;
    story.demo.received("tasks/get", looks + 2).await;
    assert!(next.runs(), "the task at its server is followed on: {next:?}");
    app.terminate().await;
}

#[tokio::test]
async fn an_owner_that_an_update_left_behind_says_what_would_be_lost_with_it() {
    let story = story().await;
    story.add_program().await;
    let before = update_leaves_behind(&story).await;
    let first = Owner::of(&story);
    let app = story.desktop.open().await;
    story.desktop.call("lab", "forever", &json!({})).await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.button("Restart the background program").await;
    let asked = spot::dialog("Restart the background program?");
    app.says(&asked, "lab · forever").await;
    app.button("Not now").await;
    app.gone(&asked).await;
    assert!(first.runs() && Owner::of(&story) == first, "nobody agreed to that: {first:?}");
    app.button("Restart the background program").await;
    app.see(&asked).await;
    app.button("Restart").await;
    let _ = before.end().await.exits(0);
    let (next, _) = first.next(&story).await;
    assert!(next.runs(), "{next:?}");
    app.terminate().await;
}

/// What follows the tasks is a `serve` of a version before this one, which speaks the same protocol.
async fn update_leaves_behind(story: &Story) -> Running {
    let mut serve = story.desktop.machine.command(&signalbox());
    serve.args(["--json", "serve", "--tray"]).env("SIGNALBOX_TEST_VERSION", "0.0.1");
    let mut serve = Running::start(serve);
    assert_eq!(serve.line().await.expect("it says when it is ready")["ready"], true);
    serve
}
