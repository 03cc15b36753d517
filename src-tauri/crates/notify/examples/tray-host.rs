//! A tray for tests: it says that it shows icons, and takes every one. Prints `ready` once it is on the session bus.

#[cfg(all(unix, not(target_os = "macos")))]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    let _connection = zbus::connection::Builder::session()?
        .serve_at("/StatusNotifierWatcher", host::Watcher::default())?
        .name("org.kde.StatusNotifierWatcher")?
        .build()
        .await?;
    writeln!(std::io::stdout(), "ready")?;
    std::future::pending().await
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn main() {}

#[cfg(all(unix, not(target_os = "macos")))]
mod host {
    use zbus::interface;

    /// Watcher and host in one, as the desktops have it.
    #[derive(Default)]
    pub(crate) struct Watcher {
        items: Vec<String>,
    }

    #[interface(name = "org.kde.StatusNotifierWatcher")]
    impl Watcher {
        fn register_status_notifier_item(&mut self, service: String) {
            self.items.push(service);
        }

        fn register_status_notifier_host(&mut self, _service: String) {}

        #[zbus(property)]
        fn registered_status_notifier_items(&self) -> Vec<String> {
            self.items.clone()
        }

        #[zbus(property)]
        fn is_status_notifier_host_registered(&self) -> bool {
            true
        }

        #[zbus(property)]
        fn protocol_version(&self) -> i32 {
            0
        }
    }
}
