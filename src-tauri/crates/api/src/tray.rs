//! What the desktop shows programs in, asked on the session bus, and never for long: nobody waits for a bus that hangs.

use std::time::Duration;

/// The bus name of what knows of all icons, and that of its interface: KDE's word, which all desktops took over.
pub const WATCHER: &str = "org.kde.StatusNotifierWatcher";
/// Its object.
pub const PATH: &str = "/StatusNotifierWatcher";
/// Its property that says whether something shows them.
pub const HAS_HOST: &str = "IsStatusNotifierHostRegistered";

/// How long the bus may take where a window waits for it.
pub const LOOK: Duration = Duration::from_millis(200);
/// How long it may take where somebody wants to know: a machine that is busy has a tray all the same.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether something shows icons of programs in the background now.
pub async fn is_there() -> bool {
    in_time(host()).await
}

/// The bus of the session that is here now.
#[cfg(target_os = "linux")]
pub struct SessionBus(zbus::Connection);

#[cfg(target_os = "linux")]
impl SessionBus {
    /// None where there is no bus, as outside of a session.
    pub async fn join() -> Option<Self> {
        zbus::Connection::session().await.ok().map(Self)
    }

    /// Waits for its end.
    pub async fn ends(&self) {
        self.0.closed().await;
    }
}

/// Whether the desktop has a portal, or would start one.
pub(crate) async fn portal() -> bool {
    in_time(can_be_had("org.freedesktop.portal.Desktop")).await
}

/// Who does not say it in time has none.
async fn in_time<E>(said: impl Future<Output = Result<bool, E>>) -> bool {
    tokio::time::timeout(PATIENCE, said).await.is_ok_and(|said| said.unwrap_or(false))
}

#[cfg(target_os = "linux")]
async fn host() -> zbus::Result<bool> {
    let bus = zbus::Connection::session().await?;
    let watcher = zbus::proxy::Builder::<zbus::Proxy<'_>>::new(&bus)
        .destination(WATCHER)?
        .path(PATH)?
        .interface(WATCHER)?
        .cache_properties(zbus::proxy::CacheProperties::No)
        .build()
        .await?;
    watcher.get_property(HAS_HOST).await
}

#[cfg(target_os = "linux")]
async fn can_be_had(name: &str) -> zbus::Result<bool> {
    let bus = zbus::fdo::DBusProxy::new(&zbus::Connection::session().await?).await?;
    let startable = bus.list_activatable_names().await?;
    Ok(startable.iter().chain(&bus.list_names().await?).any(|known| known.as_str() == name))
}

/// Elsewhere the window's own program has the icon.
#[cfg(not(target_os = "linux"))]
async fn host() -> Result<bool, std::convert::Infallible> {
    Ok(false)
}

#[cfg(not(target_os = "linux"))]
async fn can_be_had(_: &str) -> Result<bool, std::convert::Infallible> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bus_that_hangs_has_no_tray() {
        assert!(!in_time(std::future::pending::<Result<bool, ()>>()).await);
        assert!(!in_time(async { Err(()) }).await, "nor one on which nobody answers");
        assert!(in_time(async { Ok::<_, ()>(true) }).await);
    }
}
