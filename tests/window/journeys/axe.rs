//! What axe, the checker for accessibility, finds in the real window: in every place and state, in all colours.

use std::fs;
use std::sync::Mutex;

use serde_json::json;

use super::Story;
use super::sizes::{look_around, servers_that_want_something, some_days_work};
use crate::app::App;
use crate::page::ESCAPE;
use crate::spot;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");

/// Nothing is fetched for it: the page may fetch nothing.
const LOOK: &str = "
    window.faults = null;
    const told = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}; ${node.failureSummary}`);
    axe.run(document, { preload: false }).then(
        ({ violations }) => { window.faults = violations.flatMap(told) },
        (error) => { window.faults = [String(error)] });";

/// The window's colours, and their contrast.
const COLOURS: [(&str, &str); 4] =
    [("Light", "Same as the system"), ("Dark", "Same as the system"), ("Dark", "High"), ("Light", "High")];

#[tokio::test]
async fn axe_finds_nothing_in_any_place_state_and_colour() {
    let story = Story::with(json!({ "undoMs": 5_000, "theme": "light" })).await;
    servers_that_want_something(&story).await;
    let app = story.desktop.open().await;
    some_days_work(&story, &app).await;
    bring_axe(&app).await;
    // All of it at once: a tour takes minutes.
    let found = Mutex::new(Vec::new());
    for colours in COLOURS {
        let state = wear(&app, colours).await;
        look_around(&app, async |place| {
            let more = faults(&app, &format!("{place}, {state}")).await;
            found.lock().unwrap().extend(more);
        })
        .await;
    }
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
    app.terminate().await;
}

#[tokio::test]
async fn axe_finds_nothing_under_a_banner_and_in_what_it_opens() {
    let story = Story::begin().await;
    let machine = &story.desktop.machine;
    let passphrase = machine.file("passphrase", "correct horse battery");
    drop(machine.run(&["secrets", "keep", "file", "--passphrase-file", &passphrase]).await.ok());
    let edit = ["server", "edit", "ci", "--url", &story.demo.url(), "--header", "X-Key=hunter2"];
    drop(machine.run(&[&edit[..], &["--passphrase-file", &passphrase]].concat()).await.ok());
    let app = story.desktop.open().await;
    bring_axe(&app).await;
    let unlock = spot::dialog("Unlock the secrets");
    let mut found = Vec::new();
    for colours in COLOURS {
        let state = wear(&app, colours).await;
        app.go("Tasks").await;
        app.read("Servers that need a secret wait for the passphrase.").await;
        found.extend(faults(&app, &format!("banner, {state}")).await);
        app.button("Unlock…").await;
        app.see(&unlock).await;
        found.extend(faults(&app, &format!("unlock, {state}")).await);
        app.keys(&ESCAPE.to_string()).await;
        app.gone(&unlock).await;
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    app.terminate().await;
}

async fn bring_axe(app: &App) {
    app.0.execute(&fs::read_to_string(AXE).unwrap(), Vec::new()).await.unwrap();
}

/// Has the window in these colours; which.
async fn wear(app: &App, (theme, contrast): (&str, &str)) -> String {
    app.go("Settings").await;
    app.choose(&spot::field("Colours"), theme).await;
    app.choose(&spot::field("Contrast"), contrast).await;
    format!("{theme}, {contrast}")
}

/// What axe finds in what is shown.
async fn faults(app: &App, place: &str) -> Vec<String> {
    app.drawn().await;
    app.0.execute(LOOK, Vec::new()).await.unwrap();
    let found = app
        .until(&format!("axe in {place}"), async || {
            let found = app.0.execute("return window.faults", Vec::new()).await.unwrap();
            found.as_array().cloned()
        })
        .await;
    found.iter().map(|fault| format!("{place}: {fault}")).collect()
}
