//! How the window closes. While tasks run and we are the ones who follow them, the person is told what stops, and may
//! let `signalbox serve` go on with what it can. What may stop is asked about, too: a desk that is too busy to say
//! closes nothing unasked. Answers within their undo windows go back to drafts when nobody goes on. Nothing is sent to
//! any server by closing.
//!
//! Where a tray has come since this window began to own the data directory, `serve` is started to show itself there, unasked, if
//! nothing is lost by that.
//!
//! Where this program goes on without its window, nothing stops and nothing is asked ([`crate::resident`]).
//!
//! Where `serve` owns the data directory, closing ends the window and nothing else, so nothing is asked. Where its tray has gone
//! the person is told that it goes on. Quitting ends that `serve`, too, or this program where it would go on. It is asked about in
//! the same way, and said to be quitting.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use signalbox_api::{ApiError, Code, DeskExt as _, LEAVING, OwnerKind, command};
use tauri::{AppHandle, Manager};
use tokio::time::{self, Instant};

use crate::{
    closing::{Ask, Closing, Step},
    errands::{Errand, Errands},
    life::Life,
    native, resident, serve,
    session::{Session, State},
    shell,
    start::Start,
    stops::{self, Scope, Stops},
    tray, unheard,
    window::{self, MAIN},
};

/// The desk may take this long to say what stops; then the person is asked with what is known. It may take as long to
/// take back what is held; then the window closes anyway.
const COUNTING: Duration = Duration::from_secs(2);
/// The page asks the person within this time, or the system does. It may take as long to save what was typed last.
pub(crate) const HEARING: Duration = Duration::from_secs(1);

/// The page may take so long to save what was typed last when the owner is about to end: that one answers for 700 ms more.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What the person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    /// The window closes.
    Close,
    /// It closes, and `serve` goes on with what it can.
    Keep,
    /// It closes, and what follows the tasks in the background ends.
    Quit,
}

/// The person wants to close the window, or to end what follows the tasks in the background as well.
pub(crate) async fn requested(app: AppHandle, scope: Scope) {
    let closing = app.state::<Closing>();
    if closing.is_handing_over() {
        // It closes by itself, or says why it does not.
        return;
    }
    if scope == Scope::Window && resident::goes_on(&app).await {
        return resident::let_go(&app).await;
    }
    let has_page = app.state::<Start>().is_ready();
    let stops = match has_page || resident::is(&app) {
        true => what_stops(&app, scope).await,
        false => None,
    };
    if scope == Scope::Window && goes_on_in_tray(&app, stops.as_ref()).await {
        return;
    }
    let Some(stops) = stops else {
        if let Err(error) = unasked(&app, scope).await {
            tracing::error!(%error, "the program in the background goes on");
        }
        return;
    };
    let now = Instant::now();
    match closing.ask(now) {
        Ask::Wait => {}
        Ask::Insists => quit(app).await,
        Ask::Now if !has_page => {
            closing.is_unheard(now);
            ask_natively(&app, scope, unheard::no_page(&stops)).await;
        }
        Ask::Now => {
            if resident::is(&app) {
                // Who quits from the menu bar may not see the window that asks.
                window::raise(&app);
            }
            let question = unheard::not_answering(&stops);
            app.state::<Errands>().send(Errand::AskAboutClosing { stops });
            #[expect(
                clippy::disallowed_methods,
                reason = "a page that hangs says nothing, and that is what is waited for"
            )]
            time::sleep(HEARING).await;
            if closing.is_unheard(now) {
                tracing::error!("the window's page does not answer");
                ask_natively(&app, scope, question).await;
            }
        }
    }
}

/// Whether the window closes without a question, since what it follows goes on where the tray shows it. Where that does not
/// come about, closing goes on as without a tray.
async fn goes_on_in_tray(app: &AppHandle, stops: Option<&Stops>) -> bool {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    if !app.state::<Start>().is_ready() || !can_go_on_in_tray(&session, stops).await {
        return false;
    }
    let closing = app.state::<Closing>();
    if closing.is_handing_over() {
        return true;
    }
    closing.set(Step::HandingOver);
    if !save_last_words(app, HEARING).await {
        // What was typed last is with the page alone: it goes on as without a tray.
        closing.answered();
        show_again(app);
        return false;
    }
    decided(app, How::Keep).await.is_ok()
}

async fn can_go_on_in_tray(session: &Session, stops: Option<&Stops>) -> bool {
    let State::Open(desk) = session.state() else { return false };
    let passes_on = async {
        let overview = stops::overview(desk.as_ref()).await?;
        let secrets = desk.act(command::Secrets {}).await.ok()?.place;
        let is_whole = stops::passes_on_whole(&overview, stops, secrets);
        Some(overview.settings.background && is_whole && tray::is_there().await)
    };
    time::timeout(COUNTING, passes_on).await.ok().flatten().unwrap_or(false)
}

/// Nothing stops. The window goes at once; what was typed last is saved first.
async fn unasked(app: &AppHandle, scope: Scope) -> Result<(), ApiError> {
    save_last_words(app, HEARING).await;
    decided(app, if scope == Scope::All { How::Quit } else { How::Close }).await
}

/// The window goes from the screen, and its page saves what was typed last, if it can within this time. Whether it did.
pub(crate) async fn save_last_words(app: &AppHandle, within: Duration) -> bool {
    hide(app);
    if !app.state::<Start>().is_ready() {
        return true;
    }
    let mut saved = app.state::<Closing>().saved.subscribe();
    app.state::<Errands>().send(Errand::Save);
    matches!(time::timeout(within, saved.changed()).await, Ok(Ok(()))) && *saved.borrow()
}

fn hide(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        let _ = window.hide();
    }
}

/// The window, which went from the screen, stays after all.
fn show_again(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        let _ = window.show();
    }
}

/// The page cannot ask the person: it hangs, is dead, or there is none.
async fn ask_natively(app: &AppHandle, scope: Scope, question: native::Question) {
    let closes = native::ask(app, question).await;
    if !app.state::<Closing>().answered_natively() || closes != Some(true) {
        return;
    }
    match scope {
        Scope::Window => quit(app.clone()).await,
        Scope::All => {
            if let Err(error) = decided(app, How::Quit).await {
                tracing::error!(%error, "the program in the background goes on");
            }
        }
    }
}

/// The person decided. The window stays, and says why, when `serve` could not take over, or does not end.
pub(crate) async fn decided(app: &AppHandle, how: How) -> Result<(), ApiError> {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    let closing = app.state::<Closing>();
    let done = match how {
        How::Close => Ok(()),
        How::Keep => {
            closing.set(Step::HandingOver);
            let passphrase = session.passphrase().await;
            session.close().await;
            match session.home() {
                Ok(home) => serve::take_over(home, passphrase).await,
                Err(error) => Err(error),
            }
        }
        How::Quit => {
            closing.set(Step::HandingOver);
            take_back_held(&session.state(), Scope::All).await;
            end_background(&session).await
        }
    };
    if let Err(error) = done {
        tracing::error!(%error, "the window stays open");
        closing.answered();
        session.open(shell::face(app));
        if resident::is(app) {
            window::raise(app);
        } else {
            show_again(app);
        }
        return Err(error);
    }
    // Apart from this command, so that its answer is on its way first.
    tauri::async_runtime::spawn(quit(app.clone()));
    Ok(())
}

/// Leaves the data directory, and ends the `serve` that owns it. In this order: who sees its owner leave has the next one
/// started.
async fn end_background(session: &Session) -> Result<(), ApiError> {
    session.close().await;
    // Nobody owns what there is not.
    let Ok(home) = session.home() else { return Ok(()) };
    match signalbox_api::dismiss(home).await {
        // A command owns it, which ends by itself.
        Err(error) if error.code == Code::NotPossible => Ok(()),
        ended => ended,
    }
}

/// Ends the `serve` that owns the data directory, so that one of our own version is started in its place.
pub(crate) async fn restart_background(session: &Session) -> Result<(), ApiError> {
    signalbox_api::dismiss(session.home()?).await?;
    session.try_again();
    Ok(())
}

/// Takes back what is held, and leaves.
pub(crate) async fn quit(app: AppHandle) {
    app.state::<Life>().ends();
    take_back_held(&app.state::<Arc<Session>>().state(), Scope::Window).await;
    leave(&app).await;
}

/// Writes what is under way and ends the program with 0. Servers that run as our programs are given their time to end.
pub(crate) async fn leave(app: &AppHandle) {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    if time::timeout(LEAVING, session.close()).await.is_err() {
        tracing::warn!("the data directory did not close in time");
    }
    app.exit(0);
}

/// The program ends in this moment, and nobody asked us: the system closes all at once. What can be left in order in this time is.
pub(crate) fn at_last(app: &AppHandle) {
    const MOMENTS: Duration = Duration::from_secs(3);
    let session = Arc::clone(&app.state::<Arc<Session>>());
    if matches!(session.state(), State::Closed) {
        return;
    }
    tauri::async_runtime::block_on(async {
        take_back_held(&session.state(), Scope::Window).await;
        let _ = time::timeout(MOMENTS, session.close()).await;
    });
}

/// Quits when somebody asks the owner of the data directory to end. What was typed last is saved first.
pub(crate) async fn on_quit(app: AppHandle) {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    session.asked_to_quit().await;
    save_last_words(&app, LAST_WORDS).await;
    quit(app).await;
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

/// What nobody would follow without this window, or would not be seen; none where neither is. A data directory that is just
/// taken over may hold anything, and so may an owner of another version.
pub(crate) async fn what_stops(app: &AppHandle, scope: Scope) -> Option<Stops> {
    let (session, end) = (app.state::<Arc<Session>>(), Instant::now() + COUNTING);
    let stops = match time::timeout_at(end, session.desk()).await {
        Ok(Ok(desk)) => stops::what_stops(desk.as_ref(), scope, tray::is_there(), end).await,
        // A window or a command of another version goes on: it is not ours to end.
        Ok(Err(error)) => {
            (scope == Scope::All && error.code.is_other_version() && stranger(&session) == OwnerKind::Serve)
                .then(|| Stops::unknown(OwnerKind::Serve))
        }
        Err(_) => Some(Stops::unknown(scope.follower())),
    };
    stops.map(|stops| stops.asked(scope, resident::is(app)))
}

/// What the owner is that cannot be asked, as it says where everybody can read it. A `serve`, where it does not say.
fn stranger(session: &Session) -> OwnerKind {
    let said = session.home().ok().and_then(signalbox_api::last_owner);
    said.map_or(OwnerKind::Serve, |owner| owner.kind)
}

/// Answers within their undo windows go back to drafts, unless somebody follows on who sends them.
async fn take_back_held(state: &State, scope: Scope) {
    let State::Open(desk) = state else { return };
    let taking_back = async {
        let overview = stops::overview(desk.as_ref()).await?;
        if overview.owner.kind == OwnerKind::Serve && scope == Scope::Window {
            return None;
        }
        desk.act(command::TakeBackHeld {}).await.err()
    };
    if let Ok(Some(error)) = time::timeout(COUNTING, taking_back).await {
        tracing::warn!(%error, "answers within their undo time were not taken back");
    }
}

#[cfg(test)]
mod tests {
    use signalbox_api::{Home, Ownership};

    use super::*;
    use crate::session::Face;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_guest_of_a_command_is_told_what_its_owner_follows() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let command = signalbox_api::open(&home, OwnerKind::Command).await.unwrap();
        let session = Session::new(Ok(home), None);
        session.open(Face::none());
        session.desk().await.unwrap();
        let State::Open(desk) = session.state() else { panic!("it is open") };
        let seen = stops::overview(desk.as_ref()).await.expect("the owner answers");
        assert_eq!(seen.owner.kind, OwnerKind::Command);
        session.close().await;
        command.close().await;
    }

    #[test]
    fn who_looks_who_a_stranger_is_owns_nothing_for_that() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let session = Session::new(Ok(home.clone()), None);
        assert_eq!(stranger(&session), OwnerKind::Serve, "it has not said what it is");
        assert!(!home.owner_lock().exists(), "whoever locks that file keeps the next owner out");
        drop(Ownership::take(&home, OwnerKind::Command).unwrap());
        let said = std::fs::read_to_string(home.owner_lock()).unwrap();
        assert_eq!(stranger(&session), OwnerKind::Command, "it has just left");
        assert_eq!(std::fs::read_to_string(home.owner_lock()).unwrap(), said, "and nobody came after it");
    }
}
