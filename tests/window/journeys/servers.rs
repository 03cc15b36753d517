//! Signing in and out, what it takes to reach a server, programs that wait to be confirmed, and tasks begun elsewhere.

use serde_json::json;
use signalbox_demo::authority::Authority;
use signalbox_demo::{Demo, Speed, Wires};
use signalbox_tests::{DemoServer, Machine, signalbox};

use super::{Story, browser};
use crate::desktop::Desktop;
use crate::page::ENTER;
use crate::spot;

#[tokio::test]
async fn a_person_signs_in_with_their_browser_and_out_again() {
    let story = Story::on(browser::works().await, json!({})).await;
    let machine = &story.desktop.machine;
    drop(machine.run(&["secrets", "keep", "this-run"]).await.ok());
    let authority = Authority::before(story.demo.demo()).await.unwrap();
    machine.add("billing", authority.url("/mcp").as_str()).await;
    let app = story.desktop.open().await;
    app.go("Servers").await;
    app.press(&spot::entry("Servers", "billing")).await;
    app.button("Check now").await;
    app.read("needed: nobody is signed in").await;

    app.button("Sign in…").await;
    let page = browser::opened(&app, machine).await;
    app.read("Waiting for you to sign in with your browser.").await;
    let browser = reqwest::Client::builder().no_proxy().build().unwrap();
    assert_eq!(browser.get(page).send().await.unwrap().status(), 200, "the person is told that it worked");
    app.says(&spot::region("Server"), "signed in at http://127.0.0.1").await;
    app.says(&spot::entry("Servers", "billing"), "answers").await;

    app.button("Sign out…").await;
    let dialog = spot::dialog("Sign out of billing?");
    app.see(&dialog).await;
    app.press(&spot::button("Sign out").within(&dialog)).await;
    app.gone(&dialog).await;
    app.read("needed: nobody is signed in").await;
    assert_eq!(authority.asked("/revoke").len(), 2, "its authorization server takes both tokens back");
    app.terminate().await;
}

#[tokio::test]
async fn access_is_refused_field_by_field_and_then_kept() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    app.go("Servers").await;
    app.read("127.0.0.1").await;
    app.keys("l").await;
    app.fill(&spot::field("Client id"), "signalbox").await;
    app.fill(&spot::field("Scopes"), "read \"write\"").await;
    app.reach(&spot::field("Proxy")).await;
    app.fill(&spot::field("Proxy"), "socks5://proxy").await;
    app.keys(&ENTER.to_string()).await;
    app.says(&spot::error_at("Scopes"), "cannot be a scope").await;
    app.says(&spot::error_at("Proxy"), "Only proxies of http and https").await;
    app.reach(&spot::field("Proxy")).await;
    app.fill(&spot::field("Proxy"), "http://proxy.example.com:3128").await;
    app.reach(&spot::field("Scopes")).await;
    app.fill(&spot::field("Scopes"), "read write").await;
    app.keys(&ENTER.to_string()).await;
    app.read("Saved.").await;
    let listed = story.desktop.machine.run(&["server", "list"]).await.ok();
    let access = &listed["servers"][0]["access"];
    assert_eq!(access["proxy"], "http://proxy.example.com:3128/", "{access}");
    let sign_in = &access["signIn"];
    assert_eq!((&sign_in["clientId"], &sign_in["scopes"]), (&json!("signalbox"), &json!(["read", "write"])));
    app.terminate().await;
}

#[tokio::test]
async fn a_program_is_started_once_its_command_was_confirmed() {
    let story = Story::begin().await;
    let machine = &story.desktop.machine;
    let program = signalbox();
    let add = ["server", "add", "warehouse", "--", program.to_str().unwrap(), "demo", "stdio"];
    drop(machine.run(&add).await.ok());
    drop(machine.run(&["salvage"]).await.ok());
    let app = story.desktop.open().await;
    app.go("Servers").await;
    app.press(&spot::entry("Servers", "warehouse")).await;
    app.read("The server's command is not confirmed").await;
    assert!(!app.has(&spot::button("Check now")).await, "there is nothing to check before");
    app.button("Confirm command").await;
    let dialog = spot::dialog("May warehouse be started?");
    app.says(&dialog, program.to_str().unwrap()).await;
    app.button("Confirm and check").await;
    app.says(&spot::entry("Servers", "warehouse"), "answers").await;
    assert!(!app.has(&spot::button("Confirm command")).await, "once is enough");
    app.terminate().await;
}

#[tokio::test]
async fn a_task_that_was_begun_elsewhere_is_followed() {
    let desktop = Desktop::start().await;
    desktop.set(json!({}));
    let old = DemoServer::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    desktop.add(&old).await;
    let elsewhere = Machine::new();
    elsewhere.add("ci", &old.url()).await;
    let theirs = elsewhere.run(&["call", "ci", "forever", "--detach"]).await.ok();
    let task = theirs["taskId"].as_str().unwrap();

    let app = desktop.open().await;
    app.go("Servers").await;
    app.press(&spot::entry("Servers", "ci")).await;
    app.press(&spot::tab("Adopt")).await;
    app.see(&spot::text(task)).await;
    desktop.picture("adopt").await;
    app.press(&spot::named(&format!("Follow {task}"))).await;
    app.says(&spot::region("Task"), "Task adopted").await;
    desktop.picture("adopted").await;
    let followed = desktop.machine.run(&["show", task]).await.ok();
    assert_eq!(
        (&followed["status"], &followed["tracking"]),
        (&json!("working"), &json!("live")),
        "{followed}"
    );
    app.terminate().await;
}
