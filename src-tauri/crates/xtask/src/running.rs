//! A child process that can be waited for with a time limit and is never left behind.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::cmd;

/// A started program. Dropping it ends it at once.
pub(crate) struct Running {
    name: String,
    pid: u32,
    exited: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
}

impl Running {
    /// Starts the command.
    pub(crate) fn start(command: &mut Command) -> Result<Running> {
        let child = Running::spawn(command)?;
        Ok(Running::watch(command, child))
    }

    /// Starts the command and waits for its first line on stdout, which must be piped: how Xvfb and dbus-daemon say
    /// that they are there, and where.
    pub(crate) fn start_and_hear(command: &mut Command, limit: Duration) -> Result<(Running, String)> {
        let mut child = Running::spawn(command)?;
        let stdout = child.stdout.take().expect("BUG: stdout must be piped");
        let running = Running::watch(command, child);
        match first_line(stdout).recv_timeout(limit) {
            Ok(line) if !line.trim().is_empty() => Ok((running, line.trim().to_owned())),
            Ok(_) => bail!("`{}` ended before it was ready", running.name),
            Err(_) => bail!("`{}` was not ready after {} s", running.name, limit.as_secs()),
        }
    }

    fn spawn(command: &mut Command) -> Result<Child> {
        command.spawn().with_context(|| format!("cannot start `{}`", cmd::line(command)))
    }

    fn watch(command: &Command, mut child: Child) -> Running {
        let (report, exited) = mpsc::channel();
        let pid = child.id();
        std::thread::spawn(move || {
            if let Ok(status) = child.wait() {
                // Nobody listens any more when the owner was dropped.
                let _ = report.send(status);
            }
        });
        Running { name: cmd::line(command), pid, exited, status: None }
    }

    /// Its status if it ends within `limit`.
    pub(crate) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.exited.recv_timeout(limit).ok();
        }
        self.status
    }

    /// Asks it to end and waits; one that does not end within `grace` is ended by force, which is an error.
    pub(crate) fn stop(&mut self, grace: Duration) -> Result<ExitStatus> {
        if let Some(status) = self.wait(Duration::ZERO) {
            return Ok(status);
        }
        signal(self.pid, Ask::Politely)?;
        match self.wait(grace) {
            Some(status) => Ok(status),
            None => {
                self.kill();
                bail!("`{}` did not end within {} s after it was asked to", self.name, grace.as_secs())
            }
        }
    }

    fn kill(&mut self) {
        if self.wait(Duration::ZERO).is_none() && signal(self.pid, Ask::ByForce).is_ok() {
            self.wait(Duration::from_secs(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn first_line(stdout: impl Read + Send + 'static) -> Receiver<String> {
    let (report, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = String::new();
        if reader.read_line(&mut line).is_ok() {
            let _ = report.send(line);
        }
        // Reads on, so that the program never blocks on, or dies of, a pipe nobody empties.
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
    });
    heard
}

enum Ask {
    Politely,
    ByForce,
}

#[cfg(unix)]
fn signal(pid: u32, ask: Ask) -> Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).context("not a process id")?;
    let signal = match ask {
        Ask::Politely => Signal::TERM,
        Ask::ByForce => Signal::KILL,
    };
    kill_process(pid, signal).with_context(|| format!("cannot signal process {pid:?}"))
}

#[cfg(not(unix))]
fn signal(pid: u32, ask: Ask) -> Result<()> {
    let mut taskkill = Command::new("taskkill");
    taskkill.args(["/T", "/PID", &pid.to_string()]);
    if matches!(ask, Ask::ByForce) {
        taskkill.arg("/F");
    }
    cmd::output(&mut taskkill).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;

    use super::*;

    fn sh(script: &str) -> Command {
        let mut sh = Command::new("sh");
        sh.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped());
        sh
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn hears_the_first_line_and_stops_gracefully() {
        let mut command = sh("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done");
        let (mut running, line) = Running::start_and_hear(&mut command, LONG).expect("it says ready");
        assert_eq!(line, "ready");
        assert_eq!(running.wait(Duration::ZERO), None, "it runs until it is asked to end");
        let status = running.stop(LONG).expect("it handles TERM");
        assert_eq!(status.code(), Some(7), "its own handler decided the exit code, so it was not killed");
    }

    #[test]
    fn a_program_that_ends_silently_is_an_error() {
        assert!(Running::start_and_hear(&mut sh("exit 3"), LONG).is_err());
        let mut ended = Running::start(&mut sh("exit 3")).expect("sh starts");
        assert_eq!(ended.wait(LONG).and_then(|status| status.code()), Some(3));
    }

    #[test]
    fn one_that_ignores_the_request_is_killed_and_reported() {
        let mut command = sh("trap '' TERM; echo ready; while :; do sleep 0.01; done");
        let (mut running, _) = Running::start_and_hear(&mut command, LONG).expect("it says ready");
        assert!(running.stop(Duration::from_millis(50)).is_err(), "ending by force is not a graceful end");
        assert!(running.status.is_some(), "it is gone");
    }
}
