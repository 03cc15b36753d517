//! What axe, the checker for accessibility, finds in the real window: in every place and state, in all colours.

use std::fs;
use std::sync::Mutex;

use serde_json::json;

use super::Story;
use super::sizes::{look_around, servers_that_want_something, some_days_work};
use crate::app::App;
use crate::spot;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");

/// Nothing is fetched for it: the page may fetch nothing.
const LOOK: &str = "
    window.faults = null;
    const told = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}; ${node.failureSummary}`);
    axe.run(document, { preload: false }).then(
        ({ violations }) => { window.faults = violations.flatMap(told) },
        (error) => { window.faults = [String(error)] });";

#[tokio::test]
async fn axe_finds_nothing_in_any_place_state_and_colour() {
    let story = Story::with(json!({ "undoMs": 5_000, "theme": "light" })).await;
    servers_that_want_something(&story).await;
    let app = story.desktop.open().await;
    some_days_work(&story, &app).await;
    app.0.execute(&fs::read_to_string(AXE).unwrap(), Vec::new()).await.unwrap();
    // All of it at once: a tour takes minutes.
    let found = Mutex::new(Vec::new());
    for (theme, contrast) in
        [("Light", "Same as the system"), ("Dark", "Same as the system"), ("Dark", "High"), ("Light", "High")]
    {
        app.go("Settings").await;
        app.choose(&spot::field("Colours"), theme).await;
        app.choose(&spot::field("Contrast"), contrast).await;
        let state = format!("{theme}, {contrast}");
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
