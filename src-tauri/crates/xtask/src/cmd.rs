//! Other programs: how they are named, started and reported.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// `cargo`, without the variables that belong to xtask's own package: build scripts watch some of them, and would
/// run again each time a build alternates between the terminal and xtask.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let of_our_package = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
            .iter()
            .any(|p| text.starts_with(p));
        if of_our_package || text == "CARGO_PRIMARY_PACKAGE" {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// `npm`, which is a script on Windows.
pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Runs to the end with this terminal's input and output. Anything but success is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", line(command));
    }
    Ok(())
}

/// Runs to the end and returns stdout as text; what it wrote to stderr is part of the error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}\n{}", line(command), output.status, stderr.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` did not write text", line(command)))
}

/// Whether the program is there and answers these arguments with success. Nothing is shown.
pub(crate) fn answers(program: &str, args: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

/// Whether a program of this name is on PATH.
pub(crate) fn on_path(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    std::env::split_paths(&path)
        .any(|dir| dir.join(program).is_file() || dir.join(program).with_extension("exe").is_file())
}

/// The command as a person would type it, for messages.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_command_and_what_it_said() {
        let error = output(cargo().arg("no-such-command")).expect_err("cargo has no such command");
        let text = format!("{error:#}");
        assert!(text.contains("`cargo no-such-command` failed"), "{text}");
        assert!(text.contains("no such command"), "stderr is part of it: {text}");
    }

    #[test]
    fn a_missing_program_is_an_error_not_a_panic() {
        assert!(run(&mut Command::new("signalbox-no-such-program")).is_err());
        assert!(!answers("signalbox-no-such-program", &[]));
        assert!(!on_path("signalbox-no-such-program"));
        assert!(on_path("cargo"));
    }
}
