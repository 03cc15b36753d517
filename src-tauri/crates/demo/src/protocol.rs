//! What both wires have in common: JSON-RPC messages in, refusals out, and the protocol's names and numbers.

use serde_json::{Value, json};

/// The one protocol version spoken on the modern wire.
pub(crate) const VERSION: &str = "2026-07-28";
/// The protocol versions spoken on the legacy wire, newest first. Only the newest has tasks.
pub(crate) const LEGACY_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The extension that makes tool calls tasks.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";
pub(crate) const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
pub(crate) const META_SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
/// By which the journal knows a request of ours.
pub(crate) const META_ASK: &str = "signalbox-demo/ask";
pub(crate) const META_RELATED: &str = "io.modelcontextprotocol/related-task";

/// Anything a client can send.
#[derive(Debug, Clone)]
pub(crate) enum Incoming {
    Message(Message),
    Reply(Reply),
}

/// A JSON-RPC request, or a notification if it has no id.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: Option<Value>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// A client's response to a request of ours.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) id: Value,
    /// The result, or the error.
    pub(crate) outcome: Result<Value, Value>,
}

impl Incoming {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut value: Value = serde_json::from_slice(bytes)?;
        let id = value.get("id").cloned();
        if value["jsonrpc"] != "2.0" {
            return Err(Refusal::Request("jsonrpc must be \"2.0\""));
        }
        if !matches!(id, None | Some(Value::String(_) | Value::Number(_))) {
            return Err(Refusal::Request("an id is a string or an integer"));
        }
        if let Some(method) = value["method"].as_str().map(str::to_owned) {
            return Ok(Self::Message(Message { id, method, params: value["params"].take() }));
        }
        let outcome = match (value.get("result"), value.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            (None, Some(error)) => Err(error.clone()),
            _ => return Err(Refusal::Request("neither a request nor a response")),
        };
        let id = id.ok_or(Refusal::Request("a response has an id"))?;
        Ok(Self::Reply(Reply { id, outcome }))
    }
}

impl Message {
    /// The version the request itself claims (modern).
    pub(crate) fn version(&self) -> Option<&str> {
        self.params["_meta"][META_VERSION].as_str()
    }

    /// What progress of this request is to be told by.
    pub(crate) fn progress_token(&self) -> Option<&Value> {
        self.params["_meta"].get("progressToken")
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
    #[error("Cannot cancel task: it has ended")]
    Ended,
    #[error("Tool {0} requires task augmentation (taskSupport: required)")]
    NeedsTask(&'static str),
    #[error("Tool {0} does not support task augmentation (taskSupport: forbidden)")]
    NoTask(&'static str),
    /// Pages that must be opened first.
    #[error("This request requires more information: open the page")]
    Pages(Value),
    #[error("The client cannot be asked: it lacks {0}")]
    CannotAsk(&'static str),
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
            Self::Method(_) | Self::NeedsTask(_) | Self::NoTask(_) => -32601,
            Self::Meta(_) | Self::Params(_) | Self::UnknownTask | Self::Ended => -32602,
            Self::Storage(_) | Self::CannotAsk(_) => -32603,
            Self::Header(_) => -32020,
            Self::Capability(_) => -32021,
            Self::Version(_) => -32022,
            Self::Pages(_) => -32042,
            Self::Scripted(error) => error["code"].as_i64().unwrap_or(-32603),
        }
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::Capability(required) => Some(json!({ "requiredCapabilities": required })),
            Self::Version(requested) => Some(json!({ "supported": [VERSION], "requested": requested })),
            Self::Pages(pages) => Some(json!({ "elicitations": pages })),
            Self::Scripted(error) => error.get("data").cloned(),
            _ => None,
        }
    }

    /// The HTTP status that goes with it on the modern wire; on the legacy one errors of methods come with 200.
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

pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(crate) fn server_info() -> Value {
    json!({ "name": "signalbox-demo", "title": "Signalbox demo", "version": env!("CARGO_PKG_VERSION") })
}
