//! The first moments: what a start asked for, until the window shows its first view.

use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use signalbox_api::{ApiError, Desk, DeskExt as _, command, look};

use crate::{
    args::{Args, Shown},
    session::Session,
};

/// How long one look for a question waits.
const WAIT: Duration = Duration::from_secs(25);

/// What is to be done once the window shows its first view.
pub(crate) struct Start {
    shown: Mutex<Option<Shown>>,
    demo: AtomicBool,
    ready_file: Option<PathBuf>,
    is_ready: AtomicBool,
}

impl Start {
    /// What the window's program was started with.
    pub(crate) fn new(args: &Args) -> Self {
        Self {
            shown: Mutex::new(args.shown()),
            demo: AtomicBool::new(args.demo),
            ready_file: args.ready_file.clone(),
            is_ready: AtomicBool::new(false),
        }
    }

    /// The first view is on screen (again, after a reload).
    pub(crate) async fn ready(&self, session: &Session) -> Result<(), ApiError> {
        self.is_ready.store(true, Ordering::Relaxed);
        // Once a start: a person may have removed it when the page is loaded again.
        if self.demo.swap(false, Ordering::Relaxed) {
            play_demo(session.desk().await?.as_ref()).await.inspect_err(|error| {
                tracing::error!(code = error.code.as_str(), %error, "the demo is not at work");
            })?;
        }
        if let Some(file) = &self.ready_file
            && let Err(error) = tokio::fs::write(file, "").await
        {
            tracing::error!(%error, "the ready file cannot be written");
        }
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner).take();
        if shown.is_some() {
            session.desk().await?.act(Shown::wish(shown, None)).await?;
        }
        Ok(())
    }

    /// The page goes, or another one comes: nothing is shown until that is there.
    pub(crate) fn has_no_page(&self) {
        self.is_ready.store(false, Ordering::Relaxed);
    }

    /// Whether the window can show anything.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }
}

/// Has the demo at work, and waits until there is a question to look at.
async fn play_demo(desk: &dyn Desk) -> Result<(), ApiError> {
    desk.act(command::StartDemo {}).await?;
    let mut cursor = None;
    loop {
        let (after, seen) = desk.look(look::Overview {}, cursor, WAIT).await?;
        if seen.is_some_and(|overview| overview.inbox > 0) {
            return Ok(());
        }
        cursor = Some(after);
    }
}
