//! `sign`: an elicitation in URL mode; accepting means that the person agreed to open the page.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, text};
use crate::script::{End, Step, Told};

pub(super) const TOOL: Tool = Tool {
    name: "sign",
    title: "Sign a release",
    description: "Asks the person to open a page of the signing service.",
    input: || {
        json!({
            "type": "object",
            "properties": { "release": { "type": "string", "title": "Release", "default": "1.0.0" } },
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 1000, say: "preparing release {release}" },
        Step::Ask { say: "waiting for a signature", requests: &[("signature", signature)] },
        Step::EndIf(unless_accepted),
        Step::Work { ms: 2000, say: "collecting the signature" },
        Step::End(|told| End::Completed(text(told.fill("Release {release} is signed.")))),
    ],
};

fn signature(told: &Told) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "url",
            "message": told.fill("Sign release {release} on the page of the signing service."),
            "url": "https://signing.example.com/requests/7f3a?purpose=release",
        },
    })
}

fn unless_accepted(told: &Told) -> Option<End> {
    match told.action("signature") {
        "accept" => None,
        "cancel" => Some(End::Cancelled("the signature was dismissed")),
        _ => Some(End::Completed(text(
            told.fill("Release {release} stays unsigned: the signature was declined."),
        ))),
    }
}
