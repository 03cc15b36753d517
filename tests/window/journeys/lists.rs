//! Lists of tasks: filters, orders and groups, by keys, over a restart and while rows move.

use std::time::Duration;

use serde_json::json;
use signalbox_api::{DeskExt as _, Home, Remote, command};
use signalbox_model::Json;

use super::Story;
use crate::app::App;
use crate::page::{DOWN, ENTER, ESCAPE};
use crate::spot::{self, Spot};

/// As long as the tools that fail take for it, or one that is cancelled, and a bit.
const SOME_TIME: Duration = Duration::from_secs(5);

fn filter() -> Spot {
    spot::field("Filter by word, server, status, age …")
}

/// A window on the list of a task that goes on and two that failed, one of them as its tool says.
async fn some_failed() -> (Story, App) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    for tool in ["forever", "crash", "lint"] {
        drop(story.desktop.call("ci", tool, &json!({})).await);
    }
    story.pass(SOME_TIME);
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "crash"), "failed").await;
    app.says(&spot::entry("Tasks", "lint"), "tool error").await;
    app.see(&spot::entry("Tasks", "forever")).await;
    (story, app)
}

#[tokio::test]
async fn what_failed_today_is_three_keys_away() {
    let (_story, app) = some_failed().await;
    app.keys("/").await;
    app.focused(&filter()).await;
    app.says(&spot::list("Suggestions"), "outcome:failed ended:today").await;
    app.keys(&DOWN.to_string()).await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    for failed in ["crash", "lint"] {
        app.see(&spot::entry("Tasks", failed)).await;
    }
    app.read("2 tasks").await;
    app.press(&spot::named("Remove outcome:failed from the filter")).await;
    app.press(&spot::named("Remove ended:today from the filter")).await;
    app.see(&spot::entry("Tasks", "forever")).await;
}

#[tokio::test]
async fn a_list_stands_as_it_stood_before_the_window_was_closed() {
    let (story, app) = some_failed().await;
    app.press(&filter()).await;
    app.keys("server:ci ").await;
    app.see(&spot::named("Remove server:ci from the filter")).await;
    app.fill(&filter(), "-forever").await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    // What may be meant stands over the heads.
    app.keys(&ESCAPE.to_string()).await;
    app.choose(&spot::field("Sort by"), "Tool").await;
    app.hear(&sorted("Tool", "ascending")).await;
    app.choose(&spot::field("Group by"), "Status").await;
    app.see(&head("failed")).await;
    app.terminate().await;

    let app = story.desktop.open().await;
    app.go("Tasks").await;
    app.see(&spot::entry("Tasks", "lint")).await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    app.holds(&filter(), "-forever").await;
    app.see(&spot::named("Remove server:ci from the filter")).await;
    app.see(&head("failed")).await;
    app.hear(&sorted("Tool", "ascending")).await;
}

#[tokio::test]
async fn what_only_a_result_says_is_found() {
    let (_story, app) = some_failed().await;
    app.fill(&filter(), "unused").await;
    app.gone(&spot::entry("Tasks", "crash")).await;
    app.see(&spot::entry("Tasks", "lint")).await;
}

#[tokio::test]
async fn a_server_in_the_rail_lists_what_is_its_own() {
    let (story, app) = some_failed().await;
    story.desktop.machine.add("other", &story.demo.url()).await;
    drop(story.desktop.call("other", "forever", &json!({})).await);
    app.read("4 tasks").await;
    app.press(&Spot("//section[@aria-label='Servers']//button[contains(., 'other')]".to_owned())).await;
    app.gone(&spot::entry("Tasks", "lint")).await;
    app.see(&spot::entry("Tasks", "forever")).await;
    app.press(&spot::named("Only tasks of other are listed. Press to list the tasks of all servers")).await;
    app.see(&spot::entry("Tasks", "lint")).await;
}

#[tokio::test]
async fn what_is_selected_stays_while_rows_move() {
    let (story, app) = some_failed().await;
    app.press(&spot::entry("Tasks", "crash")).await;
    app.says(&spot::region("Task"), "The worker crashed").await;
    for _ in 0..5 {
        drop(story.desktop.call("ci", "lint", &json!({})).await);
        story.pass(SOME_TIME);
    }
    app.read("8 tasks").await;
    app.focused(&spot::list("Tasks")).await;
    app.says(&spot::region("Task"), "The worker crashed").await;
    let selected = Spot("//*[@role='row'][@aria-selected='true'][contains(., 'crash')]".to_owned());
    app.see(&selected).await;
}

/// Half of the rows that move.
const MANY: usize = 500;

#[tokio::test]
async fn what_is_selected_keeps_the_focus_while_a_thousand_rows_come_and_move() {
    let story = Story::begin().await;
    story.desktop.machine.set(&json!({ "undoMs": 0, "pollFloorMs": 1_000, "pollsPerSecond": 0 }));
    let app = story.desktop.open().await;
    let desk = Remote::connect(&Home::at(&story.desktop.machine.data()).unwrap()).await.unwrap();
    let start_many = async || {
        let mut started = Vec::new();
        for _ in 0..MANY {
            let start = command::Start {
                server: "ci".into(),
                tool: "forever".into(),
                arguments: Json::of(&json!({})),
                ttl_ms: None,
            };
            started.push(desk.act(start).await.unwrap());
        }
        started
    };
    let mut started = start_many().await;
    app.go("Tasks").await;
    app.hear(&total("500 tasks")).await;
    app.keys("j").await;
    app.focused(&spot::list("Tasks")).await;
    let list = app.see(&spot::list("Tasks")).await;
    let selected = app
        .until("a row to be selected", async || {
            let row = list.attr("aria-activedescendant").await.ok()??;
            Some(row.rsplit('-').next()?.to_owned())
        })
        .await;
    let opened = |id: &str| Spot(format!("//span[normalize-space(.)='{id}']"));
    app.see(&opened(&selected)).await;

    // The one that was started last stands first.
    started.extend(start_many().await);
    app.hear(&total("1,000 tasks")).await;
    app.focused(&spot::list("Tasks")).await;
    app.see(&opened(&selected)).await;

    // All others go to the end of the list.
    started.retain(|call| call.to_string() != selected);
    for call in started {
        desk.act(command::Cancel { call, seen: None }).await.unwrap();
    }
    story.pass(SOME_TIME);
    app.hear(&Spot("//*[@role='rowheader'][contains(., 'Ended')][contains(., '999')]".to_owned())).await;
    app.focused(&spot::list("Tasks")).await;
    app.see(&opened(&selected)).await;
    app.keys("j").await;
    // The one that was started last is the first of those that ended.
    app.see(&opened("t1000")).await;
    app.gone(&opened(&selected)).await;
}

/// The head of the column that the list is sorted by.
fn sorted(title: &str, direction: &str) -> Spot {
    Spot(format!("//*[@role='columnheader'][@aria-sort='{direction}'][contains(., '{title}')]"))
}

/// How many rows a list is said to have.
fn total(text: &str) -> Spot {
    Spot(format!("//span[normalize-space(.)='{text}']"))
}

/// The head of a group.
fn head(title: &str) -> Spot {
    Spot(format!("//*[@role='rowheader'][contains(., '{title}')]"))
}
