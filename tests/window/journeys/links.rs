//! Links, which any page and any program can have the desktop follow: they lead somewhere, and do nothing.

use serde_json::json;
use signalbox_tests::DemoServer;

use super::{Story, open_questions};
use crate::app::{App, start_again};
use crate::page::{ENTER, ESCAPE};
use crate::spot;

/// What would run in a page that takes it for markup.
const HOSTILE: &str = "<img src=x onerror=window.hostile=1>";
const HOSTILE_LINK: &str = "signalbox://open/<img src=x onerror=window.hostile=1>";
const HOSTILE_NAME: &str = "%3Cimg%20src%3Dx%20onerror%3Dwindow.hostile%3D1%3E";

/// What the dialog shows is nothing but text, and nothing of it ran.
async fn is_text(app: &App) {
    let script = "return [document.querySelectorAll('[role=dialog] :is(img, script, a, iframe)').length,
        typeof window.hostile]";
    let found = app.0.execute(script, Vec::new()).await.unwrap();
    assert_eq!(found, json!([0, "undefined"]), "text of a link stays text");
}

#[tokio::test]
async fn a_link_leads_somewhere_and_does_nothing() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    let follow = async |link: &str| start_again(&story.desktop.machine, &[link]).await;
    follow("signalbox://open/t1").await;
    app.says(&spot::region("Task"), "waiting for approval").await;

    follow("signalbox://open/inbox").await;
    app.hear(&open_questions("1 open question")).await;
    follow("signalbox://open/tasks").await;
    app.says(&spot::region("Task"), "waiting for approval").await;

    let nowhere = spot::dialog("This link leads nowhere");
    for (link, why) in [
        ("signalbox://open/t99", "there is no such task or question here"),
        ("signalbox://open/<script>window.hostile=1</script>", "it names neither a task"),
        // A script that is put into a page does not run; this would.
        (HOSTILE_LINK, "it names neither a task"),
        ("signalbox://answer/r1?action=accept", "it is none of Signalbox's links"),
    ] {
        follow(link).await;
        app.says(&nowhere, why).await;
        app.says(&nowhere, link).await;
        is_text(&app).await;
        app.keys(&ESCAPE.to_string()).await;
        app.gone(&nowhere).await;
    }

    let offered = spot::dialog("A link offers a server");
    let trace = story.desktop.machine.path("trace");
    let command = format!("touch {}", trace.display());
    let link = format!("signalbox://add?name=helpful&command={}", command.replace(' ', "%20"));
    follow(&link).await;
    app.says(&offered, &command).await;
    story.desktop.picture("link").await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&offered).await;
    let other = DemoServer::start().await;
    follow(&format!("signalbox://add?name={HOSTILE_NAME}&url={}", other.url())).await;
    app.says(&offered, HOSTILE).await;
    app.says(&offered, &other.url()).await;
    is_text(&app).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&offered).await;
    follow(&link).await;
    app.button("Look at it in the form").await;
    app.holds(&spot::field("Name"), "helpful").await;
    app.holds(&spot::field("Program"), "touch").await;
    app.terminate().await;
    assert!(!trace.exists(), "what a link names is not run");
    assert_eq!(other.journal().entries().len(), 0, "nor asked anything");

    let servers = story.desktop.machine.run(&["server", "list"]).await.ok();
    assert_eq!(servers["servers"].as_array().map(Vec::len), Some(1), "none was added: {servers}");
    let request = story.desktop.machine.run(&["show", "r1"]).await.ok();
    assert_eq!(request["state"], json!("open"), "nothing was answered");
}
