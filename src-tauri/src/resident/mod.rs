//! Whether the program outlives its window. On macOS and Windows it does: it goes on following the tasks, shows its icon in the tray,
//! and opens a window again when somebody wishes for one. On Linux it ends with its window, and where there is a tray `signalbox
//! serve --tray` follows the tasks ([`crate::background`]): so nothing of GTK and WebKit stays behind a window that is closed.

#[cfg(any(target_os = "macos", windows))]
mod badge;
#[cfg(any(target_os = "macos", windows))]
mod icon;
#[cfg(target_os = "macos")]
pub(crate) mod links;
#[cfg(target_os = "macos")]
mod menu;
mod stage;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use signalbox_api::{DeskExt as _, command};
use tauri::{AppHandle, Manager as _, async_runtime};

use self::stage::Stage;
use crate::{
    args::Args,
    close,
    closing::Closing,
    native,
    session::{Session, State},
    stand,
    start::Start,
    stops,
    window::{self, MAIN},
};

#[cfg(target_os = "macos")]
pub(crate) use self::icon::show;

/// The desk may take this long to say whether the program is to go on without a window.
const ASKING: Duration = Duration::from_secs(2);

/// Whether we stay, and where the window stands.
pub(crate) struct Resident {
    stays: bool,
    window: Mutex<Stage>,
    #[cfg(any(target_os = "macos", windows))]
    badge: badge::Badge,
}

impl Resident {
    /// As the system has it. A start that is `hidden` opens no window.
    pub(crate) fn of(args: &Args, hidden: bool) -> Self {
        Self {
            stays: stays(args),
            window: Mutex::new(if hidden { Stage::Gone } else { Stage::Coming }),
            #[cfg(any(target_os = "macos", windows))]
            badge: badge::Badge::default(),
        }
    }

    fn window(&self) -> MutexGuard<'_, Stage> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Whether the program outlives its window.
pub(crate) fn is(app: &AppHandle) -> bool {
    app.state::<Resident>().stays
}

/// Shows what the program is without a window. Only in the thread of the windows.
pub(crate) fn begin(app: &AppHandle) {
    if !is(app) {
        return;
    }
    #[cfg(target_os = "macos")]
    menu::put(app);
    #[cfg(any(target_os = "macos", windows))]
    icon::put(app);
    let has_window = *app.state::<Resident>().window() != Stage::Gone;
    in_dock(app, has_window);
    async_runtime::spawn(say_what_is_wrong(app.clone()));
}

/// Shows the window where nobody sees one and the data directory cannot be opened: then nobody follows the tasks, and it says why.
async fn say_what_is_wrong(app: AppHandle) {
    let session = Arc::clone(&app.state::<Arc<Session>>());
    loop {
        session.when(|state| matches!(state, State::Broken(_))).await;
        let window = app.get_webview_window(MAIN);
        if !window.is_some_and(|window| window.is_visible().unwrap_or(false)) {
            window::raise(&app);
        }
        // It is tried again and again, and said once.
        session.when(|state| matches!(state, State::Open(_))).await;
    }
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

/// The window goes, and the program goes on. A page that cannot save what was typed last has the only copy: it stays, unseen.
pub(crate) async fn let_go(app: &AppHandle) {
    let resident = app.state::<Resident>();
    if !resident.window().leaves() {
        return;
    }
    // What it was asked before is not asked any more.
    app.state::<Closing>().answered();
    let saved = close::save_last_words(app, close::HEARING).await;
    in_dock(app, false);
    if !saved || resident.window().is_wished() {
        let wished = resident.window().stays();
        if wished {
            return window::raise(app);
        }
    } else {
        app.state::<Start>().has_no_page();
        stand::save(app);
        let window = app.get_webview_window(MAIN);
        if let Some(Err(error)) = window.map(|window| window.destroy()) {
            tracing::warn!(%error, "the window stays, unseen");
            resident.window().stays();
        }
    }
    // Nothing is in front any more: notifications speak of all again.
    if let State::Open(desk) = app.state::<Arc<Session>>().state() {
        let _ = desk.act(command::SetFront { item: None }).await;
    }
}

/// The window has come to the front.
pub(crate) fn is_in_front(app: &AppHandle) {
    // The taskbar of Windows forgets what a window's button shows when it starts anew, and hears nothing before the button is there.
    #[cfg(any(target_os = "macos", windows))]
    app.state::<Resident>().badge.show(app);
    let _ = app;
}

/// The window is gone. Whoever wished for it meanwhile gets another one.
pub(crate) fn is_gone(app: &AppHandle) {
    if is(app) && app.state::<Resident>().window().goes() {
        open_again(app);
    }
}

/// Somebody wishes for the window. Whether there is one that can come to the front; else it comes as soon as it can.
pub(crate) fn has_window(app: &AppHandle) -> bool {
    if !is(app) {
        return true;
    }
    let exists = app.get_webview_window(MAIN).is_some();
    let before = app.state::<Resident>().window().wished(exists);
    match before {
        Stage::There => {
            in_dock(app, true);
            true
        }
        Stage::Gone => {
            open_again(app);
            false
        }
        Stage::Coming | Stage::Leaving { .. } => false,
    }
}

fn open_again(app: &AppHandle) {
    let app = app.clone();
    // Whoever opens a window waits for the thread of the windows.
    async_runtime::spawn_blocking(move || {
        in_dock(&app, true);
        let opened = window::open(&app, None);
        if let Err(error) = &opened {
            tracing::error!(%error, "no window can be opened");
            in_dock(&app, false);
            let is_open = matches!(app.state::<Arc<Session>>().state(), State::Open(_));
            // Wishes that come meanwhile get the same answer.
            async_runtime::block_on(native::no_window(&app, error, is_open));
        }
        if has_come(&app) {
            window::raise(&app);
        }
    });
}

/// The window was opened, or could not be. Whether it is there.
pub(crate) fn has_come(app: &AppHandle) -> bool {
    let exists = app.get_webview_window(MAIN).is_some();
    *app.state::<Resident>().window() = if exists { Stage::There } else { Stage::Gone };
    is_in_front(app);
    exists
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
