//! A question that is withdrawn and asked again with another form, after an answer to it was begun. (A key names one question:
//! while that stands, it keeps the form that it came with.)

use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::{APPROVAL, Story, decided, open_question, open_questions};
use crate::spot::{self, Spot};

const WITHDRAWN: u8 = 1;
const ANEW: u8 = 2;
/// What the server does with its question. Each test is a process of its own.
static ASKS: AtomicU8 = AtomicU8::new(0);

fn as_it_asks_now(message: &mut Value) {
    let Some(requests) = message.pointer_mut("/result/inputRequests").and_then(Value::as_object_mut) else {
        return;
    };
    match ASKS.load(Ordering::Relaxed) {
        WITHDRAWN => requests.clear(),
        ANEW => with_another_form(&mut requests["approval"]["params"]["requestedSchema"]),
        _ => {}
    }
}

/// It wants to know a window, and nothing of a rollout any more.
fn with_another_form(schema: &mut Value) {
    let fields = schema["properties"].as_object_mut().unwrap();
    drop(fields.remove("rollout"));
    drop(fields.insert("window".into(), json!({ "type": "string", "title": "Window" })));
    schema["required"] = json!(["approved"]);
}

#[tokio::test]
async fn a_draft_of_an_earlier_form_stands_beside_the_new_one_and_is_taken_over_in_part() {
    let story = Story::begin().await;
    // What is pushed is not what is edited here.
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    story.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(as_it_asks_now));
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    let rate = spot::field("Maximum error rate");
    app.fill(&rate, "1.5").await;
    app.choose(&spot::field("Rollout"), "All at once").await;
    app.read("Draft saved").await;

    ASKS.store(WITHDRAWN, Ordering::Relaxed);
    app.gone(&open_questions("open question")).await;
    ASKS.store(ANEW, Ordering::Relaxed);
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    let title = "Your draft of an earlier form";
    let window = spot::field("Window");
    app.read(title).await;
    app.holds(&rate, "0.5").await;
    app.fill(&window, "tonight").await;
    app.read("Draft saved").await;
    story.desktop.picture("former").await;
    app.terminate().await;

    // Nothing of it is lost with the window, and nothing of it is used unasked.
    let app = story.desktop.open().await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.read(title).await;
    app.holds(&window, "tonight").await;
    app.holds(&rate, "0.5").await;
    app.says(&part("rollout"), "all_at_once").await;
    let take = |name| spot::button("Use this").within(&part(name));
    assert!(!app.has(&take("rollout")).await, "the form has no such field");
    app.press(&take("max_error_rate")).await;
    app.holds(&rate, "1.5").await;
    app.gone(&part("max_error_rate")).await;
    story.desktop.picture("former-in-part").await;
    app.button("Review and send").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    let content = json!({ "approved": true, "max_error_rate": 1.5, "window": "tonight" });
    assert_eq!(story.demo.taken("approval"), [json!({ "action": "accept", "content": content })]);
    app.terminate().await;
}

/// What was filled in for a field of the earlier form.
fn part(name: &str) -> Spot {
    Spot(format!("//dl/div[dt[normalize-space(.)='{name}']]"))
}
