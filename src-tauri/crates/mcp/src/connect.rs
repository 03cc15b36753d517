//! Finding out which wire a server speaks, and connecting over it.
//!
//! Futures that are seldom under way, such as these, are boxed: thousands of requests may be, and each weighs as much
//! as its future.

use std::pin::{Pin, pin};

use signalbox_model::{Breach, Json, Timestamp, Wire};
use tokio::time::{Instant, timeout};

use crate::{
    client::{Client, Transport},
    error::{Error, Hint},
    legacy::{Handshake, SavedSession, Session, SessionEvents},
    modern::{Discovered, STATEMENT, Verdict, not_mcp, says_too_much, verdict},
    versions::LEGACY_VERSIONS,
    view::Fields,
};

/// What is known of a server from a former connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remembered {
    /// The wire it spoke. A server of the legacy wire is not asked the modern question first; it is when the legacy one
    /// fails.
    pub wire: Option<Wire>,
    /// The session it had with us, to go on with.
    pub session: Option<SavedSession>,
}

/// What was found out of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    /// The wire it speaks: to be remembered.
    pub wire: Wire,
    /// What it says of itself, its version and its round trip.
    pub server: Discovered,
    /// Whether it can list tasks: `tasks/list` of the legacy wire.
    pub lists_tasks: bool,
    /// Whether tasks can be cancelled.
    pub cancels_tasks: bool,
    /// What its clock showed as the answer left, in whole seconds (HTTP's `Date`). Against ours at the same moment it
    /// tells how far the clocks are apart, to a second and the round trip.
    pub clock: Option<Timestamp>,
}

/// What connecting comes to, on either wire.
pub enum Connection {
    /// The modern wire has none: the client's own methods ask.
    Modern(FoundServer),
    /// A session of the legacy wire.
    Legacy {
        /// What was found. Of a resumed session the claims are those of its beginning.
        found: FoundServer,
        /// To ask in.
        session: Session,
        /// All that the server sends of its own accord: to be read always.
        events: SessionEvents,
        /// Whether it is the session of [`Remembered::session`]. If one was remembered and is not resumed, the server
        /// has forgotten it, and with it perhaps its tasks.
        resumed: bool,
    },
}

/// Which wire answered.
enum Spoken {
    Modern(Discovered),
    Legacy(Box<Handshake>),
    /// Modern enough to say that it is not.
    Older(Option<String>),
}

impl Client {
    /// Finds the server's wire and connects over it: `server/discover` first, then `initialize`, over Streamable HTTP
    /// and else over the deprecated HTTP+SSE transport. On stdio silence to the first question counts as not
    /// knowing it ([`crate::Options::probe_timeout`]).
    ///
    /// Only one session of a client should be in use at a time. After an error of a session
    /// ([`Error::session_is_over`], [`Error::Exited`]) this is the way to the next one. On stdio it heeds the
    /// wait that such an error gives.
    ///
    /// # Errors
    /// [`Error::NotMcp`] for what is no MCP server; [`Error::LegacyOnly`] for a version that we do not speak; any
    /// other.
    pub async fn connect(&self, remembered: Remembered) -> Result<Connection, Error> {
        self.usable()?;
        if let Some(saved) = &remembered.session {
            let asked = Instant::now();
            match Box::pin(self.resume(saved)).await {
                Ok((session, events)) => {
                    let server = Discovered::of_session(
                        &saved.initialized,
                        session.protocol_version(),
                        asked.elapsed(),
                    );
                    let found = self.found(Wire::Legacy, server);
                    return Ok(Connection::Legacy { found, session, events, resumed: true });
                }
                // In another one no id is used yet.
                Err(error) if error.session_is_over() => self.ids().begin_anew(),
                Err(error) => return Err(error),
            }
        }
        if remembered.wire == Some(Wire::Legacy) {
            self.start().await?;
            match Box::pin(self.handshake()).await {
                Ok(handshake) => return self.begin(handshake).await,
                // It may speak another wire by now.
                Err(error) if says_another_wire(&error) => {}
                Err(error) => return Err(error),
            }
        }
        match Box::pin(self.find()).await? {
            Spoken::Modern(server) => {
                self.leave_former_ids();
                Ok(Connection::Modern(self.found(Wire::Modern, server)))
            }
            Spoken::Legacy(handshake) => self.begin(*handshake).await,
            Spoken::Older(version) => match Box::pin(self.handshake()).await {
                Ok(handshake) => self.begin(handshake).await,
                Err(error) => Err(older_in_vain(version, error)),
            },
        }
    }

    /// Asks the server what it is. A server that does not know the question is asked the legacy one, only to tell:
    /// that session is given back at once.
    ///
    /// # Errors
    /// [`Error::LegacyOnly`] for a server of an older version; [`Error::NotMcp`] for what is neither; any other.
    pub async fn discover(&self) -> Result<Discovered, Error> {
        let version = match Box::pin(self.find()).await? {
            Spoken::Modern(found) => return Ok(found),
            Spoken::Legacy(handshake) => {
                let version = handshake.version.clone();
                handshake.give_back().await;
                Some(version)
            }
            Spoken::Older(version) => version,
        };
        if let Transport::Stdio(stdio) = self.transport() {
            stdio.stop().await;
        }
        Err(Error::LegacyOnly { version })
    }

    /// The program's start counts as nobody's silence.
    async fn start(&self) -> Result<(), Error> {
        match self.transport() {
            Transport::Stdio(stdio) => stdio.start().await,
            Transport::Http(_) => Ok(()),
        }
    }

    async fn find(&self) -> Result<Spoken, Error> {
        self.start().await?;
        let asked = Instant::now();
        let mut request = self.request("server/discover", None, |params| params);
        request.most = Some(STATEMENT);
        let mut answer = pin!(async {
            let answer = self.send(request, self.options().request_timeout).await;
            answer.map_err(|error| says_too_much(error, self.options()))
        });
        let verdict = match self.transport() {
            Transport::Http(_) => verdict(answer.await, asked),
            Transport::Stdio(_) => match timeout(self.options().probe_timeout, answer.as_mut()).await {
                Ok(answer) => verdict(answer, asked),
                Err(_) => return self.ask_both_ways(answer, asked).await,
            },
        };
        match verdict {
            Verdict::NotModern(error) => self.ask_the_old_way(error).await,
            settled => settle(settled),
        }
    }

    /// A child that is silent so far: a legacy server that ignores the question, or a slow start. The legacy question
    /// goes out beside it, and what is answered first decides.
    async fn ask_both_ways(
        &self,
        answer: Pin<&mut impl Future<Output = Result<Json, Error>>>,
        asked: Instant,
    ) -> Result<Spoken, Error> {
        let mut answer = pin!(async move {
            answer.await.map_err(|error| match error {
                Error::Timeout { .. } => not_mcp(Hint::Silent),
                error => error,
            })
        });
        let mut handshake = Box::pin(self.handshake());
        let (error, legacy) = tokio::select! {
            biased;
            answer = answer.as_mut() => match verdict(answer, asked) {
                Verdict::NotModern(error) => (error, handshake.await),
                settled => return settle(settled),
            },
            legacy = handshake.as_mut() => match legacy {
                Ok(handshake) => return Ok(Spoken::Legacy(Box::new(handshake))),
                legacy => match verdict(answer.await, asked) {
                    Verdict::NotModern(error) => (error, legacy),
                    settled => return settle(settled),
                },
            },
        };
        legacy.map(|handshake| Spoken::Legacy(Box::new(handshake))).map_err(|legacy| weightier(error, legacy))
    }

    async fn ask_the_old_way(&self, error: Error) -> Result<Spoken, Error> {
        let handshake = Box::pin(self.handshake()).await.map_err(|legacy| weightier(error, legacy))?;
        Ok(Spoken::Legacy(Box::new(handshake)))
    }

    async fn begin(&self, handshake: Handshake) -> Result<Connection, Error> {
        let server = Discovered::of_session(handshake.result(), &handshake.version, handshake.latency);
        let found = self.found(Wire::Legacy, server);
        let (session, events) = handshake.begin(self).await?;
        Ok(Connection::Legacy { found, session, events, resumed: false })
    }

    /// What the server's clock showed as the last answer left that says how the server is ([`Client::connect`],
    /// [`Client::discover`], [`Session::ping`]), as in [`FoundServer::clock`].
    #[must_use]
    pub fn clock(&self) -> Option<Timestamp> {
        match self.transport() {
            Transport::Http(http) => http.date(),
            Transport::Stdio(_) => None,
        }
    }

    fn found(&self, wire: Wire, server: Discovered) -> FoundServer {
        let tasks = Fields::lenient(server.capabilities.raw()).object("tasks");
        let (lists_tasks, cancels_tasks) = match wire {
            Wire::Modern => (false, server.tasks),
            Wire::Legacy => (tasks.some("list").is_some(), cancels_tasks(&server.capabilities)),
        };
        FoundServer { wire, server, lists_tasks, cancels_tasks, clock: self.clock() }
    }
}

/// Whether a server of the legacy wire declares, in its capabilities as received, that its tasks can be cancelled.
#[must_use]
pub fn cancels_tasks(capabilities: &Json) -> bool {
    Fields::lenient(capabilities.raw()).object("tasks").some("cancel").is_some()
}

fn settle(verdict: Verdict) -> Result<Spoken, Error> {
    match verdict {
        Verdict::Modern(found) => Ok(Spoken::Modern(found)),
        Verdict::Older { version } => Ok(Spoken::Older(version)),
        Verdict::NotModern(error) | Verdict::Unknown(error) => Err(error),
    }
}

/// Whether a failed `initialize` can mean that the wire is another. What is against the specification of this one cannot.
fn says_another_wire(error: &Error) -> bool {
    matches!(
        error,
        Error::Rpc { .. }
            | Error::NotMcp { .. }
            | Error::Garbled { .. }
            | Error::Exited { .. }
            | Error::Timeout { .. }
    )
}

/// A server that said that it speaks an older version opens no session.
fn older_in_vain(version: Option<String>, error: Error) -> Error {
    let Some(known) = version.as_deref().filter(|version| LEGACY_VERSIONS.contains(version)) else {
        return weightier(Error::LegacyOnly { version }, error);
    };
    let version = known.to_owned();
    let (error, said, raw) = match error {
        Error::Rpc { code, message, raw, .. } => (Some(code), Some(message), Some(raw)),
        Error::Garbled { raw, .. } => (None, None, raw),
        Error::NotMcp { .. } => (None, None, None),
        error => return error,
    };
    Error::protocol(Breach::VersionRefused { version, error, said }, raw)
}

/// Of a failure of either wire the one that says more.
fn weightier(modern: Error, legacy: Error) -> Error {
    if says_another_wire(&legacy) { modern } else { legacy }
}

impl Discovered {
    /// Reads an answer to `initialize`.
    fn of_session(result: &Json, version: &str, latency: std::time::Duration) -> Self {
        let calls = Fields::lenient(result.raw())
            .object("capabilities")
            .object("tasks")
            .object("requests")
            .object("tools")
            .some("call")
            .is_some();
        Self { protocol_version: version.into(), tasks: calls, ..Self::read(result, latency) }
    }
}
