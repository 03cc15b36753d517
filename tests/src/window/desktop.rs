//! A graphical session that nothing else uses: X server, window manager, message bus, notification service.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::app::App;
use super::notices::Notices;
use super::page::look_again;
use super::panel::{Icon, Panel};
use crate::{DemoServer, Machine, example, soon};

/// What a session bus at this address is told. It starts no service by itself, unless a test says in a file in `services` beside it
/// how: what is there is what a test starts.
pub(super) fn bus_at(address: &str, dir: &Path) -> String {
    format!(
        r#"<busconfig><type>session</type><listen>{address}</listen>
<servicedir>{}/services</servicedir>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"#,
        dir.display()
    )
}

/// A screen with room for the largest window under test and its frame.
pub const SCREEN: &str = "2000x1300x24";

/// The title of the window, as it is looked for.
const WINDOW: &str = "^Signalbox$";

/// Where a window stands on its display, and how large it is, without its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    /// Its upper left corner.
    pub place: [i64; 2],
    /// How wide and high it is.
    pub size: [i64; 2],
}

/// A person's desktop. All that runs on it ends with it.
#[derive(Debug)]
pub struct Desktop {
    /// The machine, for what a person does in a terminal beside the window.
    pub machine: Machine,
    /// The screen that the person sits at, as programs know it.
    pub display: String,
    bus: String,
    tray: Option<Panel>,
    services: Vec<Child>,
}

impl Desktop {
    /// A desktop as people have it.
    pub async fn start() -> Self {
        let mut desktop = Self::without_notifications().await;
        let program = example("notification-daemon");
        let file = desktop.machine.path("notifications");
        let ready = desktop.service(&program, &[file.to_str().unwrap()]).await;
        assert_eq!(ready, "ready", "the notification service starts");
        desktop
    }

    /// One with a tray: what follows the tasks in the background shows itself there.
    pub async fn with_tray() -> Self {
        let mut desktop = Self::start().await;
        desktop.tray_comes().await;
        desktop
    }

    /// One whose machine is [on its own time](Machine::on_its_own_time).
    pub async fn on_its_own_time() -> Self {
        let mut desktop = Self::start().await;
        desktop.machine = desktop.machine.on_its_own_time();
        desktop
    }

    /// A panel with a tray starts.
    pub async fn tray_comes(&mut self) {
        self.tray = Some(Panel::on(&self.bus).await);
    }

    /// The panel with the tray ends.
    pub async fn tray_goes(&mut self) {
        self.tray.take().expect("there is a tray").leave().await;
    }

    /// The icon in the tray.
    pub async fn icon(&self) -> Icon {
        self.tray.as_ref().expect("there is a tray").icon().await
    }

    /// Has a `serve` of another version own the data directory.
    pub async fn other_version(&mut self) {
        let home = self.machine.data();
        let ready = self.service(&example("other-version"), &[home.to_str().unwrap()]).await;
        assert_eq!(ready, "ready", "it owns the data directory");
    }

    /// One on which nothing shows notifications.
    pub async fn without_notifications() -> Self {
        let machine = Machine::new()
            .with("GDK_BACKEND", "x11")
            // Without a GPU this renderer only costs time.
            .with("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .with("NO_AT_BRIDGE", "1")
            .with("GSETTINGS_BACKEND", "memory")
            .with("GIO_USE_VFS", "local");
        let display = String::new();
        let mut desktop = Self { machine, display, bus: String::new(), tray: None, services: Vec::new() };

        let config = desktop.machine.path("bus.conf");
        let dir = desktop.machine.path("run");
        fs::write(&config, bus_at(&format!("unix:dir={}", dir.display()), &dir)).unwrap();
        let config = format!("--config-file={}", config.display());
        desktop.bus =
            desktop.service(Path::new("dbus-daemon"), &[&config, "--nofork", "--print-address=1"]).await;

        desktop.machine = desktop.machine.with("DBUS_SESSION_BUS_ADDRESS", &desktop.bus);
        desktop.at_new_screen(SCREEN).await
    }

    /// The person sits at another screen, of this size and depth: what starts from now on shows there.
    pub async fn at_new_screen(self, size: &str) -> Self {
        let mut desktop = self.at_bare_screen(size).await;
        // The first key that a program presses on a new display changes its keyboard, at which a window manager lets go of its
        // keys and takes them anew: one that is pressed meanwhile, such as Alt+F4, is lost. So that one comes before it.
        desktop.xdotool(&["key", "shift"]).await;
        desktop.manage_windows().await;
        desktop
    }

    /// The same without a window manager: a window stands where its program puts it.
    pub async fn at_bare_screen(mut self, size: &str) -> Self {
        let screen = ["-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-noreset"];
        let display = format!(":{}", self.service(Path::new("Xvfb"), &screen).await);
        self.at_screen(&display)
    }

    /// The person sits at a screen again.
    #[must_use]
    pub fn at_screen(mut self, display: &str) -> Self {
        display.clone_into(&mut self.display);
        self.machine = self.machine.with("DISPLAY", display);
        self
    }

    /// Starts the window manager. It is there when this returns, before any window.
    async fn manage_windows(&mut self) {
        let file = self.machine.path(&format!("managed{}", self.display));
        self.spawn(
            Path::new("openbox"),
            &["--sm-disable", "--startup", &format!("touch {}", file.display())],
        );
        let managed = async {
            while !file.exists() {
                look_again().await;
            }
        };
        soon("the window manager", managed).await;
    }

    /// What the person chose in the settings, beside polls every 100 ms.
    pub fn set(&self, mut settings: Value) {
        settings["pollFloorMs"] = json!(100);
        self.machine.set(&settings);
    }

    /// Opens the window.
    pub async fn open(&self) -> App {
        App::start(self, &[]).await
    }

    /// Starts a tool of a server from a terminal, while the window is open, and returns the task as it is then.
    pub async fn call(&self, server: &str, tool: &str, arguments: &Value) -> Value {
        let arguments = arguments.to_string();
        self.machine.run(&["call", server, tool, "--args", &arguments, "--detach"]).await.ok()
    }

    /// Registers the scripted server as `ci` from a terminal.
    pub async fn add(&self, demo: &DemoServer) {
        self.machine.add("ci", &demo.url()).await;
    }

    /// What the desktop's notification service shows.
    pub async fn notices(&self) -> Notices {
        Notices::connect(&self.bus).await
    }

    /// Asks the window manager to close the window in front, as the person does.
    pub async fn close_front_window(&self) {
        let in_front = async {
            while !self.xdotool(&["getactivewindow", "getwindowname"]).await.contains("Signalbox") {
                look_again().await;
            }
        };
        soon("the window to be in front", in_front).await;
        self.xdotool(&["key", "--clearmodifiers", "alt+F4"]).await;
    }

    /// Moves the window there, and waits until it is: the upper left corner of its frame, where it has one.
    pub async fn move_window(&self, x: u32, y: u32) {
        let before = self.window().await.place;
        self.xdotool(&[
            "search",
            "--onlyvisible",
            "--name",
            WINDOW,
            "windowmove",
            &x.to_string(),
            &y.to_string(),
        ])
        .await;
        let moved = async {
            while self.window().await.place == before {
                look_again().await;
            }
        };
        soon("the window to move", moved).await;
    }

    /// Where the window stands, as the display has it.
    pub async fn window(&self) -> Stand {
        let look = async {
            loop {
                let find = ["search", "--onlyvisible", "--name", WINDOW, "getwindowgeometry", "--shell"];
                let said = self.xdotool(&find).await;
                let of = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
                if let [Some(x), Some(y), Some(width), Some(height)] =
                    ["X=", "Y=", "WIDTH=", "HEIGHT="].map(of)
                {
                    return Stand { place: [x, y], size: [width, height] };
                }
                look_again().await;
            }
        };
        soon("the window on its display", look).await
    }

    /// How many windows of ours the display shows.
    pub async fn windows(&self) -> usize {
        self.xdotool(&["search", "--onlyvisible", "--name", WINDOW]).await.lines().count()
    }

    /// Presses these keys in the window in front.
    pub async fn press(&self, keys: &[&str]) {
        self.xdotool(&[&["key", "--clearmodifiers"], keys].concat()).await;
    }

    /// Presses these keys in the window in front, as often as it takes: a page that is just there may miss the first.
    pub async fn press_until(&self, keys: &[&str], came: impl Fn() -> bool) {
        let pressing = async {
            while !came() {
                self.press(keys).await;
                look_again().await;
            }
        };
        soon(&format!("what {keys:?} do"), pressing).await;
    }

    /// Waits for a dialog of the system with this title.
    pub async fn dialog(&self, title: &str) {
        let there = async {
            while self.xdotool(&["getactivewindow", "getwindowname"]).await.trim() != title {
                look_again().await;
            }
        };
        soon(&format!("the dialog {title:?}"), there).await;
        self.picture(&title.replace(|letter: char| !letter.is_alphanumeric(), "-")).await;
    }

    /// Waits for a dialog of the system with this title, and presses Enter in it.
    pub async fn answer_dialog(&self, title: &str) {
        self.dialog(title).await;
        self.xdotool(&["key", "Return"]).await;
    }

    /// Saves a picture of the window in front for people to look at, where `SIGNALBOX_SHOTS` names a folder.
    pub async fn picture(&self, name: &str) {
        let Some(dir) = env::var_os("SIGNALBOX_SHOTS").map(PathBuf::from) else { return };
        let window = self.xdotool(&["getactivewindow"]).await;
        let mut import = self.machine.command(Path::new("import"));
        import.args(["-window", window.trim()]).arg(dir.join(name).with_extension("png"));
        drop(self.machine.finish(import, "").await.exits(0));
    }

    /// What `xdotool` prints; nothing when what it looks for is not there.
    async fn xdotool(&self, args: &[&str]) -> String {
        let mut command = self.machine.command(Path::new("xdotool"));
        command.args(args);
        self.machine.finish(command, "").await.stdout
    }

    /// Starts a program of the session and waits for the first line it prints.
    async fn service(&mut self, program: &Path, args: &[&str]) -> String {
        let stdout = self.spawn(program, args).stdout.take().unwrap();
        let mut lines = BufReader::new(stdout).lines();
        let line = soon(&format!("the first line of {}", program.display()), lines.next_line()).await;
        line.unwrap().unwrap_or_else(|| panic!("{} ended at once", program.display()))
    }

    fn spawn(&mut self, program: &Path, args: &[&str]) -> &mut Child {
        let mut command = ending_with_us(&self.machine, program);
        let log = self.machine.path(program.file_name().unwrap().to_str().unwrap()).with_extension("log");
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(log).unwrap());
        let child = command.spawn().unwrap_or_else(|error| {
            panic!("{}: {error}: `cargo xtask e2e` installs and builds what is needed", program.display())
        });
        self.services.push(child);
        self.services.last_mut().unwrap()
    }
}

/// The program, ended by the system when the test's thread is gone, however it went.
pub(super) fn ending_with_us(machine: &Machine, program: &Path) -> Command {
    let mut command = machine.command(Path::new("setpriv"));
    command.args(["--pdeathsig", "TERM", "--"]).arg(program);
    command
}
