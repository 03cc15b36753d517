//! `drop_database`: a tool that says that it may destroy something, and asks before it does.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, form, text};
use crate::script::{End, Step, Told};

pub(super) const TOOL: Tool = Tool {
    name: "drop_database",
    title: "Drop a database",
    description: "Says of itself that it may destroy something, and asks before it does.",
    input: || {
        json!({
            "type": "object",
            "properties": { "database": { "type": "string", "title": "Database", "default": "staging" } },
        })
    },
    output: None,
    destroys: true,
    tasks: Support::Required,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 1000, say: "looking for {database}" },
        Step::Ask { say: "waiting for a yes", requests: &[("drop", sure)] },
        Step::EndIf(|told| {
            let agreed = told.field("drop", "sure") == &json!(true);
            (!agreed).then(|| End::Completed(text(told.fill("Database {database} stays."))))
        }),
        Step::Count { ms: 2000, of: 20, say: "dropped {n}/20 tables" },
        Step::End(|told| End::Completed(text(told.fill("Database {database} is dropped.")))),
    ],
};

fn sure(told: &Told) -> Value {
    let sure = json!({ "sure": { "type": "boolean", "title": "Yes, drop it" } });
    form(told.fill("Drop database {database}, with all that is in it?"), sure, &["sure"])
}
