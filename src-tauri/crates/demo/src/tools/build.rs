//! `build`: half a minute of counted progress in the status message.

use serde_json::json;

use super::{HOUR_MS, Support, Tool, Ttl, text};
use crate::script::{End, Step};

pub(super) const TOOL: Tool = Tool {
    name: "build",
    title: "Build from source",
    description: "Compiles 120 units in 30 seconds and says how far it is.",
    input: || {
        json!({
            "type": "object",
            "properties": {
                "ref": { "type": "string", "title": "Ref", "description": "A branch, tag or commit", "default": "main" },
            },
        })
    },
    output: None,
    destroys: false,
    tasks: Support::Optional,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Count { ms: 30_000, of: 120, say: "compiled {n}/120" },
        Step::End(|told| End::Completed(text(told.fill("Built {ref}: 120 units, no warnings.")))),
    ],
};
