//! How many questions need the person, at the icon of the dock or launcher.

#[cfg(all(unix, not(target_os = "macos")))]
pub use bus::Launcher;
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub use nowhere::Launcher;

/// `com.canonical.Unity.LauncherEntry`, which docks of GNOME, KDE and others listen to. Nobody answers: where there is no dock
/// nothing happens. One that comes asks nobody for a number either (none of them calls the interface's `Query`). It takes the name
/// of the first of them, Unity, so that programs say theirs again.
#[cfg(all(unix, not(target_os = "macos")))]
mod bus {
    use std::collections::HashMap;

    use futures_util::StreamExt as _;
    use zbus::{
        Connection,
        fdo::{DBusProxy, NameOwnerChangedStream},
        zvariant::Value,
    };

    use crate::desktop::ENTRY;

    const PATH: &str = "/app/signalbox/LauncherEntry";
    const NAME: &str = "com.canonical.Unity.LauncherEntry";
    /// Whose name each dock takes.
    const UNITY: &str = "com.canonical.Unity";

    /// The icon of the dock or launcher.
    #[derive(Debug, Default)]
    pub struct Launcher {
        /// After a failure it is another one.
        bus: Option<Bus>,
    }

    #[derive(Debug)]
    struct Bus {
        connection: Connection,
        /// Who takes Unity's name, and who lets it go.
        docks: NameOwnerChangedStream,
    }

    impl Bus {
        async fn join() -> zbus::Result<Self> {
            let connection = Connection::session().await?;
            let docks = DBusProxy::new(&connection).await?;
            let docks = docks.receive_name_owner_changed_with_args(&[(0, UNITY)]).await?;
            Ok(Self { connection, docks })
        }

        async fn tell(&self, count: u32) -> zbus::Result<()> {
            let shown = HashMap::from([
                ("count", Value::from(i64::from(count))),
                ("count-visible", Value::from(count > 0)),
            ]);
            let icon = format!("application://{ENTRY}.desktop");
            self.connection.emit_signal(None::<&str>, PATH, NAME, "Update", &(icon, shown)).await
        }
    }

    impl Launcher {
        /// Shows a number at the icon, and none for 0. Where there is no session bus nothing is shown.
        pub async fn show(&mut self, count: u32) {
            if let Err(error) = self.tell(count).await {
                tracing::debug!(%error, "the launcher is not told how many questions wait");
            }
        }

        /// Waits for a dock to come that has not seen the number; without end where no bus would say so.
        pub async fn dock_comes(&mut self) {
            while let Some(bus) = &mut self.bus {
                match bus.docks.next().await {
                    Some(taken) if taken.args().is_ok_and(|of| of.new_owner().is_some()) => return,
                    Some(_) => {}
                    None => self.bus = None,
                }
            }
            std::future::pending().await
        }

        async fn tell(&mut self, count: u32) -> zbus::Result<()> {
            let bus = match self.bus.take() {
                Some(bus) => bus,
                None => Bus::join().await?,
            };
            bus.tell(count).await?;
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

        /// None comes.
        pub async fn dock_comes(&mut self) {
            std::future::pending().await
        }
    }
}
