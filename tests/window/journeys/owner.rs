//! Who owns the data directory, as its lock file says.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use signalbox_tests::soon;

use super::Story;
use crate::page::look_again;

/// The program that owns it, or did last.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Owner(Value);

impl Owner {
    /// As the lock file says now. It says nothing for moments, while it is written.
    pub(super) fn of(story: &Story) -> Self {
        Self::at(&story.desktop.machine.data())
    }

    /// The same of any data directory.
    pub(super) fn at(home: &Path) -> Self {
        Self(serde_json::from_slice(&fs::read(home.join("owner.lock")).unwrap()).unwrap_or_default())
    }

    /// The program of this number as the owner, once it is.
    pub(super) async fn comes(home: &Path, pid: Option<u32>) -> Self {
        let comes = async {
            loop {
                let lock = fs::read(home.join("owner.lock")).unwrap_or_default();
                let owner = Self(serde_json::from_slice(&lock).unwrap_or_default());
                if owner.pid().is_some() && owner.pid() == pid.map(u64::from) {
                    return owner;
                }
                look_again().await;
            }
        };
        soon("the owner that was started", comes).await
    }

    /// The `serve` that comes after this one, and when it wrote itself into the lock file.
    pub(super) async fn next(&self, story: &Story) -> (Self, Timestamp) {
        let comes = async {
            loop {
                let next = Self::of(story);
                // The window holds the lock for moments, to see who is to own it.
                if next.pid() != self.pid() && next.kind() == "serve" {
                    let lock = story.desktop.machine.data().join("owner.lock");
                    let written = fs::metadata(lock).unwrap().modified().unwrap();
                    return (next, written.try_into().unwrap());
                }
                look_again().await;
            }
        };
        soon("the next owner", comes).await
    }

    /// `window` or `serve`.
    pub(super) fn kind(&self) -> &str {
        self.0["kind"].as_str().unwrap_or_default()
    }

    pub(super) fn pid(&self) -> Option<u64> {
        self.0["pid"].as_u64()
    }

    pub(super) fn signal(&self, signal: Signal) {
        let pid = self.pid().expect("it says who it is");
        kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
    }

    pub(super) fn runs(&self) -> bool {
        let pid = self.pid().expect("it says who it is");
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
    }

    /// What it was started with.
    pub(super) fn environment(&self) -> String {
        let pid = self.pid().expect("it says who it is");
        fs::read_to_string(format!("/proc/{pid}/environ")).unwrap()
    }

    /// Checks that no library of a window is among the files that it has loaded.
    pub(super) fn knows_of_no_window(&self) {
        let pid = self.pid().expect("it says who it is");
        let loaded = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
        for part in ["webkit", "javascriptcore", "libgtk"] {
            assert!(!loaded.contains(part), "what follows the tasks without a window is small: no {part}");
        }
    }

    /// Waits until it has ended.
    pub(super) async fn ends(&self) {
        let ended = async {
            while self.runs() {
                look_again().await;
            }
        };
        soon("the end of the owner", ended).await;
    }
}
