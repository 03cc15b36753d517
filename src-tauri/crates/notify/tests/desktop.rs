//! Real notifications: the test runs itself again on a message bus of its own, beside a notification service that
//! can be looked at and clicked.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

use std::{
    collections::HashMap,
    env, fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use futures_util::{FutureExt as _, StreamExt as _};
use jiff::tz::TimeZone;
use serde_json::Value;
use signalbox_model::{ItemRef, RequestId, ServerId, Timestamp};
use signalbox_notify::{
    Activation, AroundNotices, Desktop, DesktopNotice, DesktopNoticeKind, Launcher, NoticeFate, NoticePress,
    Notifier, NotifyError,
};
use zbus::zvariant::OwnedValue;

const INSIDE: &str = "SIGNALBOX_TEST_INSIDE";

/// No service is ever started by the bus itself: what is there is what the test starts.
const BUS: &str = r#"<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"#;

/// Whether this is the inner run; otherwise makes it, and passes on how it went.
fn inside(test: &str) -> bool {
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("bus.conf");
    fs::write(&config, BUS).unwrap();
    let output = Command::new("dbus-run-session")
        .arg("--config-file")
        .arg(config)
        .arg("--")
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .expect("dbus-run-session is needed: `cargo xtask test` installs it");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "the inner run failed:\n{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

struct Daemon(Child);

impl Daemon {
    fn start(file: &Path) -> Self {
        let program = env::current_exe().unwrap().with_file_name("../examples/notification-daemon");
        let mut child = Command::new(&program)
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}: build the examples first", program.display()));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "the notification service must start");
        Self(child)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

struct Person(zbus::Proxy<'static>);

impl Person {
    async fn new() -> Self {
        let connection = zbus::Connection::session().await.unwrap();
        let (name, path) = ("app.signalbox.TestNotifications", "/app/signalbox/TestNotifications");
        Self(zbus::Proxy::new(&connection, name, path, name).await.unwrap())
    }

    /// What is on the screen, once there are this many.
    async fn sees(&self, count: u32) -> Vec<Value> {
        let list: String = self.0.call("Await", &(count)).await.unwrap();
        serde_json::from_str(&list).unwrap()
    }

    async fn wants_no_disturbance(&self) {
        self.0.call::<_, _, ()>("Inhibit", &(true)).await.unwrap();
    }

    async fn clicks(&self, id: u32, action: &str) -> bool {
        self.0.call("Invoke", &(id, action)).await.unwrap()
    }
}

/// It is always the same moment, and all matters.
struct Noon;

impl AroundNotices for Noon {
    fn clock(&self) -> (Timestamp, TimeZone) {
        (Timestamp(12 * 3_600_000), TimeZone::UTC)
    }

    async fn still_matters(&self, _: ItemRef) -> bool {
        true
    }
}

fn question(id: u32) -> DesktopNotice {
    DesktopNotice {
        item: ItemRef::Request(RequestId(id)),
        server: ServerId(1),
        tool: "deploy".into(),
        kind: DesktopNoticeKind::NeedsInput,
        expires_at: None,
        title: "prod: deploy\u{1b}[31m".into(),
        body: "Deploy <b>api</b> & web?".into(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_comes_back() {
    if !inside("a_press_comes_back") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("shown.jsonl");
    let _daemon = Daemon::start(&log);
    let person = Person::new().await;

    let item = |id| Activation::Item(question(id).item);
    let presses =
        [(1, "review", item(1)), (2, "default", item(2)), (3, "snooze", Activation::Snooze(RequestId(3)))];
    for (id, action, means) in presses {
        let (notifier, mut clicks) = Notifier::start(Desktop::default(), Noon);
        notifier.notice(question(id));
        assert_eq!(person.sees(id).await.len(), id as usize, "the notification must be shown");
        assert!(person.clicks(id, action).await, "the click must be taken");
        let token = format!("press-{id}").try_into().ok();
        assert_eq!(clicks.recv().await, Some(NoticePress { activation: means, token }), "by {action}");
        assert_eq!(*notifier.trouble().borrow(), None);
    }

    let line = fs::read_to_string(&log).unwrap().lines().next().unwrap().to_owned();
    let shown: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(shown["app"], "Signalbox");
    assert_eq!(shown["icon"], "signalbox-desktop");
    assert_eq!(shown["summary"], "prod: deploy [31m", "no control characters");
    assert_eq!(
        shown["body"], "Deploy &lt;b&gt;api&lt;/b&gt; &amp; web?",
        "text is shown, not read as markup"
    );
    assert_eq!(shown["urgency"], 1);
    assert_eq!(shown["silent"], true, "it makes no sound");
    assert_eq!(shown["entry"], "Signalbox", "the person mutes it under the entry that the packages install");
    let actions = ["review", "Review", "snooze", "Snooze 1 hour", "default", "Review"];
    assert_eq!(shown["actions"], serde_json::json!(actions), "and none that answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_comes_and_goes_is_told() {
    if !inside("a_service_that_comes_and_goes_is_told") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (notifier, _clicks) = Notifier::start(Desktop::default(), Noon);
    let mut trouble = notifier.trouble();
    notifier.notice(question(1));
    let told = trouble.wait_for(Option::is_some).await.unwrap().clone();
    assert!(matches!(told, Some(NotifyError::NoService { .. })), "{told:?}");

    let daemon = Daemon::start(&dir.path().join("shown.jsonl"));
    let (service, taken) = notifier.test().await.expect("the service works now");
    assert_eq!((service.name.as_str(), service.version.as_str()), ("notification-daemon", "1"));
    assert!(service.actions && !taken.inhibited);
    assert_eq!(*trouble.borrow_and_update(), None, "the trouble is over");

    Person::new().await.wants_no_disturbance().await;
    let (_, taken) = notifier.test().await.expect("it takes it all the same");
    assert!(taken.inhibited, "and says that nothing is shown");
    let mut past = notifier.past();
    notifier.notice(question(2));
    let past = past.wait_for(|past| past.len() == 2).await.unwrap().clone();
    assert_eq!((past[0].fate, past[1].fate), (NoticeFate::Inhibited, NoticeFate::Failed));

    drop(daemon);
    notifier.test().await.expect_err("the service is gone again");
    assert!(trouble.borrow_and_update().is_some());
}

/// A dock, as KDE's, Plank and Dash to Dock are: it listens, and takes the name that programs with a count wait for.
struct Dock {
    bus: zbus::Connection,
    told: zbus::MessageStream,
}

impl Dock {
    async fn start() -> Self {
        let bus = zbus::Connection::session().await.unwrap();
        let rule = "type='signal',interface='com.canonical.Unity.LauncherEntry',member='Update'";
        let rule: zbus::MatchRule<'_> = rule.try_into().unwrap();
        let told = zbus::MessageStream::for_match_rule(rule, &bus, None).await.unwrap();
        bus.request_name("com.canonical.Unity").await.unwrap();
        Self { bus, told }
    }

    /// The next number, and whether the icon is to show it.
    async fn hears(&mut self) -> (i64, bool) {
        let message = self.told.next().await.unwrap().unwrap();
        let (of, shown): (String, HashMap<String, OwnedValue>) = message.body().deserialize().unwrap();
        assert_eq!(of, "application://Signalbox.desktop", "as the packages name it");
        (i64::try_from(&shown["count"]).unwrap(), bool::try_from(&shown["count-visible"]).unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_launcher_is_told_how_many_questions_wait() {
    if !inside("the_launcher_is_told_how_many_questions_wait") {
        return;
    }
    let mut dock = Dock::start().await;
    let mut launcher = Launcher::default();
    for (count, is_visible) in [(3, true), (0, false)] {
        launcher.show(count).await;
        assert_eq!(dock.hears().await, (i64::from(count), is_visible), "no icon shows a 0");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dock_that_comes_later_is_noticed_each_time() {
    if !inside("a_dock_that_comes_later_is_noticed_each_time") {
        return;
    }
    let mut launcher = Launcher::default();
    assert_eq!(launcher.dock_comes().now_or_never(), None, "nothing was to be shown yet");
    launcher.show(3).await;
    for _ in 0..2 {
        let mut dock = Dock::start().await;
        launcher.dock_comes().await;
        launcher.show(3).await;
        assert_eq!(dock.hears().await, (3, true));
        assert!(dock.bus.release_name("com.canonical.Unity").await.unwrap());
    }
}
