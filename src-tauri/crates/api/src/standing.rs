//! The desk that survives its owner. Whoever owns the data directory answers: another program, and when that one leaves, the
//! next one or we.
//!
//! A look goes on there. So does an act that never left; one that was under way is not repeated blindly: the next owner is told
//! that it is asked again ([`Command::Resumed`]), and knows whether it was committed, or another one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use signalbox_signin::Passphrase;
use tokio::{
    sync::{RwLock, oneshot},
    task::JoinSet,
    time::Instant,
};

use crate::{
    Answered, Answering, ApiError, Ask, Background, Boxed, Changes, Code, Command, Cursor, Desk, Home, Local,
    Opened, OwnerKind, Reply, Retry, View, command::Repeat, desk::other_kind, open::open_behind,
    remote::Remote,
};

/// What a host runs beside the engine for as long as the engine is its own.
pub type Beside = Box<dyn Fn(&Arc<Local>) -> JoinSet<()> + Send + Sync>;

/// An open data directory, whoever owns it.
pub struct Standing {
    home: Home,
    kind: OwnerKind,
    /// For whenever we become the owner.
    passphrase: Option<Passphrase>,
    beside: Beside,
    /// Who is to own it in our place.
    background: Option<Arc<dyn Background>>,
    /// None once it was left.
    current: RwLock<Option<Current>>,
    /// Whether the engine runs here: changes when we take over.
    owner: AtomicBool,
    /// Whether nobody is to follow an owner that leaves.
    ends: AtomicBool,
}

struct Current {
    opened: Opened,
    beside: JoinSet<()>,
    /// Grows with every owner that left.
    number: u64,
}

impl Standing {
    /// Opens the data directory, made when it is not there yet: as its owner if it has none.
    ///
    /// # Errors
    /// As [`open_with`](crate::open_with).
    pub fn open(
        home: Home,
        kind: OwnerKind,
        passphrase: Option<Passphrase>,
        beside: Beside,
    ) -> Answering<'static, Self> {
        Self::open_behind(home, kind, passphrase, beside, None)
    }

    /// Opens it likewise; but whenever nobody owns it, `background` is to, where there is one.
    ///
    /// # Errors
    /// As [`open_with`](crate::open_with).
    pub fn open_behind(
        home: Home,
        kind: OwnerKind,
        passphrase: Option<Passphrase>,
        beside: Beside,
        background: Option<Arc<dyn Background>>,
    ) -> Answering<'static, Self> {
        let standing = Self {
            home,
            kind,
            passphrase,
            beside,
            background,
            current: RwLock::new(None),
            owner: AtomicBool::new(false),
            ends: AtomicBool::new(false),
        };
        Box::pin(async move {
            *standing.current.write().await = Some(standing.enter(0).await?);
            Ok(standing)
        })
    }

    /// The data directory.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The passphrase of the encrypted file that keeps secrets, where it was given.
    #[must_use]
    pub fn passphrase(&self) -> Option<&Passphrase> {
        self.passphrase.as_ref()
    }

    /// The desk of our own engine, while we are the owner.
    pub async fn local(&self) -> Option<Arc<Local>> {
        self.current.read().await.as_ref().and_then(|current| current.opened.local().cloned())
    }

    /// Whether we own the data directory, as of the last question to the desk.
    #[must_use]
    pub fn owner(&self) -> &AtomicBool {
        &self.owner
    }

    /// The person wants an end: from now on nobody follows an owner that leaves, neither we nor another one for us.
    pub fn ends(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Resolves when no other program owns the data directory any more: at once, where we do.
    pub async fn owner_left(&self) {
        if let Some((_, remote)) = self.guest().await {
            remote.closed().await;
        }
    }

    /// Takes the place of each owner that leaves, at once. Ends only when that fails.
    pub fn keep(&self) -> Boxed<'_, ApiError> {
        Box::pin(async move {
            loop {
                let Some((number, remote)) = self.guest().await else { return std::future::pending().await };
                remote.closed().await;
                tracing::info!("the owner of the data directory has left");
                if let Err(error) = self.succeed(number).await {
                    return error;
                }
            }
        })
    }

    /// Leaves the data directory: what is queued is committed, the next owner may come. Whatever is asked afterwards ends with
    /// [`Code::OwnerGone`].
    pub fn close(&self) -> Boxed<'_, ()> {
        self.close_by(None)
    }

    /// Leaves likewise. Once `deadline` has passed, the programs of servers get no time to leave.
    pub fn close_by(&self, deadline: Option<Instant>) -> Boxed<'_, ()> {
        Box::pin(async move {
            // Whatever is asked from now on is refused at once: nobody waits for the leaving.
            let current = self.current.write().await.take();
            if let Some(Current { opened, beside, .. }) = current {
                drop(beside);
                opened.close_by(deadline).await;
            }
        })
    }

    async fn enter(&self, number: u64) -> Result<Current, ApiError> {
        let mut opened = self.opened().await?;
        self.owner.store(opened.is_owner(), Ordering::Relaxed);
        let beside = opened.local().map(&self.beside).unwrap_or_default();
        if let Opened::Owner(owned) = &mut opened {
            // From here on there is a log to tell of it.
            owned.clear();
        }
        Ok(Current { opened, beside, number })
    }

    /// In a task of its own, which comes to its end also when nobody waits for it any more: a directory that is half open, in
    /// the middle of a migration above all, must never be free for the next owner.
    async fn opened(&self) -> Result<Opened, ApiError> {
        let (home, kind, passphrase) = (self.home.clone(), self.kind, self.passphrase.clone());
        let background = self.background.clone();
        let (give, given) = oneshot::channel();
        tokio::spawn(async move {
            let opened = open_behind(&home, kind, passphrase, background.as_deref()).await;
            if let Err(Ok(unwanted)) = give.send(opened) {
                unwanted.close().await;
            }
        });
        given
            .await
            .unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Opening the data directory panicked")))
    }

    /// The owner's desk; none while that is our own.
    async fn guest(&self) -> Option<(u64, Arc<Remote>)> {
        match self.current.read().await.as_ref()? {
            Current { opened: Opened::Guest(remote), number, .. } => Some((*number, Arc::clone(remote))),
            Current { opened: Opened::Owner(_), .. } => None,
        }
    }

    /// The desk, and the number of its owner where another one may follow it.
    async fn current(&self) -> Result<(Arc<dyn Desk>, Option<u64>), ApiError> {
        let current = self.current.read().await;
        let current = current.as_ref().ok_or_else(left)?;
        Ok((current.opened.desk(), (!current.opened.is_owner()).then_some(current.number)))
    }

    /// Asks the owner, and where it goes away in the middle the next one.
    fn ask_each<T: Send + 'static>(
        &self,
        mut ask: Ask,
        asked: fn(Arc<dyn Desk>, Ask) -> Answering<'static, T>,
    ) -> Answering<'_, T> {
        Box::pin(async move {
            loop {
                let (desk, number) = self.current().await?;
                let (error, number) = match (asked(desk, ask.clone()).await, number) {
                    (Err(error), Some(number)) if error.code == Code::OwnerGone => (error, number),
                    (answered, _) => return answered,
                };
                let begun = error.retry != Retry::Later;
                self.succeed(number).await?;
                if begun {
                    ask = again(ask).ok_or(error)?;
                }
            }
        })
    }

    /// After the owner with this number left: somebody else owns the directory then, maybe we, and may be asked.
    async fn succeed(&self, number: u64) -> Result<(), ApiError> {
        if self.ends.load(Ordering::Relaxed) {
            return Err(left());
        }
        let mut current = self.current.write().await;
        match current.as_ref() {
            None => Err(left()),
            Some(now) if now.number == number => {
                *current = Some(self.enter(number + 1).await?);
                Ok(())
            }
            Some(_) => Ok(()),
        }
    }
}

/// What to ask the next owner after one went away in the middle of `ask`. None where nobody can tell whether it was done.
fn again(ask: Ask) -> Option<Ask> {
    let Ask::Call { command } = ask else { return Some(ask) };
    let command = match command.repeat() {
        Repeat::Once => return None,
        Repeat::Again => command,
        Repeat::Resumed => Command::Resumed { command: Box::new(command) },
    };
    Some(Ask::Call { command })
}

fn left() -> ApiError {
    ApiError::new(Code::OwnerGone, "this program leaves the data directory")
}

impl Desk for Standing {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            match self.ask(Ask::Call { command }).await? {
                Answered::Reply { reply } => Ok(*reply),
                Answered::Changes { .. } => Err(other_kind()),
            }
        })
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(async move {
            match self.ask(Ask::changes(view, after, wait)).await? {
                Answered::Changes { changes } => Ok(changes),
                Answered::Reply { .. } => Err(other_kind()),
            }
        })
    }

    fn ask_for_text(&self, ask: Ask) -> Answering<'_, String> {
        self.ask_each(ask, |desk, ask| Box::pin(async move { desk.ask_for_text(ask).await }))
    }

    fn ask(&self, ask: Ask) -> Answering<'_, Answered> {
        self.ask_each(ask, |desk, ask| Box::pin(async move { desk.ask(ask).await }))
    }
}
