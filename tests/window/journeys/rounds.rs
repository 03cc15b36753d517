//! Questions on the call itself: a round goes out whole, in whichever order its questions are decided.

use serde_json::{Value, json};
use signalbox_demo::JournalEntry;

use super::{Story, open_questions};
use crate::app::App;
use crate::spot;

const SURE: &str = "Delete volume tank? This cannot be undone.";
const NAME: &str = "Type the name of volume tank once more.";
const REASON: &str = "Why is it deleted?";

#[tokio::test]
async fn a_round_is_answered_from_the_first_and_outlives_a_power_cut_in_between() {
    confirmed([NAME, REASON]).await;
}

#[tokio::test]
async fn a_round_is_answered_from_the_last_and_outlives_a_power_cut_in_between() {
    confirmed([REASON, NAME]).await;
}

/// `confirm` asks once, then twice at a time. Its last two questions are answered in this order, with a kill between.
async fn confirmed(order: [&str; 2]) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    let task = story.desktop.call("ci", "confirm", &json!({ "volume": "tank" })).await;
    let task = task["id"].as_str().unwrap().to_owned();
    app.hear(&open_questions("1 open question")).await;
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", SURE)).await;
    app.press(&spot::choice("Yes, delete it", "Yes")).await;
    send(&app, "Send").await;

    // Both stand on one sheet. One alone is kept, and says what it waits for.
    app.hear(&open_questions("2 open questions")).await;
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", order[0])).await;
    let question = spot::region("Question");
    app.says(&question, NAME).await;
    app.says(&question, REASON).await;
    fill(&app, order[0]).await;
    app.press(&spot::button("Review and send")).await;
    app.see(&spot::dialog("Keep this answer?")).await;
    app.button("Keep").await;
    app.says(&question, "goes out with the other").await;
    app.hear(&open_questions("1 open question")).await;
    assert_eq!(calls(&story).len(), 2, "nothing of a round leaves before all of it is decided");

    app.kill().await;
    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", order[1])).await;
    app.says(&spot::region("Question"), "goes out with the other").await;
    fill(&app, order[1]).await;
    send(&app, "Send").await;
    super::decided(&app, "accepted by you").await;
    app.gone(&open_questions("open question")).await;

    let done = story.shows(&app, &task, "outcome", "ok").await;
    let said = done["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(said, "Volume tank is deleted.", "{done}");
    let calls = calls(&story);
    assert_eq!(calls.len(), 3, "the call, and each round once with all of its answers");
    let answers = &calls[2]["inputResponses"];
    assert_eq!(answers["name"]["content"], json!({ "name": "tank" }), "{answers}");
    assert_eq!(answers["reason"]["content"], json!({ "reason": "full" }), "{answers}");
    app.terminate().await;
}

#[tokio::test]
async fn a_kept_answer_can_be_changed_until_its_round_goes_out() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.call("ci", "confirm", &json!({ "volume": "tank" })).await;
    app.hear(&open_questions("1 open question")).await;
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", SURE)).await;
    app.press(&spot::choice("Yes, delete it", "Yes")).await;
    send(&app, "Send").await;
    app.hear(&open_questions("2 open questions")).await;
    app.press(&spot::entry("Questions", REASON)).await;
    app.fill(&spot::field("Reason"), "fill").await;
    send(&app, "Keep").await;
    app.button("Change").await;
    app.holds(&spot::field("Reason"), "fill").await;
    app.fill(&spot::field("Reason"), "full").await;
    app.fill(&spot::field("Name"), "tank").await;
    app.button("Review and send both").await;
    app.button("Send").await;
    app.gone(&open_questions("open question")).await;
    story.shows(&app, "t1", "outcome", "ok").await;
    let calls = calls(&story);
    assert_eq!(calls.len(), 3, "each round went out once");
    assert_eq!(calls[2]["inputResponses"]["reason"]["content"], json!({ "reason": "full" }), "as changed");
    app.terminate().await;
}

/// What each `tools/call` carried.
fn calls(story: &Story) -> Vec<Value> {
    let entries = story.demo.journal().requests("tools/call");
    entries
        .into_iter()
        .filter_map(|entry| match entry {
            JournalEntry::Request { params, .. } => Some(params),
            _ => None,
        })
        .collect()
}

async fn fill(app: &App, title: &str) {
    match title {
        NAME => app.fill(&spot::field("Name"), "tank").await,
        _ => app.fill(&spot::field("Reason"), "full").await,
    }
}

/// Reviews what is filled in and agrees to it.
async fn send(app: &App, label: &str) {
    app.press(&spot::button("Review and send")).await;
    app.press(&spot::button(label)).await;
}
