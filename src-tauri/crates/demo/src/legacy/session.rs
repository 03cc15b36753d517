//! Sessions: who the client is, its streams, and the requests that are open in either direction.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use super::notices::{announce, herald};
use crate::journal::JournalEntry;
use crate::outbox::{Outbox, Reader};
use crate::protocol::Reply;
use crate::{AsksOn, Demo, Notices};

/// Streams of one session that can be resumed; older ones are forgotten.
const STREAMS: usize = 100;

/// What a client declared when the session began.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Client {
    pub(super) form: bool,
    pub(super) url: bool,
    pub(super) sampling: bool,
    pub(super) roots: bool,
    pub(super) hosts_elicitation: bool,
    pub(super) hosts_sampling: bool,
}

impl Client {
    fn of(params: &Value) -> Self {
        let capabilities = &params["capabilities"];
        let elicitation = capabilities["elicitation"].as_object();
        let hosts = &capabilities["tasks"]["requests"];
        Self {
            // An empty `elicitation` means form mode.
            form: elicitation.is_some_and(|modes| modes.is_empty() || modes.contains_key("form")),
            url: elicitation.is_some_and(|modes| modes.contains_key("url")),
            sampling: capabilities["sampling"].is_object(),
            roots: capabilities["roots"].is_object(),
            hosts_elicitation: hosts["elicitation"]["create"].is_object(),
            hosts_sampling: hosts["sampling"]["createMessage"].is_object(),
        }
    }
}

/// One client, from its `initialize` on. On stdio it is the connection.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    /// What belongs to no request: the stream of GET, or everything where there is only one stream.
    pub(crate) general: Arc<Outbox>,
    client: Mutex<Option<Client>>,
    streams: Mutex<BTreeMap<u64, Arc<Outbox>>>,
    /// Our requests that the client has not answered.
    waiting: Mutex<HashMap<String, oneshot::Sender<Result<Value, Value>>>>,
    /// The client's requests that we have not answered.
    serving: Mutex<HashMap<String, AbortHandle>>,
    /// On which stream a question was asked last, by call and key.
    pub(super) asked: Mutex<HashMap<(String, String), Arc<Outbox>>>,
    /// Calls that wait for pages to be opened, by tool and arguments.
    pub(super) pages: Mutex<HashMap<(&'static str, String), String>>,
    /// Counts streams and our requests.
    counter: AtomicU64,
    /// What the ids of our requests begin with in a session that outlived a server: they must not come again.
    life: Option<String>,
    announced: AtomicBool,
    heralded: AtomicBool,
    listened: watch::Sender<()>,
    /// Every open request of the client's holds a receiver.
    open: watch::Sender<()>,
    closed: watch::Sender<bool>,
}

impl Session {
    /// `replays`: whether its streams can be resumed.
    pub(crate) fn new(id: String, replays: bool, life: Option<String>) -> Arc<Self> {
        Arc::new(Self {
            id,
            general: Outbox::new(life.clone().unwrap_or_default() + "g", replays),
            client: Mutex::default(),
            streams: Mutex::default(),
            waiting: Mutex::default(),
            serving: Mutex::default(),
            asked: Mutex::default(),
            pages: Mutex::default(),
            counter: AtomicU64::new(0),
            life,
            announced: AtomicBool::new(false),
            heralded: AtomicBool::new(false),
            listened: watch::Sender::new(()),
            open: watch::Sender::new(()),
            closed: watch::Sender::new(false),
        })
    }

    /// Whether the client has said who it is.
    pub(super) fn met(&self) -> bool {
        lock(&self.client).is_some()
    }

    pub(super) fn client(&self) -> Client {
        lock(&self.client).unwrap_or_default()
    }

    /// A stream for one request, which can be resumed for a while.
    pub(crate) fn stream(&self) -> Arc<Outbox> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let stream = Outbox::new(format!("{}s{number}", self.life.clone().unwrap_or_default()), true);
        let mut streams = lock(&self.streams);
        streams.insert(number, stream.clone());
        if streams.len() > STREAMS {
            streams.pop_first();
        }
        stream
    }

    /// The stream of this name.
    pub(crate) fn stream_named(&self, name: &str) -> Option<Arc<Outbox>> {
        if self.general.name() == name {
            return Some(self.general.clone());
        }
        lock(&self.streams).values().find(|stream| stream.name() == name).cloned()
    }

    /// The client listens to the general stream from here on. It may have lost what it read of it before: what is still
    /// open is asked again.
    pub(crate) fn listen(&self) -> Reader {
        if self.general.was_read() {
            lock(&self.asked).retain(|_, on| !Arc::ptr_eq(on, &self.general));
        }
        let reader = self.general.read(None);
        self.listened.send_replace(());
        reader
    }

    /// Wakes when the client listens anew.
    pub(super) fn listened(&self) -> watch::Receiver<()> {
        self.listened.subscribe()
    }

    /// Stop answering a request of the client's.
    pub(super) fn stop_serving(&self, id: &Value) {
        if let Some(serving) = lock(&self.serving).remove(&id.to_string()) {
            serving.abort();
        }
    }

    pub(super) fn serves(&self, id: &Value, serving: AbortHandle) {
        let mut all = lock(&self.serving);
        all.retain(|_, serving| !serving.is_finished());
        all.insert(id.to_string(), serving);
    }

    /// A request of the client's is open until this is dropped.
    pub(super) fn opens_request(&self) -> watch::Receiver<()> {
        self.open.subscribe()
    }

    /// Returns once every request of the client's is answered.
    pub(crate) async fn served(&self) {
        self.open.closed().await;
    }

    /// The id for a request of ours, and where its outcome will come out: a result or an error.
    pub(super) fn expect(&self) -> (Value, oneshot::Receiver<Result<Value, Value>>) {
        // Counts from 0, as some servers do: 0 is an id like any other.
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let id = self.life.as_ref().map_or(json!(number), |life| json!(format!("{life}{number}")));
        let (told, outcome) = oneshot::channel();
        lock(&self.waiting).insert(id.to_string(), told);
        (id, outcome)
    }

    /// The client answered a request of ours. What nobody waits for is in the journal, and that is all.
    pub(super) fn replied(&self, reply: Reply) {
        if let Some(waiting) = lock(&self.waiting).remove(&reply.id.to_string()) {
            // The one who asked may have given up just now.
            let _ = waiting.send(reply.outcome);
        }
    }

    /// Nobody waits for this reply any more.
    pub(super) fn gives_up(&self, id: &Value) {
        lock(&self.waiting).remove(&id.to_string());
    }

    pub(crate) async fn closed(&self) {
        // The sender lives in `self`, so this can only end with the session.
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }
}

/// All sessions over HTTP, by id.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Arc<Session>>>);

impl Demo {
    /// A session for a client whose `initialize` has just come over HTTP.
    pub(crate) fn open_session(&self, replays: bool) -> Arc<Session> {
        let without = self.0.options.legacy.sessions == crate::Sessions::Without;
        let id = if without { String::new() } else { self.0.calls.fresh_id() };
        let session = Session::new(id, replays, None);
        lock(&self.0.sessions.0).insert(session.id.clone(), session.clone());
        session
    }

    /// The session over HTTP with this id, if it lives; without sessions there is one with an empty id.
    pub(crate) fn session(&self, id: &str) -> Option<Arc<Session>> {
        if let Some(session) = lock(&self.0.sessions.0).get(id) {
            return Some(session.clone());
        }
        let params = self.0.calls.kept_session(id)?;
        let session = Session::new(id.to_owned(), true, Some(format!("{}-", self.0.calls.fresh_id())));
        *lock(&session.client) = Some(Client::of(&params));
        self.heralds(&session);
        lock(&self.0.sessions.0).insert(id.to_owned(), session.clone());
        Some(session)
    }

    /// The client says who it is.
    pub(super) fn meet(&self, session: &Arc<Session>, params: &Value) -> io::Result<()> {
        *lock(&session.client) = Some(Client::of(params));
        let known = lock(&self.0.sessions.0).contains_key(&session.id);
        if known && self.0.options.legacy.sessions == crate::Sessions::Kept {
            self.0.calls.keep_session(&session.id, params)?;
        }
        self.journal().write(|at| JournalEntry::SessionOpened { at, session: session.id.clone() });
        self.heralds(session);
        Ok(())
    }

    /// Let the session be told of its tasks, if that is how this server is.
    fn heralds(&self, session: &Arc<Session>) {
        let legacy = self.0.options.legacy;
        if !session.announced.swap(true, Ordering::SeqCst) {
            tokio::spawn(announce(self.clone(), session.clone()));
        }
        if legacy.notices != Notices::Off || legacy.asks_on == AsksOn::Stream {
            self.herald_anyway(session);
        }
    }

    /// Let the session be told of its tasks from now on.
    pub(super) fn herald_anyway(&self, session: &Arc<Session>) {
        if !session.heralded.swap(true, Ordering::SeqCst) {
            tokio::spawn(herald(self.clone(), session.clone()));
        }
    }

    /// The session is over.
    pub(crate) fn close_session(&self, session: &Session, why: &'static str) -> io::Result<()> {
        lock(&self.0.sessions.0).remove(&session.id);
        self.0.calls.drop_session(&session.id)?;
        session.closed.send_replace(true);
        for (_, serving) in lock(&session.serving).drain() {
            serving.abort();
        }
        lock(&session.waiting).clear();
        session.general.end();
        lock(&session.streams).values().for_each(|stream| stream.end());
        let id = session.id.clone();
        self.journal().write(|at| JournalEntry::SessionClosed { at, session: id, why });
        Ok(())
    }

    pub(crate) fn close_sessions(&self, why: &'static str) -> io::Result<()> {
        for id in self.0.calls.kept_sessions() {
            // Kept, and not asked for since the start: it must be gone all the same.
            let _ = self.session(&id);
        }
        let all: Vec<_> = lock(&self.0.sessions.0).values().cloned().collect();
        all.iter().try_for_each(|session| self.close_session(session, why))
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("BUG: nothing panics while it holds a part of a session")
}
