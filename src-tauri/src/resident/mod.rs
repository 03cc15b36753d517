//! Whether the program outlives its window. On macOS and Windows it does: it goes on following the tasks, shows its icon in the tray,
//! and opens a window again when somebody wishes for one. On Linux it ends with its window, and where there is a tray `signalbox
//! serve --tray` follows the tasks ([`crate::background`]): so nothing of GTK and WebKit stays behind a window that is closed.

#[cfg(any(target_os = "macos", windows))]
mod icon;
#[cfg(target_os = "macos")]
mod menu;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use signalbox_api::{DeskExt as _, command};
use tauri::{AppHandle, Manager as _, async_runtime};

use crate::{
    args::Args,
    native,
    session::{Session, State},
    stand,
    start::Start,
    stops,
    window::{self, MAIN},
};

/// The desk may take this long to say whether the program is to go on without a window.
const ASKING: Duration = Duration::from_secs(2);

/// Whether we stay.
pub(crate) struct Resident {
    stays: bool,
    /// Held while a window is opened: there is one.
    opening: Mutex<()>,
}

impl Resident {
    /// As the system has it.
    pub(crate) fn of(args: &Args) -> Self {
        Self { stays: stays(args), opening: Mutex::new(()) }
    }
}

/// Whether this start is one of a program that outlives its window.
pub(crate) fn stays(args: &Args) -> bool {
    #[cfg(debug_assertions)]
    if args.outlives_window {
        return true;
    }
    let _ = args;
    cfg!(any(target_os = "macos", windows))
}

/// Whether the program goes on now that it has no window.
pub(crate) fn is(app: &AppHandle) -> bool {
    app.state::<Resident>().stays
}

/// Shows what the program is without a window, in the thread of the windows.
pub(crate) fn begin(app: &AppHandle, has_window: bool) {
    if !is(app) {
        return;
    }
    #[cfg(target_os = "macos")]
    menu::put(app);
    #[cfg(any(target_os = "macos", windows))]
    icon::put(app);
    in_dock(app, has_window);
}

/// Whether the window may go without a question, since nothing stops by that. A data directory that cannot be opened is followed
/// by nobody, and there is nothing to go on with.
pub(crate) async fn goes_on(app: &AppHandle) -> bool {
    if !is(app) {
        return false;
    }
    let session = Arc::clone(&app.state::<Arc<Session>>());
    match session.state() {
        State::Open(desk) => {
            let overview = tokio::time::timeout(ASKING, stops::overview(desk.as_ref())).await;
            // A desk that is too busy to say goes on.
            overview.ok().flatten().is_none_or(|overview| overview.settings.background)
        }
        State::Opening => true,
        State::Broken(_) | State::Closed => false,
    }
}

/// The window, which went from the screen and whose page has saved what was typed, goes altogether.
pub(crate) async fn let_go(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    // Somebody may have wished for it meanwhile.
    if window.is_visible().unwrap_or(false) {
        return;
    }
    app.state::<Start>().has_no_page();
    stand::save(app);
    if let Err(error) = window.destroy() {
        return tracing::warn!(%error, "the window stays, unseen");
    }
    in_dock(app, false);
    // Nothing is in front any more: notifications speak of all again.
    if let State::Open(desk) = app.state::<Arc<Session>>().state() {
        let _ = desk.act(command::SetFront { item: None }).await;
    }
}

/// Opens a window again, unless there is one by then.
pub(crate) fn open_again(app: &AppHandle) {
    if !is(app) {
        return;
    }
    let app = app.clone();
    // Whoever opens a window waits for the thread of the windows.
    async_runtime::spawn_blocking(move || {
        let resident = app.state::<Resident>();
        let _one = resident.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if app.get_webview_window(MAIN).is_some() {
            return window::raise(&app);
        }
        in_dock(&app, true);
        match window::open(&app) {
            Ok(_) => window::raise(&app),
            Err(error) => {
                tracing::error!(%error, "no window can be opened");
                in_dock(&app, false);
                async_runtime::block_on(native::no_window(&app, &error));
            }
        }
    });
}

/// A program without a window has no place in the dock of macOS: its icon is in the menu bar.
fn in_dock(app: &AppHandle, has_window: bool) {
    #[cfg(target_os = "macos")]
    {
        use tauri::ActivationPolicy::{Accessory, Regular};
        let policy = if has_window { Regular } else { Accessory };
        if let Err(error) = app.set_activation_policy(policy) {
            tracing::warn!(%error, "the dock is as it was");
        }
    }
    let _ = (app, has_window);
}
