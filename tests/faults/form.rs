//! What people fill into the demo's forms.

use serde_json::{Value, json};
use signalbox_api::RequestDetail;
use signalbox_model::{Identity, Json};

/// The demo's name for this form. On the legacy wire its questions have none: the fields tell.
pub(crate) fn form(detail: &RequestDetail) -> &str {
    const FIELDS: [(&str, &str); 8] = [
        ("approved", "approval"),
        ("strategy", "strategy"),
        ("minutes", "window"),
        ("seats", "survey"),
        ("environment", "environment"),
        ("sure", "sure"),
        ("reason", "reason"),
        ("name", "name"),
    ];
    let Identity::Wire { .. } = detail.identity else { return detail.identity.key() };
    let schema = detail.schema.as_ref().map_or("", Json::text);
    let has = |field: &str| schema.contains(&format!("\"{field}\":{{"));
    FIELDS.iter().find(|(field, _)| has(field)).map_or("", |(_, form)| form)
}

/// What a person fills into the form with this key; the number makes it unlike any other, where the form has room.
pub(crate) fn content(key: &str, n: usize) -> Option<Value> {
    match key {
        "approval" => {
            Some(json!({ "approved": true, "rollout": "gradual", "max_error_rate": n as f64 / 1_000.0 }))
        }
        "strategy" => Some(json!({ "strategy": if n.is_multiple_of(2) { "online" } else { "offline" } })),
        "window" => Some(json!({ "start": "2026-07-28T10:00:00Z", "minutes": 5 + n % 200 })),
        "survey" => {
            let (name, email) = (format!("Person {n}"), format!("p{n}@example.com"));
            Some(json!({ "name": name, "email": email, "seats": 2, "size": "M", "days": ["mon"] }))
        }
        "environment" => Some(json!({ "environment": "staging" })),
        "sure" => Some(json!({ "sure": true })),
        "name" => Some(json!({ "name": "scratch" })),
        "reason" => Some(json!({ "reason": format!("reason {n}") })),
        _ => None,
    }
}
