//! What servers can say to deceive or to break the window, in a real one: in every part of a question, in pages and
//! conversations, in tools, and in the dialogs about them.

mod said;
mod seldom;
mod told;

use serde_json::{Value, json};
use signalbox_demo::Fault;

use self::said::{STRINGS, ask_for_hostile_things, count, offer_hostile_tools};
use super::{APPROVAL, Story, TO_THE_APPROVAL, open_question, open_questions, sizes, take_question};
use crate::app::App;
use crate::page::ESCAPE;
use crate::spot;

/// What does not hold in what is shown.
const BROKEN: &str = include_str!("broken.js");
/// What is to be found, and what does it to the words of ours above the question.
const SPOILS: [(&str, &str); 6] = [
    ("p.", "words.style.cssText = 'overflow: auto; width: 20px; white-space: nowrap'"),
    ("cuts off", "words.style.cssText = 'overflow: hidden; width: 20px; white-space: nowrap'"),
    ("shows 10 of", "words.style.cssText = 'overflow: auto; height: 10px'"),
    ("lies on", "words.style.cssText = 'margin-top: -24px'"),
    ("<img", "words.append(document.createElement('img'))"),
    ("spoiled", "window.hostile = 'spoiled'"),
];
/// So many tools are passed by from one look to the next: fewer than the list shows.
const PASSED: usize = 8;
/// Colours do not change a layout: each size is seen in one of them.
const LIGHT: Look = (1280, 800, "Light");
const DARK: Look = (900, 600, "Dark");

/// How wide and high the window is, and its colours.
type Look = (u32, u32, &'static str);
/// A method, and what is done to an answer to it.
type Edit = (&'static str, fn(&mut Value));

/// The window among hostile strings, and what was found.
struct Visit {
    story: Story,
    app: App,
    colours: String,
    found: Vec<String>,
}

impl Visit {
    async fn begin((width, height, colours): Look) -> Self {
        let edits: [Edit; 2] = [("tasks/get", ask_for_hostile_things), ("tools/list", offer_hostile_tools)];
        let mut visit = Self::among(&edits).await;
        visit.app.go("Settings").await;
        visit.app.choose(&spot::field("Colours"), colours).await;
        visit.app.resize(width, height).await;
        visit.colours = colours.to_lowercase();
        visit
    }

    /// At a server whose answers to these methods are changed.
    async fn among(edits: &[Edit]) -> Self {
        let story = Story::begin().await;
        let faults = story.demo.faults();
        // What is pushed is not what is edited here.
        faults.next(usize::MAX, "subscriptions/listen", Fault::Refuse { status: 405, retry_after: None });
        for (method, edit) in edits {
            faults.next(usize::MAX, method, Fault::Edit(*edit));
        }
        let app = story.desktop.open().await;
        Self { story, app, colours: String::new(), found: Vec::new() }
    }

    /// Starts a tool that is to tell the nth strings.
    async fn call(&self, tool: &str, argument: &str, n: usize) {
        drop(self.story.desktop.call("ci", tool, &json!({ argument: told::part(n) })).await);
    }

    /// Notes it at both sizes and in both colours.
    async fn look_all_round(&mut self, name: &str) {
        for look in sizes::LOOKS {
            sizes::wear(&self.app, look).await;
            let (width, _, theme) = look;
            self.colours = format!("{width}-{theme}");
            self.look(name).await;
        }
    }

    /// Notes what does not hold in what is shown.
    async fn look(&mut self, name: &str) {
        self.app.drawn().await;
        let broken = self.app.0.execute(BROKEN, Vec::new()).await.unwrap();
        self.story.desktop.picture(&format!("hostile-{name}-{}", self.colours)).await;
        if broken != json!([]) {
            self.found.push(format!("{name}, {}: {broken}", self.colours));
        }
    }

    /// A dialog that was opened, until it is closed again.
    async fn dialog(&mut self, title: &str, name: &str) {
        let dialog = spot::dialog(title);
        self.app.see(&dialog).await;
        self.look(name).await;
        self.app.keys(&ESCAPE.to_string()).await;
        self.app.gone(&dialog).await;
    }

    async fn end(self) {
        assert!(self.found.is_empty(), "{}", self.found.join("\n"));
        self.app.terminate().await;
    }
}

#[tokio::test]
async fn what_runs_or_breaks_the_layout_is_found() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    let words = "const words = document.querySelector('[role=region][aria-label=Question] p');";
    let undo = "words.removeAttribute('style'); words.querySelector('img')?.remove(); delete window.hostile";
    let found = async || app.0.execute(BROKEN, Vec::new()).await.unwrap().to_string();
    for (what, spoil) in SPOILS {
        app.0.execute(&format!("{words} {spoil}"), Vec::new()).await.unwrap();
        let broken = found().await;
        assert!(broken.contains(what), "{spoil}: {broken}");
        app.0.execute(&format!("{words} {undo}"), Vec::new()).await.unwrap();
        assert_eq!(found().await, "[]", "after {spoil}");
    }
    app.terminate().await;
}

#[tokio::test]
async fn no_question_runs_or_breaks_the_layout_in_light() {
    questions(LIGHT).await;
}

#[tokio::test]
async fn no_question_runs_or_breaks_the_layout_in_the_dark() {
    questions(DARK).await;
}

#[tokio::test]
async fn no_page_conversation_or_tool_runs_or_breaks_the_layout_in_light() {
    all_else(LIGHT).await;
}

#[tokio::test]
async fn no_page_conversation_or_tool_runs_or_breaks_the_layout_in_the_dark() {
    all_else(DARK).await;
}

async fn questions(look: Look) {
    let mut visit = Visit::begin(look).await;
    // Each asks twice: the arguments differ.
    for n in 0..2 * count() {
        drop(visit.story.desktop.call("ci", "deploy", &json!({ "service": STRINGS[n] })).await);
    }
    visit.story.pass(TO_THE_APPROVAL);
    visit.app.hear(&open_questions(&format!("{} open questions", 2 * count()))).await;
    visit.app.go("Inbox").await;
    for n in 0..count() {
        let title = format!("Question {n}");
        take_question(&visit.app, &title).await;
        visit.app.see(&spot::heading(&title)).await;
        visit.look(&n.to_string()).await;
        visit.app.button("Review and send").await;
        visit.dialog("Send this answer?", &format!("review-{n}")).await;
        visit.app.button("Snooze…").await;
        visit.dialog("Snooze until when?", &format!("snooze-{n}")).await;
        visit.app.button("Answer both…").await;
        visit.dialog("Send one answer to all of these?", &format!("stack-{n}")).await;
    }
    visit.app.go("Tasks").await;
    visit.app.press(&spot::entry("Tasks", "deploy")).await;
    visit.look("task").await;
    visit.end().await;
}

async fn all_else(look: Look) {
    let mut visit = Visit::begin(look).await;
    for tool in ["sign", "summarize"] {
        drop(visit.story.desktop.call("ci", tool, &json!({})).await);
    }
    visit.story.pass(TO_THE_APPROVAL);
    visit.app.hear(&open_questions("2 open questions")).await;
    visit.app.go("Inbox").await;
    for (tool, name) in [("sign", "page"), ("summarize", "conversation")] {
        take_question(&visit.app, tool).await;
        visit.look(name).await;
    }
    visit.app.go("Servers").await;
    visit.app.press(&spot::entry("Servers", "ci")).await;
    visit.app.press(&spot::tab("Tools")).await;
    drop(visit.app.hear(&spot::named("Start deploy")).await);
    visit.look("server").await;
    visit.app.go("Tasks").await;
    visit.app.button("Start a tool").await;
    drop(visit.app.hear(&spot::entry("Tools", "deploy")).await);
    // Fewer than two dozen tools of the scenarios come before those of the corpus.
    for n in 0..(STRINGS.len() + 24).div_ceil(PASSED) {
        visit.app.keys(&"j".repeat(PASSED)).await;
        visit.look(&format!("tools-{n}")).await;
    }
    visit.end().await;
}
