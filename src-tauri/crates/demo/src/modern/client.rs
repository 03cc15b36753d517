//! What a modern client says of itself, on each request anew.

use serde_json::{Map, Value, json};

use crate::protocol::{META_CAPABILITIES, META_VERSION, Message, Refusal, TASKS, VERSION};

/// What a client declared on one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Client {
    pub(super) tasks: bool,
    form: bool,
    url: bool,
    sampling: bool,
    roots: bool,
}

impl Client {
    pub(super) fn of(message: &Message) -> Result<Self, Refusal> {
        if message.method == "initialize" {
            // The only diagnostic a legacy client can show its person: name what is spoken here.
            return Err(Refusal::Version(
                message.params["protocolVersion"].as_str().unwrap_or_default().to_owned(),
            ));
        }
        let version = message.version().ok_or(Refusal::Meta(META_VERSION))?;
        if version != VERSION {
            return Err(Refusal::Version(version.to_owned()));
        }
        let capabilities =
            message.params["_meta"][META_CAPABILITIES].as_object().ok_or(Refusal::Meta(META_CAPABILITIES))?;
        let elicitation = capabilities.get("elicitation").and_then(Value::as_object);
        Ok(Self {
            tasks: capabilities.get("extensions").is_some_and(|extensions| extensions[TASKS].is_object()),
            // An empty `elicitation` means form mode.
            form: elicitation.is_some_and(|modes| Map::is_empty(modes) || modes.contains_key("form")),
            url: elicitation.is_some_and(|modes| modes.contains_key("url")),
            sampling: capabilities.contains_key("sampling"),
            roots: capabilities.contains_key("roots"),
        })
    }

    /// Refuse a client that cannot follow tasks.
    pub(super) fn needs_tasks(self) -> Result<(), Refusal> {
        if self.tasks { Ok(()) } else { Err(Refusal::Capability(json!({ "extensions": { TASKS: {} } }))) }
    }

    /// Refuse a client that cannot answer this input request.
    pub(super) fn needs(self, request: &Value) -> Result<(), Refusal> {
        let (declared, required) = match request["method"].as_str() {
            Some("sampling/createMessage") => (self.sampling, json!({ "sampling": {} })),
            Some("roots/list") => (self.roots, json!({ "roots": {} })),
            _ if request["params"]["mode"] == "url" => (self.url, json!({ "elicitation": { "url": {} } })),
            _ => (self.form, json!({ "elicitation": { "form": {} } })),
        };
        if declared { Ok(()) } else { Err(Refusal::Capability(required)) }
    }
}
