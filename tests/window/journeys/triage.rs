//! A person at speed: what is put off comes back, what expires is told in time, a notification is three keys from its answer,
//! and the next question is always there.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use signalbox_demo::{Demo, Wires};

use super::{APPROVAL, Story, TO_THE_APPROVAL, decided, open_questions};
use crate::app::App;
use crate::desktop::Desktop;
use crate::page::ENTER;
use crate::spot;

#[tokio::test]
async fn what_is_snoozed_leaves_the_list_and_comes_back_with_a_notification() {
    let story = Story::on(Desktop::on_its_own_time().await, json!({ "undoMs": 0 })).await;
    story.desktop.machine.goes_on();
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    story.deploy("checkout").await;
    notices.shown(1).await;
    story.deploy("payments").await;
    notices.shown(2).await;
    app.hear(&open_questions("2 open questions")).await;

    // `h`, Enter: it is put off for an hour, and the next one comes by itself.
    app.go("Inbox").await;
    let question = spot::region("Question");
    app.says(&question, "checkout latest is ready").await;
    app.keys("h").await;
    app.focused(&spot::button("In 1 hour")).await;
    app.keys(&ENTER.to_string()).await;
    app.says(&question, "payments latest is ready").await;
    app.hear(&open_questions("1 open question")).await;
    app.press(&spot::tab("Snoozed")).await;
    app.press(&spot::entry("Questions", APPROVAL)).await;
    app.says(&question, "checkout latest is ready").await;
    app.says(&question, "comes back").await;

    // The window shows something else when it is back.
    app.go("Tasks").await;
    story.desktop.machine.passes(Duration::from_secs(60 * 60));
    let shown = notices.shown(3).await;
    assert_eq!(shown[2]["summary"], "ci · deploy needs you", "it is back, and says so");
    assert!(shown[2]["body"].as_str().unwrap().contains("checkout"), "{}", shown[2]);
    app.hear(&open_questions("2 open questions")).await;
    notices.click(&shown[2]["id"], "review").await;
    app.says(&question, "checkout latest is ready").await;
    assert!(story.demo.taken("approval").is_empty(), "its server has heard nothing of all that");
    app.terminate().await;
}

#[tokio::test]
async fn a_question_that_expires_soon_is_told_in_time() {
    // On the legacy wire a task lives as long as its caller wishes.
    let builder = Demo::builder().wires(Wires::Legacy);
    let story = Story::around(Desktop::on_its_own_time().await, builder, json!({ "undoMs": 0 })).await;
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    let call =
        ["call", "ci", "deploy", "--args", r#"{"service":"checkout"}"#, "--ttl", "1800000", "--detach"];
    drop(story.desktop.machine.run(&call).await.ok());
    story.pass(TO_THE_APPROVAL);
    let first = notices.shown(1).await;
    assert_eq!(first[0]["summary"], "ci · deploy needs you");
    story.desktop.machine.passes(Duration::from_secs(25 * 60));
    let shown = notices.shown(2).await;
    assert_eq!(shown[1]["summary"], "ci · deploy needs you: it expires soon");
    assert!(shown[1]["body"].as_str().unwrap().starts_with(APPROVAL), "{}", shown[1]);
    notices.click(&shown[1]["id"], "review").await;
    app.see(&spot::heading(APPROVAL)).await;
    app.press(&spot::tab("Expiring")).await;
    app.see(&spot::entry("Questions", APPROVAL)).await;
    app.terminate().await;
}

#[tokio::test]
async fn from_a_notification_it_is_three_keys_to_the_receipt_of_a_yes_or_no() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    drop(story.desktop.call("ci", "confirm", &json!({ "volume": "tank" })).await);
    let shown = notices.shown(1).await;
    notices.click(&shown[0]["id"], "review").await;
    three_keys(&app).await;
    decided(&app, "accepted by you").await;
    app.says(&spot::region("Question"), "Taken").await;
    assert_eq!(story.demo.taken("sure"), [json!({ "action": "accept", "content": { "sure": true } })]);
    app.terminate().await;
}

#[tokio::test]
async fn after_three_keys_the_next_question_is_there_and_the_undo_beside_it() {
    let story = Story::with(json!({ "undoMs": 60_000 })).await;
    story.desktop.machine.goes_on();
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    story.deploy("checkout").await;
    notices.shown(1).await;
    drop(story.desktop.call("ci", "confirm", &json!({ "volume": "tank" })).await);
    let shown = notices.shown(2).await;
    notices.click(&shown[1]["id"], "review").await;
    three_keys(&app).await;
    let (question, last) = (spot::region("Question"), spot::section("Your last answer"));
    app.says(&question, "checkout latest is ready").await;
    app.see(&last).await;
    app.says(&last, "accepted").await;
    app.says(&last, TANK).await;
    app.drawn().await;
    story.desktop.picture("undo-beside-the-next").await;
    let over = app.0.execute(OVER, Vec::new()).await.unwrap();
    assert_eq!(over, json!([]), "the undo hides nothing that can be pressed");
    assert_eq!(story.demo.taken("sure"), [] as [Value; 0], "nothing has left");

    // It is one key away, and leads back to its question.
    app.keys("u").await;
    app.see(&spot::heading(TANK)).await;
    app.gone(&last).await;
    app.hear(&open_questions("2 open questions")).await;
    app.terminate().await;
}

const TANK: &str = "Delete volume tank? This cannot be undone.";
/// What can be pressed or filled in, and lies in sight below the undo of the last answer.
const OVER: &str = "
    const toast = document.querySelector('[aria-label=\"Your last answer\"]');
    return [...document.querySelectorAll('button, input, select, [role=option], [role=tab]')]
        .filter((control) => !toast.contains(control) && control.checkVisibility())
        .filter((control) => {
            const { left, top, width, height } = control.getBoundingClientRect();
            return width > 1 && toast.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        })
        .map((control) => control.innerText);";

/// Space ticks the yes that has the focus, `1` reviews, Enter sends.
async fn three_keys(app: &App) {
    app.see(&spot::heading(TANK)).await;
    app.until("the focus to be in the form", async || {
        let tag = app.0.active_element().await.ok()?.tag_name().await.ok()?;
        (tag == "input").then_some(())
    })
    .await;
    let keys = [' ', '1', ENTER];
    for key in keys {
        app.keys(&key.to_string()).await;
        if key == '1' {
            app.see(&spot::dialog("Send this answer?")).await;
        }
    }
}

/// So many questions wait.
const MANY: usize = 100;

/// From now on each frame is looked at: does the question's pane have its message?
const WATCH: &str = "
    window.seen = { frames: 0, empty: 0 };
    const pane = () => document.querySelector('[role=region][aria-label=Question]');
    const look = () => {
        window.seen.frames += 1;
        if (!pane()?.textContent.includes('is ready to go')) window.seen.empty += 1;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);";

#[tokio::test]
#[expect(clippy::print_stdout, reason = "these are its figures")]
async fn n_goes_through_a_hundred_questions_and_no_frame_is_without_one() {
    let story = Story::at_speed().await;
    let app = story.desktop.open().await;
    for n in 0..MANY {
        drop(story.desktop.call("ci", "deploy", &json!({ "service": format!("svc-{n:03}") })).await);
    }
    story.pass(TO_THE_APPROVAL);
    app.hear(&open_questions(&format!("{MANY} open questions"))).await;
    app.go("Inbox").await;
    app.see(&spot::heading(APPROVAL)).await;
    app.0.execute(WATCH, Vec::new()).await.unwrap();

    // After an answer the next one slides in.
    let mut last = another(&app, "").await;
    let mut met = BTreeSet::from([last.clone()]);
    app.keys("3").await;
    for _ in 1..MANY {
        last = another(&app, &last).await;
        met.insert(last.clone());
        // Nobody has read it within one frame.
        app.drawn().await;
        app.keys("n").await;
    }
    assert_eq!(met.len(), MANY, "each of them was shown");
    let seen = app.0.execute("return window.seen", Vec::new()).await.unwrap();
    println!("{} frames looked at, {} without a message", seen["frames"], seen["empty"]);
    assert_eq!(seen["empty"], 0, "of {} frames", seen["frames"]);
    assert!(seen["frames"].as_u64().unwrap() > MANY as u64, "frames were looked at: {seen}");
    app.terminate().await;
}

/// Waits until the pane shows the question of another service than this; which one.
async fn another(app: &App, last: &str) -> String {
    const SHOWN: &str = "return document.querySelector('[role=region][aria-label=Question]')?.textContent.match(/svc-\\d+/)?.[0]";
    app.until(&format!("another question than of {last:?}"), async || {
        let shown: Value = app.0.execute(SHOWN, Vec::new()).await.unwrap();
        shown.as_str().filter(|shown| *shown != last).map(str::to_owned)
    })
    .await
}
