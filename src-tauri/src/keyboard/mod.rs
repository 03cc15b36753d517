//! Which keyboard tells of the person's key: the display's on Linux, elsewhere the system's own.

#[cfg(any(target_os = "macos", windows))]
mod native;

use std::sync::Arc;

use signalbox_api::Keyboard;
use tauri::AppHandle;

#[cfg(target_os = "linux")]
pub(crate) fn of(_: &AppHandle) -> Arc<dyn Keyboard> {
    Arc::new(signalbox_api::Display)
}

#[cfg(any(target_os = "macos", windows))]
pub(crate) fn of(app: &AppHandle) -> Arc<dyn Keyboard> {
    Arc::new(native::Native::of(app))
}
