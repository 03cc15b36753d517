//! The first minute: from an empty home to the demo's receipt and result, and without a trace of it.

use super::{APPROVAL, decided, open_questions};
use crate::app::{App, start_again};
use crate::desktop::Desktop;
use crate::page::ENTER;
use crate::spot;

const TITLE: &str = "Long-running work, watched from one desk";

/// The first page, as a person finds it who has never had Signalbox.
async fn open(desktop: &Desktop) -> App {
    let app = desktop.open().await;
    app.see(&spot::heading(TITLE)).await;
    app.see(&spot::heading("Bring your servers")).await;
    app.see(&spot::heading("Add a server")).await;
    app.read("No account, no telemetry").await;
    app
}

/// The note of the guide that shows, by its title.
async fn note(app: &App, title: &str) {
    app.says(&spot::Spot("//aside[@aria-label='Guide']".into()), title).await;
}

#[tokio::test]
async fn the_first_minute_by_mouse() {
    let desktop = Desktop::start().await;
    let app = open(&desktop).await;
    desktop.picture("first").await;
    app.button("Start the demo").await;
    note(&app, "The demo is at work").await;
    app.hear(&open_questions("1 open question")).await;
    app.see(&spot::heading(APPROVAL)).await;
    note(&app, "A question").await;
    desktop.picture("first-question").await;

    app.button("Review and send").await;
    note(&app, "The review").await;
    app.button("Send").await;
    note(&app, "Time to undo").await;
    decided(&app, "accepted by you").await;
    note(&app, "The receipt").await;
    desktop.picture("first-receipt").await;

    app.button("Show task").await;
    app.says(&spot::region("Task"), "Deployed api-gateway 4.18.2 to eu-west.").await;
    note(&app, "The result").await;
    app.button("Next").await;
    note(&app, "Notifications").await;
    app.button("Next").await;
    note(&app, "signalbox serve").await;
    desktop.picture("first-follow").await;
    app.button("Done").await;

    app.button("Remove the demo").await;
    let asked = spot::dialog("Remove the demo?");
    app.see(&asked).await;
    app.press(&spot::button("Remove the demo").within(&asked)).await;
    app.gone(&asked).await;
    app.go("Inbox").await;
    app.see(&spot::heading(TITLE)).await;
    let tasks = desktop.machine.run(&["tasks"]).await.ok();
    assert_eq!(tasks["tasks"], serde_json::json!([]), "nothing of it is left");
    let log = desktop.machine.run(&["verify"]).await.ok();
    assert!(log["entries"].as_u64() > Some(0), "but the log of decisions: {log}");
    app.terminate().await;
}

#[tokio::test]
async fn the_first_minute_by_keyboard_alone() {
    let desktop = Desktop::start().await;
    let app = open(&desktop).await;
    app.keys(&ENTER.to_string()).await;
    app.see(&spot::heading(APPROVAL)).await;
    app.keys("1").await;
    app.see(&spot::dialog("Send this answer?")).await;
    app.keys(&ENTER.to_string()).await;
    note(&app, "Time to undo").await;
    decided(&app, "accepted by you").await;

    app.keys("gt").await;
    let task = spot::region("Task");
    app.until("the deployment to be in hand", async || {
        app.keys("j").await;
        app.has(&spot::text("api-gateway").within(&task)).await.then_some(())
    })
    .await;
    app.says(&task, "Deployed api-gateway 4.18.2 to eu-west.").await;
    note(&app, "The result").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_start_can_ask_for_the_demo() {
    let desktop = Desktop::start().await;
    let app = App::start(&desktop, &["--demo"]).await;
    app.see(&spot::heading(APPROVAL)).await;
    let remove = async || drop(desktop.machine.run(&["demo", "remove"]).await.ok());
    remove().await;
    app.see(&spot::heading(TITLE)).await;

    let home = desktop.machine.data();
    start_again(&desktop.machine, &["--home", home.to_str().unwrap(), "--demo"]).await;
    app.hear(&open_questions("1 open question")).await;

    // A page that begins anew is no other start.
    remove().await;
    app.page_dies().await;
    let tasks = desktop.machine.run(&["tasks"]).await.ok();
    assert_eq!(tasks["tasks"], serde_json::json!([]), "what was removed stays away");
    app.terminate().await;
}
