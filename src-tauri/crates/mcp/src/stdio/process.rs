//! Processes that are not our children, as Linux shows them.

use std::{
    fs,
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::retry_on_intr,
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};

use super::note::Identity;

/// Which run of the machine this is.
pub(super) fn boot() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(boot.trim().to_owned())
}

/// Who the process with this id is now.
pub(super) fn identity(pid: u32) -> Option<Identity> {
    let pid = i32::try_from(pid).ok()?;
    Some(Identity { pid, started: Seen::of(pid)?.started, boot: boot()? })
}

/// What the system shows of a process; also of one that has ended and that nobody has asked how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    group: i32,
    started: u64,
}

impl Seen {
    fn of(pid: i32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(stat: &str) -> Option<Self> {
        // The name, the second field, may hold anything. Behind it come fields 3 and on.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(Self { group: fields.get(5 - 3)?.parse().ok()?, started: fields.get(22 - 3)?.parse().ok()? })
    }
}

/// A process that is held: whoever gets its id after its end is not reached through this.
struct Member {
    pid: i32,
    started: u64,
    held: OwnedFd,
}

impl Member {
    /// The process that has this id now, with what is seen of it. It is held first and looked at then. So
    /// what is seen belongs to the process that is held, or to a later one with its id after its end.
    fn hold(pid: i32) -> Option<(Self, Seen)> {
        let held = pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()?;
        let seen = Seen::of(pid)?;
        Some((Self { pid, started: seen.started, held }, seen))
    }

    fn is_in(&self, group: i32) -> bool {
        Seen::of(self.pid) == Some(Seen { group, started: self.started })
    }
}

/// A program with all in its process group that are proven to be of it.
pub(super) struct Family {
    group: i32,
    members: Vec<Member>,
}

impl Family {
    /// The family of a program that leads a group, if the program still runs.
    pub(super) fn of(program: &Identity) -> Option<Self> {
        let (leader, seen) = Member::hold(program.pid)?;
        let is_it = seen == Seen { group: program.pid, started: program.started };
        is_it.then(|| Self { group: program.pid, members: vec![leader] })
    }

    /// Ends them: asks, and goes on by force, each within `grace`. False when some are left. Blocks.
    pub(super) fn end(mut self, grace: Duration) -> bool {
        self.gather();
        self.signal(Signal::TERM);
        // How that went does not matter: a member may have started others meanwhile.
        let _ = self.ended(Instant::now() + grace);
        let deadline = Instant::now() + grace;
        loop {
            let has_more = self.gather();
            self.signal(Signal::KILL);
            if !self.ended(deadline) {
                return false;
            }
            if !has_more {
                return true;
            }
        }
    }

    /// Adds who else is in the group now. Whether there was anybody.
    fn gather(&mut self) -> bool {
        let known = |pid| self.members.iter().any(|member| member.pid == pid);
        let found: Vec<Member> = pids()
            .filter(|&pid| !known(pid) && Seen::of(pid).is_some_and(|seen| seen.group == self.group))
            .filter_map(Member::hold)
            .filter(|(_, seen)| seen.group == self.group)
            .map(|(member, _)| member)
            .collect();
        // A group has its number as long as anybody is in it, also who has ended and is not asked how. So if one of ours is
        // in it afterwards, it was ours when the others were seen in it.
        let is_ours = self.members.iter().any(|member| member.is_in(self.group));
        let has_more = is_ours && !found.is_empty();
        if is_ours {
            self.members.extend(found);
        }
        has_more
    }

    fn signal(&self, signal: Signal) {
        for member in &self.members {
            // Fails for one that has ended, which is what we want.
            let _ = pidfd_send_signal(&member.held, signal);
        }
    }

    /// Waits until all who are held have ended, or the time is up.
    fn ended(&self, deadline: Instant) -> bool {
        self.members.iter().all(|member| {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            let mut ends = [PollFd::new(&member.held, PollFlags::IN)];
            retry_on_intr(|| poll(&mut ends, left.as_ref())).is_ok_and(|ended| ended > 0)
        })
    }
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_start() {
        let stat = "4711 (a) b (c) S 1 4711 99 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 1000 50 18446744073709551615";
        assert_eq!(Seen::parse(stat), Some(Seen { group: 4711, started: 123_456 }));
        for odd in ["", "4711 (sh", "4711 (sh) S 1", "4711 (sh) S 1 x 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2"] {
            assert_eq!(Seen::parse(odd), None, "{odd:?}");
        }
        let us = identity(std::process::id()).unwrap();
        assert_eq!(identity(std::process::id()), Some(us.clone()), "it stays the same");
        assert_ne!(identity(std::process::id()).map(|us| us.started), identity(1).map(|first| first.started));
        assert_eq!(Identity::parse(&format!("{}.{}.{}", us.pid, us.started, us.boot)), Some(us));
    }
}
