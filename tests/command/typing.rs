//! What is typed at a real terminal, and what of it shows there.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::json;
use signalbox_tests::{Machine, Stage, signalbox, soon, text};
use tokio::process::Child;
use tokio::sync::mpsc;

use super::secret_answers::ask_for_password;

const SECRET: &str = "correct-horse-battery";
const ASKS: &str = "Password of the cluster (optional)";

/// A terminal with a `signalbox` that somebody sits at.
struct Terminal {
    keys: File,
    /// Its other end, held so that what shows has no end before the test wants it to.
    screen: File,
    child: Child,
    printed: mpsc::UnboundedReceiver<Vec<u8>>,
    shown: Vec<u8>,
}

impl Terminal {
    fn run(machine: &Machine, args: &[&str]) -> Self {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        let name = OsString::from_vec(ptsname(&keys, Vec::new()).unwrap().into_bytes());
        let not_ours = i32::try_from(OFlags::NOCTTY.bits()).unwrap();
        let screen = OpenOptions::new().read(true).write(true).custom_flags(not_ours).open(&name).unwrap();
        let mut command = machine.command(Path::new(env!("CARGO_BIN_EXE_at-terminal")));
        let child = command.arg(&name).arg(signalbox()).args(args).spawn().unwrap();
        let keys = File::from(keys);
        let (print, printed) = mpsc::unbounded_channel();
        let mut reader = keys.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Once nobody is at the other end reading fails.
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                let _ = print.send(bytes[..read].to_vec());
            }
        });
        Self { keys, screen, child, printed, shown: Vec::new() }
    }

    /// Waits until this shows.
    async fn shows(&mut self, what: &str) {
        while !self.text().contains(what) {
            let waits = format!("{what:?} after {}", self.text());
            let more = soon(&waits, self.printed.recv()).await;
            self.shown.extend(more.unwrap_or_else(|| panic!("{what:?} never showed")));
        }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn modes(&self) -> LocalModes {
        tcgetattr(&self.screen).unwrap().local_modes
    }

    /// Its exit code, the terminal's modes afterwards, and all that has shown.
    async fn end(mut self) -> (Option<i32>, LocalModes, String) {
        let code = soon("the end of the command", self.child.wait()).await.unwrap().code();
        let modes = self.modes();
        drop(self.screen);
        while let Some(more) = soon("the end of what shows", self.printed.recv()).await {
            self.shown.extend(more);
        }
        (code, modes, String::from_utf8_lossy(&self.shown).into_owned())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.shown).into_owned()
    }

    /// Fills in what comes before the secret.
    async fn comes_to_the_secret(&mut self) {
        for (field, typed) in [("Approve", "yes"), ("Rollout", "all_at_once"), ("Maximum error rate", "1.25")]
        {
            self.shows(&format!("\n  {field}")).await;
            assert!(self.modes().contains(LocalModes::ECHO), "{field} is no secret");
            self.types(&format!("{typed}\n"));
        }
        self.shows(ASKS).await;
        self.shows("  [none] ").await;
    }
}

#[tokio::test]
async fn a_secret_that_is_typed_does_not_show_and_an_interrupt_leaves_the_terminal_as_it_was() {
    let stage = Stage::served().await;
    ask_for_password(&stage);
    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let line = ["answer", text(&asked["inputRequests"][0], "id"), "--accept"];

    let mut terminal = Terminal::run(&stage.machine, &line);
    let before = terminal.modes();
    terminal.comes_to_the_secret().await;
    let hidden = terminal.modes();
    assert!(!hidden.contains(LocalModes::ECHO) && hidden.contains(LocalModes::ISIG), "{hidden:?}");
    terminal.types(&SECRET[..7]);
    terminal.types("\u{3}");
    let (code, after, shown) = terminal.end().await;
    assert_eq!((code, after), (Some(130), before), "as Ctrl-C found it: {shown}");
    assert!(!shown.contains(&SECRET[..7]), "{shown}");
    assert!(stage.demo.taken("approval").is_empty(), "nothing was sent");

    let mut terminal = Terminal::run(&stage.machine, &line);
    terminal.comes_to_the_secret().await;
    terminal.types(&format!("{SECRET}\n"));
    terminal.shows("Send it? [y/N] ").await;
    assert_eq!(terminal.modes(), before, "what is no secret shows again");
    terminal.types("y\n");
    let (code, after, shown) = terminal.end().await;
    assert_eq!((code, after), (Some(0), before), "{shown}");
    assert!(shown.contains("all_at_once") && !shown.contains(SECRET), "{shown}");
    let content =
        json!({ "approved": true, "rollout": "all_at_once", "max_error_rate": 1.25, "password": SECRET });
    assert_eq!(stage.demo.taken("approval"), [json!({ "action": "accept", "content": content })]);
}
