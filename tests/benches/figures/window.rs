//! The window, left open at the list with 1,000 live tasks in it: CPU of all its processes, on a display without a GPU.

use std::path::{Path, PathBuf};
use std::time::Duration;

use signalbox_demo::DemoWire;
use signalbox_tests::{Figure, Machine, Running, signalbox, soon};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::accounting::{Used, pass};
use crate::best;
use crate::demo::{Demos, Script};
use crate::stock;

/// How often a start is looked at.
const LOOK: Duration = Duration::from_millis(2);
const TASKS: usize = 1_000;
const INTERVAL_MS: u32 = 5_000;
/// How long the window is left to itself before it is measured: every task has been polled by then.
const SETTLE: Duration = Duration::from_secs(15);
const ROUNDS: usize = 3;
/// How long a round measures.
const ROUND: Duration = Duration::from_secs(20);
/// What the window needs of the session that `cargo xtask bench` makes for it.
const SESSION: [&str; 5] =
    ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "GDK_BACKEND", "WEBKIT_DISABLE_DMABUF_RENDERER", "NO_AT_BRIDGE"];

/// Its CPU while nothing happens but time.
pub(crate) async fn figure() -> Figure {
    let (_demos, place) = tasks().await;
    let (_machine, window) = open(place.path()).await;
    pass(SETTLE).await;
    picture().await;
    let mut shares = Vec::new();
    for round in 1..=ROUNDS {
        let (before, started) = (Used::by_family(window.pid()), Instant::now());
        pass(ROUND).await;
        let share = (Used::by_family(window.pid()) - before) / started.elapsed().as_secs_f64() * 100.0;
        println!("window {round}: {share:.1} % of a core");
        shares.push(share);
    }
    let _ = window.terminate().await.exits(0);
    Figure::under(8.0, "window: CPU with 1,000 live tasks in view", best(shares), "% of a core")
}

/// 1,000 tasks at a server, and a data directory in which they are live.
pub(crate) async fn tasks() -> (Demos, TempDir) {
    let script = Script { wire: DemoWire::Modern, servers: 1, speed: 1, chatty: false, push: true };
    let demos = Demos::start(script).await;
    let lines = demos.tasks(DemoWire::Modern, TASKS).await;
    let place = stock::place();
    stock::with_tasks(place.path(), INTERVAL_MS, INTERVAL_MS.into(), &lines);
    (demos, place)
}

/// Opens the window on this data directory, with the first row in hand.
pub(crate) async fn open(home: &Path) -> (Machine, Running) {
    let machine = machine(home);
    // The one that was added last is at the top.
    let (window, _) = interactive(&machine, home, &["--open", &format!("t{TASKS}")]).await;
    (machine, window)
}

/// A machine on the display and the bus that `cargo xtask bench` makes, with this data directory.
pub(crate) fn machine(home: &Path) -> Machine {
    let mut machine = Machine::untouched().with("SIGNALBOX_HOME", home);
    for name in SESSION {
        let value = std::env::var_os(name)
            .unwrap_or_else(|| panic!("no {name}: `cargo xtask bench` makes a display"));
        machine = machine.with(name, value);
    }
    machine
}

/// Starts the window: it is interactive, after so many ms.
pub(crate) async fn interactive(machine: &Machine, home: &Path, args: &[&str]) -> (Running, f64) {
    let ready = home.join("ready");
    let mut command = machine.command(&program());
    command.args(args).arg("--ready-file").arg(&ready);
    started(command, &ready).await
}

/// Starts an empty window of Tauri: it has painted, after so many ms.
pub(crate) async fn empty(machine: &Machine) -> (Running, f64) {
    let ready = machine.path("painted");
    let mut command = machine.command(&program().with_file_name("examples").join("empty-window"));
    command.arg(&ready);
    started(command, &ready).await
}

/// Starts a program that writes a file once it is there, and how long that took, in ms.
async fn started(command: tokio::process::Command, ready: &Path) -> (Running, f64) {
    // Of a window before this one.
    let _ = std::fs::remove_file(ready);
    let began = Instant::now();
    let window = Running::start(command);
    is_there(ready).await;
    (window, began.elapsed().as_secs_f64() * 1e3)
}

/// Waits for the file that the window writes once it is there.
pub(crate) async fn is_there(ready: &Path) {
    let written = async {
        while !ready.exists() {
            look_again().await;
        }
    };
    soon("the window to be there", written).await;
}

/// A moment, until it is looked again whether a start or an end has come about.
pub(crate) async fn look_again() {
    pass(LOOK).await;
}

pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("SIGNALBOX_DESKTOP_BIN").map(PathBuf::from);
    named.unwrap_or_else(|| signalbox().with_file_name("signalbox-desktop"))
}

/// For people: whether what was measured was the list.
async fn picture() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window.png");
    let taken = tokio::process::Command::new("import").args(["-window", "root"]).arg(&file).status().await;
    if taken.is_ok_and(|status| status.success()) {
        println!("window: {}", file.display());
    }
}
