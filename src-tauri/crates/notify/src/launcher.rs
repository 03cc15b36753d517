//! How many questions need the person, at the icon of the dock or launcher.

#[cfg(all(unix, not(target_os = "macos")))]
pub use bus::Launcher;
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub use nowhere::Launcher;

/// `com.canonical.Unity.LauncherEntry`, which docks of GNOME, KDE and others listen to. Nobody answers: where there is no dock
/// nothing happens.
#[cfg(all(unix, not(target_os = "macos")))]
mod bus {
    use std::collections::HashMap;

    use zbus::{Connection, zvariant::Value};

    use crate::desktop::ENTRY;

    const PATH: &str = "/app/signalbox/LauncherEntry";
    const NAME: &str = "com.canonical.Unity.LauncherEntry";

    /// The icon of the dock or launcher.
    #[derive(Debug, Default)]
    pub struct Launcher {
        /// After a failure it is another one.
        bus: Option<Connection>,
    }

    impl Launcher {
        /// Shows a number at the icon, and none for 0. Where there is no session bus nothing is shown.
        pub async fn show(&mut self, count: u32) {
            if let Err(error) = self.tell(count).await {
                tracing::debug!(%error, "the launcher is not told how many questions wait");
            }
        }

        async fn tell(&mut self, count: u32) -> zbus::Result<()> {
            let bus = match self.bus.take() {
                Some(bus) => bus,
                None => Connection::session().await?,
            };
            let shown = HashMap::from([
                ("count", Value::from(i64::from(count))),
                ("count-visible", Value::from(count > 0)),
            ]);
            let icon = format!("application://{ENTRY}.desktop");
            bus.emit_signal(None::<&str>, PATH, NAME, "Update", &(icon, shown)).await?;
            self.bus = Some(bus);
            Ok(())
        }
    }
}

/// Elsewhere the icon is the window's business.
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod nowhere {
    /// The icon of the dock or launcher.
    #[derive(Debug, Default)]
    pub struct Launcher {}

    impl Launcher {
        /// Shows nothing.
        #[expect(clippy::unused_async, reason = "elsewhere it waits for the bus")]
        pub async fn show(&mut self, _: u32) {}
    }
}
