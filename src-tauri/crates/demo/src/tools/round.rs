//! `mrtr_question`: asks before it does anything, by a multi round-trip request instead of a task.

use serde_json::{Value, json};

use super::{Answer, Tool, form, text, text_and};
use crate::script::Told;

pub(super) const TOOL: Tool = Tool {
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
    answer: Answer::Round { requests: &[("environment", environment)], result: chosen },
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
