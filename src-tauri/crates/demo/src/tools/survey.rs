//! `survey`: one form with every field type that an elicitation can have.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, form, text, text_and};
use crate::script::{End, Step, Told};

pub(super) const TOOL: Tool = Tool {
    name: "survey",
    title: "Survey",
    description: "Asks for every type of field and gives back what was filled in.",
    input: || json!({ "type": "object", "properties": {} }),
    output: None,
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 500, say: "printing the form" },
        Step::Ask { say: "waiting for the form", requests: &[("survey", questions)] },
        Step::End(filled_in),
    ],
};

fn questions(_: &Told) -> Value {
    let days = json!([
        { "const": "mon", "title": "Monday" },
        { "const": "wed", "title": "Wednesday" },
        { "const": "fri", "title": "Friday" },
    ]);
    form(
        "Please fill in every kind of field.",
        json!({
            "name": { "type": "string", "title": "Name", "description": "Plain text, required" },
            "nickname": { "type": "string", "title": "Nickname", "description": "2 to 12 characters", "minLength": 2, "maxLength": 12 },
            "ticket": { "type": "string", "title": "Ticket", "description": "Like OPS-123", "pattern": "^[A-Z]+-[0-9]+$" },
            "email": { "type": "string", "title": "E-mail", "format": "email" },
            "homepage": { "type": "string", "title": "Home page", "format": "uri" },
            "birthday": { "type": "string", "title": "Birthday", "format": "date" },
            "meeting": { "type": "string", "title": "Next meeting", "format": "date-time" },
            "seats": { "type": "integer", "title": "Seats", "minimum": 1, "maximum": 12, "default": 2 },
            "budget": { "type": "number", "title": "Budget", "description": "In thousands", "minimum": 0.5, "maximum": 99.5 },
            "newsletter": { "type": "boolean", "title": "Newsletter", "default": false },
            "size": { "type": "string", "title": "Size", "enum": ["S", "M", "L"], "default": "M" },
            "colour": {
                "type": "string",
                "title": "Colour",
                "oneOf": [{ "const": "#c00", "title": "Red" }, { "const": "#0a0", "title": "Green" }],
            },
            "shipping": {
                "type": "string",
                "title": "Shipping",
                "description": "Titles in the old way",
                "enum": ["std", "exp"],
                "enumNames": ["Standard", "Express"],
            },
            "toppings": {
                "type": "array",
                "title": "Toppings",
                "items": { "type": "string", "enum": ["cheese", "olives", "basil"] },
                "minItems": 1,
                "maxItems": 2,
                "default": ["cheese"],
            },
            "days": { "type": "array", "title": "Days", "items": { "anyOf": days }, "minItems": 1, "maxItems": 3 },
        }),
        &["name", "email", "seats", "size", "days"],
    )
}

fn filled_in(told: &Told) -> End {
    match told.action("survey") {
        "accept" => {
            let content = told.response("survey").map_or(&Value::Null, |response| &response["content"]);
            End::Completed(text_and(format!("Thank you. You said: {content}"), content.clone()))
        }
        "cancel" => End::Cancelled("the survey was dismissed"),
        _ => End::Completed(text("No answers: the survey was declined.")),
    }
}
