//! A notification service for tests: `notification-daemon FILE` owns `org.freedesktop.Notifications` on the session
//! bus, writes each notification as a line of JSON into FILE, and prints `ready` once it can be used.
//!
//! Tests look and click through `app.signalbox.TestNotifications` at `/app/signalbox/TestNotifications`:
//! `List() -> JSON` gives all notifications, `Await(count) -> JSON` the same once there are that many (or after
//! 10 s), `Invoke(id, action) -> bool` clicks, with the activation token `press-ID`, and says whether the application took
//! it within 10 s, `Inhibit(bool)` begins and ends that the person does not want to be disturbed.

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn main() {}

#[cfg(all(unix, not(target_os = "macos")))]
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    daemon::run().await
}

#[cfg(all(unix, not(target_os = "macos")))]
mod daemon {
    use std::{
        collections::HashMap,
        env,
        error::Error,
        fs::File,
        io::{self, Write},
        sync::{
            Arc, Mutex,
            atomic::{AtomicBool, Ordering},
        },
        time::Duration,
    };

    use serde_json::{Value, json};
    use tokio::{runtime::Handle, sync::watch, time};
    use zbus::{
        Connection, fdo, interface, message::Header, names::OwnedUniqueName, object_server::SignalEmitter,
        zvariant::OwnedValue,
    };

    const PATH: &str = "/org/freedesktop/Notifications";
    const NAME: &str = "org.freedesktop.Notifications";
    const CONTROL_PATH: &str = "/app/signalbox/TestNotifications";
    const CONTROL: &str = "app.signalbox.TestNotifications";

    pub(crate) async fn run() -> Result<(), Box<dyn Error>> {
        let file = env::args_os().nth(1).ok_or("usage: notification-daemon FILE")?;
        let shown = Arc::new(Mutex::new(Shown {
            file: File::create(file)?,
            entries: Vec::new(),
            count: watch::Sender::new(0),
        }));
        let inhibited = Arc::new(AtomicBool::new(false));
        let control = Control {
            shown: Arc::clone(&shown),
            inhibited: Arc::clone(&inhibited),
            runtime: Handle::current(),
        };
        let _connection = zbus::connection::Builder::session()?
            .serve_at(PATH, Service { shown, inhibited })?
            .serve_at(CONTROL_PATH, control)?
            .name(NAME)?
            .name(CONTROL)?
            .build()
            .await?;
        writeln!(io::stdout(), "ready")?;
        std::future::pending().await
    }

    struct Shown {
        file: File,
        entries: Vec<Entry>,
        count: watch::Sender<u32>,
    }

    struct Entry {
        document: Value,
        sender: OwnedUniqueName,
        open: watch::Sender<bool>,
    }

    impl Shown {
        fn list(&self) -> String {
            let all = self.entries.iter().map(|entry| {
                let mut document = entry.document.clone();
                document["open"] = (*entry.open.borrow()).into();
                document
            });
            Value::from_iter(all).to_string()
        }

        fn entry(&self, id: u32) -> fdo::Result<&Entry> {
            let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
            let entry = index.and_then(|index| self.entries.get(index));
            entry.ok_or_else(|| fdo::Error::InvalidArgs(format!("no notification {id}")))
        }
    }

    struct Service {
        shown: Arc<Mutex<Shown>>,
        inhibited: Arc<AtomicBool>,
    }

    #[interface(name = "org.freedesktop.Notifications")]
    impl Service {
        #[allow(clippy::too_many_arguments, reason = "the interface is the desktop's")]
        async fn notify(
            &self,
            app_name: String,
            replaces_id: u32,
            app_icon: String,
            summary: String,
            body: String,
            actions: Vec<String>,
            hints: HashMap<String, OwnedValue>,
            expire_timeout: i32,
            #[zbus(header)] header: Header<'_>,
        ) -> fdo::Result<u32> {
            let sender = header.sender().ok_or_else(|| fdo::Error::Failed("who asks?".into()))?;
            let urgency = hints.get("urgency").and_then(|value| u8::try_from(&**value).ok());
            let silent = hints.get("suppress-sound").and_then(|value| bool::try_from(&**value).ok());
            let entry = hints.get("desktop-entry").and_then(|value| <&str>::try_from(&**value).ok());
            let mut shown = self.shown.lock().expect("BUG: nothing panics while it holds the lock");
            let id = u32::try_from(shown.entries.len() + 1).map_err(|e| fdo::Error::Failed(e.to_string()))?;
            let document = json!({
                "id": id, "app": app_name, "icon": app_icon, "summary": summary, "body": body,
                "actions": actions, "urgency": urgency, "silent": silent, "entry": entry, "replaces": replaces_id,
                "timeout": expire_timeout,
            });
            writeln!(shown.file, "{document}").map_err(|e| fdo::Error::IOError(e.to_string()))?;
            let sender = sender.to_owned().into();
            shown.entries.push(Entry { document, sender, open: watch::Sender::new(true) });
            shown.count.send_replace(id);
            Ok(id)
        }

        async fn close_notification(&self, id: u32) -> fdo::Result<()> {
            let shown = self.shown.lock().expect("BUG: nothing panics while it holds the lock");
            shown.entry(id)?.open.send_replace(false);
            Ok(())
        }

        async fn get_capabilities(&self) -> Vec<&str> {
            vec!["actions", "body", "body-markup"]
        }

        async fn get_server_information(&self) -> (&str, &str, &str, &str) {
            ("notification-daemon", "Signalbox", "1", "1.2")
        }

        /// As KDE says it.
        #[zbus(property)]
        async fn inhibited(&self) -> bool {
            self.inhibited.load(Ordering::Relaxed)
        }

        #[zbus(signal)]
        async fn activation_token(emitter: &SignalEmitter<'_>, id: u32, token: &str) -> zbus::Result<()>;

        #[zbus(signal)]
        async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, action: &str) -> zbus::Result<()>;
    }

    struct Control {
        shown: Arc<Mutex<Shown>>,
        inhibited: Arc<AtomicBool>,
        runtime: Handle,
    }

    #[interface(name = "app.signalbox.TestNotifications")]
    impl Control {
        /// All notifications as a JSON array, in order, with `open` as they stand now.
        async fn list(&self) -> String {
            self.shown.lock().expect("BUG: nothing panics while it holds the lock").list()
        }

        /// The person does not want to be disturbed, or does again.
        async fn inhibit(&self, inhibited: bool) {
            self.inhibited.store(inhibited, Ordering::Relaxed);
        }

        /// The same, once there are at least `count`, or after 10 s.
        async fn r#await(&self, count: u32) -> fdo::Result<String> {
            let mut known =
                self.shown.lock().expect("BUG: nothing panics while it holds the lock").count.subscribe();
            let enough = async move {
                let enough = known.wait_for(|known| *known >= count);
                drop(time::timeout(Duration::from_secs(10), enough).await);
            };
            // The bus runs on a thread of its own that has no timers.
            self.runtime.spawn(enough).await.map_err(|e| fdo::Error::Failed(e.to_string()))?;
            Ok(self.list().await)
        }

        /// Clicks. An application that has only just shown a notification may not listen yet, so the click is
        /// repeated until the application takes the notification away.
        async fn invoke(
            &self,
            id: u32,
            action: String,
            #[zbus(connection)] connection: &Connection,
        ) -> fdo::Result<bool> {
            let (sender, mut open) = {
                let shown = self.shown.lock().expect("BUG: nothing panics while it holds the lock");
                let entry = shown.entry(id)?;
                (entry.sender.clone(), entry.open.subscribe())
            };
            // To the application alone, as GNOME does it.
            let emitter = SignalEmitter::new(connection, PATH)?.set_destination(sender.into()).into_owned();
            let click = async move {
                for _ in 0..100 {
                    Service::activation_token(&emitter, id, &format!("press-{id}")).await?;
                    Service::action_invoked(&emitter, id, &action).await?;
                    let closed = open.wait_for(|open| !open);
                    if time::timeout(Duration::from_millis(100), closed).await.is_ok() {
                        return Ok(true);
                    }
                }
                Ok::<_, zbus::Error>(false)
            };
            let taken = self.runtime.spawn(click).await.map_err(|e| fdo::Error::Failed(e.to_string()))?;
            taken.map_err(fdo::Error::from)
        }
    }
}
