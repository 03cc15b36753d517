use std::sync::Mutex;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::{APPROVAL, Story, TO_THE_END, open_questions};
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn a_notification_leads_to_its_item_and_what_is_in_front_needs_none() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    let first = story.deploy("checkout").await;

    let shown = notices.shown(1).await;
    assert_eq!(shown[0]["summary"], "ci · deploy needs you");
    assert!(shown[0]["body"].as_str().unwrap().starts_with(APPROVAL), "{}", shown[0]);
    let actions = shown[0]["actions"].as_array().unwrap();
    assert!(actions.contains(&json!("review")) && actions.contains(&json!("Review")), "{actions:?}");
    notices.click(&shown[0]["id"], "review").await;
    app.see(&spot::heading(APPROVAL)).await;
    app.says(&spot::region("Question"), "checkout latest is ready").await;

    // The end of the task in front is seen: the next notification is of another.
    app.button("Show task").await;
    app.says(&spot::region("Task"), "waiting for approval").await;
    drop(story.desktop.machine.run(&["answer", "r1", "--decline"]).await.ok());
    app.says(&spot::region("Task"), "Not deployed: the approval was declined.").await;
    let second = story.deploy("payments").await;
    let shown = notices.shown(2).await;
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!(shown[1]["summary"], "ci · deploy needs you", "none spoke of the end of {first}");
    assert!(shown[1]["body"].as_str().unwrap().contains("payments"), "{}", shown[1]);

    // The end of one that is not in front is told, and its "Review" leads to its result.
    app.hear(&open_questions("1 open question")).await;
    drop(story.desktop.machine.run(&["answer", "r2", "--accept", "--content", CONTENT]).await.ok());
    story.pass(TO_THE_END);
    let shown = notices.shown(3).await;
    assert_eq!(shown[2]["summary"], "ci · deploy is done", "of {second}");
    notices.click(&shown[2]["id"], "review").await;
    app.says(&spot::region("Task"), "Deployed payments latest to eu-west.").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_missing_notification_service_is_shown_in_settings() {
    let story = Story::on(Desktop::without_notifications().await, json!({ "undoMs": 0 })).await;
    let app = story.desktop.open().await;
    app.go("Settings").await;
    let settings = spot::region("Settings");
    app.see(&settings).await;
    assert!(
        !app.has(&spot::text("Notifications do not work").within(&settings)).await,
        "nothing was tried yet"
    );
    story.deploy("checkout").await;
    app.says(&settings, "Notifications do not work").await;
    app.hear(&open_questions("1 open question")).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_notification_puts_its_question_off_and_the_history_says_what_was_held_back() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Tasks").await;
    story.deploy("checkout").await;
    let shown = notices.shown(1).await;
    notices.click(&shown[0]["id"], "snooze").await;
    app.go("Inbox").await;
    app.press(&spot::tab("Snoozed")).await;
    app.see(&spot::entry("Questions", APPROVAL)).await;
    let request = story.show("r1").await;
    let until: Timestamp = request["snoozed"]["at"].as_str().unwrap().parse().unwrap();
    let away = until.duration_since(Timestamp::now()).as_secs();
    assert!((3_300..=3_600).contains(&away), "for an hour: {request}");
    assert_eq!(request["state"], "open", "it waits for its person as before");
    assert!(story.demo.taken("approval").is_empty(), "its server has heard nothing of that");

    drop(story.desktop.machine.run(&["notifications", "level", "nothing", "ci"]).await.ok());
    story.deploy("payments").await;
    app.go("Settings").await;
    let past = spot::section("Recent notifications");
    app.says(&past, "held back: its level").await;
    app.says(&past, "shown").await;
    assert_eq!(notices.shown(1).await.len(), 1, "the second one was not told");
    app.terminate().await;
}

/// The tasks that were looked at, in that order. Each test is a process of its own.
static LOOKED_AT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The first one never expires, and the second one long after the quiet hours.
fn the_first_two_can_wait(message: &mut Value) {
    let Some(task) = message.get_mut("result").filter(|task| task["taskId"].is_string()) else { return };
    let id = task["taskId"].as_str().unwrap();
    let mut known = LOOKED_AT.lock().unwrap();
    if !known.iter().any(|known| known == id) {
        known.push(id.to_owned());
    }
    match known.iter().position(|known| known == id) {
        Some(0) => task["ttlMs"] = Value::Null,
        Some(1) => task["ttlMs"] = json!(EIGHT_HOURS),
        _ => {}
    }
}

const EIGHT_HOURS: u32 = 8 * 3_600_000;

#[tokio::test]
async fn in_quiet_hours_only_what_expires_inside_them_is_told() {
    let mut desktop = Desktop::start().await;
    desktop.machine = desktop.machine.with("TZ", "UTC");
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    let hour = |away: i64| now.checked_add(away.hours()).unwrap().strftime("%H:%M").to_string();
    // An hour after it began a task of the scripted server expires: inside them.
    let quiet = json!({ "from": hour(-1), "to": hour(6) });
    let settings = json!({ "undoMs": 0, "notifications": { "quiet": quiet } });
    let story = Story::on(desktop, settings).await;
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    story.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(the_first_two_can_wait));
    let app = story.desktop.open().await;
    let notices = story.desktop.notices().await;
    app.go("Settings").await;
    let past = spot::section("Recent notifications");
    for (service, held) in [("checkout", 1), ("search", 2)] {
        story.deploy(service).await;
        app.until("one more that is held back", async || {
            let said = app.see(&past).await.text().await.ok()?;
            (said.matches("held back: quiet hours").count() == held).then_some(())
        })
        .await;
    }

    story.deploy("payments").await;
    let shown = notices.shown(1).await;
    assert!(shown[0]["body"].as_str().unwrap().contains("payments"), "what can wait waits: {}", shown[0]);
    app.says(&past, "shown").await;
    app.hear(&open_questions("3 open questions")).await;
    assert_eq!(notices.shown(1).await.len(), 1, "the others still wait for their end");
    app.terminate().await;
}

const CONTENT: &str = r#"{"approved":true,"rollout":"gradual"}"#;
