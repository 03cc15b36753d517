//! The whole engine in this process, as `serve` runs it, and a listener at its desk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use signalbox_api::{Desk, Home, ListQuery, Opened, OwnerKind, Page, TaskRow, View, ViewData, open};
use signalbox_model::CallId;
use tokio::task::JoinHandle;

/// The longest wait for a change.
const WAIT: Duration = Duration::from_secs(60);

/// Owns a data directory and follows everything in it.
pub(crate) async fn follow(dir: &Path) -> Opened {
    let opened = open(&Home::at(dir).unwrap(), OwnerKind::Serve).await.unwrap();
    assert!(opened.is_owner());
    opened
}

/// The first rows of the list of tasks, as the window asks for them.
pub(crate) fn first_rows(limit: u32) -> View {
    View::Tasks { query: ListQuery::default(), offset: 0, limit }
}

/// Pulls what changes in the first rows of the list, until it is dropped.
pub(crate) struct Listener(JoinHandle<()>);

impl Listener {
    pub(crate) fn start(
        desk: Arc<dyn Desk>,
        rows: u32,
        mut heard: impl FnMut(Page<CallId, TaskRow>) + Send + 'static,
    ) -> Self {
        Self(tokio::spawn(async move {
            let mut after = None;
            // Ends with the owner, whose desk then refuses.
            while let Ok(changes) = desk.changes(first_rows(rows), after, WAIT).await {
                after = Some(changes.cursor);
                if let Some(ViewData::Tasks { page }) = changes.data {
                    heard(page);
                }
            }
        }))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.abort();
    }
}
