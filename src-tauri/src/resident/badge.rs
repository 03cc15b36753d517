//! How many questions need the person, at the window's icon: in the dock of macOS, and over its button in the taskbar of Windows.
//! Linux docks hear it from who notifies, `signalbox_notify::Launcher`.

use std::sync::atomic::{AtomicU32, Ordering};

use tauri::{AppHandle, Manager as _, WebviewWindow};

use crate::window::MAIN;

/// The number, for a window that comes.
#[derive(Default)]
pub(super) struct Badge(AtomicU32);

impl Badge {
    /// Shows another number.
    pub(super) fn set(&self, app: &AppHandle, count: u32) {
        self.0.store(count, Ordering::Relaxed);
        self.show(app);
    }

    /// Shows it at the window that is there now.
    pub(super) fn show(&self, app: &AppHandle) {
        let count = self.0.load(Ordering::Relaxed);
        let shown = app.get_webview_window(MAIN).map(|window| at(&window, count));
        if let Some(Err(error)) = shown {
            tracing::debug!(%error, "the window's icon does not say how many questions wait");
        }
    }
}

#[cfg(target_os = "macos")]
fn at(window: &WebviewWindow, count: u32) -> tauri::Result<()> {
    window.set_badge_count((count > 0).then(|| count.into()))
}

#[cfg(windows)]
fn at(window: &WebviewWindow, count: u32) -> tauri::Result<()> {
    use signalbox_tray::icon;
    use tauri::image::Image;

    /// Its size in pixels: what the taskbar shows on a display of twice the density.
    const SIZE: u8 = 32;

    let badge = icon::badge_rgba(SIZE, count);
    window.set_overlay_icon(badge.map(|badge| Image::new_owned(badge, SIZE.into(), SIZE.into())))
}
