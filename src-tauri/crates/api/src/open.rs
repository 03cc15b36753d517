//! Opening a data directory: as its owner, or through the owner that is there.

use std::{path::PathBuf, sync::Arc};

use signalbox_engine::{Engine, EngineOptions, Follow, StartError};
use signalbox_mcp::LeftBehind;
use signalbox_model::Timestamp;
use signalbox_signin::Passphrase;
use signalbox_store::Store;
use tokio::{task::JoinHandle, time::Instant};

use crate::{
    ApiError, Background, Code, Desk, Home, Local, OwnerKind, SecretPlace, Settings,
    environment::Unseen,
    error::{open_failed, read_failed},
    home::{check_ours, make_private, storage},
    local::{PAUSE, SETTINGS},
    own_or_join::{Role, own_or_join_behind},
    owner::Ownership,
    remote::Remote,
    secret_place::SECRET_PLACE,
    socket::SocketServer,
};

/// An open data directory.
pub enum Opened {
    /// We own it: the engine runs here, and others come through our socket.
    Owner(Box<Owned>),
    /// Somebody else owns it.
    Guest(Arc<Remote>),
}

/// A data directory that we own.
pub struct Owned {
    local: Arc<Local>,
    socket: SocketServer,
    ownership: Ownership,
    /// Programs that an owner left which was killed.
    left: Option<LeftBehind>,
    /// The work that ends those programs, while it runs.
    clearing: Option<JoinHandle<()>>,
}

/// Opens a data directory, as its owner if it has none.
///
/// # Errors
/// When it cannot be used, or its owner does not answer.
pub async fn open(home: &Home, kind: OwnerKind) -> Result<Opened, ApiError> {
    open_with(home, kind, None).await
}

/// As [`open()`], with the passphrase for secrets that are kept in an encrypted file; where they are kept elsewhere it is of no
/// use. Without it, or with another, that file stays locked: servers that need nothing of it are used all the same.
/// [`crate::Command::UnlockSecrets`] tells why.
///
/// # Errors
/// As [`open()`].
pub async fn open_with(
    home: &Home,
    kind: OwnerKind,
    passphrase: Option<Passphrase>,
) -> Result<Opened, ApiError> {
    open_behind(home, kind, passphrase, None).await
}

/// As [`open_with`]; but where nobody owns it, `background` is to, where there is one.
pub(crate) async fn open_behind(
    home: &Home,
    kind: OwnerKind,
    passphrase: Option<Passphrase>,
    background: Option<&dyn Background>,
) -> Result<Opened, ApiError> {
    match own_or_join_behind(home, kind, passphrase.as_ref(), background).await? {
        Role::Owner(ownership) => {
            own(home, kind, passphrase, ownership).await.map(|owned| Opened::Owner(Box::new(owned)))
        }
        Role::Guest(remote) => Ok(Opened::Guest(Arc::new(remote))),
    }
}

async fn own(
    home: &Home,
    kind: OwnerKind,
    passphrase: Option<Passphrase>,
    ownership: Ownership,
) -> Result<Owned, ApiError> {
    let (dir, lock_file) = (home.dir().to_owned(), home.owner_lock());
    let lock = ownership.lock().map_err(|error| storage(&lock_file, &error))?;
    let opened = tokio::task::spawn_blocking(move || -> Result<_, ApiError> {
        let store = Store::open_locked(&dir, &lock_file, &lock).map_err(|error| open_failed(&error))?;
        Unseen::begin(&store).map_err(|error| read_failed(&error))?;
        let reads = store.reads();
        let setting = |key| reads.setting(key).map_err(|error| read_failed(&error));
        let settings = setting(SETTINGS)?.and_then(|json| json.read::<Settings>().ok());
        let place = setting(SECRET_PLACE)?.and_then(|json| json.read::<SecretPlace>().ok());
        let paused = setting(PAUSE)?.and_then(|json| json.read::<Option<Timestamp>>().ok()).flatten();
        Ok((store, settings.unwrap_or_default(), place.unwrap_or_default(), paused))
    });
    let (store, settings, place, paused) =
        opened.await.map_err(|_| ApiError::new(Code::Internal, "Opening the store panicked"))??;
    let follow = match kind {
        OwnerKind::Window | OwnerKind::Serve => Follow::All,
        OwnerKind::Command => Follow::Named,
    };
    let secrets = Arc::new(place.open(home, passphrase).await);
    let programs = Programs::of(home);
    let options = EngineOptions {
        follow,
        tuning: settings.tuning(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        programs: programs.noted,
    };
    let engine = Engine::start(store, Arc::clone(&secrets), options)
        .await
        .map_err(|StartError::Store(error)| read_failed(&error))?;
    let local = Arc::new(Local::new(engine, secrets, home.clone(), kind, settings));
    local.pause(paused);
    let socket = match SocketServer::start(Arc::clone(&local) as Arc<dyn Desk>, &ownership) {
        Ok(socket) => socket,
        Err(error) => {
            // The lock goes when this returns: nothing of ours may be at work by then.
            local.engine().stop().await;
            local.no_copy().await;
            return Err(error);
        }
    };
    Ok(Owned { local, socket, ownership, left: programs.left, clearing: None })
}

impl Owned {
    /// Begins to end what programs an owner left that was killed. Nobody waits for that but who leaves.
    pub(crate) fn clear(&mut self) {
        if let Some(left) = self.left.take() {
            // They get as long as any whose connection is closed.
            let grace = signalbox_mcp::Options::default().close_grace;
            self.clearing = Some(tokio::spawn(left.end(grace)));
        }
    }
}

/// The programs of servers that run, and those that an owner left.
#[derive(Default)]
struct Programs {
    /// Where it is noted which run; none where that is not possible.
    noted: Option<PathBuf>,
    left: Option<LeftBehind>,
}

impl Programs {
    /// As they are noted when nobody has started any yet. Nothing else depends on that.
    fn of(home: &Home) -> Self {
        let dir = home.programs();
        // Not through a link: whoever makes notes there decides what is ended.
        let found = make_private(&dir)
            .and_then(|()| check_ours(&dir))
            .and_then(|()| LeftBehind::noted_in(&dir).map_err(|error| storage(&dir, &error)));
        match found {
            Ok(left) => Self { noted: Some(dir), left: Some(left).filter(|left| !left.is_empty()) },
            Err(error) => {
                tracing::warn!(%error, "programs are not noted: should we be killed, some may stay");
                Self::default()
            }
        }
    }
}

impl Opened {
    /// The desk that carries out commands and shows views: this program's own, or the owner's through its
    /// socket.
    #[must_use]
    pub fn desk(&self) -> Arc<dyn Desk> {
        match self {
            Self::Owner(owned) => Arc::clone(&owned.local) as Arc<dyn Desk>,
            Self::Guest(remote) => Arc::clone(remote) as Arc<dyn Desk>,
        }
    }

    /// The engine's own desk, when we are the owner.
    #[must_use]
    pub fn local(&self) -> Option<&Arc<Local>> {
        match self {
            Self::Owner(owned) => Some(&owned.local),
            Self::Guest(_) => None,
        }
    }

    /// Whether the engine runs here.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        matches!(self, Self::Owner(_))
    }

    /// Leaves: an owner commits what is queued, ends its connections and lets the next owner in.
    pub async fn close(self) {
        self.close_by(None).await;
    }

    /// Leaves likewise. Once `deadline` has passed, the programs of servers get no time to leave.
    pub async fn close_by(self, deadline: Option<Instant>) {
        let local = self.local().cloned();
        let closing = self.closed();
        tokio::pin!(closing);
        let (Some(local), Some(deadline)) = (local, deadline) else { return closing.await };
        if tokio::time::timeout_at(deadline, &mut closing).await.is_err() {
            local.engine().hurry();
            closing.await;
        }
    }

    async fn closed(self) {
        if let Self::Owner(owned) = self {
            let mut owned = owned;
            owned.clear();
            let Owned { local, socket, ownership, clearing, left: _ } = *owned;
            socket.stop().await;
            local.engine().stop().await;
            // Commands, which are soon done, would else ask a stubborn program again and again, and never end it.
            if let Some(clearing) = clearing
                && clearing.await.is_err()
            {
                tracing::error!("ending the programs of an owner that was killed panicked");
            }
            // Last of all: whoever takes the lock finds a closed store.
            drop(ownership);
        }
    }
}
