//! The first moments: what a start asked for, until the window shows its first view.

use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use signalbox_api::{ApiError, DeskExt as _, command};
use signalbox_model::ItemRef;

use crate::session::Session;

/// What is to be done once the window shows its first view.
pub(crate) struct Start {
    item: Mutex<Option<ItemRef>>,
    ready_file: Option<PathBuf>,
    is_ready: AtomicBool,
}

impl Start {
    /// Shows `item` and writes `ready_file`, when it is time.
    pub(crate) fn new(item: Option<ItemRef>, ready_file: Option<PathBuf>) -> Self {
        Self { item: Mutex::new(item), ready_file, is_ready: AtomicBool::new(false) }
    }

    /// The first view is on screen (again, after a reload).
    pub(crate) async fn ready(&self, session: &Session) -> Result<(), ApiError> {
        self.is_ready.store(true, Ordering::Relaxed);
        if let Some(file) = &self.ready_file
            && let Err(error) = tokio::fs::write(file, "").await
        {
            tracing::error!(%error, "the ready file cannot be written");
        }
        let item = self.item.lock().unwrap_or_else(PoisonError::into_inner).take();
        if item.is_some() {
            session.desk().await?.act(command::BringForward { item }).await?;
        }
        Ok(())
    }

    /// Whether the window can show anything.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }
}
