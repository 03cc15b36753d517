//! What the tool tells the client it starts.

use std::env;

use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use crate::Failure;

/// One scenario of the conformance tool, as that tool tells it.
pub(crate) struct Scenario {
    /// Its server's endpoint.
    pub(crate) url: Url,
    /// Whether a tool's schema is to be sent back as an argument, which no list of tools tells.
    pub(crate) echo_schema: bool,
    /// Whether there is no person who could sign in.
    pub(crate) machine: bool,
    /// What belongs to it.
    pub(crate) context: Context,
}

/// What belongs to a scenario; most have nothing.
#[derive(Default, Deserialize)]
pub(crate) struct Context {
    /// The calls to make, instead of one of each tool.
    #[serde(default, rename = "toolCalls")]
    pub(crate) calls: Vec<WantedCall>,
    /// A client that the authorization server knows already.
    pub(crate) client_id: Option<String>,
    /// That client's secret.
    pub(crate) client_secret: Option<String>,
    /// That client's key.
    pub(crate) private_key_pem: Option<String>,
}

/// A call that a scenario wants.
#[derive(Deserialize)]
pub(crate) struct WantedCall {
    pub(crate) name: String,
    /// As they are written: numbers keep their shape.
    pub(crate) arguments: Box<RawValue>,
}

impl Scenario {
    /// Reads arguments and environment.
    pub(crate) fn read() -> Result<Self, Failure> {
        let url = env::args().next_back().and_then(|url| Url::parse(&url).ok());
        let context = match env::var("MCP_CONFORMANCE_CONTEXT") {
            Ok(text) => serde_json::from_str(&text).map_err(|_| Failure::Started("a legible context"))?,
            Err(_) => Context::default(),
        };
        let name = env::var("MCP_CONFORMANCE_SCENARIO").map_err(|_| Failure::Started("a scenario"))?;
        Ok(Self {
            url: url.ok_or(Failure::Started("a URL"))?,
            machine: name.starts_with("auth/client-credentials"),
            echo_schema: name == "json-schema-2020-12-preservation",
            context,
        })
    }
}
