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
    use gtk::gio::{BusType, Cancellable, bus_get_sync};

    host_on(&bus_get_sync(BusType::Session, Cancellable::NONE).ok()?, signalbox_api::tray::LOOK)
}

#[cfg(target_os = "linux")]
fn host_on(bus: &gtk::gio::DBusConnection, patience: std::time::Duration) -> Option<bool> {
    use gtk::{
        gio::{Cancellable, DBusCallFlags},
        glib::prelude::ToVariant as _,
    };
    use signalbox_api::tray::{HAS_HOST, PATH, WATCHER};

    let said = bus.call_sync(
        Some(WATCHER),
        PATH,
        "org.freedesktop.DBus.Properties",
        "Get",
        Some(&(WATCHER, HAS_HOST).to_variant()),
        None,
        DBusCallFlags::NO_AUTO_START,
        i32::try_from(patience.as_millis()).expect("BUG: it is moments"),
        Cancellable::NONE,
    );
    said.ok()?.try_child_value(0)?.as_variant()?.get()
}

/// Elsewhere the window's own program has the icon.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn is_there() -> bool {
    signalbox_api::tray::is_there().await
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]
mod tests {
    use std::{
        io::{BufRead as _, BufReader},
        process::{Child, Command, Stdio},
        sync::mpsc,
        thread,
        time::Duration,
    };

    use gtk::{
        gio::{Cancellable, DBusCallFlags, DBusConnection, DBusConnectionFlags, DBusNodeInfo},
        glib::{MainContext, prelude::ToVariant as _},
    };
    use signalbox_api::tray::{PATH, WATCHER};

    use super::*;

    /// What takes icons, in as far as it is asked.
    const TAKES: &str = r#"<node><interface name="org.kde.StatusNotifierWatcher">
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/></interface></node>"#;
    /// Nothing hangs here.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// A session bus of its own. It ends with this.
    struct Bus {
        daemon: Child,
        address: String,
    }

    impl Bus {
        fn start() -> Self {
            let mut daemon = Command::new("dbus-daemon");
            daemon.args(["--session", "--nofork", "--print-address=1"]).stdin(Stdio::null());
            let mut daemon =
                daemon.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("there is a dbus-daemon");
            let mut address = String::new();
            BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
            Self { daemon, address: address.trim_end().to_owned() }
        }
    }

    impl Drop for Bus {
        fn drop(&mut self) {
            let _ = self.daemon.kill();
            let _ = self.daemon.wait();
        }
    }

    /// Wakes whoever waits for something to happen there.
    struct Wakes(MainContext);

    impl Drop for Wakes {
        fn drop(&mut self) {
            self.0.wakeup();
        }
    }

    fn joined(address: &str) -> DBusConnection {
        let flags = DBusConnectionFlags::AUTHENTICATION_CLIENT | DBusConnectionFlags::MESSAGE_BUS_CONNECTION;
        DBusConnection::for_address_sync(address, flags, None, Cancellable::NONE).unwrap()
    }

    /// Has something take icons that shows them, or does not.
    fn take_icons(bus: &DBusConnection, shows: bool) {
        let watcher = DBusNodeInfo::for_xml(TAKES).unwrap().lookup_interface(WATCHER).unwrap();
        let has_host = move |_, _: &str, _: &str, _: &str, _: &str| shows.to_variant();
        let taken =
            bus.register_object(PATH, &watcher, |_, _, _, _, _, _, _| {}, has_host, |_, _, _, _, _, _| false);
        let _ = taken.unwrap();
        let (daemon, name) = ("org.freedesktop.DBus", (WATCHER, 0_u32).to_variant());
        bus.call_sync(
            Some(daemon),
            "/org/freedesktop/DBus",
            daemon,
            "RequestName",
            Some(&name),
            None,
            DBusCallFlags::NONE,
            -1,
            Cancellable::NONE,
        )
        .unwrap();
    }

    /// What is found where something takes icons, and shows them or not; or where nothing takes them.
    fn found(takes: Option<bool>) -> Option<bool> {
        let (bus, context) = (Bus::start(), MainContext::new());
        let asked = || {
            let desktop = joined(&bus.address);
            if let Some(shows) = takes {
                take_icons(&desktop, shows);
            }
            let (finds, is_found) = mpsc::channel();
            let (address, desktop_waits) = (bus.address.clone(), context.clone());
            let asks = thread::spawn(move || {
                // However it ends, and after the channel's end.
                let (_wakes, finds) = (Wakes(desktop_waits), finds);
                finds.send(host_on(&joined(&address), PATIENCE)).unwrap();
            });
            let found = loop {
                match is_found.try_recv() {
                    Ok(found) => break found,
                    Err(mpsc::TryRecvError::Empty) => drop(context.iteration(true)),
                    Err(gone) => panic!("it could not ask: {gone}"),
                }
            };
            asks.join().unwrap();
            found
        };
        context.with_thread_default(asked).unwrap()
    }

    #[test]
    fn what_takes_icons_and_shows_none_is_no_tray() {
        assert_eq!(found(Some(true)), Some(true), "somebody sees them");
        assert_eq!(found(Some(false)), Some(false), "nobody would see one");
        assert_eq!(found(None), None, "nothing takes them");
    }
}
