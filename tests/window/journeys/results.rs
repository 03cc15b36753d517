//! Results in a real window: those worth reading, and those that are to run something, to hang it, or to be drawn by it.

use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::Story;
use crate::app::App;
use crate::spot;

/// A picture of one pixel.
const DOT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// The beginning of a picture that is one, without the rest.
const BROKEN: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
/// A picture that says it has 10,000 × 10,000 pixels.
const HUGE: &str = "iVBORw0KGgoAAAANSUhEUgAAJxAAACcQCAIAAAA=";
/// `PK…`: a zip, whatever it is called.
const ZIP: &str = "UEsDBAAAAAAAAAAA";
/// `<svg xmlns="http://www.w3.org/2000/svg"><script>window.hostile=1</script></svg>`
const SVG: &str = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxzY3JpcHQ+d2luZG93Lmhvc3RpbGU9MTwvc2NyaXB0Pjwvc3ZnPg==";
/// Which pictures are drawn, and whether anything ran.
const DRAWN: &str = "return [[...document.images].map((image) => image.complete && image.naturalWidth), typeof window.hostile]";

fn picture(data: &str) -> Value {
    json!({ "type": "image", "mimeType": "image/png", "data": data })
}

fn worth_reading(message: &mut Value) {
    let rows: Vec<_> = (0..130).map(|n| json!({ "file": format!("a{n}.rs"), "line": n })).collect();
    message["result"]["content"] = json!([
        { "type": "text", "text": "\u{1b}[1;31merror\u{1b}[0m: moved value\n  --> src/main.rs" },
        picture(DOT),
        { "type": "resource", "resource": { "uri": "file:///notes", "text": "embedded" } },
    ]);
    message["result"]["structuredContent"] = json!(rows);
}

fn hostile(message: &mut Value) {
    let row: serde_json::Map<_, _> = (0..5_000).map(|n| (format!("c{n}"), json!(n))).collect();
    message["result"]["content"] = json!([
        { "type": "text", "text": "a line of a long log\n".repeat(1_000_000) },
        { "type": "text", "text": "<img src=x onerror='window.hostile=1'>\n<script>window.hostile=1</script>" },
        picture(SVG),
        picture(ZIP),
        picture(HUGE),
        picture(BROKEN),
    ]);
    message["result"]["structuredContent"] = json!([row]);
}

async fn shows(story: &Story, app: &App, edit: fn(&mut Value)) {
    story.demo.faults().next(1, "tools/call", Fault::Edit(edit));
    drop(story.desktop.call("ci", "echo", &json!({ "text": "hello" })).await);
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "echo")).await;
}

#[tokio::test]
async fn a_result_is_read_part_by_part() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    shows(&story, &app, worth_reading).await;
    let task = spot::region("Task");
    app.says(&task, "error: moved value").await;
    app.says(&task, "1 × 1 pixels").await;
    app.says(&task, "130 elements").await;
    let drawn = app
        .until("the picture", async || {
            let drawn = app.0.execute(DRAWN, Vec::new()).await.ok()?;
            (drawn[0] == json!([1])).then_some(drawn)
        })
        .await;
    assert_eq!(drawn, json!([[1], "undefined"]), "the page may draw what the desk gives it");
    app.press(&spot::tab("Table")).await;
    app.says(&task, "a99.rs").await;
    app.button("Show more rows: 30 left").await;
    app.says(&task, "a129.rs").await;
    story.desktop.picture("result").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_hostile_result_runs_nothing_and_hangs_nothing() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    shows(&story, &app, hostile).await;
    let task = spot::region("Task");
    app.says(&task, "of 21,000,000").await;
    app.button("End").await;
    app.says(&task, "to 21,000,000 of 21,000,000").await;
    for said in [
        "an SVG picture can hold scripts",
        "ZIP archive",
        "more than 25 million pixels",
        "the picture is damaged",
    ] {
        app.says(&task, said).await;
    }
    let drawn = app.0.execute(DRAWN, Vec::new()).await.unwrap();
    assert_eq!(drawn, json!([[], "undefined"]), "nothing is drawn, and nothing ran");
    app.press(&spot::tab("Table")).await;
    app.says(&task, "4,976 columns are left out").await;
    app.terminate().await;
}
