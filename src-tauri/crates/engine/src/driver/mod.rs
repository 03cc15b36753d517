//! The driver: owns the state, the clock, the connections and the writer, and carries out what `step` decides.
//!
//! One task feeds inputs to `step`, one carries out effects in the order of their commits. Whatever takes time runs in
//! a task of its own and comes back as an input.
//!
//! Longer than most: everything that a host can ask of an engine is on one page.

mod calls;
mod clients;
mod connected;
mod connecting;
mod connections;
mod event_loop;
mod exchanges;
mod inputs;
mod legacy;
mod lists;
mod login;
mod obstacle;
mod pushes;
mod room;
mod runner;
mod tools;
mod under_way;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, Push, RequestLog, ServerId, Timestamp};
use signalbox_signin::{
    Secrets,
    oauth::{AccountState, Revocation, SignInError},
};
use signalbox_store::{CommitError, News, ReadError, Reads, Store};
use tokio::sync::{mpsc, oneshot, watch};
use url::Url;

use crate::{
    Granted, Intent, List, Notice, Refusal, State, Token, Tuning, by_number::ByNumber, clock::Clock,
};

pub(crate) use connected::Connected;
pub(crate) use connections::Connections;
use exchanges::Exchanges;
pub(crate) use inputs::{Inputs, Loaded};
use runner::Runner;

/// Intents that may wait for `step`; likewise.
const WISHES: usize = 64;
/// Notices that may wait for the person; later ones are dropped, for the inbox holds them all.
const NOTICES: usize = 256;

/// Which calls the clock follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// All of them: the window and `serve`.
    #[default]
    All,
    /// Only calls that somebody names, and calls with an answer or a wish to cancel on its way: a command.
    Named,
}

/// How an engine runs.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Which calls the clock follows.
    pub follow: Follow,
    /// What it follows of the settings.
    pub tuning: Tuning,
    /// Our version, as servers see it.
    pub version: String,
    /// The folder in which it is noted which programs of servers run; none: they are not.
    pub programs: Option<PathBuf>,
}

/// The engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] ReadError),
}

/// Why a sign-in or a sign-out failed, or why it is not known how the server can be reached then.
#[derive(Debug, thiserror::Error)]
pub enum SignInFailed {
    /// The sign-in failed.
    #[error(transparent)]
    SignIn(#[from] SignInError),
    /// How the server is reached cannot be used.
    #[error(transparent)]
    Server(#[from] mcp::Error),
    /// There is no such server, or nobody is left to do it.
    #[error("The engine refuses: {0:?}")]
    Refused(Refusal),
    /// The sign-in is done and stays so; what the server says now cannot be kept.
    #[error("The sign-in is done. How the server is now cannot be kept: {0}")]
    NotKept(CommitError),
}

/// A running engine. Clones share it.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    wishes: mpsc::Sender<(Token, Intent)>,
    waiting: Waiting,
    next_token: AtomicU64,
    connections: Connections,
    exchanges: Exchanges,
    reads: Reads,
    epoch: u64,
    news: News,
    trouble: watch::Receiver<Option<CommitError>>,
    pushing: watch::Receiver<BTreeMap<ServerId, Push>>,
    hearing: watch::Receiver<BTreeMap<ServerId, Timestamp>>,
    left: watch::Receiver<BTreeMap<ServerId, u32>>,
    connecting: watch::Receiver<BTreeMap<ServerId, Timestamp>>,
    notices: Mutex<Option<mpsc::Receiver<Notice>>>,
    stop: Mutex<Option<oneshot::Sender<()>>>,
    stopped: watch::Receiver<bool>,
}

/// A caller that waits; its receiver is gone once it does not any more.
type Caller = oneshot::Sender<Result<Granted, Refusal>>;

/// Callers that wait for an answer, by token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting(Arc<Mutex<ByNumber<Token, Caller>>>);

impl Waiting {
    fn lock(&self) -> std::sync::MutexGuard<'_, ByNumber<Token, Caller>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn answer(&self, token: Token, result: Result<Granted, Refusal>) {
        if let Some(caller) = self.take(token) {
            // A caller that went away does not want to know.
            let _ = caller.send(result);
        }
    }

    /// Takes a caller out, for whoever answers it itself; none when it went away.
    fn take(&self, token: Token) -> Option<Caller> {
        self.lock().remove(&token)
    }

    /// Lets a caller wait again who was taken out.
    fn put(&self, token: Token, caller: Caller) {
        self.lock().insert(token, caller);
    }

    /// The end: whoever waits still is told so.
    pub(crate) fn nobody_answers(&self) {
        self.lock().clear();
    }
}

/// A caller's place among those that wait, given back also when it stops waiting.
struct Place<'a>(&'a Waiting, Token);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

impl Engine {
    /// Reads the store and goes on where the last run ended.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn start(
        store: Store,
        secrets: Arc<Secrets>,
        options: EngineOptions,
    ) -> Result<Self, StartError> {
        let reads = store.reads();
        let stored = {
            let reads = reads.clone();
            tokio::task::spawn_blocking(move || reads.live())
                .await
                .expect("BUG: reading the store panicked")?
        };
        let clock = Clock::start();
        let seed = seed();
        let (state, output) = State::load(clock.now(), seed, stored, options.tuning, options.follow);
        let (inputs, received) = Inputs::new();
        let (wishes, wished) = mpsc::channel(WISHES);
        let (noticed, notices) = mpsc::channel(NOTICES);
        let (stop, stopping) = oneshot::channel();
        let (ended, stopped) = watch::channel(false);
        let connections = Connections::new(secrets, reads.clone(), options, inputs.clone());
        let waiting = Waiting::default();
        let (epoch, trouble, news) = (store.epoch(), store.trouble(), store.news());
        let exchanges = Exchanges::new(clock);
        let runner = Runner::new(
            inputs,
            waiting.clone(),
            trouble.clone(),
            connections.clone(),
            exchanges.clone(),
            noticed,
        );
        let (pushing, hearing, left) =
            (runner.pushes.shown(), runner.heard.subscribe(), runner.left.subscribe());
        let connecting = connections.connecting.shown();
        let effects = runner.start();
        let event_loop = event_loop::EventLoop {
            state,
            clock,
            seed,
            store,
            received,
            wishes: wished,
            effects,
            waiting: waiting.clone(),
        };
        event_loop.begin(output).await;
        tokio::spawn(event_loop.run(stopping, ended));
        let shared = Shared {
            wishes,
            waiting,
            next_token: AtomicU64::new(1),
            connections,
            exchanges,
            reads,
            epoch,
            news,
            trouble,
            pushing,
            hearing,
            left,
            connecting,
            notices: Mutex::new(Some(notices)),
            stop: Mutex::new(Some(stop)),
            stopped,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Carries out an intent. Resolves after its commit; what it sends follows by itself.
    ///
    /// # Errors
    /// Why it was refused; nothing was written or sent then. One that waits for what a server says is refused as soon as that
    /// cannot be kept.
    pub async fn intent(&self, intent: Intent) -> Result<Granted, Refusal> {
        if !intent.waits_for_servers() {
            return self.granted(intent).await;
        }
        tokio::select! {
            // First of all: what cannot be kept is not asked for.
            biased;
            error = room::nothing_kept(self.trouble()) => Err(Refusal::Storage(error)),
            granted = self.granted(intent) => granted,
        }
    }

    async fn granted(&self, intent: Intent) -> Result<Granted, Refusal> {
        let token = self.token();
        let (answer, answered) = oneshot::channel();
        self.shared.waiting.lock().insert(token, answer);
        let _place = Place(&self.shared.waiting, token);
        if self.shared.wishes.send((token, intent)).await.is_err() {
            return Err(Refusal::Stopping);
        }
        answered.await.unwrap_or(Err(Refusal::Stopping))
    }

    fn token(&self) -> Token {
        Token(self.shared.next_token.fetch_add(1, Ordering::Relaxed))
    }

    /// The tools of a server, asked for now.
    ///
    /// # Errors
    /// Why it is not asked, or what came of that request.
    pub async fn tools(&self, server: ServerId) -> Result<Vec<mcp::Tool>, Refusal> {
        match self.intent(Intent::List { server, list: List::Tools }).await? {
            Granted::Tools(tools) => Ok(tools),
            _ => unreachable!("BUG: who asks for tools is granted tools"),
        }
    }

    /// The tasks that a server lists now ([`Granted::Tasks`]).
    ///
    /// # Errors
    /// As of [`Engine::tools`].
    pub async fn list_tasks(&self, server: ServerId) -> Result<Option<mcp::TaskList>, Refusal> {
        match self.intent(Intent::List { server, list: List::Tasks }).await? {
            Granted::Tasks(tasks) => Ok(tasks),
            _ => unreachable!("BUG: who asks for tasks is granted tasks"),
        }
    }

    /// A resource of a server, read now ([`Granted::Resource`]).
    ///
    /// # Errors
    /// As of [`Engine::tools`].
    pub async fn read_resource(&self, server: ServerId, uri: String) -> Result<Json, Refusal> {
        match self.intent(Intent::List { server, list: List::Resource(uri) }).await? {
            Granted::Resource(read) => Ok(read),
            _ => unreachable!("BUG: who asks for a resource is granted it"),
        }
    }

    /// Lets a person sign in at a server: `open` is given the address to show in their browser. Then asks the server
    /// again, and what waited for it goes on. Dropping the future gives it up. A machine signs in by itself.
    ///
    /// This goes beside `step`, which only says how the server is reached now ([`Intent::Line`]). OAuth waits for a person's
    /// browser, as long as its caller does, and what comes of it is in the account alone: `step` keeps no second truth of who
    /// is signed in. What the server makes of the new tokens `step` hears from the server itself ([`Intent::Check`]).
    ///
    /// # Errors
    /// Why nobody is signed in now; or that the sign-in is done, and what the server says then cannot be kept.
    pub async fn sign_in(&self, server: ServerId, open: impl FnOnce(Url)) -> Result<(), SignInFailed> {
        let login = self.login(server).await?;
        if !login.was_refused() {
            // In this run it has not said yet what it wants. What it is can matter only to who knows it.
            let _ = self.intent(Intent::Check(server)).await;
        }
        login.sign_in(open).await?;
        // Signed in is signed in, also where we may not connect. But what is kept of the server is as it was before, where
        // what it says now cannot be kept.
        match self.intent(Intent::Check(server)).await {
            Err(Refusal::Storage(error)) => Err(SignInFailed::NotKept(error)),
            _ => Ok(()),
        }
    }

    /// Forgets who is signed in at a server, here and at its authorization server. Like [`Self::sign_in`] it goes beside
    /// `step`, which hears of it when the server refuses a request.
    ///
    /// # Errors
    /// When it cannot be forgotten here; then nothing else was done.
    pub async fn sign_out(&self, server: ServerId) -> Result<Revocation, SignInFailed> {
        Ok(self.login(server).await?.sign_out().await?)
    }

    /// Our account at a server, as it is configured now. It keeps nothing, and so works while nothing can be
    /// kept.
    async fn login(&self, server: ServerId) -> Result<Arc<login::Login>, SignInFailed> {
        match self.granted(Intent::Line(server)).await.map_err(SignInFailed::Refused)? {
            Granted::Line(line) => Ok(self.shared.connections.clients.login(&line).await?),
            _ => unreachable!("BUG: who asks for a line is granted one"),
        }
    }

    /// Reads of the store. They block: call them from `spawn_blocking`.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.shared.reads.clone()
    }

    /// The owner's run. A cursor of another run is worthless.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.shared.epoch
    }

    /// What each commit changed, by number, once it can be read.
    #[must_use]
    pub fn news(&self) -> News {
        self.shared.news.clone()
    }

    /// Why nothing can be written, while nothing can be.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<CommitError>> {
        self.shared.trouble.clone()
    }

    /// Which servers tell by themselves how their tasks fare, and which do not; the others have not been asked.
    #[must_use]
    pub fn pushing(&self) -> watch::Receiver<BTreeMap<ServerId, Push>> {
        self.shared.pushing.clone()
    }

    /// When servers last answered in this run, by our clock: exact once a server is silent, somewhat behind while it answers
    /// all the time ([`HEARD_MS`](crate::HEARD_MS)). Those that have not answered yet are not in it.
    #[must_use]
    pub fn heard(&self) -> watch::Receiver<BTreeMap<ServerId, Timestamp>> {
        self.shared.hearing.clone()
    }

    /// How many questions of servers are not taken now, since there is no room for them. Servers of which all are taken are
    /// not in it.
    #[must_use]
    pub fn left(&self) -> watch::Receiver<BTreeMap<ServerId, u32>> {
        self.shared.left.clone()
    }

    /// The servers that are being connected to for longer than a moment, each since when.
    #[must_use]
    pub fn connecting(&self) -> watch::Receiver<BTreeMap<ServerId, Timestamp>> {
        self.shared.connecting.clone()
    }

    /// Who is signed in at which server, as far as this run had to know.
    #[must_use]
    pub fn signed_in(&self) -> watch::Receiver<BTreeMap<ServerId, AccountState>> {
        self.shared.connections.clients.signed_in()
    }

    /// What the person may want to be told; can be taken once.
    #[must_use]
    pub fn take_notices(&self) -> Option<mpsc::Receiver<Notice>> {
        self.shared.notices.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What this run remembers of what went between us and the server about a call. More of it is kept from now on
    /// ([`Self::watch`]).
    #[must_use]
    pub fn exchanges(&self, call: CallId) -> RequestLog {
        self.shared.exchanges.of(call)
    }

    /// Somebody looks at this call: of those that were looked at last, more of their exchanges is kept.
    pub fn watch(&self, call: CallId) {
        self.shared.exchanges.watch(call);
    }

    /// Changes whenever something went between us and a server about a call that is watched.
    #[must_use]
    pub fn exchanged(&self) -> watch::Receiver<u64> {
        self.shared.exchanges.moved()
    }

    /// The last lines that a server's program wrote, for diagnostics.
    #[must_use]
    pub fn stderr_tail(&self, server: ServerId) -> Vec<String> {
        self.shared.connections.stderr_tail(server)
    }

    /// From now on [`Self::stop`] gives no program time to leave: it is killed.
    pub fn hurry(&self) {
        self.shared.connections.hurry();
    }

    /// Ends all connections, commits what is queued and closes the store.
    pub async fn stop(&self) {
        let stop = self.shared.stop.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(stop) = stop {
            let _ = stop.send(());
        }
        let mut stopped = self.shared.stopped.clone();
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }
}

/// Randomness for jitter only.
fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
