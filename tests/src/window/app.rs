//! The window's program under WebDriver, and the ways it ends.

use std::env;
use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use fantoccini::ClientBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::process::Child;

use super::desktop::{Desktop, ending_with_us};
use super::page::{Page, look_again};
use super::spot::Spot;
use crate::{Machine, signalbox, soon, write_program};

/// WebDriver starts this. It tells us the program's process id and how it ended: the program may outlive its session.
const LAUNCHER: &str = r#"#!/bin/sh
"$SIGNALBOX_DESKTOP_BIN" --ready-file "$LAUNCH/ready" "$@" >"$LAUNCH/said" 2>&1 &
echo $! >"$LAUNCH/pid"
wait $!
echo $? >"$LAUNCH/code.new" && mv "$LAUNCH/code.new" "$LAUNCH/code"
"#;

/// An open window. What shows in it is its [`Page`].
#[derive(Debug)]
pub struct App {
    page: Page,
    pid: Pid,
    dir: PathBuf,
    _driver: Child,
}

impl App {
    /// Starts the program with these arguments and waits until it shows its first view.
    pub async fn start(desktop: &Desktop, args: &[&str]) -> Self {
        let machine = &desktop.machine;
        let dir = launch_dir(machine);
        let launcher = dir.join("launcher");
        write_program(&launcher, LAUNCHER);

        let (driver, url) = driver(machine, &dir).await;
        let options = json!({ "binary": launcher, "args": args });
        let wanted = json!({ "webkitgtk:browserOptions": options });
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let mut builder = ClientBuilder::new(connector);
        builder.capabilities(wanted.as_object().cloned().unwrap());
        let client = soon("the window", builder.connect(&url)).await;
        let client = client.unwrap_or_else(|error| panic!("no window: {error}; it said {}", said(&dir)));
        let pid = fs::read_to_string(dir.join("pid")).unwrap().trim().parse().unwrap();
        let app = Self { page: Page(client), pid: Pid::from_raw(pid).unwrap(), dir, _driver: driver };
        let ready = app.dir.join("ready");
        app.until("the window to be interactive", async || ready.exists().then_some(())).await;
        app
    }

    /// Ends it as a service manager or a logout does; it must end well.
    pub async fn terminate(self) {
        kill_process(self.pid, Signal::TERM).unwrap();
        self.ended_well().await;
    }

    /// Ends it as a power cut does, and waits until nothing of it is left.
    pub async fn kill(self) {
        kill_process(self.pid, Signal::KILL).unwrap();
        self.ends().await;
    }

    /// Ends the process that its page lives in, and waits until the page shows its first view again.
    pub async fn page_dies(&self) {
        self.page_dies_at_once();
        self.page_is_back().await;
    }

    /// Ends the process that its page lives in, and waits for nothing.
    pub fn page_dies_at_once(&self) {
        fs::remove_file(self.dir.join("ready")).unwrap();
        kill_process(self.web_process(), Signal::KILL).unwrap();
    }

    /// Waits until the page shows its first view again.
    pub async fn page_is_back(&self) {
        self.until("the page to be there again", async || self.dir.join("ready").exists().then_some(()))
            .await;
    }

    /// The page's process hangs from now on.
    pub fn page_hangs(&self) {
        kill_process(self.web_process(), Signal::STOP).unwrap();
    }

    /// The page's process, which hung, goes on.
    pub fn page_goes_on(&self) {
        kill_process(self.web_process(), Signal::CONT).unwrap();
    }

    /// How much memory the process has that its page lives in, in MiB: what is resident, with what it shares.
    pub fn page_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.web_process().as_raw_nonzero());
        let status = fs::read_to_string(status).expect("it lives");
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        kib.expect("Linux says so").parse::<u64>().expect("a number") / 1024
    }

    /// The process that its page lives in.
    fn web_process(&self) -> Pid {
        web_process(self.pid).expect("the page has a process of its own")
    }

    /// Presses what ends it, and waits until it has ended by itself, with 0.
    pub async fn ends_by(self, spot: &Spot) {
        self.press_last(spot).await;
        self.ended_well().await;
    }

    /// Waits until it has ended by itself, with 0.
    pub async fn ended_well(self) {
        assert_eq!(self.ends().await, "0", "it ends with 0; it said {}", said(&self.dir));
    }

    async fn ends(&self) -> String {
        let file = self.dir.join("code");
        let ended = async {
            while !file.exists() {
                look_again().await;
            }
        };
        soon("the end of the program", ended).await;
        fs::read_to_string(file).unwrap().trim().to_owned()
    }
}

impl Deref for App {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // Once it has ended its number may be another's.
        if !self.dir.join("code").exists() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }
}

/// Starts the program once more, beside the window that is open: it must end by itself, and well.
pub async fn start_again(machine: &Machine, args: &[&str]) {
    let mut command = machine.command(&program());
    command.args(args);
    drop(machine.finish(command, "").await.exits(0));
}

/// The process that the page of this window's program lives in, if it lives.
pub(super) fn web_process(window: Pid) -> Option<Pid> {
    let ours = window.as_raw_nonzero().get().to_string();
    let pid = fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        // `123 (WebKitWebProces) S 45 ...`: the name, the state, the parent.
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let (head, tail) = stat.rsplit_once(") ")?;
        let (pid, name) = head.split_once(" (")?;
        let parent = tail.split(' ').nth(1)?;
        (name.starts_with("WebKitWeb") && parent == ours && !tail.starts_with('Z'))
            .then(|| pid.parse().ok())?
    });
    pid.and_then(Pid::from_raw)
}

/// The window's program.
pub fn program() -> PathBuf {
    let named = env::var_os("SIGNALBOX_DESKTOP_BIN").map(PathBuf::from);
    named.unwrap_or_else(|| signalbox().with_file_name("signalbox-desktop"))
}

/// A folder for what one start leaves.
fn launch_dir(machine: &Machine) -> PathBuf {
    let dir = (1..).map(|n| machine.path(&format!("launch-{n}"))).find(|dir| !dir.exists()).unwrap();
    fs::create_dir(&dir).unwrap();
    dir
}

/// Starts a WebDriver server. What it starts gets this environment.
async fn driver(machine: &Machine, dir: &Path) -> (Child, String) {
    // It cannot choose a port by itself; one that was free just now is free still, as good as always.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let mut command = ending_with_us(machine, Path::new("WebKitWebDriver"));
    command.args(["--host=127.0.0.1", &format!("--port={port}")]);
    command.env("TAURI_WEBVIEW_AUTOMATION", "true");
    command.env("SIGNALBOX_DESKTOP_BIN", program()).env("LAUNCH", dir);
    let log = File::create(dir.join("driver.log")).unwrap();
    command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    let driver = command.spawn().unwrap();
    let listens = async {
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
            look_again().await;
        }
    };
    soon("WebKitWebDriver", listens).await;
    (driver, format!("http://127.0.0.1:{port}"))
}

fn said(dir: &Path) -> String {
    fs::read_to_string(dir.join("said")).unwrap_or_default()
}
