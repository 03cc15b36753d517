//! One connection per server, made when it is needed, found out once.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use signalbox_mcp as mcp;
use signalbox_model::{Access, ServerId, Transport};
use signalbox_signin::Secrets;
use signalbox_store::Reads;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::{
    Inputs,
    clients::Clients,
    connected::{Connected, Permits},
    connecting::Connecting,
    exchanges::Asking,
    legacy,
    obstacle::before_the_request,
};
use crate::{EngineOptions, Input, Line, by_number::ByNumber};

struct Entry {
    transport: Arc<Transport>,
    access: Arc<Access>,
    /// Outlives a session: it knows when a program may be started again.
    client: Arc<OnceCell<mcp::Client>>,
    connected: OnceCell<Arc<Connected>>,
    permits: Permits,
}

/// The connections to all servers: at most one for each.
#[derive(Clone)]
pub(crate) struct Connections {
    /// What they are made of.
    pub(super) clients: Clients,
    entries: Arc<Mutex<ByNumber<ServerId, Arc<Entry>>>>,
    /// Connections of the legacy wire, known from before anybody hears of them: replies go out on them.
    standing: Arc<Mutex<ByNumber<ServerId, (u64, mcp::Session)>>>,
    links: Arc<AtomicU64>,
    /// The attempts that are under way.
    pub(super) connecting: Connecting,
    inputs: Inputs,
    /// Cancelled when nobody waits for a graceful end of connections.
    hurry: CancellationToken,
}

impl Connections {
    pub(crate) fn new(secrets: Arc<Secrets>, reads: Reads, options: EngineOptions, inputs: Inputs) -> Self {
        Self {
            clients: Clients::new(secrets, reads, options),
            entries: Arc::default(),
            standing: Arc::default(),
            links: Arc::default(),
            connecting: Connecting::default(),
            inputs,
            hurry: CancellationToken::new(),
        }
    }

    fn entry(&self, line: &Line) -> Arc<Entry> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.entry(line.server).or_insert_with(|| Arc::new(Entry::new(line)));
        if entry.transport != line.transport || entry.access != line.access {
            *entry = Arc::new(Entry::new(line));
        }
        Arc::clone(entry)
    }

    /// The connection, made if there is none. What a new one finds out about its server becomes an input before anything
    /// else of it. An error means that nothing but the questions which make a connection was sent.
    pub(crate) async fn connect(&self, line: &Line) -> Result<Arc<Connected>, mcp::Error> {
        let entry = self.entry(line);
        if let Some(connected) = entry.connected.get() {
            return Ok(Arc::clone(connected));
        }
        // Boxed: it is large, and seldom.
        let attempt = || self.connecting.show(line.server, self.begin(line, &entry));
        Box::pin(entry.connected.get_or_try_init(attempt)).await.cloned()
    }

    /// A request that is answered soon, over the connection and with one of its permits: what is under way takes memory.
    pub(super) async fn request<R, F, T>(
        &self,
        line: &Line,
        asking: Option<&mut Asking>,
        request: R,
    ) -> Result<T, mcp::Error>
    where
        R: FnOnce(Arc<Connected>) -> F,
        F: Future<Output = Result<T, mcp::Error>>,
    {
        let connected = self.connect(line).await?;
        let _permit = connected.permits.short.acquire().await;
        if let Some(asking) = asking {
            asking.goes_out();
        }
        request(Arc::clone(&connected)).await
    }

    async fn begin(&self, line: &Line, entry: &Arc<Entry>) -> Result<Arc<Connected>, mcp::Error> {
        let server = line.server;
        let client = entry.client.get_or_try_init(|| self.clients.make(line)).await?.clone();
        // Somebody may have taken the entry out while its client was being made. They had no client to close,
        // so we close it.
        if !self.while_current(server, entry, || {}) {
            return Err(closed(&client).await);
        }
        let remembered = mcp::Remembered { wire: line.wire, session: line.session.as_deref().cloned() };
        // What the server says of itself has its own room: the request that follows may take long.
        let (connection, load) = mcp::carrying(Box::pin(client.connect(remembered))).await;
        let connection = match connection {
            Ok(connection) => connection,
            Err(error) => {
                self.distrusted(line, entry, &error);
                return Err(before_the_request(error));
            }
        };
        let link = self.links.fetch_add(1, Ordering::Relaxed) + 1;
        let permits = entry.permits.clone();
        let (found, session) = match connection {
            mcp::Connection::Modern(found) => {
                if !self.while_current(server, entry, || {}) {
                    return Err(closed(&client).await);
                }
                self.tell(Input::Found { server, found: Box::new(found.clone()) }, load).await;
                (found, None)
            }
            mcp::Connection::Legacy { found, session, events, resumed } => {
                let saved = session.saved();
                let stands = self.while_current(server, entry, || {
                    self.sessions().insert(server, (link, session.clone()));
                });
                if !stands {
                    return Err(closed(&client).await);
                }
                self.tell(Input::Found { server, found: Box::new(found.clone()) }, load).await;
                self.tell(Input::Connected { server, link, saved, resumed }, mcp::Load::default()).await;
                let (this, inputs) = (self.clone(), self.inputs.clone());
                tokio::spawn(legacy::listen(this, inputs, (server, link), events));
                (found, Some(session))
            }
        };
        Ok(Arc::new(Connected { client, found, session, link, permits }))
    }

    /// Whether this is still the entry of its server; if so, does `then` before that can change.
    fn while_current(&self, server: ServerId, entry: &Arc<Entry>, then: impl FnOnce()) -> bool {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = entries.get(&server).is_some_and(|current| Arc::ptr_eq(current, entry));
        if is_current {
            then();
        }
        is_current
    }

    /// No certificate of the server was trusted by this client. A person may mend the files with the authorities in
    /// place, and a client reads them once: the next request makes another.
    fn distrusted(&self, line: &Line, entry: &Arc<Entry>, error: &mcp::Error) {
        let of_tls = matches!(error, mcp::Error::Unreachable { stage: mcp::Stage::Tls, .. });
        if !of_tls || line.access.ca_certificates.is_empty() {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(current) = entries.get_mut(&line.server)
            && Arc::ptr_eq(current, entry)
        {
            *current = Arc::new(Entry { permits: entry.permits.clone(), ..Entry::new(line) });
        }
    }

    async fn tell(&self, input: Input, load: mcp::Load) {
        // Nobody listens any more when the engine has stopped.
        self.inputs.send_with(input, load).await;
    }

    /// What the server is, by a connection that stands or is made now.
    async fn found(&self, line: &Line) -> Result<mcp::FoundServer, mcp::Error> {
        Ok(self.connect(line).await?.found.clone())
    }

    /// Asks again what the server is, also over a connection that stands.
    pub(crate) async fn discover(&self, line: &Line) -> Result<mcp::FoundServer, mcp::Error> {
        let server = line.server;
        let entry = self.entry(line);
        let Some(connected) = entry.connected.get() else {
            return self.found(line).await;
        };
        let Connected { client, session, link, .. } = &**connected;
        let (mut found, link) = (connected.found.clone(), *link);
        match session {
            None => match client.discover().await {
                Ok(server) => found.server = server,
                // It spoke the modern wire, and does so no longer.
                Err(mcp::Error::LegacyOnly { .. }) => {
                    self.ended(server, link);
                    return self.found(line).await;
                }
                Err(error) => {
                    self.distrusted(line, &entry, &error);
                    return Err(before_the_request(error));
                }
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
                            self.ended(server, link);
                            return self.found(line).await;
                        }
                        self.distrusted(line, &entry, &error);
                        return Err(before_the_request(error));
                    }
                }
            }
        }
        // A reading belongs to its moment: an old one would be behind by the age of the connection.
        found.clock = client.clock();
        Ok(found)
    }

    /// This connection is over: the next request makes another one.
    pub(crate) fn ended(&self, server: ServerId, link: u64) {
        self.sessions().retain(|of, (standing, _)| *of != server || *standing != link);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(&server)
            && entry.connected.get().is_some_and(|connected| connected.link == link)
        {
            let Entry { transport, access, client, permits, .. } = &**entry;
            let (transport, access) = (Arc::clone(transport), Arc::clone(access));
            let (client, permits, connected) = (Arc::clone(client), permits.clone(), OnceCell::new());
            *entry = Arc::new(Entry { transport, access, client, connected, permits });
        }
    }

    fn sessions(&self) -> MutexGuard<'_, ByNumber<ServerId, (u64, mcp::Session)>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session on the connection of this name, if it stands.
    pub(crate) fn session(&self, server: ServerId, link: u64) -> Option<mcp::Session> {
        let sessions = self.sessions();
        sessions.get(&server).filter(|(standing, _)| *standing == link).map(|(_, session)| session.clone())
    }

    /// Takes a server's connection out, to be closed; the next request makes a new one.
    pub(crate) fn take(&self, server: ServerId) -> Option<mcp::Client> {
        let entry = self.entries.lock().unwrap_or_else(PoisonError::into_inner).remove(&server);
        // In this order: a connection that comes to stand is put there while it is its server's.
        self.sessions().remove(&server);
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
                let (client, hurry) = (client.clone(), self.hurry.clone());
                closing.spawn(async move {
                    let hurrying = async {
                        hurry.cancelled().await;
                        client.hurry();
                        std::future::pending::<()>().await;
                    };
                    tokio::select! {
                        () = client.close() => {}
                        () = hurrying => {}
                    }
                });
            }
        }
        // A child that does not end is killed by its client well before this.
        let _ = tokio::time::timeout(Duration::from_secs(10), closing.join_all()).await;
    }

    /// Nobody waits any more until connections have ended gracefully.
    pub(crate) fn hurry(&self) {
        self.hurry.cancel();
    }

    pub(crate) fn stderr_tail(&self, server: ServerId) -> Vec<String> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let client = entries.get(&server).and_then(|entry| entry.client.get());
        client.map(mcp::Client::stderr_tail).unwrap_or_default()
    }
}

impl Entry {
    fn new(line: &Line) -> Self {
        Self {
            transport: Arc::clone(&line.transport),
            access: Arc::clone(&line.access),
            client: Arc::default(),
            connected: OnceCell::new(),
            permits: Permits::default(),
        }
    }
}

/// What nobody wants any more, and nobody else would close.
async fn closed(client: &mcp::Client) -> mcp::Error {
    client.close().await;
    mcp::Error::Closed
}

/// Whether only a server of the modern wire answers so.
fn speaks_modern(error: &mcp::Error) -> bool {
    use mcp::Meaning::{HeaderMismatch, UnsupportedVersion};
    matches!(error.meaning(), Some(HeaderMismatch | UnsupportedVersion { .. }))
}

#[cfg(test)]
mod tests;
