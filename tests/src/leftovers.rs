//! What still runs on a machine that is given up: a test that fails stops in the middle, and what an owner of its started
//! may heed no wish to end.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// What is ended may just have started another; so it is looked for again, this often at most.
const LOOKS: usize = 20;
/// The longest that the end of one is waited for.
const END: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };

/// Dropped, it ends by force whatever has this home folder in its environment: no two machines have the same, and nothing
/// else has one of them.
#[derive(Debug)]
pub(crate) struct Leftovers {
    home: PathBuf,
}

impl Leftovers {
    pub(crate) fn at(home: PathBuf) -> Self {
        Self { home }
    }

    fn found(&self) -> Vec<OwnedFd> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        let ours = pids.filter(|pid| is_at_home(*pid, &self.home));
        // Held before it is looked at again: its number may be another's by now.
        let held = ours.filter_map(|pid| Some((pid, pidfd_open(pid, PidfdFlags::empty()).ok()?)));
        held.filter(|(pid, _)| is_at_home(*pid, &self.home)).map(|(_, fd)| fd).collect()
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        for _ in 0..LOOKS {
            let found = self.found();
            if found.is_empty() {
                return;
            }
            for fd in &found {
                // It may have ended just now.
                let _ = pidfd_send_signal(fd, Signal::KILL);
            }
            for fd in &found {
                let _ = poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&END));
            }
        }
    }
}

/// What has ended, and nobody has asked how, has no environment any more.
fn is_at_home(pid: Pid, home: &Path) -> bool {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let home = [b"HOME=", home.as_os_str().as_encoded_bytes()].concat();
    environment.split(|byte| *byte == 0).any(|variable| variable == home)
}
