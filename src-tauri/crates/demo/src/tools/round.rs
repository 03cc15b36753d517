//! Tools that ask before they do anything, without a task: in rounds on the modern wire, by requests on the legacy one.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, form, text, text_and};
use crate::script::{End, Step, Told};

pub(super) const ONE: Tool = Tool {
    name: "mrtr_question",
    title: "Choose an environment",
    description: "Answers the call with a question; the retry carries the answer.",
    input: || {
        json!({
            "type": "object",
            "properties": { "action": { "type": "string", "title": "Action", "default": "restart" } },
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Ask { say: "waiting for an environment", requests: &[("environment", environment)] },
        Step::End(|told| End::Completed(chosen(told))),
    ],
};

pub(super) const CONFIRM: Tool = Tool {
    name: "confirm",
    title: "Delete a volume",
    description: "Asks twice before it does what cannot be undone, the second time for two things.",
    input: || {
        json!({
            "type": "object",
            "properties": { "volume": { "type": "string", "title": "Volume", "default": "scratch" } },
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Ask { say: "waiting for a confirmation", requests: &[("sure", sure)] },
        Step::EndIf(|told| stays_unless(told, told.field("sure", "sure") == &json!(true))),
        Step::Ask { say: "waiting for the last word", requests: &[("name", name), ("reason", reason)] },
        Step::EndIf(|told| stays_unless(told, told.field("name", "name") == told.argument("volume"))),
        Step::End(|told| {
            let answers = json!({ "name": told.response("name"), "reason": told.response("reason") });
            End::Completed(text_and(told.fill("Volume {volume} is deleted."), answers))
        }),
    ],
};

pub(super) const CONNECT: Tool = Tool {
    name: "connect_account",
    title: "Connect an account",
    description: "Needs a page opened before it can do anything.",
    input: || json!({ "type": "object", "properties": {} }),
    output: None,
    destroys: false,
    tasks: Support::Forbidden,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Ask { say: "waiting for the account", requests: &[("account", page)] },
        Step::End(|told| {
            End::Completed(text(match told.action("account") {
                "accept" => "The account is connected.",
                _ => "The account stays unconnected.",
            }))
        }),
    ],
};

fn environment(told: &Told) -> Value {
    let environment = json!({
        "environment": { "type": "string", "title": "Environment", "enum": ["staging", "production"], "default": "staging" },
    });
    form(told.fill("Where should \"{action}\" be done?"), environment, &["environment"])
}

fn chosen(told: &Told) -> Value {
    match told.action("environment") {
        "accept" => {
            let environment = told.field("environment", "environment");
            let shown = environment.as_str().unwrap_or("an unnamed environment");
            text_and(told.fill("Done: {action} in ") + shown, json!({ "environment": environment }))
        }
        "decline" => text("Nothing done: the question was declined."),
        _ => text("Nothing done: the question was dismissed."),
    }
}

fn sure(told: &Told) -> Value {
    let sure = json!({ "sure": { "type": "boolean", "title": "Yes, delete it", "default": false } });
    form(told.fill("Delete volume {volume}? This cannot be undone."), sure, &["sure"])
}

fn name(told: &Told) -> Value {
    let name = json!({ "name": { "type": "string", "title": "Name", "minLength": 1 } });
    form(told.fill("Type the name of volume {volume} once more."), name, &["name"])
}

fn reason(_: &Told) -> Value {
    form("Why is it deleted?", json!({ "reason": { "type": "string", "title": "Reason" } }), &[])
}

fn stays_unless(told: &Told, agreed: bool) -> Option<End> {
    (!agreed).then(|| End::Completed(text(told.fill("Volume {volume} stays."))))
}

fn page(_: &Told) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "url",
            "message": "Open the page of the account service to connect your account.",
            "url": "https://accounts.example.com/connect?state=5d41402a",
        },
    })
}
