//! Nobody has a window open: `serve` follows, reminds, and leads back into the window.

use std::time::Duration;

use serde_json::json;
use signalbox_demo::{Demo, Wires};

use super::{Story, TO_THE_APPROVAL, open_questions};
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn while_the_window_is_closed_reminders_come_and_lead_to_their_question() {
    // On the legacy wire a task lives as long as its caller wishes.
    let builder = Demo::builder().wires(Wires::Legacy);
    let story = Story::around(Desktop::on_its_own_time().await, builder, json!({ "undoMs": 0 })).await;
    let (desktop, machine) = (&story.desktop, &story.desktop.machine);
    let app = desktop.open().await;
    let notices = desktop.notices().await;
    app.go("Tasks").await;
    let payments = story.deploy("payments").await;
    notices.shown(1).await;
    app.hear(&open_questions("1 open question")).await;
    desktop.close_front_window().await;
    app.see(&spot::dialog("Close Signalbox?")).await;
    app.ends_by(&spot::button("Keep following")).await;

    let call =
        ["call", "ci", "deploy", "--args", r#"{"service":"checkout"}"#, "--ttl", "1800000", "--detach"];
    let checkout = machine.run(&call).await.ok()["id"].as_str().unwrap().to_owned();
    story.pass(TO_THE_APPROVAL);
    let shown = notices.shown(2).await;
    assert_eq!(shown[1]["summary"], "ci · deploy needs you");
    machine.passes(Duration::from_secs(25 * 60));
    let shown = notices.shown(3).await;
    assert_eq!(shown[2]["summary"], "ci · deploy needs you: it expires soon");
    assert!(shown[2]["body"].as_str().unwrap().contains("checkout"), "{}", shown[2]);

    let put_off = asked_by(&story, &payments).await;
    drop(machine.run(&["snooze", &put_off, "2m"]).await.ok());
    machine.passes(Duration::from_secs(120));
    let shown = notices.shown(4).await;
    assert_eq!(shown[3]["summary"], "ci · deploy needs you", "it is back, and says so");
    assert!(shown[3]["body"].as_str().unwrap().contains("payments"), "{}", shown[3]);

    // The window that opens has that question in hand: its key declines this one, and no other.
    notices.click(&shown[3]["id"], "review").await;
    desktop.press_until(&["3"], || !story.demo.taken("approval").is_empty()).await;
    let taken = story.demo.taken("approval");
    assert_eq!((taken.len(), &taken[0]["action"]), (1, &json!("decline")), "{taken:?}");
    assert_eq!(story.show(&put_off).await["state"], "answered");
    assert_eq!(story.show(&asked_by(&story, &checkout).await).await["state"], "open");
}

/// The question of a task.
async fn asked_by(story: &Story, task: &str) -> String {
    story.show(task).await["inputRequests"][0]["id"].as_str().unwrap().to_owned()
}
