//! A private X server and session bus: a window under test never meets the person's own screen, keychain or
//! notifications.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::cmd;
use crate::contained;
use crate::running::Running;

const START_LIMIT: Duration = Duration::from_secs(20);

/// A session bus without service activation: nothing that happens to be installed is started on it.
const BUS_CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=@DIR@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;

/// Whether this process can open windows where a person sees them.
pub(crate) fn is_there() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Runs a command on a private display, where there can be one: what it opens, tells or keeps must not reach the person's
/// own session, and no process may be left.
pub(crate) fn run_on_private(command: &mut Command) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return cmd::run(command);
    }
    contained::run(PrivateDisplay::start()?.apply(command))
}

/// The private X server and bus. Both end when this is dropped.
pub(crate) struct PrivateDisplay {
    number: String,
    bus_address: String,
    _x_server: Running,
    _bus: Running,
    // The bus's socket lives in it: it goes last.
    _dir: TempDir,
}

impl PrivateDisplay {
    /// Starts both and waits until they answer. Linux only.
    pub(crate) fn start() -> Result<PrivateDisplay> {
        if !cfg!(target_os = "linux") {
            bail!("a private display is made with Xvfb, which needs Linux");
        }
        let dir = tempfile::tempdir().context("cannot make a temporary folder")?;
        let (x_server, number) = start_x_server(dir.path())?;
        let (bus, bus_address) = start_bus(dir.path())?;
        Ok(PrivateDisplay {
            number: format!(":{number}"),
            bus_address,
            _x_server: x_server,
            _bus: bus,
            _dir: dir,
        })
    }

    /// Makes the command's windows and bus calls go here and nowhere else.
    pub(crate) fn apply<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("DISPLAY", &self.number)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus_address)
            .env("GDK_BACKEND", "x11")
            // Without a GPU this renderer only costs time.
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            // The accessibility bus would be looked for on the person's session.
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XAUTHORITY")
    }

    /// Saves what is on the screen as a PNG, and fails when it is one blank area: a window that shows nothing. Returns what
    /// is equal for equal pictures.
    pub(crate) fn screenshot(&self, file: &Path) -> Result<String> {
        let mut import = Command::new("import");
        cmd::output(self.apply(import.args(["-window", "root"]).arg(file)))?;
        let colours = cmd::output(Command::new("identify").args(["-format", "%k %#"]).arg(file))?;
        let (colours, signature) = colours.trim().split_once(' ').unwrap_or_default();
        if colours.parse::<u64>().unwrap_or(0) < FEWEST_COLOURS {
            bail!("the screen is blank, see {}", file.display());
        }
        Ok(signature.to_owned())
    }
}

/// A window with text on it has hundreds of colours, an empty one two or three.
const FEWEST_COLOURS: u64 = 24;

fn start_x_server(dir: &Path) -> Result<(Running, String)> {
    let log = dir.join("x-server.log");
    let mut command = ending_with_us("Xvfb");
    // `-displayfd 1`: it picks a free number and says it on stdout once it accepts windows.
    command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(std::fs::File::create(&log)?);
    Running::start_and_hear(&mut command, START_LIMIT).with_context(|| tail(&log))
}

fn start_bus(dir: &Path) -> Result<(Running, String)> {
    let config = dir.join("bus.conf");
    std::fs::write(&config, BUS_CONFIG.replace("@DIR@", &dir.to_string_lossy()))?;
    let log = dir.join("bus.log");
    let mut command = ending_with_us("dbus-daemon");
    command.arg(format!("--config-file={}", config.display())).args(["--nofork", "--print-address=1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(std::fs::File::create(&log)?);
    Running::start_and_hear(&mut command, START_LIMIT).with_context(|| tail(&log))
}

/// The program, ended by the system when xtask is gone, however it went: nothing is dropped on Ctrl-C or SIGKILL.
pub(crate) fn ending_with_us(program: &str) -> Command {
    if cfg!(target_os = "linux") && cmd::on_path("setpriv") {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM", "--", program]);
        return command;
    }
    Command::new(program)
}

/// The last lines of a log, for a message.
pub(crate) fn tail(log: &Path) -> String {
    const LINES: usize = 30;
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_the_end_of_the_log() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let log = dir.path().join("log");
        let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
        std::fs::write(&log, text).expect("writable");
        let tail_text = tail(&log);
        assert!(tail_text.starts_with("line 71\n") && tail_text.ends_with("line 100"), "{tail_text}");
        assert_eq!(tail(&dir.path().join("none")), "", "a log that is not there has no lines");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn two_private_displays_are_apart_and_both_answer() {
        let one = PrivateDisplay::start().expect("Xvfb and dbus-daemon are there");
        let two = PrivateDisplay::start().expect("Xvfb and dbus-daemon are there");
        assert_ne!(one.number, two.number, "each picks a free number");
        assert_ne!(one.bus_address, two.bus_address);
        for display in [&one, &two] {
            let mut size = Command::new("xdotool");
            let size = cmd::output(display.apply(&mut size).arg("getdisplaygeometry")).expect("X answers");
            assert_eq!(size.trim(), "1280 800");
            let mut names = Command::new("dbus-send");
            names.args([
                "--session",
                "--print-reply",
                "--dest=org.freedesktop.DBus",
                "/org/freedesktop/DBus",
            ]);
            names.arg("org.freedesktop.DBus.ListActivatableNames");
            let names = cmd::output(display.apply(&mut names)).expect("the bus answers");
            assert_eq!(
                names.matches("string \"").count(),
                1,
                "nothing but the bus can be activated: {names}"
            );
        }
    }
}
