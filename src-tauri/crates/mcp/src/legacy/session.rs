//! A session at a server of the legacy wire.

use std::{fmt, pin::pin, sync::Arc, time::Duration};

use signalbox_model::{Json, Obstacle};
use tokio::{sync::oneshot, time::timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    event::Channel,
    handshake::Handshake,
    inbound::{Inbound, SessionEvents},
    own_request::OwnRequest,
    push, reading,
    streamable::Streamable,
    transport::SessionTransport,
};
use crate::{
    client::{Client, Transport, within},
    error::{Error, Sent},
    meaning::Meaning,
    rpc::{self, Params},
    stdio::GivenUp,
    versions::LEGACY_VERSIONS,
    view::Fields,
};

/// A session of the legacy wire, made by [`Client::connect`]. Cheap to clone. It is over when the server forgets it, when
/// the child or the only stream ends ([`crate::SessionEvent::Ended`] says so), when the last clone is dropped, or
/// when the client is closed: then requests fail with an error for which [`Error::session_is_over`] holds, or as
/// [`Error::Exited`] or [`Error::Closed`], and another is made by [`Client::connect`].
///
/// Nothing here ends the session *at the server* but [`Session::end`]: its tasks may live and die with it.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    client: Client,
    transport: SessionTransport,
    inbound: Arc<Inbound>,
    initialized: Json,
    version: String,
    stop: CancellationToken,
    _stop: DropGuard,
}

/// What makes a session usable after our restart: to be kept in the 0600 store, and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct SavedSession {
    /// `Mcp-Session-Id`: a sensitive handle.
    pub id: String,
    /// The server's answer to `initialize`, which it does not give again.
    pub initialized: Json,
}

impl fmt::Debug for SavedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SavedSession")
    }
}

/// Our answer to a request of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionReply {
    /// A result. Related-task metadata is added where the request had it.
    Result(Json),
    /// An error: for what has no other shape of refusal (sampling: -1).
    Error {
        /// The JSON-RPC error code.
        code: i64,
        /// For whoever reads the server's log.
        message: String,
    },
}

/// What became of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionReplied {
    /// The server has it (over stdio: its input took it).
    Delivered,
    /// Nobody waits for it: answered, cancelled by the server, or of another session. Nothing was sent.
    NotOpen,
}

impl Session {
    /// What to keep so that the session can be used after our restart ([`crate::Remembered::session`]). None where it
    /// cannot: over stdio, over HTTP+SSE, at servers without sessions.
    #[must_use]
    pub fn saved(&self) -> Option<SavedSession> {
        let SessionTransport::Streamable(session) = &self.0.transport else { return None };
        let id = session.session_id()?.to_owned();
        Some(SavedSession { id, initialized: self.0.initialized.clone() })
    }

    /// Answers a request of the server, exactly once: a second reply is [`SessionReplied::NotOpen`].
    ///
    /// # Errors
    /// Where [`Error::sent`] is [`Sent::No`] the request stays open and can be answered again. Else it does not,
    /// and the reply may have arrived; [`Error::Rpc`] is the server's refusal of it.
    pub async fn reply(&self, id: &str, reply: SessionReply) -> Result<SessionReplied, Error> {
        self.0.client.usable()?;
        let Some(open) = self.0.inbound.close(id) else { return Ok(SessionReplied::NotOpen) };
        let body = match (&reply, &open.names_task) {
            (SessionReply::Result(result), Some(task)) => {
                rpc::response(id, &reading::with_related_task(result, task))
            }
            (SessionReply::Result(result), None) => rpc::response(id, result),
            (SessionReply::Error { code, message }, _) => rpc::refusal(id, *code, message),
        };
        let limit = self.0.client.options().request_timeout;
        let told = timeout(limit, self.0.transport.tell(body));
        match told.await.unwrap_or_else(|_| Err(Error::timeout(limit))) {
            Ok(()) => Ok(SessionReplied::Delivered),
            Err(error) => {
                if error.sent() == Sent::No && !error.session_is_over() {
                    self.0.inbound.reopen(id, open);
                }
                Err(error)
            }
        }
    }

    /// Opens a request again that was asked in a former run of ours within this same session ([`SavedSession`]), so
    /// that it can be answered. `raw` is [`crate::ServerRequest::raw`]; what comes back is its id, if it is a
    /// request that can be answered.
    #[must_use]
    pub fn remember_request(&self, raw: &Json) -> Option<String> {
        self.0.inbound.remember(raw)
    }

    /// Closes a request of the server that it has asked again under another id. Nothing is sent: an error could end what
    /// it works on. Without this, requests that nobody answers would fill the room for others.
    pub fn close_request(&self, id: &str) {
        // One that was answered or withdrawn meanwhile is closed already.
        let _ = self.0.inbound.close(id);
    }

    /// Tells the server that the list of roots is another now. Only where roots are declared.
    ///
    /// # Errors
    /// Any.
    pub async fn roots_changed(&self) -> Result<(), Error> {
        self.tell("notifications/roots/list_changed").await
    }

    /// Asks whether the server is there.
    ///
    /// # Errors
    /// Any.
    pub async fn ping(&self) -> Result<(), Error> {
        let limit = self.0.client.options().request_timeout;
        self.send(Asking::short("ping"), |params| params, limit).await.map(drop)
    }

    /// Ends the session at the server, and with it perhaps its tasks and surely its questions: DELETE over Streamable
    /// HTTP, the child's end over stdio. Never called by this crate for a session that was used.
    ///
    /// # Errors
    /// Any. A server may refuse it.
    pub async fn end(&self) -> Result<(), Error> {
        match (&self.0.transport, self.0.client.transport()) {
            (SessionTransport::Streamable(session), _) => {
                let ended = session.delete().await;
                if ended.is_ok() {
                    session.over().cancel();
                }
                self.0.inbound.end(&Error::Closed);
                ended
            }
            (SessionTransport::Stdio(_), Transport::Stdio(stdio)) => {
                stdio.stop().await;
                Ok(())
            }
            _ => {
                self.0.stop.cancel();
                Ok(())
            }
        }
    }

    /// The answer to `initialize` as received.
    #[must_use]
    pub fn initialized(&self) -> &Json {
        &self.0.initialized
    }

    /// The version of MCP that both sides speak in it.
    #[must_use]
    pub fn protocol_version(&self) -> &str {
        &self.0.version
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    /// Sends a request once and waits for its answer, at most `limit`.
    pub(super) async fn send(
        &self,
        asking: Asking<'_>,
        params: impl FnOnce(Params) -> Params,
        limit: Duration,
    ) -> Result<Json, Error> {
        self.0.client.usable()?;
        let Asking { method, task_id, once, given_up, most } = asking;
        let id = self.0.client.fresh_id();
        let body = params(Params::new(id, method)).finish();
        let channel = Channel::Response { method, task_id: task_id.map(str::to_owned) };
        let request = OwnRequest { id, body, once, channel, given_up, most };
        let answer = pin!(self.0.transport.request(request));
        let answer = timeout(limit, answer).await.unwrap_or_else(|_| Err(Error::timeout(limit)));
        let answer = within(answer, most);
        if let Err(error) = &answer {
            tracing::debug!(method, sent = ?error.sent(), "request without a result");
        }
        answer
    }

    async fn tell(&self, method: &str) -> Result<(), Error> {
        let limit = self.0.client.options().request_timeout;
        let told = timeout(limit, self.0.transport.tell(rpc::notification(method, "{}")));
        told.await.unwrap_or_else(|_| Err(Error::timeout(limit)))
    }
}

/// What a request is about.
pub(super) struct Asking<'a> {
    pub(super) method: &'static str,
    pub(super) task_id: Option<&'a str>,
    pub(super) once: bool,
    pub(super) given_up: GivenUp,
    /// Bytes that the answer may have, where that is less than any message may.
    pub(super) most: Option<usize>,
}

impl Asking<'_> {
    pub(super) fn short(method: &'static str) -> Self {
        Self { method, task_id: None, once: false, given_up: GivenUp::Told, most: None }
    }
}

impl Handshake {
    /// Says that we are ready, and begins to listen.
    pub(crate) async fn begin(self, client: &Client) -> Result<(Session, SessionEvents), Error> {
        let Self { transport, inbound, events, stop, result, version, .. } = self;
        if let SessionTransport::Streamable(streamable) = &transport {
            streamable.speak(&version);
        }
        let session = Session::of(client, transport, inbound, stop.disarm(), result, version);
        session.tell("notifications/initialized").await?;
        session.listen().await;
        Ok((session, events))
    }
}

impl Client {
    /// Goes on with a session of a former run.
    ///
    /// # Errors
    /// [`Error::session_is_over`] where there is none to go on with; any other leaves it open whether there is.
    pub(crate) async fn resume(&self, saved: &SavedSession) -> Result<(Session, SessionEvents), Error> {
        let Transport::Http(http) = self.transport() else { return Err(none_such()) };
        self.leave_former_ids();
        let (inbound, events) = Inbound::new(self.options());
        let stop = self.closing().child_token();
        let streamable = Streamable::of_session(self, Arc::clone(http), Arc::clone(&inbound), &saved.id)
            .ok_or_else(none_such)?;
        let version = Fields::lenient(saved.initialized.raw()).text("protocolVersion");
        let version = version.unwrap_or_else(|| LEGACY_VERSIONS[0].into());
        streamable.speak(&version);
        let session = Session::of(
            self,
            SessionTransport::Streamable(streamable),
            inbound,
            stop,
            saved.initialized.clone(),
            version,
        );
        let mut pinged = session.ping().await;
        if pinged.as_ref().is_err_and(may_mean_the_id) {
            self.ids().begin_anew();
            pinged = session.ping().await;
        }
        match pinged {
            Ok(()) => {}
            // It speaks the modern wire by now, which has no sessions.
            Err(error)
                if matches!(
                    error.meaning(),
                    Some(Meaning::UnsupportedVersion { .. } | Meaning::HeaderMismatch)
                ) =>
            {
                return Err(none_such());
            }
            // An error is an answer within the session, too.
            Err(Error::Rpc { .. }) => {}
            Err(Error::NotMcp { .. } | Error::Garbled { .. }) => return Err(none_such()),
            Err(error) => return Err(error),
        }
        session.listen().await;
        Ok((session, events))
    }
}

/// Whether a server may have refused a request for an id that is longer than it can read.
fn may_mean_the_id(error: &Error) -> bool {
    match error {
        Error::Rpc { code, .. } => matches!(code, -32700 | -32600),
        Error::NotMcp { status: Some(status), .. } => *status == 400,
        _ => false,
    }
}

impl Session {
    fn of(
        client: &Client,
        transport: SessionTransport,
        inbound: Arc<Inbound>,
        stop: CancellationToken,
        initialized: Json,
        version: String,
    ) -> Self {
        let client = client.clone();
        let guard = stop.clone().drop_guard();
        Self(Arc::new(Inner { client, transport, inbound, initialized, version, stop, _stop: guard }))
    }

    /// Opens the stream over which the server can reach us at any time, and waits until it stands: servers drop what
    /// they would say on a stream that is not there, questions as well.
    async fn listen(&self) {
        if let SessionTransport::Streamable(streamable) = &self.0.transport {
            let (tried, standing) = oneshot::channel();
            tokio::spawn(push::listen(Arc::clone(streamable), self.0.stop.clone(), tried));
            if timeout(self.0.client.options().probe_timeout, standing).await.is_err() {
                tracing::debug!("the push stream is slow to begin");
            }
        }
    }
}

fn none_such() -> Error {
    Error::session(Obstacle::NoSession)
}
