//! Whether the desktop has a tray. Asked on the session bus, and at most for moments: no start waits for a bus that hangs.

use std::time::Duration;

/// How long the bus may take.
const LOOK: Duration = Duration::from_millis(200);

/// Whether something shows icons of the tray now.
pub(crate) async fn is_there() -> bool {
    in_time(host()).await
}

/// Who does not say it in time has none.
async fn in_time<E>(host: impl Future<Output = Result<bool, E>>) -> bool {
    tokio::time::timeout(LOOK, host).await.is_ok_and(|host| host.unwrap_or(false))
}

#[cfg(target_os = "linux")]
async fn host() -> zbus::Result<bool> {
    /// Its name, and that of its interface: KDE's word, which all desktops took over.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";

    let bus = zbus::Connection::session().await?;
    let watcher = zbus::proxy::Builder::<zbus::Proxy<'_>>::new(&bus)
        .destination(WATCHER)?
        .path("/StatusNotifierWatcher")?
        .interface(WATCHER)?
        .cache_properties(zbus::proxy::CacheProperties::No)
        .build()
        .await?;
    watcher.get_property("IsStatusNotifierHostRegistered").await
}

/// Elsewhere the window's own program would have it.
#[cfg(not(target_os = "linux"))]
async fn host() -> Result<bool, std::convert::Infallible> {
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
