//! Results in a real window: those worth reading, and those that are to run something, to hang it, or to be drawn by it.

use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::{Story, browser};
use crate::app::App;
use crate::page::ENTER;
use crate::spot::{self, Spot};

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
/// So much may the page take for all that, in MiB: it never has the whole of it.
const MOST_GROWN: u64 = 160;
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

/// An array in an array, and so on, 10,000 times.
fn deep(message: &mut Value) {
    let nested = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    message["result"]["content"] = json!([{ "type": "text", "text": nested }]);
}

fn linked(message: &mut Value) {
    message["result"]["content"] = json!([
        { "type": "resource_link", "uri": "file:///report.md", "name": "report", "mimeType": "text/markdown" },
        { "type": "text", "text": "second" },
    ]);
}

/// What the server gives for the link: the scripted one knows none.
fn report(answer: Vec<u8>) -> Vec<u8> {
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let text = "# Findings\n\n- two **bold** words\n- <img src=x onerror='window.hostile=1'>\n- [a page](https://example.com/)";
    let contents = json!([{ "uri": "file:///report.md", "mimeType": "text/markdown", "text": text }]);
    json!({ "jsonrpc": "2.0", "id": answer["id"], "result": { "contents": contents, "resultType": "complete" } }).to_string().into_bytes()
}

fn pdf(message: &mut Value) {
    message["result"]["content"] = json!([
        { "type": "resource", "resource": { "uri": "file:///a.exe", "mimeType": "application/pdf", "blob": "JVBERi0xLjQK" } },
    ]);
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
    app.see(&spot::place("Inbox")).await;
    let before = app.page_memory();
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
    let grown = app.page_memory().saturating_sub(before);
    assert!(grown < MOST_GROWN, "20 MB of text and a wide table take {grown} MiB: they are shown in pieces");
    app.terminate().await;
}

#[tokio::test]
async fn json_ten_thousand_deep_is_read_and_hangs_nothing() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    shows(&story, &app, deep).await;
    let task = spot::region("Task");
    app.says(&task, "[ 1 element").await;
    // Keys are still heard.
    app.keys("gi").await;
    app.gone(&task).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_link_is_read_from_its_server_by_a_press_and_never_before() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    shows(&story, &app, linked).await;
    let task = spot::region("Task");
    app.says(&task, "file:///report.md").await;
    app.says(&task, "second").await;
    assert!(story.demo.journal().requests("resources/read").is_empty(), "seeing a link reads nothing");
    story.demo.faults().next(1, "resources/read", Fault::Bytes(report));
    app.button("Read from the server").await;
    app.says(&task, "What the server gave just now. It is not kept.").await;
    app.says(&task, "# Findings").await;
    assert_eq!(story.demo.journal().requests("resources/read").len(), 1, "it was asked once");

    // As it is written, or with its headings and lists; nothing of it acts.
    app.button("Show formatted").await;
    app.see(&Spot("//strong[.='bold']".into())).await;
    let acted = "return [document.querySelectorAll('[aria-label=Task] img, [aria-label=Task] a[href]').length, typeof window.hostile]";
    assert_eq!(app.0.execute(acted, Vec::new()).await.unwrap(), json!([0, "undefined"]));
    app.terminate().await;
}

#[tokio::test]
async fn a_part_is_saved_and_opened_by_what_it_is_and_only_after_a_yes() {
    let desktop = browser::works().await;
    let story = Story::on(desktop, json!({ "undoMs": 0 })).await;
    let app = story.desktop.open().await;
    shows(&story, &app, pdf).await;
    let task = spot::region("Task");
    app.says(&task, "PDF document").await;
    app.button("Save as…").await;
    story.desktop.answer_dialog("Save").await;
    app.says(&task, "Saved").await;
    let machine = &story.desktop.machine;
    let saved = [machine.path("t1-1.pdf"), machine.path("home").join("t1-1.pdf")];
    assert!(saved.iter().any(|file| file.exists()), "its ending comes of its bytes, not of its name");

    let page = machine.path("home").join("page");
    app.button("Open…").await;
    let dialog = spot::dialog("Open it in another program?");
    app.says(&dialog, "PDF document").await;
    // Enter does not open it.
    app.keys(&ENTER.to_string()).await;
    app.gone(&dialog).await;
    assert!(!page.exists(), "nobody has said yes");
    app.button("Open…").await;
    app.press(&spot::button("Open").within(&dialog)).await;
    let opened = browser::opened(&app, machine).await;
    assert!(opened.ends_with(".pdf"), "{opened}");
    app.terminate().await;
}
