//! The window's page lives in a process of its own, which can die: for want of memory, of a bug, by somebody's hand. What it
//! showed last must never stay as if it lived: the page is loaded again, where it was, with the drafts that were kept. One
//! that dies again and again is the person's to decide about. One that dies before it showed anything is taken for a victim
//! of its graphics: the program starts again with safe ones ([`crate::safe`]).

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, Manager, Url, WebviewWindow};
use tokio::time::Instant;

use crate::{close, native, often::Often, safe, start::Start, stops::Scope, unheard, window::MAIN};

/// When the page died last, and what is to follow from it.
#[derive(Default)]
pub(crate) struct Life {
    deaths: Often,
    safely: AtomicBool,
    ends: AtomicBool,
}

impl Life {
    /// The person, or the system, wants an end: nothing starts again after it.
    pub(crate) fn ends(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Whether the program ends only to start again with safe graphics.
    #[cfg(target_os = "linux")]
    pub(crate) fn goes_on_safely(&self) -> bool {
        self.safely.load(Ordering::Relaxed) && !self.ends.load(Ordering::Relaxed)
    }
}

/// Notices when the page's process ends.
#[cfg(target_os = "linux")]
pub(crate) fn watch(app: &AppHandle, window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::{WebProcessTerminationReason, WebViewExt};

    let (app, page) = (app.clone(), window.url().ok());
    window.with_webview(move |webview| {
        webview.inner().connect_web_process_terminated(move |_, reason| {
            died(&app, page.as_ref(), &format!("{reason:?}"), reason == WebProcessTerminationReason::Crashed);
        });
    })
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(_: &AppHandle, _: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only WebKit for GTK tells"))]
fn died(app: &AppHandle, page: Option<&Url>, reason: &str, crashed: bool) {
    let at_start = crashed && !app.state::<Start>().is_ready();
    let can_start = || signalbox_api::own_program().is_some_and(|program| program.is_file());
    if at_start && safe::why().is_none() && can_start() {
        return go_on_safely(app, reason);
    }
    let again = !app.state::<Life>().deaths.is_it(Instant::now());
    tracing::error!(reason, again, "the process of the window's page has ended");
    if at_start {
        say("the window's page fails with safe graphics, too");
    }
    if again {
        return load(app, page);
    }
    let (app, page) = (app.clone(), page.cloned());
    tauri::async_runtime::spawn(async move {
        let stops = close::what_stops(&app, Scope::Window).await;
        match native::ask(&app, unheard::keeps_failing(stops.as_ref())).await {
            Some(false) => close::quit(app).await,
            // Only who says so closes what may be under way.
            Some(true) | None => load(&app, page.as_ref()),
        }
    });
}

/// The data directory is left in order first. Nothing that is held is taken back: the same person's window is there in a
/// moment.
fn go_on_safely(app: &AppHandle, reason: &str) {
    tracing::error!(
        reason,
        "the process of the window's page has ended before it showed anything: safe graphics"
    );
    say("the window's page failed before it showed anything: starting again with safe graphics");
    app.state::<Life>().safely.store(true, Ordering::Relaxed);
    let app = app.clone();
    tauri::async_runtime::spawn(async move { close::leave(&app).await });
}

/// Nothing shows yet in which it could be said.
#[allow(clippy::print_stderr)]
fn say(what: &str) {
    eprintln!("signalbox-desktop: {what}");
}

/// What never came to load cannot be loaded again: that begins with `page`.
fn load(app: &AppHandle, page: Option<&Url>) {
    let page = page.filter(|_| !app.state::<Start>().is_ready());
    let loaded = app.get_webview_window(MAIN).map(|window| match page {
        Some(page) => window.navigate(page.clone()),
        None => window.reload(),
    });
    if let Some(Err(error)) = loaded {
        tracing::error!(%error, "the window's page cannot be loaded again");
    }
}
