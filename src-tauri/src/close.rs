//! How the window closes. While tasks run and we are the ones who follow them, the person is told what stops, and
//! may let `signalbox serve` go on. Nothing is sent to any server by closing.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::Serialize;
use signalbox_api::{ApiError, Counts, Desk, View, ViewData};
use tauri::{AppHandle, Emitter, Manager};
use tokio::time::{self, Instant};

use crate::{
    serve,
    session::{Open, Session, State},
    shell,
    start::Start,
    window::MAIN,
};

/// The desk may take this long to say how many tasks run; then the window closes anyway.
const COUNTING: Duration = Duration::from_secs(1);
/// Closing twice within this time closes without an answer of the UI, which may hang.
const INSISTING: Duration = Duration::from_secs(5);
/// Writing what is under way may take this long.
const FLUSHING: Duration = Duration::from_secs(5);

/// When the person was last asked, and has not answered since.
#[derive(Default)]
pub(crate) struct Closing {
    asked: Mutex<Option<Instant>>,
}

impl Closing {
    /// The UI does not hang: closing again is a new question, however soon.
    pub(crate) fn answered(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the person has been asked just now. From now on they have been.
    fn insists(&self, now: Instant) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        asked.is_some_and(|asked| now - asked < INSISTING)
    }
}

#[derive(Clone, Serialize)]
struct CloseRequested {
    live: u32,
}

/// The person wants to close the window.
pub(crate) async fn requested(app: AppHandle) {
    let live = match app.state::<Start>().is_ready() {
        true => live_tasks(&app.state::<Arc<Session>>().state()).await,
        false => 0,
    };
    if live == 0 || app.state::<Closing>().insists(Instant::now()) {
        return quit(app).await;
    }
    if let Err(error) = app.emit_to(MAIN, "close-requested", CloseRequested { live }) {
        tracing::error!(%error, "the window cannot be asked about closing");
        quit(app).await;
    }
}

/// The person decided. With `keep_following` the window stays, and says why, when `serve` could not take over.
pub(crate) async fn decided(app: &AppHandle, keep_following: bool) -> Result<(), ApiError> {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    app.state::<Closing>().answered();
    if keep_following {
        session.close().await;
        if let Err(error) = serve::start(session.home()?).await {
            tracing::error!(%error, "nobody else follows the tasks");
            session.open(shell::raise(app));
            return Err(error);
        }
    }
    // Apart from this command, so that its answer is on its way first.
    tauri::async_runtime::spawn(quit(app.clone()));
    Ok(())
}

/// Writes what is under way and ends the program with 0.
pub(crate) async fn quit(app: AppHandle) {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    if time::timeout(FLUSHING, session.close()).await.is_err() {
        tracing::warn!("the data directory did not close in time");
    }
    app.exit(0);
}

/// Quits when the system asks us to end.
#[cfg(unix)]
pub(crate) async fn on_signal(app: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
    let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = signals else {
        return tracing::error!("signals cannot be heard");
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
    quit(app).await;
}

/// Quits when the system asks us to end.
#[cfg(not(unix))]
pub(crate) async fn on_signal(app: AppHandle) {
    if tokio::signal::ctrl_c().await.is_ok() {
        quit(app).await;
    }
}

/// How many tasks nobody would follow without this window.
async fn live_tasks(state: &State) -> u32 {
    match state {
        State::Open(Open { local: Some(local), .. }) => {
            time::timeout(COUNTING, count(local.as_ref())).await.ok().flatten().map_or(0, live)
        }
        _ => 0,
    }
}

async fn count(desk: &dyn Desk) -> Option<Counts> {
    let changes = desk.changes(View::Overview, None, Duration::ZERO).await.ok()?;
    match changes.data? {
        ViewData::Overview { overview } => Some(overview.tasks),
        _ => None,
    }
}

fn live(tasks: Counts) -> u32 {
    tasks.working + tasks.needs_you
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_or_waits_is_live() {
        assert_eq!(live(Counts { needs_you: 2, working: 3, ended: 40 }), 5);
    }

    #[test]
    fn closing_twice_in_a_row_is_insisting_and_an_hour_later_is_not() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert!(!closing.insists(now));
        assert!(closing.insists(now + INSISTING / 2), "the person asked again: the UI may hang");
        assert!(!closing.insists(now + Duration::from_secs(3_600)), "the person had stayed");
    }

    #[test]
    fn who_answered_is_asked_anew_however_soon() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert!(!closing.insists(now));
        closing.answered();
        assert!(!closing.insists(now), "an answer is proof that the UI does not hang");
        assert!(closing.insists(now));
    }
}
