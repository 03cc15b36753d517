//! The page's process, the owner, or the `serve` that takes over dies around an answer: the answer is given once, or the
//! question is still there to be answered.

use std::collections::BTreeSet;
use std::time::Duration;
use std::{env, fs};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use signalbox_tests::window::inbox::open_questions;
use signalbox_tests::{Dice, fresh_seed, soon, text};

use super::Story;
use crate::page::look_again;
use crate::spot;

/// When it dies after the key that declines (ms). Two deaths for each start: the third within a minute asks the person.
const MOMENTS: [[u64; 2]; 3] = [[0, 35], [8, 90], [20, 250]];

#[tokio::test]
async fn a_page_that_dies_around_an_answer_loses_and_doubles_nothing() {
    for [first, second] in MOMENTS {
        let story = Story::begin().await;
        let app = story.open_on_two_questions().await;
        let declined = |key| !story.demo.taken(key).is_empty();

        app.keys("3").await;
        moment(first).await;
        app.page_dies().await;
        story.desktop.press_until(&["3"], || declined("window")).await;
        assert!(!declined("strategy"), "after {first} ms: it acts on nothing but the question that was open");

        // WebDriver has let go of the page: from now on a person at the keyboard goes on.
        story.desktop.press(&["n", "3"]).await;
        moment(second).await;
        app.page_dies().await;
        story.desktop.press_until(&["n", "3"], || declined("strategy")).await;
        for key in ["window", "strategy"] {
            let taken = story.demo.taken(key);
            assert_eq!(taken, [json!({ "action": "decline" })], "{key}, after {first} and {second} ms: once");
        }
        app.terminate().await;
    }
}

/// Lets so much time pass (ms): when the page dies is what is tried.
#[expect(clippy::disallowed_methods, reason = "between a key and a death there is no event, only time")]
async fn moment(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// What a person presses who is in a hurry, and mistypes.
const KEYS: [&[&str]; 11] = [
    &["3"],
    &["n"],
    &["n", "3"],
    &["1"],
    &["j"],
    &["k"],
    &["Escape"],
    &["Return"],
    &["a"],
    &["g", "i"],
    &["g", "t"],
];
/// Tasks of two questions each.
const TASKS: usize = 3;
/// The third death within a minute asks the person.
const DEATHS: usize = 2;

/// One round, which comes from a seed: `SIGNALBOX_SEED`, or another every time.
#[tokio::test]
#[expect(clippy::print_stdout, reason = "it is shown when the round fails")]
async fn wherever_the_page_dies_each_question_is_answered_once() {
    let seed = env::var("SIGNALBOX_SEED").map_or_else(|_| fresh_seed(), |seed| seed.parse().unwrap());
    println!("again: SIGNALBOX_SEED={seed}");
    let mut dice = Dice::apart(seed, 0);
    let undo_ms = dice.pick(&[0, 300]);
    let story = Story::with(json!({ "undoMs": undo_ms })).await;
    let app = story.desktop.open().await;
    for _ in 0..TASKS {
        story.desktop.call("ci", "two_questions", &json!({})).await;
    }
    story.pass(Duration::from_secs(2));
    app.hear(&open_questions("6 open questions")).await;

    let mut deaths = 0;
    for _ in 0..80 {
        story.desktop.press(KEYS[dice.below(KEYS.len())]).await;
        if deaths < DEATHS && dice.percent(10) {
            deaths += 1;
            moment(dice.between(0, 100)).await;
            // Until then keys go to nobody, or to a page that is not all there yet.
            app.page_is_back().await;
            app.page_dies_at_once();
        }
    }
    // In the end they take their time.
    let all_taken = || story.demo.journal().taken().len() >= 2 * TASKS;
    story.desktop.press_until(&["Escape", "Escape", "g", "i", "n", "3"], all_taken).await;
    let taken = story.demo.journal().taken();
    let questions: BTreeSet<_> = taken.iter().map(|(task, key, _)| (task, key)).collect();
    assert_eq!((questions.len(), taken.len()), (2 * TASKS, 2 * TASKS), "seed {seed}, each once: {taken:?}");
    app.terminate().await;
}

/// A window that is not the owner outlives the owner, and its own page, in whichever order they die.
#[tokio::test]
async fn an_owner_and_the_page_that_die_around_an_answer_lose_and_double_nothing() {
    for page_first in [true, false] {
        let story = Story::begin().await;
        let owner = story.desktop.machine.serve().await;
        let app = story.open_on_two_questions().await;
        let declined = |key| !story.demo.taken(key).is_empty();
        app.keys("3").await;
        if page_first {
            app.page_dies_at_once();
            owner.kill().await;
        } else {
            owner.kill().await;
            app.page_dies_at_once();
        }
        // Nobody owns the data directory but the window now, and its page comes back.
        app.page_is_back().await;
        story.desktop.press_until(&["3"], || declined("window")).await;
        assert!(!declined("strategy"), "it acts on nothing but the question that was open");
        story.desktop.press_until(&["n", "3"], || declined("strategy")).await;
        for key in ["window", "strategy"] {
            let taken = story.demo.taken(key);
            assert_eq!(taken, [json!({ "action": "decline" })], "{key}, the page first: {page_first}: once");
        }
        app.terminate().await;
    }
}

/// The window hands its tasks over to a `serve`. Killed before it owns the data directory, the window stays with them and says
/// so; killed once it does, the next program finds all of it.
#[tokio::test]
async fn a_serve_that_dies_while_or_after_it_takes_over_loses_nothing() {
    let story = Story::begin().await;
    let app = story.open_on_two_questions().await;
    let keep_following = async || {
        story.desktop.close_front_window().await;
        app.see(&spot::dialog("Close Signalbox?")).await;
        app.button("Keep following").await;
    };
    keep_following().await;
    let begun = soon("a serve", async {
        loop {
            if let Some(pid) = serve(&story) {
                break pid;
            }
            look_again().await;
        }
    });
    kill_process(begun.await, Signal::KILL).unwrap();
    app.read("The window goes on following them").await;
    // The dialog has grown by that, and its buttons move.
    app.drawn().await;
    app.button("Stay").await;
    app.gone(&spot::dialog("Close Signalbox?")).await;

    keep_following().await;
    app.ended_well().await;
    kill_process(serve(&story).unwrap(), Signal::KILL).unwrap();
    let inbox = story.desktop.machine.run(&["inbox"]).await.ok();
    let ids: Vec<_> = inbox["requests"].as_array().unwrap().iter().map(|row| text(row, "id")).collect();
    assert_eq!(ids.len(), 2, "both questions are there: {inbox}");
    for id in ids {
        let _ = story.desktop.machine.run(&["answer", id, "--decline"]).await.ok();
    }
    assert_eq!(story.demo.journal().taken().len(), 2, "each was answered, once");
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "and nothing was cancelled");
}

/// The `serve` of this machine, as soon as it runs.
fn serve(story: &Story) -> Option<Pid> {
    let home = story.desktop.machine.data();
    fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        let is_it =
            words.contains(&b"serve".as_slice()) && words.contains(&home.as_os_str().as_encoded_bytes());
        is_it.then(|| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).flatten()
    })
}
