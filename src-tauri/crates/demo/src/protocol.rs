//! The protocol's names and numbers: JSON-RPC messages in, refusals out, and what a client says of itself on each request.

use serde_json::{Value, json};

/// The one protocol version spoken.
pub(crate) const VERSION: &str = "2026-07-28";
/// The version claimed while a fault makes this server legacy.
pub(crate) const LEGACY_VERSION: &str = "2025-11-25";
/// The extension that makes tool calls tasks.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
pub(crate) const META_SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// A JSON-RPC request, or a notification if it has no id.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: Option<Value>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Message {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut value: Value = serde_json::from_slice(bytes)?;
        let id = value.get("id").cloned();
        if value["jsonrpc"] != "2.0" {
            return Err(Refusal::Request("jsonrpc must be \"2.0\""));
        }
        if !matches!(id, None | Some(Value::String(_) | Value::Number(_))) {
            return Err(Refusal::Request("an id is a string or an integer"));
        }
        let Some(method) = value["method"].as_str().map(str::to_owned) else {
            return Err(Refusal::Request("a client sends requests and notifications only"));
        };
        Ok(Self { id, method, params: value["params"].take() })
    }

    /// What `Mcp-Name` must repeat, for the methods that need it.
    pub(crate) fn name(&self) -> Option<&str> {
        let member = match self.method.as_str() {
            "tools/call" => "name",
            "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
            _ => return None,
        };
        Some(self.params[member].as_str().unwrap_or_default())
    }

    /// The version the request claims.
    pub(crate) fn version(&self) -> Option<&str> {
        self.params["_meta"][META_VERSION].as_str()
    }

    /// What the client can do, by this request alone.
    pub(crate) fn client(&self) -> Result<Client, Refusal> {
        if self.method == "initialize" {
            // The only diagnostic a legacy client can show its person: name what is spoken here.
            return Err(Refusal::Version(
                self.params["protocolVersion"].as_str().unwrap_or_default().to_owned(),
            ));
        }
        let version = self.version().ok_or(Refusal::Meta(META_VERSION))?;
        if version != VERSION {
            return Err(Refusal::Version(version.to_owned()));
        }
        let capabilities =
            self.params["_meta"][META_CAPABILITIES].as_object().ok_or(Refusal::Meta(META_CAPABILITIES))?;
        let elicitation = capabilities.get("elicitation").and_then(Value::as_object);
        Ok(Client {
            tasks: capabilities.get("extensions").is_some_and(|extensions| extensions[TASKS].is_object()),
            // An empty `elicitation` means form mode.
            form: elicitation.is_some_and(|modes| modes.is_empty() || modes.contains_key("form")),
            url: elicitation.is_some_and(|modes| modes.contains_key("url")),
        })
    }
}

/// What a client declared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    tasks: bool,
    form: bool,
    url: bool,
}

impl Client {
    /// Refuse a client that cannot follow tasks.
    pub(crate) fn needs_tasks(self) -> Result<(), Refusal> {
        if self.tasks { Ok(()) } else { Err(Refusal::Capability(json!({ "extensions": { TASKS: {} } }))) }
    }

    /// Refuse a client that cannot show this input request.
    pub(crate) fn needs_mode(self, request: &Value) -> Result<(), Refusal> {
        let (mode, declared) =
            if request["params"]["mode"] == "url" { ("url", self.url) } else { ("form", self.form) };
        if declared { Ok(()) } else { Err(Refusal::Capability(json!({ "elicitation": { mode: {} } }))) }
    }
}

/// Why a message gets an error instead of a result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("Parse error: {0}")]
    Parse(#[from] serde_json::Error),
    #[error("Invalid request: {0}")]
    Request(&'static str),
    #[error("Header mismatch: {0}")]
    Header(String),
    #[error("Unsupported protocol version")]
    Version(String),
    #[error("Missing required client capability")]
    Capability(Value),
    #[error("Method not found: {0}")]
    Method(String),
    #[error("Invalid params: _meta lacks {0}")]
    Meta(&'static str),
    #[error("Invalid params: {0}")]
    Params(String),
    #[error("Failed to retrieve task: Task not found")]
    UnknownTask,
    #[error("Internal error: the state file could not be written: {0}")]
    Storage(#[from] std::io::Error),
    /// An error out of a scenario.
    #[error("{}", .0["message"].as_str().unwrap_or("error"))]
    Scripted(Value),
}

impl Refusal {
    fn code(&self) -> i64 {
        match self {
            Self::Parse(_) => -32700,
            Self::Request(_) => -32600,
            Self::Method(_) => -32601,
            Self::Meta(_) | Self::Params(_) | Self::UnknownTask => -32602,
            Self::Storage(_) => -32603,
            Self::Header(_) => -32020,
            Self::Capability(_) => -32021,
            Self::Version(_) => -32022,
            Self::Scripted(error) => error["code"].as_i64().unwrap_or(-32603),
        }
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::Capability(required) => Some(json!({ "requiredCapabilities": required })),
            Self::Version(requested) => Some(json!({ "supported": [VERSION], "requested": requested })),
            Self::Scripted(error) => error.get("data").cloned(),
            _ => None,
        }
    }

    /// The HTTP status that goes with it.
    pub(crate) fn http_status(&self) -> u16 {
        match self {
            Self::Method(_) => 404,
            Self::Params(_) | Self::UnknownTask | Self::Scripted(_) => 200,
            Self::Storage(_) => 500,
            _ => 400,
        }
    }

    /// The JSON-RPC error response; without an id where none was readable.
    pub(crate) fn response(&self, id: Option<&Value>) -> Value {
        let mut error = json!({ "code": self.code(), "message": self.to_string() });
        if let Some(data) = self.data() {
            error["data"] = data;
        }
        match id {
            Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
            None => json!({ "jsonrpc": "2.0", "error": error }),
        }
    }
}

/// The JSON-RPC result response, with this server's name on the result.
pub(crate) fn response(id: &Value, mut result: Value) -> Value {
    result["_meta"][META_SERVER] = server_info();
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub(crate) fn server_info() -> Value {
    json!({ "name": "signalbox-demo", "title": "Signalbox demo", "version": env!("CARGO_PKG_VERSION") })
}
