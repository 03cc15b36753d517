//! The right to come to the front. A Wayland desktop gives a token for it with a press of the person, and lets no window forward
//! that has none. It comes with a start, whose window may be there already: then it goes on to that one, in the wish.

use signalbox_model::ActivationToken;
use tauri::WebviewWindow;

/// The token that this program was started with. It is used once: nothing that is started here inherits it, no process of the web
/// view either. This must come before there is another thread, which could read the environment that this changes.
#[cfg(target_os = "linux")]
pub(crate) fn taken() -> Option<ActivationToken> {
    let given = std::env::var(ActivationToken::VARIABLE).ok();
    webkit2gtk::glib::unsetenv(ActivationToken::VARIABLE);
    given?.try_into().ok()
}

/// Elsewhere the person's system knows what they pressed.
#[cfg(not(target_os = "linux"))]
pub(crate) fn taken() -> Option<ActivationToken> {
    None
}

/// Has the window come forward by this right, where there is one: at once where it is on screen, else as it is shown.
#[cfg(target_os = "linux")]
pub(crate) fn show(window: &WebviewWindow, token: Option<ActivationToken>) -> tauri::Result<()> {
    use gtk::{
        gdk::prelude::DisplayExtManual as _,
        prelude::{GtkWindowExt as _, WidgetExt as _},
    };

    let Some(token) = token else { return Ok(()) };
    let shown = window.clone();
    window.run_on_main_thread(move || match shown.gtk_window() {
        // On X11 it would be the name of a start, and that one's time the window's: both belong to another program.
        Ok(window) if window.display().backend().is_wayland() => window.set_startup_id(token.reveal()),
        Ok(_) => {}
        Err(error) => tracing::debug!(%error, "the window is gone"),
    })
}

/// Elsewhere there is no such right.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "GTK may be in the way of it")]
pub(crate) fn show(_: &WebviewWindow, _: Option<ActivationToken>) -> tauri::Result<()> {
    Ok(())
}
