//! Pages that servers want visited: opening one is one act.

use std::time::Duration;

use serde_json::json;
use signalbox_demo::{Builder, Demo, Fault, Wires};
use signalbox_tests::{Unvisited, hostile_pages};

use super::{Story, browser, decided, open_question, open_questions};
use crate::desktop::Desktop;
use crate::spot::{self, Spot};

const SIGN: &str = "Sign release 1.0.0 on the page of the signing service.";
const PAGE: &str = "https://signing.example.com/requests/7f3a?purpose=release";
const CONNECT: &str = "Open the page of the account service to connect your account.";

async fn story(desktop: Desktop, builder: Builder) -> Story {
    Story::around(desktop, builder, json!({ "undoMs": 60_000 })).await
}

/// A page of a task is opened, which accepts it, and the task ends.
async fn signed(builder: Builder) {
    let story = story(browser::works().await, builder).await;
    let app = story.desktop.open().await;
    let task = story.desktop.call("ci", "sign", &json!({})).await;
    let task = task["id"].as_str().unwrap().to_owned();
    story.pass(Duration::from_secs(1));
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, SIGN).await;
    let question = spot::region("Question");
    app.says(&question, PAGE).await;
    // Nothing plain opens it, and nothing is held: the undo window is for what can be taken back.
    app.keys("1").await;
    app.read("Opening it tells the server that you accept.").await;
    assert_eq!(story.demo.taken("signature").len(), 0, "no key consents");
    app.button("Open at").await;
    assert_eq!(browser::opened(&app, &story.desktop.machine).await, PAGE);
    decided(&app, "accepted by you").await;
    app.says(&question, "signing.example.com").await;
    app.gone(&open_questions("open question")).await;
    story.pass(Duration::from_secs(3));
    story.shows(&app, &task, "outcome", "ok").await;
    let taken = story.demo.taken("signature");
    let actions: Vec<_> = taken.iter().map(|answer| &answer["action"]).collect();
    assert_eq!(actions, ["accept"], "once");
    app.terminate().await;
}

#[tokio::test]
async fn a_page_of_a_task_is_opened_and_that_is_the_consent() {
    signed(Demo::builder()).await;
}

#[tokio::test]
async fn a_page_on_the_legacy_wire_is_opened_and_that_is_the_consent() {
    signed(Demo::builder().wires(Wires::Legacy)).await;
}

/// A plain call that wants a page, up to where its question is in front of the person.
async fn connecting(story: &Story) -> crate::app::App {
    let app = story.desktop.open().await;
    story.desktop.call("ci", "connect_account", &json!({})).await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, CONNECT).await;
    app
}

#[tokio::test]
async fn a_page_on_a_plain_call_goes_with_the_call_again() {
    let story = story(browser::works().await, Demo::builder()).await;
    let app = connecting(&story).await;
    app.button("Open at").await;
    browser::opened(&app, &story.desktop.machine).await;
    decided(&app, "accepted by you").await;
    let done = story.shows(&app, "t1", "outcome", "ok").await;
    assert_eq!(done["result"]["content"][0]["text"], "The account is connected.");
    assert_eq!(story.demo.journal().requests("tools/call").len(), 2, "the call, and again with the consent");
    app.terminate().await;
}

#[tokio::test]
async fn a_page_before_a_call_waits_for_its_person_also_over_a_power_cut() {
    let story = story(browser::works().await, Demo::builder().wires(Wires::Legacy)).await;
    let app = connecting(&story).await;
    app.button("Open at").await;
    browser::opened(&app, &story.desktop.machine).await;
    app.read("Opened in your browser").await;
    app.see(&spot::button("I finished")).await;
    app.kill().await;

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, CONNECT).await;
    app.read("Opened in your browser").await;
    app.see(&spot::button("Open again")).await;
    assert_eq!(story.demo.journal().requests("tools/call").len(), 1, "nothing goes by itself");
    app.button("I finished").await;
    let done = story.shows(&app, "t1", "outcome", "ok").await;
    assert_eq!(done["result"]["content"][0]["text"], "The account is connected.");
    assert_eq!(story.demo.journal().requests("tools/call").len(), 2, "made again, once");
    app.gone(&open_questions("open question")).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_browser_that_fails_sends_nothing_and_leaves_a_way_on() {
    let story = story(browser::fails().await, Demo::builder()).await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "sign", &json!({})).await;
    story.pass(Duration::from_secs(1));
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, SIGN).await;
    app.button("Open at").await;
    app.read("No browser could be started").await;
    app.see(&spot::button("Copy address")).await;
    assert_eq!(story.demo.journal().requests("tasks/update").len(), 0, "nothing was sent");
    assert_eq!(story.show("r1").await["state"], "open");
    app.button("Accept, I will open it elsewhere").await;
    decided(&app, "accepted by you").await;
    app.gone(&spot::text("No browser could be started")).await;
    story.pass(Duration::from_secs(3));
    story.shows(&app, "t1", "outcome", "ok").await;
    app.terminate().await;
}

#[tokio::test]
async fn ten_hostile_pages_are_text_and_none_is_fetched_or_opened_unasked() {
    let (listener, proxy) = (Unvisited::listen().await, Unvisited::listen().await);
    let mut desktop = browser::works().await;
    desktop.machine = proxy.before(desktop.machine);
    let story = story(desktop, Demo::builder()).await;
    let app = story.desktop.open().await;
    let pages = hostile_pages(&listener.url());
    for page in &pages {
        story.demo.faults().next(1, "tools/call", Fault::Say(page.asked_for()));
        story.desktop.call("ci", "echo", &json!({ "text": "x" })).await;
    }
    app.hear(&open_questions("10 open questions")).await;
    let question = spot::region("Question");
    for page in &pages {
        open_question(&app, &page.title).await;
        app.says(&question, &page.shows).await;
        // No plain key opens it, nor does one that leads through the list.
        app.keys("1").await;
        let label = if page.web { "Open at" } else { "Open the page" };
        let press = app.see(&spot::button(label)).await;
        assert_eq!(press.is_enabled().await.unwrap(), page.web, "{}", page.title);
        assert!(!app.has(&Spot("//a | //iframe | //img | //object".to_owned()).within(&question)).await);
    }
    let opened = story.desktop.machine.path("home").join("page");
    assert!(!opened.exists(), "nobody asked for one to be opened");
    app.button("Open at").await;
    assert_eq!(browser::opened(&app, &story.desktop.machine).await, "https://evil.example:8443/");
    app.terminate().await;
    listener.has_been_left_alone().await;
    proxy.has_been_left_alone().await;
}
