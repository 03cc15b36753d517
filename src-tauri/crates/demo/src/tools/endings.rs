//! Tools that exist for the way they end, or do not.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, tool_error};
use crate::script::{End, Step};

pub(super) const LINT: Tool = Tool {
    name: "lint",
    title: "Lint the code",
    description: "Completes, and the tool says that it failed.",
    input: no_arguments,
    output: None,
    destroys: false,
    tasks: Support::Optional,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Count { ms: 3000, of: 40, say: "checked {n}/40 files" },
        Step::End(|_| End::Completed(tool_error("3 problems in 2 files:\nmain.rs:12 unused variable `x`"))),
    ],
};

pub(super) const CRASH: Tool = Tool {
    name: "crash",
    title: "Crash",
    description: "Fails with a protocol error.",
    input: no_arguments,
    output: None,
    destroys: false,
    tasks: Support::Optional,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 2000, say: "heading for trouble" },
        Step::End(|_| {
            let data = json!({ "component": "worker", "exitCode": 139 });
            End::Failed(json!({ "code": -32603, "message": "The worker crashed", "data": data }))
        }),
    ],
};

pub(super) const SHORT_LIVED: Tool = Tool {
    name: "short_lived",
    title: "Short-lived work",
    description: "Never ends, and is forgotten after 20 seconds.",
    input: no_arguments,
    output: None,
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Told(20_000),
    steps: &[Step::Work { ms: 1000, say: "working while it lasts" }],
};

pub(super) const FOREVER: Tool = Tool {
    name: "forever",
    title: "Watch the queue",
    description: "Works until it is cancelled.",
    input: no_arguments,
    output: None,
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Fixed(None),
    steps: &[Step::Work { ms: 1000, say: "watching the queue" }],
};

fn no_arguments() -> Value {
    json!({ "type": "object", "properties": {} })
}
