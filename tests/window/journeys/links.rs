//! Links, which any page and any program can have the desktop follow: they lead somewhere, and do nothing.

use serde_json::json;

use super::{Story, open_questions};
use crate::app::start_again;
use crate::page::{ENTER, ESCAPE};
use crate::spot;

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
        ("signalbox://answer/r1?action=accept", "it is none of Signalbox's links"),
    ] {
        follow(link).await;
        app.says(&nowhere, why).await;
        app.says(&nowhere, link).await;
        app.keys(&ESCAPE.to_string()).await;
        app.gone(&nowhere).await;
    }
    let ran = app.0.execute("return typeof window.hostile", Vec::new()).await.unwrap();
    assert_eq!(ran, "undefined", "text of a link stays text");

    let offered = spot::dialog("A link offers a server");
    let link = "signalbox://add?name=helpful&command=rm%20-rf%20precious";
    follow(link).await;
    app.says(&offered, "rm -rf precious").await;
    story.desktop.picture("link").await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&offered).await;
    follow(link).await;
    app.button("Look at it in the form").await;
    app.holds(&spot::field("Name"), "helpful").await;
    app.holds(&spot::field("Program"), "rm").await;
    app.terminate().await;

    let servers = story.desktop.machine.run(&["server", "list"]).await.ok();
    assert_eq!(servers["servers"].as_array().map(Vec::len), Some(1), "none was added: {servers}");
    let request = story.desktop.machine.run(&["show", "r1"]).await.ok();
    assert_eq!(request["state"], json!("open"), "nothing was answered");
}
