//! What an answer to `server/discover` says.

use std::time::Duration;

use signalbox_model::{Breach, Json, Part, Unit};
use tokio::time::Instant;

use crate::{
    endpoint::Options,
    error::{Error, Hint},
    meaning::Meaning,
    modern::meta::TASKS,
    versions::{LEGACY_VERSIONS, PROTOCOL_VERSION},
    view::{Fields, elements, quote, text},
};

/// Bytes that a server may say of itself: that is kept for as long as its connection stands.
pub(crate) const STATEMENT: usize = 1024 * 1024;

/// What a server says of itself: claims, to be shown as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The version both sides speak.
    pub protocol_version: String,
    /// Its name for itself; empty when it gives none.
    pub name: String,
    /// Its version; empty when it gives none.
    pub version: String,
    /// Its name for people.
    pub title: Option<String>,
    /// Its capabilities as received; `{}` when it gives none.
    pub capabilities: Json,
    /// Whether tool calls can become tasks: it declares the extension, or on the legacy wire
    /// `tasks.requests.tools.call`.
    pub tasks: bool,
    /// Its advice on how to use it.
    pub instructions: Option<String>,
    /// The whole answer, to `initialize` on the legacy wire (or the version error that told us that it is modern) as received.
    pub raw: Json,
    /// The round trip.
    pub latency: Duration,
}

/// What an answer to `server/discover` says about the server's wire.
pub(crate) enum Verdict {
    Modern(Discovered),
    /// It knows the modern wire, and says that of all versions it speaks an older one, perhaps beside some that are newer
    /// than ours.
    Older {
        version: Option<String>,
    },
    /// Not an answer of the modern wire. The error stands if the legacy wire is not spoken either.
    NotModern(Error),
    /// Nothing is known of the wire.
    Unknown(Error),
}

/// Something answers (or does not), but not as an MCP server would.
pub(crate) fn not_mcp(hint: Hint) -> Error {
    Error::NotMcp { status: None, content_type: None, hint }
}

/// What a server says of itself is more than we take.
pub(crate) fn says_too_much(error: Error, options: &Options) -> Error {
    match error {
        Error::TooLarge { limit } if limit < options.message_limit => {
            Error::TooMuch { of: Part::Statement, most: STATEMENT as u64, unit: Unit::Bytes }
        }
        error => error,
    }
}

/// Judges an answer that was asked for at `asked`.
pub(crate) fn verdict(answer: Result<Json, Error>, asked: Instant) -> Verdict {
    match answer {
        Ok(result) => {
            let fields = Fields::lenient(result.raw());
            let ours = ["supportedVersions", "capabilities", "resultType"];
            if !ours.iter().any(|name| fields.some(name).is_some()) {
                return Verdict::NotModern(not_mcp(Hint::Other));
            }
            let versions = fields.some("supportedVersions").and_then(elements).unwrap_or_default();
            let versions: Vec<String> = versions.into_iter().filter_map(text).collect();
            if versions.is_empty() || speaks_ours(&versions) {
                return Verdict::Modern(Discovered::read(&result, asked.elapsed()));
            }
            other_versions(&versions, &result)
        }
        Err(error) => match error.meaning() {
            Some(Meaning::UnsupportedVersion { supported }) => {
                let Error::Rpc { raw, .. } = &error else { return Verdict::Unknown(error) };
                if speaks_ours(&supported) {
                    let nothing = Json::of(&serde_json::json!({}));
                    let found = Discovered::read(&nothing, asked.elapsed());
                    return Verdict::Modern(Discovered { raw: raw.clone(), ..found });
                }
                if supported.is_empty() { Verdict::Unknown(error) } else { other_versions(&supported, raw) }
            }
            // Only a modern server says that.
            Some(Meaning::HeaderMismatch | Meaning::MissingCapability { .. }) => Verdict::Unknown(error),
            _ => match error {
                Error::Garbled { .. } => Verdict::NotModern(not_mcp(Hint::Other)),
                // Some servers of the legacy wire end when the first message is not `initialize`.
                error @ (Error::Rpc { .. }
                | Error::Exited { .. }
                | Error::NotMcp { status: Some(400..=499) | None, .. }) => Verdict::NotModern(error),
                error => Verdict::Unknown(error),
            },
        },
    }
}

fn speaks_ours(versions: &[String]) -> bool {
    versions.iter().any(|version| version == PROTOCOL_VERSION)
}

/// Versions are dates, so that text order is time order. Of those that we speak the newest counts, whatever else the
/// server speaks.
fn other_versions(versions: &[String], raw: &Json) -> Verdict {
    let known = versions.iter().filter(|version| LEGACY_VERSIONS.contains(&version.as_str())).max();
    match known.or(versions.iter().max()).cloned().map(quote) {
        Some(newest) if newest.as_str() > PROTOCOL_VERSION => {
            let breach = Breach::NewerVersion { speaks: newest, ours: PROTOCOL_VERSION.to_owned() };
            Verdict::Unknown(Error::protocol(breach, Some(raw.clone())))
        }
        newest => Verdict::Older { version: newest },
    }
}

impl Discovered {
    /// Reads an answer to `server/discover`.
    pub(crate) fn read(result: &Json, latency: Duration) -> Self {
        let fields = Fields::lenient(result.raw());
        let meta = fields.object("_meta");
        // Drafts had it beside the capabilities.
        let info = if meta.some("io.modelcontextprotocol/serverInfo").is_some() {
            meta.object("io.modelcontextprotocol/serverInfo")
        } else {
            fields.object("serverInfo")
        };
        Self {
            protocol_version: PROTOCOL_VERSION.into(),
            name: info.quote("name").unwrap_or_default(),
            version: info.quote("version").unwrap_or_default(),
            title: info.quote("title"),
            capabilities: fields.json("capabilities").unwrap_or_else(|| Json::of(&serde_json::json!({}))),
            tasks: fields.object("capabilities").object("extensions").some(TASKS).is_some(),
            instructions: fields.text("instructions"),
            raw: result.clone(),
            latency,
        }
    }
}
