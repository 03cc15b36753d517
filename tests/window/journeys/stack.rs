//! Fifty deployments ask the same: they are answered together, taken back together, and each answer is delivered once.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use signalbox_demo::JournalEntry;

use super::{APPROVAL, Story, TO_THE_APPROVAL, open_question, open_questions};
use crate::spot;

const ASKED: usize = 50;
const HOLD: &str = "Hold to send 50 answers";
const RIPE: &str = "Let go to send";

#[tokio::test]
async fn a_stack_of_50_is_answered_together_and_each_answer_delivered_once() {
    let story = Story::with(json!({ "undoMs": 60_000 })).await;
    let app = story.desktop.open().await;
    for service in 0..ASKED {
        let arguments = json!({ "service": format!("service-{service}") });
        drop(story.desktop.call("ci", "deploy", &arguments).await);
    }
    story.pass(TO_THE_APPROVAL);
    app.hear(&open_questions("50 open questions")).await;
    open_question(&app, APPROVAL).await;
    app.says(&spot::entry("Questions", APPROVAL), "50 the same").await;
    app.read("49 more are like this.").await;

    // What differs is shown, and what each of them gets.
    let dialog = spot::dialog("Send one answer to all of these?");
    app.button("Answer all 50…").await;
    app.says(&dialog, "\"service-49\"").await;
    app.says(&dialog, "\"rollout\": \"gradual\"").await;
    story.desktop.picture("stack").await;

    // Who lets go early or elsewhere has changed their mind.
    let hold = spot::button(HOLD);
    app.let_go_early(&hold).await;
    drop(app.hear(&hold).await);
    app.hold_and_move_away(&hold, RIPE).await;
    drop(app.hear(&hold).await);
    app.drawn().await;
    assert!(app.has(&dialog).await, "nothing was sent: what would be is still to be read");
    let listed = story.desktop.machine.run(&["inbox"]).await.ok();
    let open = |request: &Value| request["state"] == "open";
    let left = listed["requests"].as_array().unwrap().iter().filter(|request| open(request));
    assert_eq!(left.count(), ASKED, "nor is anything held to be sent");
    app.press(&spot::text("I have read the differences").within(&dialog)).await;
    // WebDriver takes a button whose label has just become another for hidden.
    app.hear(&spot::button("Send 50 answers")).await.click().await.unwrap();
    app.read("50 answers: accepted").await;
    app.gone(&open_questions("open question")).await;

    // All of them can be taken back while nothing has left.
    app.button("Undo all 50").await;
    app.read("50 answers were taken back.").await;
    assert_eq!(
        story.demo.journal().requests("tasks/update").len(),
        0,
        "nothing leaves while it can be undone"
    );
    app.hear(&open_questions("50 open questions")).await;
    app.button("Close").await;

    app.go("Settings").await;
    app.fill(&spot::field("Time to undo an answer"), "1").await;
    app.keys("\t").await;
    app.read("Saved").await;
    open_question(&app, APPROVAL).await;
    app.button("Answer all 50…").await;
    // What was taken back is a draft of each, and none is overruled unseen.
    app.press(&spot::field("Answer all of them").within(&dialog)).await;
    app.hold(&hold, RIPE).await;
    app.gone(&open_questions("open question")).await;

    app.until("50 answers that were taken", async || {
        (story.demo.taken("approval").len() == ASKED).then_some(())
    })
    .await;
    let told: Vec<String> = story
        .demo
        .journal()
        .requests("tasks/update")
        .into_iter()
        .filter_map(|entry| match entry {
            JournalEntry::Request { params, .. } => Some(params["taskId"].to_string()),
            _ => None,
        })
        .collect();
    let tasks: BTreeSet<&String> = told.iter().collect();
    assert_eq!((told.len(), tasks.len()), (ASKED, ASKED), "each task was told once");
    app.terminate().await;
}
