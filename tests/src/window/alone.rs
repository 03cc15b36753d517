//! The window's program without WebDriver. Nothing is seen of its page but that it is ready.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Child;

use super::app::{program, web_process};
use super::desktop::{Desktop, ending_with_us};
use super::page::look_again;
use crate::soon;

/// The program in a window.
#[derive(Debug)]
pub struct Alone {
    child: Child,
    pid: Pid,
    ready: PathBuf,
    said: PathBuf,
}

impl Alone {
    /// Starts it, and waits for nothing.
    #[must_use]
    pub fn start(desktop: &Desktop, args: &[&str]) -> Self {
        let (ready, said) = (desktop.machine.path("alone-ready"), desktop.machine.path("alone-said"));
        let mut command = ending_with_us(&desktop.machine, &program());
        command.arg("--ready-file").arg(&ready).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&said).unwrap());
        // That of an earlier start.
        let _ = fs::remove_file(&ready);
        let child = command.spawn().unwrap();
        let pid = Pid::from_raw(child.id().unwrap().try_into().unwrap()).unwrap();
        Self { child, pid, ready, said }
    }

    /// Ends its page's process as soon as that speaks with it, which is long before it shows anything. (One that cannot even
    /// begin to speak makes WebKit end our program, too.)
    pub async fn page_dies_at_start(&self) {
        let begun = async {
            loop {
                if let Some(page) = web_process(self.pid).filter(|page| speaks(*page)) {
                    break page;
                }
                look_again().await;
            }
        };
        let page = soon("a process of the page", begun).await;
        kill_process(page, Signal::KILL).unwrap();
        assert!(!self.ready.exists(), "it was not there yet");
    }

    /// Waits until it has said this.
    pub async fn says(&self, words: &str) {
        let says = async {
            while !self.said().contains(words) {
                look_again().await;
            }
        };
        soon(words, says).await;
    }

    /// What it said.
    #[must_use]
    pub fn said(&self) -> String {
        fs::read_to_string(&self.said).unwrap()
    }

    /// Waits until it shows its first view.
    pub async fn is_ready(&self) {
        let ready = async {
            while !self.ready.exists() {
                look_again().await;
            }
        };
        soon("the window to be interactive", ready).await;
    }

    /// The variable in the environment that its page's process got.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<String> {
        let page = web_process(self.pid).expect("the page lives").as_raw_nonzero();
        let environment = fs::read_to_string(format!("/proc/{page}/environ")).unwrap();
        let mut pairs = environment.split('\0').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }

    /// What it was started with, as the system has it.
    #[must_use]
    pub fn arguments(&self) -> String {
        let pid = self.pid.as_raw_nonzero();
        fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap().replace('\0', " ")
    }

    /// Ends it as a service manager or a logout does; it must end well.
    pub async fn terminate(mut self) {
        kill_process(self.pid, Signal::TERM).unwrap();
        let ended = soon("the end of the program", self.child.wait()).await.unwrap();
        assert!(ended.success(), "{ended}; it said {}", self.said());
    }
}

/// Whether the page's process has the thread on which it hears from the window's.
fn speaks(page: Pid) -> bool {
    let threads =
        fs::read_dir(format!("/proc/{}/task", page.as_raw_nonzero())).into_iter().flatten().flatten();
    let mut names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
    names.any(|name| name.trim() == "ReceiveQueue")
}
