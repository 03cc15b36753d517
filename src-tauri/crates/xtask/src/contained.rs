//! A step of tests that leaves no process behind.
//!
//! A process whose parent is gone goes to the first of its forebears that adopts orphans, else to the system's first
//! process. So the tests are run by a process of their own, this program once more, which adopts: what is still its child
//! when they have ended was left by a test. It is named, ended, and a failure. (So would be a daemon that the tests' compiler
//! starts, a cache say: everything is built before.)

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cmd;

/// This program as it runs. What stands where it was started from may be another by now: a step before built everything.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// Runs a command of tests to its end. An error also where it leaves a process behind.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return cmd::run(command);
    }
    let mut contained = Command::new(THIS_PROGRAM);
    contained.args(["contained", "--"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => contained.env(name, value),
            None => contained.env_remove(name),
        };
    }
    if let Some(dir) = command.get_current_dir() {
        contained.current_dir(dir);
    }
    cmd::run(&mut contained)
}

/// Runs the command line, and ends as it does; with 1 where it left a process behind.
#[cfg(target_os = "linux")]
pub(crate) fn contained(line: &[OsString]) -> Result<ExitCode> {
    linux::contained(line)
}

/// Elsewhere nothing calls this.
#[cfg(not(target_os = "linux"))]
pub(crate) fn contained(_: &[OsString]) -> Result<ExitCode> {
    anyhow::bail!("orphans are adopted on Linux only")
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::fs;
    use std::os::fd::OwnedFd;
    use std::process::{Command, ExitCode};
    use std::time::{Duration, Instant};

    use anyhow::{Context, Result};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::process::{
        Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, kill_process, pidfd_open,
        set_child_subreaper, wait,
    };

    /// So long what the tests started may take to end after them: a server's program ends when its input does.
    const GRACE: Duration = Duration::from_secs(5);
    /// The longest between two looks: a child that is adopted meanwhile is no end of one.
    const LOOK_AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

    pub(super) fn contained(line: &[OsString]) -> Result<ExitCode> {
        set_child_subreaper(Some(getpid())).context("orphans cannot be adopted")?;
        let (program, args) = line.split_first().context("no command")?;
        let child = Command::new(program).args(args).spawn();
        let child = child.with_context(|| format!("cannot start {}", program.display()))?;
        // Every child is waited for here, this one too.
        let tests = Pid::from_raw(i32::try_from(child.id())?);
        let status = loop {
            match wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) if Some(pid) == tests => break status,
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error).context("cannot wait"),
            }
        };
        let left = ended_but(GRACE)?;
        for (pid, line) in &left {
            eprintln!("left behind by the tests, and ended now: {pid} `{line}`");
        }
        Ok(if left.is_empty() { code(status) } else { ExitCode::FAILURE })
    }

    fn code(status: WaitStatus) -> ExitCode {
        let code = status.exit_status().and_then(|code| u8::try_from(code).ok());
        code.map_or(ExitCode::FAILURE, ExitCode::from)
    }

    /// Waits until all children are gone. Those that are there after so long are ended; they come back by process id, each
    /// with its command line.
    fn ended_but(grace: Duration) -> Result<BTreeMap<i32, String>> {
        let (asked, mut left) = (Instant::now(), BTreeMap::new());
        loop {
            match wait(WaitOptions::NOHANG) {
                Err(Errno::CHILD) => return Ok(left),
                Err(Errno::INTR) | Ok(Some(_)) => continue,
                Err(error) => return Err(error).context("cannot wait"),
                Ok(None) => {}
            }
            if asked.elapsed() > grace {
                for pid in children()? {
                    left.entry(pid.as_raw_nonzero().get()).or_insert_with(|| command_line(pid));
                    // It is ours to wait for, so its number is its own until then.
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            an_end()?;
        }
    }

    /// Waits for the end of a child, but not for long.
    fn an_end() -> Result<()> {
        let held = children()?.into_iter().filter_map(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let held: Vec<OwnedFd> = held.collect();
        let mut ends: Vec<_> = held.iter().map(|child| PollFd::new(child, PollFlags::IN)).collect();
        match poll(&mut ends, Some(&LOOK_AGAIN)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error).context("cannot wait"),
        }
    }

    /// This process's children, also those that it adopted.
    fn children() -> Result<Vec<Pid>> {
        let mut children = Vec::new();
        for thread in fs::read_dir("/proc/self/task")? {
            let Ok(listed) = fs::read_to_string(thread?.path().join("children")) else { continue };
            children.extend(listed.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)));
        }
        Ok(children)
    }

    fn command_line(pid: Pid) -> String {
        let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
        String::from_utf8_lossy(&line).trim_end_matches('\0').replace('\0', " ")
    }
}
