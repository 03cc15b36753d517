//! `server/discover`, and telling a server of the modern wire from one of the legacy wire.

use std::{
    pin::{Pin, pin},
    time::Duration,
};

use signalbox_model::Json;
use tokio::time::{Instant, timeout};

use crate::{
    client::{Client, Transport},
    error::{Error, Hint},
    modern::{PROTOCOL_VERSION, TASKS, client_info},
    view::{Fields, elements, text},
};

/// The version a legacy probe offers.
const LEGACY_VERSION: &str = "2025-11-25";

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
    /// Whether it declares the tasks extension.
    pub tasks: bool,
    /// Its advice on how to use it.
    pub instructions: Option<String>,
    /// The whole answer (or the version error that told us that it is modern) as received.
    pub raw: Json,
    /// The round trip.
    pub latency: Duration,
}

/// What an answer to `server/discover` says about the server's wire.
enum Verdict {
    Settled(Result<Discovered, Error>),
    /// Not an answer of the modern wire. The error stands if the legacy wire is not spoken either.
    NotModern(Error),
}

impl Client {
    /// Asks the server what it is. A server that does not know the question is asked the legacy one, only to tell:
    /// that session is given back at once.
    ///
    /// # Errors
    /// [`Error::LegacyOnly`] for a server of an older version; [`Error::NotMcp`] for what is neither; any other.
    pub async fn discover(&self) -> Result<Discovered, Error> {
        if let Transport::Stdio(stdio) = self.transport() {
            // The program's start does not count as its silence.
            stdio.start().await?;
        }
        let asked = Instant::now();
        let request = self.request("server/discover", None, |params| params);
        let mut answer = pin!(self.send(request, self.options().request_timeout));
        let verdict = match self.transport() {
            Transport::Http(_) => verdict(answer.await, asked),
            Transport::Stdio(_) => match timeout(self.options().probe_timeout, answer.as_mut()).await {
                Ok(answer) => verdict(answer, asked),
                Err(_) => self.ask_both_ways(answer, asked).await,
            },
        };
        let settled = match verdict {
            Verdict::Settled(settled) => settled,
            Verdict::NotModern(error) => Err(self.legacy_version().await.map_or(error, legacy)),
        };
        if let (Err(Error::LegacyOnly { .. }), Transport::Stdio(stdio)) = (&settled, self.transport()) {
            stdio.stop().await;
        }
        settled
    }

    /// A child that is silent so far: a legacy server that ignores the question, or a slow start. The legacy question
    /// goes out beside it, and what is answered first decides.
    async fn ask_both_ways(
        &self,
        answer: Pin<&mut impl Future<Output = Result<Json, Error>>>,
        asked: Instant,
    ) -> Verdict {
        let mut answer = pin!(async move {
            answer.await.map_err(|error| match error {
                Error::Timeout { .. } => not_mcp(Hint::Silent),
                error => error,
            })
        });
        let mut version = pin!(self.legacy_version());
        tokio::select! {
            biased;
            answer = answer.as_mut() => match verdict(answer, asked) {
                Verdict::NotModern(error) => Verdict::Settled(Err(version.await.map_or(error, legacy))),
                settled => settled,
            },
            version = version.as_mut() => match version {
                Some(version) => Verdict::Settled(Err(legacy(version))),
                None => match verdict(answer.await, asked) {
                    Verdict::NotModern(error) => Verdict::Settled(Err(error)),
                    settled => settled,
                },
            },
        }
    }

    /// The version with which the server answers a legacy `initialize`, if it does.
    async fn legacy_version(&self) -> Option<String> {
        let id = self.fresh_id();
        let info = client_info(self.options());
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"{LEGACY_VERSION}","capabilities":{{}},"clientInfo":{info}}}}}"#
        );
        let answer = async {
            match self.transport() {
                Transport::Http(http) => http.initialize(id, body.into()).await,
                Transport::Stdio(stdio) => stdio.initialize(id, body.into()).await,
            }
        };
        let result = timeout(self.options().request_timeout, answer).await.ok()?.ok()?;
        Fields::lenient(result.raw()).text("protocolVersion")
    }
}

fn legacy(version: String) -> Error {
    Error::LegacyOnly { version: Some(version) }
}

/// Something answers (or does not), but not as an MCP server would.
fn not_mcp(hint: Hint) -> Error {
    Error::NotMcp { status: None, content_type: None, hint }
}

fn verdict(answer: Result<Json, Error>, asked: Instant) -> Verdict {
    match answer {
        Ok(result) => {
            let fields = Fields::lenient(result.raw());
            let ours = ["supportedVersions", "capabilities", "resultType"];
            if !ours.iter().any(|name| fields.some(name).is_some()) {
                return Verdict::NotModern(not_mcp(Hint::Other));
            }
            Verdict::Settled(match versions(&fields, "supportedVersions") {
                versions if versions.is_empty() || speaks_ours(&versions) => {
                    Ok(Discovered::read(&result, asked.elapsed()))
                }
                versions => Err(other_versions(&versions, &result)),
            })
        }
        Err(Error::Rpc { code: -32022, message, data, raw }) => {
            let versions = data.as_ref().map(|data| versions(&Fields::lenient(data.raw()), "supported"));
            Verdict::Settled(match versions {
                Some(versions) if speaks_ours(&versions) => Ok(Discovered {
                    raw: raw.clone(),
                    ..Discovered::read(&Json::of(&serde_json::json!({})), asked.elapsed())
                }),
                Some(versions) if !versions.is_empty() => Err(other_versions(&versions, &raw)),
                _ => Err(Error::Rpc { code: -32022, message, data, raw }),
            })
        }
        // Header mismatch and missing capability: only a modern server says that.
        Err(error @ Error::Rpc { code: -32020 | -32021 | -32003, .. }) => Verdict::Settled(Err(error)),
        Err(Error::Garbled { .. }) => Verdict::NotModern(not_mcp(Hint::Other)),
        // Some servers of the legacy wire end when the first message is not `initialize`.
        Err(
            error @ (Error::Rpc { .. }
            | Error::Exited { .. }
            | Error::NotMcp { status: Some(400..=499) | None, .. }),
        ) => Verdict::NotModern(error),
        Err(error) => Verdict::Settled(Err(error)),
    }
}

fn versions(fields: &Fields<'_>, name: &str) -> Vec<String> {
    let list = fields.some(name).and_then(elements).unwrap_or_default();
    list.into_iter().filter_map(text).collect()
}

fn speaks_ours(versions: &[String]) -> bool {
    versions.iter().any(|version| version == PROTOCOL_VERSION)
}

/// Versions are dates, so that text order is time order.
fn other_versions(versions: &[String], raw: &Json) -> Error {
    match versions.iter().max() {
        Some(newest) if newest.as_str() > PROTOCOL_VERSION => {
            Error::protocol(format!("the server speaks {newest}, not {PROTOCOL_VERSION}"), Some(raw.clone()))
        }
        newest => Error::LegacyOnly { version: newest.cloned() },
    }
}

impl Discovered {
    fn read(result: &Json, latency: Duration) -> Self {
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
            name: info.text("name").unwrap_or_default(),
            version: info.text("version").unwrap_or_default(),
            title: info.text("title"),
            capabilities: fields.json("capabilities").unwrap_or_else(|| Json::of(&serde_json::json!({}))),
            tasks: fields.object("capabilities").object("extensions").some(TASKS).is_some(),
            instructions: fields.text("instructions"),
            raw: result.clone(),
            latency,
        }
    }
}
