//! The desk of this process: its own engine where nobody owns the data directory, else the owner's. When that owner
//! leaves we take over, and a command only notices that one question took a little longer.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use signalbox_api::logging::Logs;
use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Cursor, Desk, Home, Local, Opened, OwnerKind, Reply, Retry,
    View,
};
use tokio::sync::RwLock;

/// An open data directory.
pub struct Hosted {
    home: Home,
    kind: OwnerKind,
    opened: RwLock<Arc<Opened>>,
}

/// Opens the data directory, made when it is not there yet.
///
/// # Errors
/// When it cannot be used, or its owner does not answer.
pub async fn open(home: Option<PathBuf>, kind: OwnerKind) -> Result<Hosted, ApiError> {
    let home = Home::resolve(home)?;
    let opened = RwLock::new(Arc::new(enter(&home, kind).await?));
    Ok(Hosted { home, kind, opened })
}

async fn enter(home: &Home, kind: OwnerKind) -> Result<Opened, ApiError> {
    let opened = signalbox_api::open(home, kind).await?;
    if let Some(local) = opened.local() {
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

    /// Leaves the data directory: what is queued is committed, the next owner may come.
    pub async fn close(self) {
        if let Some(opened) = Arc::into_inner(self.opened.into_inner()) {
            opened.close().await;
        }
    }

    async fn now(&self) -> Arc<Opened> {
        Arc::clone(&*self.opened.read().await)
    }

    /// After an owner left before it could have begun with what it was asked: somebody else owns the directory then,
    /// maybe we, and may be asked again.
    async fn enter_again(&self, left: Arc<Opened>, error: ApiError) -> Result<(), ApiError> {
        if error.code != Code::OwnerGone || error.retry != Retry::Later {
            return Err(error);
        }
        let mut opened = self.opened.write().await;
        if Arc::ptr_eq(&opened, &left) {
            *opened = Arc::new(enter(&self.home, self.kind).await?);
        }
        Ok(())
    }
}

impl Desk for Hosted {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            loop {
                let opened = self.now().await;
                match opened.desk().call(command.clone()).await {
                    Ok(reply) => return Ok(reply),
                    Err(error) => self.enter_again(opened, error).await?,
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
                    Err(error) => self.enter_again(opened, error).await?,
                }
            }
        })
    }
}
