//! What axe, the checker for accessibility, finds in the real window: in every place and state, in all colours.

use std::fs;
use std::sync::Mutex;

use serde_json::json;

use super::{Story, tour};
use crate::app::App;
use crate::desktop::Desktop;
use crate::page::ESCAPE;
use crate::spot;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");
const LOOK: &str = include_str!("axe.js");
/// At the end of what scrolls: something without a name, and words that only the light colours show.
const SPOIL: &str = "
    const [words, button] = [document.createElement('p'), document.createElement('button')];
    words.textContent = 'Hardly to be read';
    words.style.color = 'black';
    document.querySelector('[role=region][aria-label=Settings]').append(words, button);";

/// Its window compiles scripts as WebKit would: axe works a thousand times as much as the page does.
async fn desktop() -> Desktop {
    let mut desktop = Desktop::start().await;
    desktop.machine = desktop.machine.with("JSC_useDFGJIT", "1");
    desktop
}

#[tokio::test]
async fn axe_finds_nothing_in_any_place_and_colour() {
    let (story, app) = tour::begin(desktop().await).await;
    let found = Found::beginning(&app).await;
    tour::places(&story, &app, async |place| found.look(&app, place).await).await;
    found.nothing();
    app.terminate().await;
}

#[tokio::test]
async fn axe_finds_nothing_in_any_question_and_colour() {
    let (_story, app) = tour::begin(desktop().await).await;
    let found = Found::beginning(&app).await;
    tour::questions(&app, async |place| found.look(&app, place).await).await;
    found.nothing();
    app.terminate().await;
}

#[tokio::test]
async fn axe_finds_nothing_in_what_a_decision_takes_and_in_any_colour() {
    let (_story, app) = tour::begin(desktop().await).await;
    let found = Found::beginning(&app).await;
    tour::decisions(&app, async |place| found.look(&app, place).await).await;
    found.nothing();
    app.terminate().await;
}

#[tokio::test]
async fn axe_finds_nothing_under_a_banner_and_in_what_it_opens() {
    let story = Story::on(desktop().await, json!({ "undoMs": 0 })).await;
    let machine = &story.desktop.machine;
    let passphrase = machine.file("passphrase", "correct horse battery");
    drop(machine.run(&["secrets", "keep", "file", "--passphrase-file", &passphrase]).await.ok());
    let edit = ["server", "edit", "ci", "--url", &story.demo.url(), "--header", "X-Key=hunter2"];
    drop(machine.run(&[&edit[..], &["--passphrase-file", &passphrase]].concat()).await.ok());
    let app = story.desktop.open().await;
    let found = Found::beginning(&app).await;
    let unlock = spot::dialog("Unlock the secrets");
    app.go("Tasks").await;
    app.read("Servers that need a secret wait for the passphrase.").await;
    found.look(&app, "banner").await;
    app.button("Unlock…").await;
    app.see(&unlock).await;
    found.look(&app, "unlock").await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&unlock).await;
    found.nothing();
    app.terminate().await;
}

#[tokio::test]
async fn axe_finds_what_is_wrong_and_in_which_colours() {
    let story = Story::on(desktop().await, json!({ "undoMs": 0 })).await;
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;
    let found = Found::beginning(&app).await;
    app.0.execute(SPOIL, Vec::new()).await.unwrap();
    found.look(&app, "settings").await;
    let told = found.0.into_inner().unwrap();
    let told: Vec<_> = told.iter().map(|fault| fault.split_once(": <").unwrap().0).collect();
    let expected = ["light: button-name", "dark: color-contrast", "dark, more: color-contrast"];
    assert_eq!(told, expected.map(|fault| format!("settings: \"{fault}")));
    app.terminate().await;
}

/// What axe found, all of it at once: a tour takes a minute.
struct Found(Mutex<Vec<String>>);

impl Found {
    /// Brings axe into the window.
    async fn beginning(app: &App) -> Self {
        app.0.execute(&fs::read_to_string(AXE).unwrap(), Vec::new()).await.unwrap();
        Self(Mutex::default())
    }

    /// Has it look at what is shown.
    async fn look(&self, app: &App, place: &str) {
        app.drawn().await;
        app.0.execute(LOOK, Vec::new()).await.unwrap();
        let faults = app
            .until(&format!("axe in {place}"), async || {
                let faults = app.0.execute("return window.faults", Vec::new()).await.unwrap();
                faults.as_array().cloned()
            })
            .await;
        self.0.lock().unwrap().extend(faults.iter().map(|fault| format!("{place}: {fault}")));
    }

    fn nothing(self) {
        let found = self.0.into_inner().unwrap();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
