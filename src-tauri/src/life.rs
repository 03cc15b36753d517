//! The window's page lives in a process of its own, which can die: for want of memory, of a bug, by somebody's hand. What it
//! showed last must never stay as if it lived: the page is loaded again, where it was, with the drafts that were kept. One
//! that dies again and again is the person's to decide about.

use tauri::{AppHandle, Manager, WebviewWindow};
use tokio::time::Instant;

use crate::{close, native, often::Often, window::MAIN};

/// When the page died last.
#[derive(Default)]
pub(crate) struct Life(Often);

/// Notices when the page's process ends.
#[cfg(target_os = "linux")]
pub(crate) fn watch(app: &AppHandle, window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::WebViewExt;

    let app = app.clone();
    window.with_webview(move |webview| {
        webview.inner().connect_web_process_terminated(move |_, reason| died(&app, &format!("{reason:?}")));
    })
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(_: &AppHandle, _: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only WebKit for GTK tells"))]
fn died(app: &AppHandle, reason: &str) {
    let again = !app.state::<Life>().0.is_it(Instant::now());
    tracing::error!(reason, again, "the process of the window's page has ended");
    if again {
        return load(app);
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        match native::ask(&app, native::KEEPS_FAILING).await {
            Some(false) => close::quit(app).await,
            // Only who says so closes what may be under way.
            Some(true) | None => load(&app),
        }
    });
}

fn load(app: &AppHandle) {
    let loaded = app.get_webview_window(MAIN).map(|window| window.reload());
    if let Some(Err(error)) = loaded {
        tracing::error!(%error, "the window's page cannot be loaded again");
    }
}
