//! A session bus of its own, and a desktop's panel on it: the watcher of the tray's icons, and who looks at them.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;

use futures_util::StreamExt as _;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use zbus::fdo::DBusProxy;
use zbus::message::{Header, Type};
use zbus::zvariant::{OwnedValue, Structure, Value};
use zbus::{Connection, MatchRule, MessageStream, Proxy, connection, interface};

use super::desktop::{bus_at, ending_with_us};
use super::notices::Notices;
use crate::{Machine, example, soon};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";

/// A session bus on which nothing is.
#[derive(Debug)]
pub struct Bus {
    /// Its address.
    pub address: String,
    daemon: Child,
    services: Vec<Child>,
}

impl Bus {
    /// Starts one beside a machine.
    ///
    /// # Panics
    /// When there is no `dbus-daemon`.
    pub async fn start(machine: &Machine) -> Self {
        let address = format!("unix:path={}", machine.path("run").join("bus").display());
        Self { daemon: daemon(machine, &address).await, address, services: Vec::new() }
    }

    /// It ends with its session and all that was on it. The next session's is at the same place.
    ///
    /// # Panics
    /// When it does not.
    pub async fn next_session(&mut self, machine: &Machine) {
        self.services.clear();
        self.daemon.kill().await.unwrap();
        self.daemon = daemon(machine, &self.address).await;
    }

    /// Puts a panel on it.
    pub async fn panel(&self) -> Panel {
        Panel::on(&self.address).await
    }

    /// Puts a panel on it that takes icons, and shows none.
    pub async fn blind_panel(&self) -> Panel {
        Panel::new(&self.address, false).await
    }

    /// Puts a notification service on it.
    ///
    /// # Panics
    /// When that does not start.
    pub async fn notices(&mut self, machine: &Machine) -> Notices {
        let mut service = ending_with_us(machine, &example("notification-daemon"));
        service.arg(machine.path("notifications")).env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        let (service, ready) = started(service).await;
        assert_eq!(ready, "ready", "the notification service starts");
        self.services.push(service);
        Notices::connect(&self.address).await
    }
}

async fn daemon(machine: &Machine, address: &str) -> Child {
    let config = machine.file("bus.conf", &bus_at(address, &machine.path("run")));
    let mut daemon = ending_with_us(machine, Path::new("dbus-daemon"));
    daemon.args([&format!("--config-file={config}"), "--nofork", "--print-address=1"]);
    started(daemon).await.0
}

/// Starts a program, and waits for its first line.
async fn started(mut program: Command) -> (Child, String) {
    let mut child =
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = soon("the first line of what a desktop has", lines.next_line()).await.unwrap().unwrap();
    (child, line)
}

struct Watcher {
    items: watch::Sender<Vec<String>>,
    /// Whether something shows them.
    hosted: bool,
}

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, _service: String, #[zbus(header)] header: Header<'_>) {
        let sender = header.sender().expect("the bus says who calls").to_string();
        self.items.send_modify(|items| items.push(sender));
    }

    fn register_status_notifier_host(&self, _service: String) {}

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        self.hosted
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.items.borrow().clone()
    }
}

/// A panel.
#[derive(Debug)]
pub struct Panel {
    bus: Connection,
    /// The address of that.
    address: String,
    items: watch::Sender<Vec<String>>,
}

impl Panel {
    /// Puts one on the bus with this address.
    ///
    /// # Panics
    /// When there is one already.
    pub async fn on(bus: &str) -> Self {
        Self::new(bus, true).await
    }

    async fn new(bus: &str, hosted: bool) -> Self {
        let (items, address) = (watch::Sender::new(Vec::new()), bus.to_owned());
        let watcher = Watcher { items: items.clone(), hosted };
        let builder = connection::Builder::address(bus).unwrap();
        let builder = builder.serve_at("/StatusNotifierWatcher", watcher).unwrap();
        Self { bus: builder.name(WATCHER).unwrap().build().await.unwrap(), address, items }
    }

    /// The icon that came last, once a program has brought one.
    ///
    /// # Panics
    /// When none comes.
    pub async fn icon(&self) -> Icon {
        self.icon_after(0).await
    }

    /// The icon that came last, once more than these many have come.
    ///
    /// # Panics
    /// When no other comes.
    pub async fn icon_after(&self, known: usize) -> Icon {
        let mut items = self.items.subscribe();
        let come = soon("an icon", items.wait_for(|items| items.len() > known));
        let service = come.await.unwrap().last().unwrap().clone();
        let rule = MatchRule::builder().msg_type(Type::Signal).sender(service.clone()).unwrap().build();
        let signals = MessageStream::for_match_rule(rule, &self.bus, None).await.unwrap();
        Icon { bus: self.bus.clone(), service, signals }
    }

    /// It ends.
    ///
    /// # Panics
    /// When the bus does not let it.
    pub async fn leave(self) {
        assert!(self.bus.release_name(WATCHER).await.unwrap(), "the name was its own");
        self.bus.close().await.unwrap();
    }

    /// It dies: its name is never given back, and it is gone once the bus sees that.
    ///
    /// # Panics
    /// When the bus does not.
    pub async fn die(self) {
        let witness = connection::Builder::address(self.address.as_str()).unwrap().build().await.unwrap();
        let names = DBusProxy::new(&witness).await.unwrap();
        let left = [(0, WATCHER), (2, "")];
        let mut left = names.receive_name_owner_changed_with_args(&left).await.unwrap();
        self.bus.close().await.unwrap();
        let _ = soon("the bus to see that it is dead", left.next()).await.expect("the bus lives");
    }

    /// How many have come.
    #[must_use]
    pub fn icons(&self) -> usize {
        self.items.borrow().len()
    }
}

/// An icon of the tray.
#[derive(Debug)]
pub struct Icon {
    bus: Connection,
    service: String,
    /// Everything that the program says of it.
    signals: MessageStream,
}

/// A line of its menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    id: i32,
    /// What it says, as it stands in the menu.
    pub label: String,
    /// Whether it can be pressed.
    pub enabled: bool,
    /// The lines that it opens.
    pub more: Vec<Line>,
}

impl Icon {
    /// What it says in words, once it is this.
    ///
    /// # Panics
    /// When it does not come to say that.
    pub async fn says(&mut self, title: &str) {
        self.until(&format!("the icon to say {title:?}"), async |icon| {
            (icon.get::<String>("Title").await == title).then_some(())
        })
        .await;
    }

    /// A property.
    ///
    /// # Panics
    /// When the program does not tell it.
    pub async fn get<T: TryFrom<OwnedValue>>(&self, name: &str) -> T
    where
        T::Error: Into<zbus::Error>,
    {
        let proxy = zbus::proxy::Builder::<Proxy<'_>>::new(&self.bus);
        let proxy = proxy.destination(self.service.as_str()).unwrap().path("/StatusNotifierItem").unwrap();
        let proxy = proxy.interface(ITEM).unwrap().cache_properties(zbus::proxy::CacheProperties::No);
        soon(name, proxy.build().await.unwrap().get_property(name)).await.unwrap()
    }

    /// The picture of each size, by its width.
    ///
    /// # Panics
    /// When they are no pictures.
    pub async fn pictures(&self) -> Vec<(i32, Vec<u8>)> {
        let Value::Array(all) = Value::from(self.get::<OwnedValue>("IconPixmap").await) else {
            panic!("pictures")
        };
        let picture = |value: &Value<'_>| {
            let Value::Structure(parts) = value else { panic!("a picture: {value:?}") };
            let [Value::I32(width), Value::I32(height), Value::Array(bytes)] = parts.fields() else {
                panic!("a picture: {value:?}")
            };
            assert_eq!(width, height, "they are square");
            let byte = |byte: &Value<'_>| u8::try_from(byte).unwrap();
            (*width, bytes.iter().map(byte).collect())
        };
        all.iter().map(picture).collect()
    }

    /// The line of its menu that begins like this, once there is one.
    ///
    /// # Panics
    /// When none comes.
    pub async fn line(&mut self, begins: &str) -> Line {
        self.until(&format!("a line that begins with {begins:?}"), async |icon| {
            fn found(lines: Vec<Line>, begins: &str) -> Option<Line> {
                lines.into_iter().find_map(|line| match line.label.starts_with(begins) {
                    true => Some(line),
                    false => found(line.more, begins),
                })
            }
            found(icon.menu().await, begins)
        })
        .await
    }

    /// The lines of its menu.
    ///
    /// # Panics
    /// When the program does not tell them.
    pub async fn menu(&self) -> Vec<Line> {
        let nothing: Vec<&str> = Vec::new();
        let layout = self.call("GetLayout", &(0_i32, -1_i32, nothing)).await;
        let body = layout.body();
        let answer: Structure<'_> = body.deserialize().unwrap();
        let [_revision, root] = answer.fields() else { panic!("a revision and a line: {answer:?}") };
        line(root).more
    }

    /// Presses a line.
    ///
    /// # Panics
    /// When the program does not take it.
    pub async fn press(&self, line: &Line) {
        assert!(line.enabled, "nobody can press {line:?}");
        let _ = self.call("Event", &(line.id, "clicked", Value::from(0_u8), 0_u32)).await;
    }

    /// Presses the icon itself.
    ///
    /// # Panics
    /// When the program does not take it.
    pub async fn press_itself(&self) {
        let call = self.bus.call_method(
            Some(self.service.as_str()),
            "/StatusNotifierItem",
            Some(ITEM),
            "Activate",
            &(0_i32, 0_i32),
        );
        let _ = soon("the icon to be pressed", call).await.unwrap();
    }

    async fn call<B: serde::Serialize + zbus::zvariant::DynamicType>(
        &self,
        method: &str,
        body: &B,
    ) -> zbus::Message {
        let call = self.bus.call_method(Some(self.service.as_str()), "/MenuBar", Some(MENU), method, body);
        soon(method, call).await.unwrap()
    }

    /// Looks again whenever the program says that something is other.
    async fn until<T>(&mut self, what: &str, fits: impl AsyncFn(&Self) -> Option<T>) -> T {
        let looking = async {
            loop {
                if let Some(found) = fits(self).await {
                    return found;
                }
                self.signals.next().await.expect("the bus lives").unwrap();
            }
        };
        soon(what, looking).await
    }
}

fn line(value: &Value<'_>) -> Line {
    let Value::Structure(parts) = value else { panic!("a line: {value:?}") };
    let [Value::I32(id), properties, Value::Array(more)] = parts.fields() else {
        panic!("a line: {value:?}")
    };
    let properties: HashMap<String, OwnedValue> = properties.try_clone().unwrap().try_into().unwrap();
    let of = |name: &str| properties.get(name);
    Line {
        id: *id,
        label: of("label")
            .map(|label| String::try_from(label.try_clone().unwrap()).unwrap())
            .unwrap_or_default(),
        enabled: of("enabled").is_none_or(|enabled| bool::try_from(enabled).unwrap()),
        more: more
            .iter()
            .map(|value| match value {
                Value::Value(inner) => line(inner),
                other => line(other),
            })
            .collect(),
    }
}
