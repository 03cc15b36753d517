//! Every type of field that a question can have, filled in as a person does: what the server takes is compared to the letter.

use std::time::Duration;

use serde_json::{Value, json};
use signalbox_demo::Fault;

use super::{Story, decided, open_question, open_questions};
use crate::app::App;
use crate::spot;

const SURVEY: &str = "Please fill in every kind of field.";
const TO_THE_FORM: Duration = Duration::from_secs(1);

/// Fields that may be null, and one that no control shows.
fn with_more(message: &mut Value) {
    let Some(properties) =
        message.pointer_mut("/result/inputRequests/survey/params/requestedSchema/properties")
    else {
        return;
    };
    properties["motto"] = json!({ "type": "string", "title": "Motto", "default": "Onward" });
    properties["note"] = json!({ "type": ["string", "null"], "title": "Note" });
    properties["guests"] = json!({ "type": ["integer", "null"], "title": "Guests", "default": 3 });
    properties["paid"] = json!({ "type": ["boolean", "null"], "title": "Paid" });
    properties["seat"] =
        json!({ "type": "object", "title": "Seat", "properties": { "row": { "type": "integer" } } });
}

async fn asked() -> (Story, App) {
    let story = Story::begin().await;
    // What is pushed is not what is edited here.
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    story.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(with_more));
    let app = story.desktop.open().await;
    drop(story.desktop.call("ci", "survey", &json!({})).await);
    story.pass(TO_THE_FORM);
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, SURVEY).await;
    (story, app)
}

#[tokio::test]
async fn every_type_of_field_is_filled_in_and_taken_as_it_was_shown() {
    let (story, app) = asked().await;
    for (label, typed) in [
        ("Name", "Ada Lovelace"),
        ("Nickname", "Ada"),
        ("Ticket", "OPS-123"),
        ("E-mail", "ada@example.com"),
        ("Home page", "https://example.com/~ada?q=1"),
        ("Birthday", "2026-01-15"),
        ("Next meeting", "2026-03-04T05:06:07Z"),
        ("Seats", "4"),
        ("Budget", "12.50"),
        ("Seat", r#"{"row": 7}"#),
    ] {
        app.reach(&spot::field(label)).await;
        app.fill(&spot::field(label), typed).await;
    }
    choose_days(&app).await;
    for (group, label) in [("Newsletter", "Yes"), ("Paid", "Null")] {
        tick(&app, group, label).await;
    }
    for (field, label) in [("Size", "L"), ("Colour", "Green"), ("Shipping", "Express")] {
        app.choose(&spot::field(field), label).await;
    }
    for (group, label) in [("Toppings", "basil"), ("Days", "Monday"), ("Days", "Friday")] {
        tick(&app, group, label).await;
    }
    // A default is left out first: an empty text, or null, is then one of the ways on.
    for (field, way) in [
        ("Motto", "Leave out"),
        ("Motto", "Send an empty text"),
        ("Note", "Send null"),
        ("Guests", "Leave out"),
        ("Guests", "Send null"),
    ] {
        let button = spot::button(way).within(&spot::shell(field));
        app.reach(&button).await;
        app.press(&button).await;
    }
    app.says(&spot::shell("Motto"), "An empty text is sent.").await;
    app.says(&spot::shell("Guests"), "Null is sent.").await;
    story.desktop.picture("survey").await;

    app.button("Review and send").await;
    let review = spot::dialog("Send this answer?");
    app.says(&review, "\"budget\": 12.50").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    let content = json!({
        "name": "Ada Lovelace",
        "nickname": "Ada",
        "ticket": "OPS-123",
        "email": "ada@example.com",
        "homepage": "https://example.com/~ada?q=1",
        "birthday": "2026-02-14",
        "meeting": "2026-03-09T10:30:00Z",
        "seats": 4,
        "budget": 12.5,
        "newsletter": true,
        "size": "L",
        "colour": "#0a0",
        "shipping": "exp",
        "toppings": ["cheese", "basil"],
        "days": ["mon", "fri"],
        "motto": "",
        "note": null,
        "guests": null,
        "paid": null,
        "seat": { "row": 7 },
    });
    assert_eq!(story.demo.taken("survey"), [json!({ "action": "accept", "content": content })]);
    app.terminate().await;
}

/// A day of another month, and another day and time on that of a date-time, by the calendar alone.
async fn choose_days(app: &App) {
    let calendar = |label| spot::button("Calendar").within(&spot::shell(label));
    app.reach(&calendar("Birthday")).await;
    app.press(&calendar("Birthday")).await;
    app.press(&spot::named("Next month")).await;
    app.button("14").await;
    app.holds(&spot::field("Birthday"), "2026-02-14").await;

    app.reach(&calendar("Next meeting")).await;
    app.press(&calendar("Next meeting")).await;
    app.button("9").await;
    app.holds(&spot::field("Next meeting"), "2026-03-09T05:06:07Z").await;
    app.press(&calendar("Next meeting")).await;
    app.fill(&spot::field("Time"), "10:30").await;
    app.button("Close").await;
    app.holds(&spot::field("Next meeting"), "2026-03-09T10:30:00Z").await;
}

async fn tick(app: &App, group: &str, label: &str) {
    let choice = spot::choice(group, label);
    app.reach(&choice).await;
    app.press(&choice).await;
}

#[tokio::test]
async fn what_stands_in_the_json_tab_is_what_the_server_takes() {
    let (story, app) = asked().await;
    app.press(&spot::tab("JSON")).await;
    let content = spot::field("Content as JSON");
    app.fill(&content, r#"{"name":"Ada","email":"ada@example.com","seats":40,"size":"M","days":["wed"]}"#)
        .await;
    app.read("It does not fit the schema in 1 place:").await;
    app.button("Review and send").await;
    app.read("1 value does not fit. Nothing was sent.").await;
    let fits = r#"{"name":"Ada","email":"ada@example.com","seats":4,"budget":0.70,"size":"M","days":["wed"],"note":null}"#;
    app.fill(&content, fits).await;
    app.read("It fits the schema.").await;
    app.button("Review and send").await;
    app.says(&spot::dialog("Send this answer?"), "\"budget\": 0.70").await;
    app.button("Send").await;
    decided(&app, "accepted by you").await;
    let content: Value = serde_json::from_str(fits).unwrap();
    assert_eq!(
        story.demo.taken("survey"),
        [json!({ "action": "accept", "content": content })],
        "no more and no less"
    );
    app.terminate().await;
}
