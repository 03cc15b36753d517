//! One connection per server, made when it is needed, found out once.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use signalbox_mcp as mcp;
use signalbox_model::{Secret, ServerId, Transport};
use signalbox_signin::{SecretError, SecretValue, Secrets};
use tokio::sync::{OnceCell, Semaphore};

use crate::{Options, Tuning, words};

/// A server that answered `server/discover` on this connection.
#[derive(Clone)]
pub(crate) struct Connected {
    pub(crate) client: mcp::Client,
    pub(crate) found: mcp::Discovered,
    pub(crate) permits: Permits,
}

/// Requests at one server at the same time, in three classes: one that is held open never delays a short one.
#[derive(Clone)]
pub(crate) struct Permits {
    /// Everything that is answered soon. Looks have a narrower limit of their own.
    pub(crate) short: Arc<Semaphore>,
    /// `tools/call`, which a server may hold open while its tool works.
    pub(crate) held: Arc<Semaphore>,
    /// `subscriptions/listen`: a stream, and the one that takes its place.
    pub(crate) streams: Arc<Semaphore>,
}

impl Default for Permits {
    fn default() -> Self {
        Self {
            short: Arc::new(Semaphore::new(16)),
            held: Arc::new(Semaphore::new(32)),
            streams: Arc::new(Semaphore::new(2)),
        }
    }
}

struct Entry {
    transport: Arc<Transport>,
    client: OnceCell<mcp::Client>,
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
}

impl Connections {
    pub(crate) fn new(secrets: Arc<Secrets>, options: Options) -> Self {
        let Options { version, tuning, follow: _ } = options;
        Self {
            secrets,
            version: version.into(),
            tuning: Arc::new(Mutex::new(tuning)),
            entries: Arc::default(),
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
        }
        Arc::clone(entry)
    }

    /// The connection, made if there is none, and whether this call made it. An error means that nothing but the
    /// question of discovery was sent.
    pub(crate) async fn client(
        &self,
        server: ServerId,
        transport: &Arc<Transport>,
    ) -> Result<(Connected, bool), mcp::Error> {
        let entry = self.entry(server, transport);
        let mut fresh = false;
        let connect = async || {
            let client = entry.client.get_or_try_init(|| self.make(&entry.transport)).await?;
            let found = client.discover().await.map_err(before_the_request)?;
            fresh = true;
            Ok::<_, mcp::Error>(Connected { client: client.clone(), found, permits: entry.permits.clone() })
        };
        let connected = entry.connected.get_or_try_init(connect).await?.clone();
        Ok((connected, fresh))
    }

    /// Asks again what the server is, also over a connection that stands.
    pub(crate) async fn discover(
        &self,
        server: ServerId,
        transport: &Arc<Transport>,
    ) -> Result<mcp::Discovered, mcp::Error> {
        let entry = self.entry(server, transport);
        if entry.connected.initialized() {
            let (connected, _) = self.client(server, transport).await?;
            return connected.client.discover().await.map_err(before_the_request);
        }
        self.client(server, transport).await.map(|(connected, _)| connected.found)
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
            declared: mcp::Declared { sampling: true, roots: true, ..mcp::Declared::default() },
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
        let entry = self.entries.lock().unwrap_or_else(PoisonError::into_inner).remove(&server);
        entry.and_then(|entry| entry.client.get().cloned())
    }

    pub(crate) async fn close(&self) {
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
            client: OnceCell::new(),
            connected: OnceCell::new(),
            permits: Permits::default(),
        }
    }
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
