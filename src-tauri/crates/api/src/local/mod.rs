//! The desk in the owner's process: commands become intents, views are read from the store. Who carries a command out is its
//! `CarryOut`, in the file of its topic.

mod access;
mod answered;
mod answers;
mod autostart;
mod catalogue;
mod configured;
mod demo;
mod diagnostics;
mod difference;
mod earlier;
mod environment;
mod export;
mod fate;
#[cfg(test)]
mod full;
mod host;
mod import;
mod kept;
mod length;
mod listing;
mod mask;
mod noticed;
mod notifications;
mod palette;
mod places;
mod quit;
mod result;
mod resumed;
mod rows;
mod secrets;
mod servers;
mod several;
mod shortcut;
mod sign_in;
mod stacks;
#[cfg(test)]
pub(crate) mod stage;
mod tasks;
#[cfg(test)]
mod tests;
mod tools;
mod untold;
mod upkeep;
mod views;

pub(crate) use catalogue::Catalogue;
pub(crate) use export::{chosen, portion};
pub(crate) use notifications::{PAUSE, Past};
pub use servers::MOST_SERVERS;
pub(crate) use upkeep::backed_up;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError, atomic::AtomicU32},
    time::Duration,
};

use signalbox_engine::{Engine, Granted, Intent, Refusal};
use signalbox_model::{ActivationToken, Call, Delivery, ItemRef, Server, Timestamp};
use signalbox_signin::Secrets;
use signalbox_store::Reads;
use tokio::{
    sync::{RwLock, watch},
    time::Instant,
};

use crate::{
    ApiError, Changes, Code, Command, Cursor, Desk, Home, Led, Owner, OwnerKind, Reply, Settings, Trouble,
    View, desk::Answering, error::read_failed, logging::Logs, notifications::Notifications,
};

/// The name of the one setting that holds all of [`Settings`].
pub(crate) const SETTINGS: &str = "settings";

/// How long a wish to come forward waits for a window that is just starting.
const WISH_LASTS: Duration = Duration::from_secs(30);

/// The desk of the process that owns the data directory.
pub struct Local {
    engine: Engine,
    secrets: Arc<Secrets>,
    /// Shared by who keeps a secret until its reference is committed, held alone by who takes all that is referred to
    /// elsewhere.
    moving_secrets: RwLock<()>,
    home: Home,
    owner: Owner,
    settings: watch::Sender<Settings>,
    /// Held while settings are put in force.
    setting: tokio::sync::Mutex<()>,
    /// What the hosts see beside the store: troubles, wishes to come forward.
    beside: watch::Sender<Beside>,
    front: watch::Sender<Option<ItemRef>>,
    /// Until when no notification is shown. What has passed may still stand here.
    paused_until: watch::Sender<Option<Timestamp>>,
    notifications: Mutex<Option<Arc<Notifications>>>,
    logs: Mutex<Option<Logs>>,
    wishes: AtomicU32,
    listed: Arc<tools::Listed>,
    known_tools: palette::KnownTools,
    catalogue: catalogue::Catalogue,
    shown: views::Shown,
    /// Counts how often a view was read.
    #[cfg(test)]
    looks: watch::Sender<u64>,
    /// The sign-ins that were begun.
    signing_in: sign_in::Attempts,
    /// Read by each copy that is being made.
    copying: Arc<RwLock<()>>,
    /// Held by whoever reads a long result to show it, which takes its size in memory again: one at a time.
    long_result: tokio::sync::Mutex<()>,
    /// What the demo server is started with, where this owner can be it.
    demo_program: OnceLock<PathBuf>,
    /// Held by who starts or removes the demo: two presses at once are one.
    demo_acts: tokio::sync::Mutex<()>,
    /// Held by who counts the servers and adds one.
    adding: tokio::sync::Mutex<()>,
    /// Held by who reads a server and puts it back changed.
    changing: tokio::sync::Mutex<()>,
    /// Held by who reads tags or a note and puts them back changed.
    noting: tokio::sync::Mutex<()>,
}

/// What views show that the store does not hold.
#[derive(Debug, Clone, Default)]
struct Beside {
    /// Counts every change of what follows.
    version: u64,
    notifications: Option<Trouble>,
    shortcut: shortcut::Told,
    wish: u32,
    item: Option<ItemRef>,
    led: Option<Led>,
    token: Option<ActivationToken>,
    wished_at: Option<Instant>,
    /// Somebody has asked us to end.
    quit: bool,
}

impl Beside {
    /// What a window is to show. A window that starts long after a wish was made for another one.
    fn wished(&self) -> (Option<ItemRef>, Option<Led>, Option<ActivationToken>) {
        let lasts = self.wished_at.is_some_and(|at| at.elapsed() < WISH_LASTS);
        if lasts { (self.item, self.led.clone(), self.token.clone()) } else { (None, None, None) }
    }
}

impl Local {
    pub(crate) fn new(
        engine: Engine,
        secrets: Arc<Secrets>,
        home: Home,
        kind: OwnerKind,
        settings: Settings,
    ) -> Self {
        let owner = Owner::ours(kind, &home);
        Self {
            engine,
            secrets,
            moving_secrets: RwLock::default(),
            home,
            owner,
            settings: watch::Sender::new(settings),
            setting: tokio::sync::Mutex::default(),
            beside: watch::Sender::default(),
            front: watch::Sender::default(),
            paused_until: watch::Sender::default(),
            notifications: Mutex::default(),
            logs: Mutex::default(),
            wishes: AtomicU32::new(0),
            listed: Arc::default(),
            known_tools: palette::KnownTools::default(),
            catalogue: catalogue::Catalogue::default(),
            shown: views::Shown::default(),
            #[cfg(test)]
            looks: watch::Sender::default(),
            signing_in: sign_in::Attempts::default(),
            copying: Arc::default(),
            long_result: tokio::sync::Mutex::default(),
            demo_program: OnceLock::new(),
            demo_acts: tokio::sync::Mutex::default(),
            adding: tokio::sync::Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            noting: tokio::sync::Mutex::default(),
        }
    }

    /// The engine itself, for the owner's own use.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Resolves once no tool call waits for its answer: an owner that leaves earlier takes those of its guests with it. While
    /// nothing can be kept, an answer that has come waits for room, and is waited for as well.
    pub async fn calls_answered(&self) {
        while let Err(Refusal::Storage(_)) = self.engine.intent(Intent::AwaitCalls).await {
            let live = self.read(Reads::live).await;
            let is_unanswered = |call: &Call| call.delivery == Delivery::Sent && call.open_requests == 0;
            if !live.is_ok_and(|live| live.calls.iter().any(is_unanswered)) {
                return;
            }
            self.engine.room().await;
        }
    }

    /// What the window shows in front.
    #[must_use]
    pub fn front(&self) -> watch::Receiver<Option<ItemRef>> {
        self.front.subscribe()
    }

    /// The settings as they are, and as they change.
    #[must_use]
    pub fn settings(&self) -> watch::Receiver<Settings> {
        self.settings.subscribe()
    }

    /// Lets the settings decide what the log keeps, now and as they change.
    pub fn keep_logs(&self, logs: Logs) {
        host::set_level(&logs, &self.settings.borrow().log_level);
        *self.logs.lock().unwrap_or_else(PoisonError::into_inner) = Some(logs);
    }

    pub(crate) fn set_notification_trouble(&self, trouble: Option<Trouble>) {
        self.tell_beside(|beside| &mut beside.notifications, trouble);
    }

    /// Tells the hosts of something where it is news.
    fn tell_beside<T: PartialEq>(&self, of: impl FnOnce(&mut Beside) -> &mut T, now: T) {
        self.beside.send_if_modified(|beside| {
            let told = of(beside);
            let is_news = *told != now;
            if is_news {
                *told = now;
                beside.version += 1;
            }
            is_news
        });
    }

    async fn intent(&self, intent: Intent) -> Result<Granted, ApiError> {
        Ok(self.engine.intent(intent).await?)
    }

    /// Reads of the store block, and so happen away from the async threads.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reads) -> Result<T, signalbox_store::ReadError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let reads = self.engine.reads();
        let done = tokio::task::spawn_blocking(move || read(&reads)).await;
        done.map_err(|_| ApiError::new(Code::Internal, "Reading the store panicked"))?
            .map_err(|error| read_failed(&error))
    }

    /// Several reads that have to fit together, from one snapshot of the store.
    async fn read_at_once<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reads) -> Result<T, signalbox_store::ReadError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.read(move |reads| reads.at_once(read)).await
    }

    /// All servers that were not removed.
    async fn present_servers(&self) -> Result<Vec<Server>, ApiError> {
        let all = self.read(Reads::servers).await?;
        Ok(all.into_iter().map(|(server, _)| server).filter(|server| server.removed_at.is_none()).collect())
    }

    /// The server that a person named, by name or id.
    async fn server(&self, named: &str) -> Result<Server, ApiError> {
        let mut present = self.present_servers().await?.into_iter();
        let named_id = named.parse().ok();
        present
            .find(|server| server.name == named || Some(server.id) == named_id)
            .ok_or_else(|| ApiError::new(Code::UnknownServer, format!("There is no server named {named:?}")))
    }
}

impl Desk for Local {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(command.carried_out_by(self))
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(self.look(view, after, wait))
    }
}
