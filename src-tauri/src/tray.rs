//! Whether the desktop shows icons of programs in the background. Asked over the connection to the session bus that GTK has
//! anyway: a second stack for the same bus would take a window that is a guest more than a megabyte. Programs without GTK ask by
//! `signalbox_api::tray`.

/// Whether something shows such icons now. Who does not say it within moments shows none.
#[cfg(target_os = "linux")]
pub(crate) async fn is_there() -> bool {
    let host = tokio::task::spawn_blocking(host);
    tokio::time::timeout(signalbox_api::tray::LOOK, host)
        .await
        .is_ok_and(|host| host.unwrap_or(None).unwrap_or(false))
}

#[cfg(target_os = "linux")]
fn host() -> Option<bool> {
    use gtk::{
        gio::{BusType, Cancellable, DBusCallFlags, bus_get_sync},
        glib::prelude::ToVariant as _,
    };
    use signalbox_api::tray::{HAS_HOST, LOOK, PATH, WATCHER};

    let bus = bus_get_sync(BusType::Session, Cancellable::NONE).ok()?;
    let said = bus.call_sync(
        Some(WATCHER),
        PATH,
        "org.freedesktop.DBus.Properties",
        "Get",
        Some(&(WATCHER, HAS_HOST).to_variant()),
        None,
        DBusCallFlags::NO_AUTO_START,
        i32::try_from(LOOK.as_millis()).expect("BUG: it is moments"),
        Cancellable::NONE,
    );
    said.ok()?.try_child_value(0)?.as_variant()?.get()
}

/// Elsewhere the window's own program has the icon.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn is_there() -> bool {
    signalbox_api::tray::is_there().await
}
