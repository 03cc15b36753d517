//! The documents of servers and tools.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{ApiError, Raw, ServerView, SignedIn, ToolView, Withheld};
use signalbox_model::{Access, Push, Secret, ServerId, Timestamp, Transport, Wire};

use super::health::Health;

/// `id name origin|command wire protocolVersion health heardAt capabilities supportsTasks push signedIn tools`; `heardAt` only
/// once it has answered, `connectingSince` only while it is being connected to for longer than a moment, `enabled` only while it is
/// false, `headers`, `env`, `roots` and `access` only where there are any, `trusted` only for programs, `push` only once it was asked for
/// it in the owner's run, `leftOut` (how many of its questions are not shown, since it asks too much) only where some are,
/// `withheld` (`names more changed`) only where a program lost variables by an update and nobody has seen it, `signedIn` only where somebody is and that mattered in the owner's run.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Server {
    id: ServerId,
    name: String,
    origin: Option<String>,
    command: Option<String>,
    wire: Option<Wire>,
    protocol_version: Option<String>,
    enabled: Option<bool>,
    /// Whether its command was confirmed.
    trusted: Option<bool>,
    headers: Option<Vec<Given>>,
    env: Option<Vec<Given>>,
    health: Health,
    /// Since when it is being connected to.
    connecting_since: Option<Timestamp>,
    /// When it last answered anything.
    heard_at: Option<Timestamp>,
    capabilities: Option<Raw>,
    /// Whether it follows long work; known once it has said what it is.
    supports_tasks: Option<bool>,
    /// Whether it tells by itself how its tasks fare; known once it was asked in this run.
    push: Option<Push>,
    signed_in: Option<SignedIn>,
    roots: Option<Vec<String>>,
    access: Option<Access>,
    /// How many, as listed last.
    pub(crate) tools: Option<u32>,
    /// What its program no longer gets, until its person has seen it.
    withheld: Option<Withheld>,
    left_out: Option<u32>,
    pub(crate) failure: Option<ApiError>,
}

impl From<&ServerView> for Server {
    fn from(server: &ServerView) -> Self {
        let (origin, command) = match &server.transport {
            Transport::Http { url, .. } => (Some(origin(url)), None),
            Transport::Stdio { .. } => (None, Some(server.place.clone())),
        };
        let (headers, env) = match &server.transport {
            Transport::Http { headers, .. } => (given(headers), None),
            Transport::Stdio { env, .. } => (None, given(env)),
        };
        Self {
            id: server.id,
            name: server.name.clone(),
            origin,
            command,
            wire: server.wire,
            protocol_version: server.protocol_version.clone(),
            enabled: (!server.enabled).then_some(false),
            trusted: matches!(server.transport, Transport::Stdio { .. }).then_some(server.trusted),
            headers,
            env,
            health: (&server.health).into(),
            connecting_since: server.connecting_since,
            heard_at: server.heard_at,
            capabilities: server.capabilities.clone().map(Raw),
            supports_tasks: server.protocol_version.is_some().then_some(server.supports_tasks),
            push: server.push,
            signed_in: server.signed_in.clone(),
            roots: (!server.roots.is_empty()).then(|| server.roots.clone()),
            access: (server.access != Access::default()).then(|| server.access.clone()),
            tools: server.tools,
            withheld: server.withheld.clone(),
            left_out: server.left_out,
            failure: None,
        }
    }
}

/// `name value|from`: the value of one that is no secret; else where it comes from: `env:VAR`, `@FILE` or `secret`.
#[skip_serializing_none]
#[derive(Serialize)]
struct Given {
    name: String,
    value: Option<String>,
    from: Option<String>,
}

fn given(values: &[(String, Secret)]) -> Option<Vec<Given>> {
    let shown = |(name, secret): &(String, Secret)| {
        let (value, from) = match secret {
            Secret::Plain { value } => (Some(value.clone()), None),
            Secret::Env { var } => (None, Some(format!("env:{var}"))),
            Secret::File { path } => (None, Some(format!("@{path}"))),
            Secret::Keychain { .. } => (None, Some("secret".to_owned())),
        };
        Given { name: name.clone(), value, from }
    };
    (!values.is_empty()).then(|| values.iter().map(shown).collect())
}

/// Scheme, host and port.
pub(super) fn origin(url: &str) -> String {
    url::Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.origin().ascii_serialization())
}

/// `name title description destructive inputSchema`
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool {
    name: String,
    title: Option<String>,
    description: Option<String>,
    destructive: bool,
    input_schema: Raw,
}

impl From<ToolView> for Tool {
    fn from(tool: ToolView) -> Self {
        Self {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            destructive: tool.destructive,
            input_schema: Raw(tool.input_schema),
        }
    }
}
