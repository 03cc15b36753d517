//! `initialize`: the question that opens a session, and what its answer says.

use std::{sync::Arc, time::Duration};

use signalbox_model::Json;
use tokio::time::{Instant, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    event::Channel,
    inbound::{Inbound, SessionEvents},
    own_request::OwnRequest,
    sse::Sse,
    streamable::Streamable,
    transport::SessionTransport,
};
use crate::{
    client::{Client, Transport, within},
    endpoint::Options,
    error::{Error, Hint},
    modern::{STATEMENT, client_info, says_too_much},
    rpc::Params,
    stdio::GivenUp,
    versions::LEGACY_VERSIONS,
    view::{Fields, quote},
};

/// How long the end of a session may take that was opened only to tell the wire: it is a courtesy.
const GIVE_BACK: Duration = Duration::from_secs(2);

/// An answered `initialize`.
pub(crate) struct Handshake {
    pub(super) transport: SessionTransport,
    pub(super) inbound: Arc<Inbound>,
    pub(super) events: SessionEvents,
    /// Ends what runs in the background, also where the handshake itself is given up.
    pub(super) stop: DropGuard,
    /// The answer as received.
    pub(super) result: Json,
    /// The version both sides speak now.
    pub(crate) version: String,
    /// The round trip.
    pub(crate) latency: Duration,
}

impl Client {
    /// Asks the server to open a session.
    ///
    /// # Errors
    /// [`Error::LegacyOnly`] for a version that we do not speak; any other.
    pub(crate) async fn handshake(&self) -> Result<Handshake, Error> {
        let (inbound, events) = Inbound::new(self.options());
        let token = self.closing().child_token();
        let stop = token.clone().drop_guard();
        let asked = Instant::now();
        let (transport, result) = timeout(self.options().request_timeout, self.initialize(&inbound, &token))
            .await
            .unwrap_or_else(|_| Err(Error::timeout(self.options().request_timeout)))
            .and_then(|(transport, result)| Ok((transport, within(Ok(result), Some(STATEMENT))?)))
            .map_err(|error| says_too_much(error, self.options()))?;
        let latency = asked.elapsed();
        let version = version_of(&result)?;
        let handshake = Handshake { transport, inbound, events, stop, result, version, latency };
        if !LEGACY_VERSIONS.contains(&handshake.version.as_str()) {
            let version = Some(quote(handshake.version.clone()));
            handshake.give_back().await;
            return Err(Error::LegacyOnly { version });
        }
        Ok(handshake)
    }

    async fn initialize(
        &self,
        inbound: &Arc<Inbound>,
        stop: &CancellationToken,
    ) -> Result<(SessionTransport, Json), Error> {
        match self.transport() {
            Transport::Stdio(stdio) => {
                let line = stdio.line().await?;
                line.attach(Arc::clone(inbound) as Arc<_>);
                let transport = SessionTransport::Stdio(line);
                let result = transport.request(self.initialize_request()).await?;
                Ok((transport, result))
            }
            Transport::Http(http) => {
                let inbound = Arc::clone(inbound);
                let request = self.initialize_request();
                let opened = Streamable::open(self, Arc::clone(http), Arc::clone(&inbound), request);
                match opened.await {
                    Ok((session, result)) => Ok((SessionTransport::Streamable(session), result)),
                    Err(error @ Error::NotMcp { status: Some(400 | 404 | 405), .. }) => {
                        // Perhaps the server speaks the transport of 2024. If it does not, the first error
                        // says more.
                        let old = Sse::open(Arc::clone(http), inbound, self.options(), stop.clone());
                        let transport = match old.await {
                            Ok(session) => SessionTransport::Sse(session),
                            // It does speak it, and names an address that we may not follow.
                            Err(refused @ Error::Protocol { .. }) => return Err(refused),
                            Err(_) => return Err(error),
                        };
                        let result = transport.request(self.initialize_request()).await?;
                        Ok((transport, result))
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }

    /// `initialize`, which must not be cancelled.
    fn initialize_request(&self) -> OwnRequest {
        let id = self.fresh_id();
        let options = self.options();
        let body = Params::new(id, "initialize")
            .text("protocolVersion", LEGACY_VERSIONS[0])
            .ready("capabilities", &capabilities(options))
            .ready("clientInfo", &client_info(options))
            .finish();
        let channel = Channel::Response { method: "initialize", task_id: None };
        OwnRequest { id, body, once: false, channel, given_up: GivenUp::Silent, most: Some(STATEMENT) }
    }
}

impl Handshake {
    /// The answer as received.
    pub(crate) fn result(&self) -> &Json {
        &self.result
    }

    /// Ends the session that nobody wants.
    pub(crate) async fn give_back(self) {
        if let SessionTransport::Streamable(session) = &self.transport {
            session.speak(&self.version);
            if !matches!(timeout(GIVE_BACK, session.delete()).await, Ok(Ok(()))) {
                tracing::debug!("a session was not given back");
            }
        }
    }
}

/// Drafts and old servers leave things out; what has none of them answers another question.
fn version_of(result: &Json) -> Result<String, Error> {
    let fields = Fields::lenient(result.raw());
    if let Some(version) = fields.text("protocolVersion") {
        return Ok(version);
    }
    if fields.some("serverInfo").is_some() || fields.some("capabilities").is_some() {
        return Ok(LEGACY_VERSIONS[0].into());
    }
    Err(Error::NotMcp { status: None, content_type: None, hint: Hint::Other })
}

/// What we tell servers of this wire that we can do.
fn capabilities(options: &Options) -> String {
    let declared = options.declared;
    let mut can = serde_json::json!({ "elicitation": { "form": {}, "url": {} } });
    if declared.sampling {
        can["sampling"] = serde_json::json!({});
    }
    if declared.roots {
        can["roots"] = serde_json::json!({ "listChanged": true });
    }
    if declared.host_tasks {
        let mut requests = serde_json::json!({ "elicitation": { "create": {} } });
        if declared.sampling {
            requests["sampling"] = serde_json::json!({ "createMessage": {} });
        }
        can["tasks"] = serde_json::json!({ "list": {}, "cancel": {}, "requests": requests });
    }
    can.to_string()
}
