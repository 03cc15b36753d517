//! `two_questions`: two input requests at once, answered together or one by one in any order.

use serde_json::json;

use super::{HOUR_MS, Support, Tool, Ttl, form, text_and};
use crate::script::{End, Request, Step, Told};

pub(super) const TOOL: Tool = Tool {
    name: "two_questions",
    title: "Plan a migration",
    description: "Asks for a strategy and a maintenance window at the same time.",
    input: || json!({ "type": "object", "properties": {} }),
    output: None,
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 1000, say: "looking at the database" },
        Step::Ask { say: "two decisions needed", requests: QUESTIONS },
        Step::Work { ms: 1000, say: "writing the plan" },
        Step::End(plan),
    ],
};

const QUESTIONS: &[Request] = &[
    ("strategy", |_| {
        let strategy = json!({
            "strategy": {
                "type": "string",
                "title": "Strategy",
                "oneOf": [
                    { "const": "online", "title": "Online, slower" },
                    { "const": "offline", "title": "Offline, with downtime" },
                ],
            },
        });
        form("How should the database be migrated?", strategy, &["strategy"])
    }),
    ("window", |_| {
        let window = json!({
            "start": { "type": "string", "format": "date-time", "title": "Start" },
            "minutes": { "type": "integer", "title": "Length in minutes", "minimum": 5, "maximum": 240, "default": 30 },
        });
        form("When may it happen?", window, &["start", "minutes"])
    }),
];

fn plan(told: &Told) -> End {
    let answers = json!({ "strategy": told.response("strategy"), "window": told.response("window") });
    let say = format!("Planned. Strategy: {}. Window: {}.", told.action("strategy"), told.action("window"));
    End::Completed(text_and(say, answers))
}
