//! `deploy`: works, asks for approval, rolls out. The scenario of the first run.

use serde_json::{Value, json};

use super::{HOUR_MS, Support, Tool, Ttl, form, text_and};
use crate::script::{End, Step, Told};

pub(super) const TOOL: Tool = Tool {
    name: "deploy",
    title: "Deploy a service",
    description: "Builds a service, asks for approval and rolls it out to production.",
    input: || {
        json!({
            "type": "object",
            "properties": {
                "service": { "type": "string", "title": "Service", "description": "The service to deploy", "minLength": 1 },
                "version": { "type": "string", "title": "Version", "description": "A tag or commit", "default": "latest" },
                "region": {
                    "type": "string",
                    "title": "Region",
                    "oneOf": [
                        { "const": "eu-west", "title": "Europe (west)" },
                        { "const": "us-east", "title": "United States (east)" },
                        { "const": "ap-south", "title": "Asia Pacific (south)" },
                    ],
                    "default": "eu-west",
                },
            },
            "required": ["service"],
        })
    },
    output: Some(|| {
        json!({
            "type": "object",
            "properties": {
                "service": { "type": "string" },
                "version": { "type": "string" },
                "region": { "type": "string" },
                "deployed": { "type": "boolean" },
                "decision": { "type": "string", "enum": ["approved", "rejected", "declined"] },
                "rollout": { "type": ["string", "null"] },
                "maxErrorRate": { "type": ["number", "null"] },
            },
            "required": ["service", "version", "region", "deployed", "decision"],
        })
    }),
    destroys: false,
    tasks: Support::Required,
    ttl: Ttl::Fixed(HOUR_MS),
    steps: &[
        Step::Work { ms: 1500, say: "resolving {service} {version}" },
        Step::Count { ms: 4000, of: 12, say: "building image, layer {n}/12" },
        Step::Work { ms: 1500, say: "pushing the image to {region}" },
        Step::Ask { say: "waiting for approval", requests: &[("approval", approval)] },
        Step::EndIf(unless_approved),
        Step::Count { ms: 6000, of: 10, say: "rolling out, {n}/10 instances" },
        Step::Work { ms: 1500, say: "checking health in {region}" },
        Step::End(deployed),
    ],
};

fn approval(told: &Told) -> Value {
    form(
        told.fill("Approve deployment to production?\n{service} {version} is ready to go to {region}."),
        json!({
            "approved": {
                "type": "boolean",
                "title": "Approve",
                "description": "No: the image stays built and nothing is rolled out",
                "default": true,
            },
            "rollout": {
                "type": "string",
                "title": "Rollout",
                "oneOf": [
                    { "const": "gradual", "title": "Gradual, instance by instance" },
                    { "const": "all_at_once", "title": "All at once" },
                ],
                "default": "gradual",
            },
            "max_error_rate": {
                "type": "number",
                "title": "Maximum error rate",
                "description": "Roll back when more than this share of requests fails, in percent",
                "minimum": 0,
                "maximum": 5,
                "default": 0.5,
            },
        }),
        &["approved", "rollout"],
    )
}

fn unless_approved(told: &Told) -> Option<End> {
    match told.action("approval") {
        "accept" if told.field("approval", "approved") == &json!(true) => None,
        "accept" => Some(decided(told, false, "rejected", "Not deployed: the approval form said no.")),
        "cancel" => Some(End::Cancelled("the approval was dismissed")),
        _ => Some(decided(told, false, "declined", "Not deployed: the approval was declined.")),
    }
}

fn deployed(told: &Told) -> End {
    decided(told, true, "approved", "Deployed {service} {version} to {region}.")
}

fn decided(told: &Told, deployed: bool, decision: &str, say: &str) -> End {
    let structured = json!({
        "service": told.argument("service"),
        "version": told.argument("version"),
        "region": told.argument("region"),
        "deployed": deployed,
        "decision": decision,
        "rollout": told.field("approval", "rollout"),
        "maxErrorRate": told.field("approval", "max_error_rate"),
    });
    End::Completed(text_and(told.fill(say), structured))
}
