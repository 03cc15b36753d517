//! A secret that a server asks for in a form: seen by nobody, in no draft on the disk, and delivered to the letter.

use std::path::PathBuf;

use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::{APPROVAL, Story, decided, open_question, open_questions};
use crate::app::App;
use crate::page::ENTER;
use crate::spot;

const PASSWORD: &str = "Password of the cluster";
/// The `а` in it is Cyrillic: it looks like another letter.
const SECRET: &str = "zebra-quаrtz-9vex";
/// What of it would tell, whatever is done to that letter.
const PARTS: [&str; 3] = ["zebra", "rtz", "9vex"];

fn ask_for_a_password(message: &mut Value) {
    let properties = "/result/inputRequests/approval/params/requestedSchema/properties";
    if let Some(properties) = message.pointer_mut(properties) {
        properties["password"] = json!({ "type": "string", "title": PASSWORD });
    }
}

#[tokio::test]
async fn a_secret_in_a_form_is_seen_by_nobody_kept_nowhere_and_delivered_to_the_letter() {
    let story = Story::begin().await;
    // What is pushed is not what is edited here.
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    story.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(ask_for_a_password));
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;

    // It is hidden while it is typed. The rest of what is typed is a draft, and outlives a power cut.
    let (password, rate) = (spot::field(PASSWORD), spot::field("Maximum error rate"));
    type_in(&app, SECRET).await;
    app.fill(&rate, "1.5").await;
    app.read("Draft saved").await;
    unread(&app, "while it is typed").await;
    story.desktop.picture("secret-typed").await;
    app.kill().await;
    assert_eq!(kept(&story), [] as [PathBuf; 0], "no draft has it, nor has anything else on this machine");

    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.holds(&rate, "1.5").await;
    app.holds(&password, "").await;
    type_in(&app, SECRET).await;

    // The review names field and server, shows how long it is, and wants a tick before it sends.
    let review = spot::dialog("Send this answer?");
    app.button("Review and send").await;
    app.says(&review, "ci gets a secret: Password of the cluster.").await;
    app.says(&review, "•••••••• (17 characters)").await;
    unread(&app, "in the review").await;
    story.desktop.picture("secret-review").await;
    app.keys(&ENTER.to_string()).await;
    app.drawn().await;
    assert!(app.has(&review).await, "Enter alone does not send it");
    assert!(!app.see(&spot::button("Send")).await.is_enabled().await.unwrap(), "nor does a press");
    assert_eq!(story.demo.journal().requests("tasks/update"), [], "the server has nothing of it yet");
    app.keys(" ").await;
    app.keys(&ENTER.to_string()).await;

    // The receipt and the log have its length and its hash.
    decided(&app, "accepted by you").await;
    app.says(&spot::region("Question"), "17 characters, not kept").await;
    unread(&app, "in the receipt").await;
    story.desktop.picture("secret-receipt").await;
    let content =
        json!({ "approved": true, "rollout": "gradual", "max_error_rate": 1.5, "password": SECRET });
    let taken = story.demo.taken("approval");
    assert_eq!(taken, [json!({ "action": "accept", "content": content })], "the server has it to the letter");
    let log = story.desktop.machine.run(&["export", "--what", "decisions"]).await.exits(0).documents();
    let entry = log.iter().map(|line| &line["entry"]).find(|entry| entry["kind"] == "answered").unwrap();
    let masked = &entry["masked"][0];
    assert_eq!((&masked["path"], &masked["length"]), (&json!("/content/password"), &json!(17)), "{entry}");
    assert!(masked["sha256"].is_string(), "whoever knows it can prove it: {entry}");
    app.terminate().await;
    assert_eq!(kept(&story), [] as [PathBuf; 0], "once it is delivered it is nowhere");
}

/// Types the secret into its field, which hides it.
async fn type_in(app: &App, secret: &str) {
    let password = spot::field(PASSWORD);
    app.reach(&password).await;
    app.fill(&password, secret).await;
    let kind = app.see(&password).await.attr("type").await.unwrap();
    assert_eq!(kind.as_deref(), Some("password"), "what is typed is hidden");
}

/// No part of it can be read in the window.
async fn unread(app: &App, when: &str) {
    let shown = app.0.execute("return document.body.innerText", Vec::new()).await.unwrap();
    let shown = shown.as_str().unwrap();
    let read: Vec<_> = PARTS.into_iter().filter(|part| shown.contains(part)).collect();
    assert!(read.is_empty(), "{when} {read:?} can be read in {shown}");
}

/// The files that have a part of it.
fn kept(story: &Story) -> Vec<PathBuf> {
    PARTS.iter().flat_map(|part| story.desktop.machine.files_with(part)).collect()
}
