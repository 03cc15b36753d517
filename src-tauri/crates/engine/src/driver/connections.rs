//! One connection per server, made when it is needed, found out once.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use signalbox_mcp as mcp;
use signalbox_model::{Secret, ServerId, Transport, Wire};
use signalbox_signin::{SecretError, SecretValue, Secrets};
use tokio::sync::{OnceCell, mpsc};

use super::{
    connected::{Connected, Permits},
    legacy,
};
use crate::{Input, Options, Tuning, words};

struct Entry {
    transport: Arc<Transport>,
    /// Outlives a session: it knows when a program may be started again.
    client: Arc<OnceCell<mcp::Client>>,
    connected: OnceCell<Connected>,
    permits: Permits,
}

/// All connections.
#[derive(Clone)]
pub(crate) struct Connections {
    secrets: Arc<Secrets>,
    version: Arc<str>,
    tuning: Arc<Mutex<Tuning>>,
    entries: Arc<Mutex<HashMap<ServerId, Arc<Entry>>>>,
    /// What is known of servers from former connections.
    remembered: Arc<Mutex<HashMap<ServerId, mcp::Remembered>>>,
    /// Connections of the legacy wire, known from before anybody hears of them: replies go out on them.
    standing: Arc<Mutex<HashMap<ServerId, (u64, mcp::Session)>>>,
    links: Arc<AtomicU64>,
    inputs: mpsc::Sender<Input>,
}

impl Connections {
    pub(crate) fn new(
        secrets: Arc<Secrets>,
        options: Options,
        remembered: HashMap<ServerId, mcp::Remembered>,
        inputs: mpsc::Sender<Input>,
    ) -> Self {
        let Options { version, tuning, follow: _ } = options;
        Self {
            secrets,
            version: version.into(),
            tuning: Arc::new(Mutex::new(tuning)),
            entries: Arc::default(),
            remembered: Arc::new(Mutex::new(remembered)),
            standing: Arc::default(),
            links: Arc::default(),
            inputs,
        }
    }

    /// Settings for connections made from now on.
    pub(crate) fn tune(&self, tuning: Tuning) {
        *self.tuning.lock().unwrap_or_else(PoisonError::into_inner) = tuning;
    }

    fn entry(&self, server: ServerId, transport: &Arc<Transport>) -> Arc<Entry> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.entry(server).or_insert_with(|| Arc::new(Entry::new(transport)));
        if entry.transport != *transport {
            *entry = Arc::new(Entry::new(transport));
            // What is known is of another address.
            self.remembered().remove(&server);
        }
        Arc::clone(entry)
    }

    /// The connection, made if there is none. What a new one finds out about its server becomes an input before anything
    /// else of it. An error means that nothing but the questions which make a connection was sent.
    pub(crate) async fn connect(
        &self,
        server: ServerId,
        transport: &Arc<Transport>,
    ) -> Result<Connected, mcp::Error> {
        let entry = self.entry(server, transport);
        entry.connected.get_or_try_init(|| self.begin(server, &entry)).await.cloned()
    }

    async fn begin(&self, server: ServerId, entry: &Entry) -> Result<Connected, mcp::Error> {
        let client = entry.client.get_or_try_init(|| self.make(&entry.transport)).await?.clone();
        let remembered = self.remembered().get(&server).cloned().unwrap_or_default();
        let connection = client.connect(remembered).await.map_err(before_the_request)?;
        let link = self.links.fetch_add(1, Ordering::Relaxed) + 1;
        let permits = entry.permits.clone();
        let (found, session) = match connection {
            mcp::Connection::Modern(found) => {
                self.remember(server, found.wire, None);
                self.tell(Input::Discovered { server, reply: Ok(found.clone()) }).await;
                (found, None)
            }
            mcp::Connection::Legacy { found, session, events, resumed } => {
                let saved = session.saved();
                self.remember(server, found.wire, saved.clone());
                self.sessions().insert(server, (link, session.clone()));
                self.tell(Input::Discovered { server, reply: Ok(found.clone()) }).await;
                self.tell(Input::Connected { server, link, saved, resumed }).await;
                let (this, inputs) = (self.clone(), self.inputs.clone());
                tokio::spawn(legacy::listen(this, inputs, (server, link), events));
                (found, Some(session))
            }
        };
        Ok(Connected { client, found, session, link, permits })
    }

    async fn tell(&self, input: Input) {
        // Nobody listens any more when the engine has stopped.
        let _ = self.inputs.send(input).await;
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<ServerId, mcp::Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, server: ServerId, wire: Wire, session: Option<mcp::SavedSession>) {
        self.remembered().insert(server, mcp::Remembered { wire: Some(wire), session });
    }

    /// Asks again what the server is, also over a connection that stands.
    pub(crate) async fn discover(
        &self,
        server: ServerId,
        transport: &Arc<Transport>,
    ) -> Result<mcp::Found, mcp::Error> {
        let standing = self.entry(server, transport).connected.get().cloned();
        let Some(Connected { client, mut found, session, link, .. }) = standing else {
            return self.connect(server, transport).await.map(|connected| connected.found);
        };
        match session {
            None => match client.discover().await {
                Ok(server) => found.server = server,
                // It spoke the modern wire, and does so no longer.
                Err(error @ mcp::Error::LegacyOnly { .. }) => {
                    self.ended(server, link, &error);
                    return self.connect(server, transport).await.map(|connected| connected.found);
                }
                Err(error) => return Err(before_the_request(error)),
            },
            Some(session) => {
                let asked = tokio::time::Instant::now();
                match session.ping().await {
                    // Whatever it said, it answered.
                    Ok(()) => found.server.latency = asked.elapsed(),
                    Err(error @ mcp::Error::Rpc { .. }) if !speaks_modern(&error) => {
                        found.server.latency = asked.elapsed();
                    }
                    Err(error) => {
                        let over = error.session_is_over() || speaks_modern(&error);
                        if over || matches!(error, mcp::Error::Exited { .. }) {
                            self.ended(server, link, &error);
                            return self.connect(server, transport).await.map(|connected| connected.found);
                        }
                        return Err(before_the_request(error));
                    }
                }
            }
        }
        Ok(found)
    }

    /// This connection is over: the next request makes another one.
    pub(crate) fn ended(&self, server: ServerId, link: u64, error: &mcp::Error) {
        self.sessions().retain(|of, (standing, _)| *of != server || *standing != link);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(&server)
            && entry.connected.get().is_some_and(|connected| connected.link == link)
        {
            let Entry { transport, client, permits, .. } = &**entry;
            let (transport, client, permits) = (Arc::clone(transport), Arc::clone(client), permits.clone());
            *entry = Arc::new(Entry { transport, client, connected: OnceCell::new(), permits });
            if error.session_is_over() || speaks_modern(error) {
                self.remembered().entry(server).or_default().session = None;
            }
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<ServerId, (u64, mcp::Session)>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session on the connection of this name, if it stands.
    pub(crate) fn session(&self, server: ServerId, link: u64) -> Option<mcp::Session> {
        let sessions = self.sessions();
        sessions.get(&server).filter(|(standing, _)| *standing == link).map(|(_, session)| session.clone())
    }

    async fn make(&self, transport: &Transport) -> Result<mcp::Client, mcp::Error> {
        let endpoint = match transport {
            Transport::Http { url, headers } => {
                let url = url.parse().map_err(|_| unusable(format!("{url:?} is not a URL")))?;
                let mut lines = Vec::with_capacity(headers.len());
                for (name, secret) in headers {
                    lines.push(header(name, self.secret(secret).await?.expose())?);
                }
                mcp::Endpoint::Http { url, headers: lines }
            }
            Transport::Stdio { command, args, env, cwd } => {
                let mut vars = Vec::with_capacity(env.len());
                for (name, secret) in env {
                    vars.push((name.clone(), self.secret(secret).await?.expose().to_owned()));
                }
                let cwd = cwd.as_ref().map(PathBuf::from);
                mcp::Endpoint::Stdio { program: command.clone(), args: args.clone(), env: vars, cwd }
            }
        };
        let options = mcp::Options {
            client_version: self.version.to_string(),
            declared: mcp::Declared { sampling: true, roots: true, host_tasks: true },
            message_limit: self.tuning.lock().unwrap_or_else(PoisonError::into_inner).message_limit,
            ..mcp::Options::default()
        };
        Ok(mcp::Client::new(endpoint, options))
    }

    async fn secret(&self, secret: &Secret) -> Result<SecretValue, mcp::Error> {
        self.secrets.resolve(secret).await.map_err(|error| {
            let stage = match &error {
                SecretError::NoKeychain { .. }
                | SecretError::Locked { .. }
                | SecretError::KeychainFailed { .. }
                | SecretError::WrongPassphrase { .. }
                | SecretError::DamagedFile { .. }
                | SecretError::FileFailed { .. }
                | SecretError::NoPassphrase { .. } => mcp::Stage::Keychain,
                SecretError::NoVariable { .. }
                | SecretError::NoEntry { .. }
                | SecretError::FileUnreadable { .. }
                | SecretError::NotUsable { .. } => mcp::Stage::Secret,
            };
            mcp::Error::Unreachable { stage, message: error.to_string(), retry_after: None }
        })
    }

    /// Takes a server's connection out, to be closed; the next request makes a new one.
    pub(crate) fn take(&self, server: ServerId) -> Option<mcp::Client> {
        self.sessions().remove(&server);
        let entry = self.entries.lock().unwrap_or_else(PoisonError::into_inner).remove(&server);
        entry.and_then(|entry| entry.client.get().cloned())
    }

    pub(crate) async fn close(&self) {
        self.sessions().clear();
        let entries: Vec<_> = self
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain()
            .map(|(_, entry)| entry)
            .collect();
        let mut closing = tokio::task::JoinSet::new();
        for entry in entries {
            if let Some(client) = entry.client.get() {
                let client = client.clone();
                closing.spawn(async move { client.close().await });
            }
        }
        // A child that does not end is killed by its client well before this.
        let _ = tokio::time::timeout(Duration::from_secs(10), closing.join_all()).await;
    }

    pub(crate) fn stderr_tail(&self, server: ServerId) -> Vec<String> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let client = entries.get(&server).and_then(|entry| entry.client.get());
        client.map(mcp::Client::stderr_tail).unwrap_or_default()
    }
}

impl Entry {
    fn new(transport: &Arc<Transport>) -> Self {
        Self {
            transport: Arc::clone(transport),
            client: Arc::default(),
            connected: OnceCell::new(),
            permits: Permits::default(),
        }
    }
}

/// Whether only a server of the modern wire answers so.
fn speaks_modern(error: &mcp::Error) -> bool {
    use mcp::Meaning::{HeaderMismatch, UnsupportedVersion};
    matches!(error.meaning(), Some(HeaderMismatch | UnsupportedVersion { .. }))
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), mcp::Error> {
    let name = name.parse().map_err(|_| unusable(format!("{name:?} is not a header name")))?;
    // The value itself must not be named.
    let mut value =
        HeaderValue::from_str(value).map_err(|_| unusable(format!("the value of {name} cannot be sent")))?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The configuration cannot be used as it is; nothing was sent.
fn unusable(message: String) -> mcp::Error {
    mcp::Error::Unreachable { stage: mcp::Stage::Address, message, retry_after: None }
}

/// Whatever happened to the discovery, the request itself was not sent, and what the server answered to the one must
/// not be taken for its answer to the other.
fn before_the_request(error: mcp::Error) -> mcp::Error {
    let stage = match &error {
        mcp::Error::Lost { .. } | mcp::Error::Timeout { .. } | mcp::Error::Throttled { .. } => {
            mcp::Stage::Connect
        }
        mcp::Error::Rpc { .. }
        | mcp::Error::Protocol { .. }
        | mcp::Error::Garbled { .. }
        | mcp::Error::TooLarge { .. } => mcp::Stage::Discover,
        _ => return error,
    };
    let (message, retry_after) = (words::note(&error).message, error.retry_after());
    mcp::Error::Unreachable { stage, message, retry_after }
}
