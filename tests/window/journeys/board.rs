//! The board: the page of a task, and how its list stands.

use serde_json::{Value, json};

use super::Story;
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot;

/// A window on the tasks of two equal calls.
async fn two_alike() -> (Story, App) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    for _ in 0..2 {
        drop(story.desktop.call("ci", "echo", &json!({ "text": "kestrel" })).await);
    }
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "kestrel")).await;
    (story, app)
}

#[tokio::test]
async fn what_went_to_the_server_and_what_the_run_before_came_to_are_a_press_away() {
    let (story, app) = two_alike().await;
    app.button("Compare with the run before").await;
    app.read("What came of this task is what came of").await;
    story.desktop.picture("task-compared").await;
    app.press(&spot::tab("Requests")).await;
    app.read("tools/call").await;
    app.read("an answer").await;
    story.desktop.picture("task-requests").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_column_is_as_wide_as_it_was_made_also_after_a_restart() {
    let (story, app) = two_alike().await;
    app.button("Columns…").await;
    let width = spot::field("Width of Elapsed, in pixels");
    app.fill(&width, "120").await;
    app.keys(&ENTER.to_string()).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::dialog("Columns")).await;
    has_width(&app, 120).await;
    app.terminate().await;
    let app = story.desktop.open().await;
    app.see(&spot::entry("Tasks", "kestrel")).await;
    has_width(&app, 120).await;
    app.terminate().await;
}

/// Waits until the heads of the list say that Elapsed is so wide, in px.
async fn has_width(app: &App, px: u32) {
    let script = "const heads = [...document.querySelectorAll('[role=columnheader]')];
        return Math.round(heads.find((head) => head.textContent.startsWith('Elapsed'))?.getBoundingClientRect().width ?? 0)";
    app.until(&format!("Elapsed to have {px} px"), async || {
        let found: Value = app.0.execute(script, Vec::new()).await.ok()?;
        (found == px).then_some(())
    })
    .await;
}
