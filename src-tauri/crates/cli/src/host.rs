//! The desk of this process: its own engine where nobody owns the data directory, else the owner's. When that owner
//! leaves we take over, and a command only notices that one question took a little longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signalbox_api::logging::Logs;
use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Cursor, Desk, Home, Local, Opened, OwnerKind, Passphrase,
    Reply, Retry, SecretText, View,
};
use signalbox_model::{ItemRef, RequestState};
use tokio::sync::RwLock;

use crate::args::Global;
use crate::look;

/// An open data directory.
pub struct Hosted {
    home: Home,
    kind: OwnerKind,
    /// For whenever we become the owner.
    passphrase: Option<Passphrase>,
    /// Whether an option gave it: then a wrong one is a mistake that is told.
    is_given: bool,
    opened: RwLock<Arc<Opened>>,
    /// Whether the engine runs here: changes when we take over.
    owner: AtomicBool,
}

/// Opens the data directory, made when it is not there yet.
///
/// # Errors
/// When it cannot be used, or its owner does not answer, or the passphrase that an option names cannot be read.
pub async fn open(global: Global, kind: OwnerKind) -> Result<Hosted, ApiError> {
    let from = global.passphrase_from();
    let is_given = from.is_some();
    let passphrase = signalbox_api::passphrase(from).await?;
    let home = Home::resolve(global.home)?;
    let opened = enter(&home, kind, passphrase.clone()).await?;
    let owner = AtomicBool::new(opened.is_owner());
    Ok(Hosted { home, kind, passphrase, is_given, opened: RwLock::new(Arc::new(opened)), owner })
}

async fn enter(home: &Home, kind: OwnerKind, passphrase: Option<Passphrase>) -> Result<Opened, ApiError> {
    let opened = signalbox_api::open_with(home, kind, passphrase).await?;
    if let Some(local) = opened.local() {
        if let Some(program) = signalbox_api::own_program() {
            local.play_demo(program);
        }
        // Work that cannot be logged is still work.
        if let Ok(logs) = Logs::init(home, "info") {
            local.keep_logs(logs);
        }
    }
    Ok(opened)
}

impl Hosted {
    /// The data directory.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The desk of our own engine, while we are the owner.
    pub async fn local(&self) -> Option<Arc<Local>> {
        self.opened.read().await.local().cloned()
    }

    /// Whether we own the data directory, as of the last question to the desk.
    #[must_use]
    pub fn owner(&self) -> &AtomicBool {
        &self.owner
    }

    /// The passphrase of the encrypted file that keeps secrets, where it was given.
    #[must_use]
    pub fn passphrase(&self) -> Option<&Passphrase> {
        self.passphrase.as_ref()
    }

    /// Opens the encrypted file that keeps secrets with the passphrase that an option gave, if it waits for one: also where
    /// another program owns it.
    ///
    /// # Errors
    /// [`Code::SecretsLocked`] when it is another one. What is wrong with the file itself stops only what needs it.
    pub async fn unlock(&self) -> Result<(), ApiError> {
        let Some(passphrase) = self.passphrase.as_ref().filter(|_| self.is_given) else { return Ok(()) };
        let troubles = look::overview(self).await?.troubles;
        if !troubles.iter().any(|trouble| trouble.code == Code::SecretsLocked) {
            return Ok(());
        }
        let passphrase = SecretText(passphrase.expose().to_owned());
        match self.call(Command::UnlockSecrets { passphrase }).await {
            Err(error) if error.code == Code::SecretsLocked => Err(error),
            Err(error) => {
                tracing::warn!(%error, "secrets stay locked");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Resolves when the owner has left. Never, while we are the owner.
    pub async fn owner_left(&self) {
        self.now().await.owner_left().await;
    }

    /// Leaves the data directory: what is queued is committed, the next owner may come.
    pub async fn close(self) {
        if let Some(opened) = Arc::into_inner(self.opened.into_inner()) {
            opened.close().await;
        }
    }

    async fn now(&self) -> Arc<Opened> {
        Arc::clone(&*self.opened.read().await)
    }

    /// After an owner left: somebody else owns the directory then, maybe we, and may be asked.
    async fn enter_again(&self, left: Arc<Opened>) -> Result<(), ApiError> {
        let mut opened = self.opened.write().await;
        if Arc::ptr_eq(&opened, &left) {
            *opened = Arc::new(enter(&self.home, self.kind, self.passphrase.clone()).await?);
            self.owner.store(opened.is_owner(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// What to ask the next owner after one went away in the middle of `command`. What it committed goes on by itself
    /// and is waited for; what it did not can be asked again. None where nobody can tell the two apart.
    async fn resumed(&self, command: Command) -> Result<Option<Command>, ApiError> {
        Ok(match command {
            Command::Answer { request, .. } | Command::EndVisit { request, opened: true } => {
                match look::request(self, request).await?.row.state {
                    RequestState::Open => Some(command),
                    _ => Some(Command::Settle { item: ItemRef::Request(request) }),
                }
            }
            Command::Cancel { call } => {
                let row = look::task(self, call).await?.row;
                let wished = row.cancel.is_some() || row.outcome.is_some();
                Some(if wished { Command::Settle { item: ItemRef::Call(call) } } else { command })
            }
            Command::Settle { .. }
            | Command::BeginVisit { .. }
            | Command::Refresh { .. }
            | Command::Find { .. } => Some(command),
            _ => None,
        })
    }
}

impl Desk for Hosted {
    fn call(&self, mut command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            loop {
                let opened = self.now().await;
                let error = match opened.desk().call(command.clone()).await {
                    Ok(reply) => return Ok(reply),
                    Err(error) if error.code == Code::OwnerGone => error,
                    Err(error) => return Err(error),
                };
                let begun = error.retry != Retry::Later;
                self.enter_again(opened).await?;
                if begun {
                    command = self.resumed(command).await?.ok_or(error)?;
                }
            }
        })
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(async move {
            loop {
                let opened = self.now().await;
                match opened.desk().changes(view.clone(), after, wait).await {
                    Ok(changes) => return Ok(changes),
                    Err(error) if error.code == Code::OwnerGone => self.enter_again(opened).await?,
                    Err(error) => return Err(error),
                }
            }
        })
    }
}
