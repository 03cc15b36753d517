//! Going to every place, by key and by click: what has the focus there, what Enter does, and whether anything moves.

use serde_json::json;

use super::{Story, TO_THE_APPROVAL, open_questions};
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot::{self, Spot};

/// Each place with its keys and what has the focus there.
fn places() -> [(&'static str, &'static str, Spot); 4] {
    [
        ("Inbox", "gi", spot::list("Questions")),
        ("Servers", "gs", spot::list("Servers")),
        ("Settings", "g,", spot::region("Settings")),
        ("Tasks", "gt", spot::list("Tasks")),
    ]
}

/// A story with work under way, questions, and servers.
async fn some_work() -> (Story, App) {
    let story = Story::begin().await;
    story.desktop.machine.add("spare", &story.demo.url()).await;
    let app = story.desktop.open().await;
    for service in ["checkout", "payments"] {
        drop(story.desktop.call("ci", "deploy", &json!({ "service": service })).await);
    }
    story.pass(TO_THE_APPROVAL);
    for _ in 0..3 {
        drop(story.desktop.call("ci", "forever", &json!({})).await);
    }
    app.hear(&open_questions("2 open questions")).await;
    (story, app)
}

#[tokio::test]
async fn whoever_goes_to_a_place_is_in_its_list_and_enter_leads_nowhere_else() {
    let (_story, app) = some_work().await;
    for by_key in [false, true] {
        for (place, keys, landing) in places() {
            if by_key {
                app.keys(keys).await;
            } else {
                app.go(place).await;
            }
            app.focused(&landing).await;
            app.keys("jj").await;
            app.focused(&landing).await;
            app.keys(&ENTER.to_string()).await;
            app.drawn().await;
            assert_eq!(current(&app).await, json!([place, true]), "by key: {by_key}");
            // Enter may have led into a form, where letters are text.
            app.keys(&ESCAPE.to_string()).await;
        }
    }

    // The fifth place: its tools, and with Enter the form of the one that is selected.
    app.keys("s").await;
    app.focused(&spot::list("Tools")).await;
    app.keys("j").await;
    app.see(&spot::heading("Deploy a service")).await;
    app.focused(&spot::list("Tools")).await;
    app.keys(&ENTER.to_string()).await;
    app.focused(&spot::field("Service")).await;
    app.terminate().await;
}

/// The place that the left pane shows, and whether anything in the window has the focus.
async fn current(app: &App) -> serde_json::Value {
    let script = "return [document.querySelector('nav [aria-current]').firstChild.textContent,
        document.activeElement !== document.body]";
    app.0.execute(script, Vec::new()).await.unwrap()
}

#[tokio::test]
async fn nothing_moves_at_rest_while_tasks_run() {
    let (_story, app) = some_work().await;
    for (place, keys, landing) in places() {
        app.keys(keys).await;
        app.focused(&landing).await;
        app.keys("j").await;
        if place == "Tasks" {
            app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
        }
        app.until(&format!("{place} to stand still"), async || {
            let moving = app.0.execute("return document.getAnimations().length", Vec::new()).await.unwrap();
            (moving == json!(0)).then_some(())
        })
        .await;
    }
    app.keys("s").await;
    app.focused(&spot::list("Tools")).await;
    app.until("the start to stand still", async || {
        let moving = app.0.execute("return document.getAnimations().length", Vec::new()).await.unwrap();
        (moving == json!(0)).then_some(())
    })
    .await;
    app.terminate().await;
}
