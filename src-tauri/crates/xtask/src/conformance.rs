//! The conformance tool of the MCP project, which examines the client of `tests/conformance`.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cmd;
use crate::repo::{Profile, Repo, WORKSPACE};
use crate::setup::{self, Purpose, Tools};
use crate::steps::Steps;

/// The folder in `tests/` that holds the client and pins the tool.
const FOLDER: &str = "conformance";
/// The client, as a program.
const CLIENT: &str = "conformance-client";
/// The versions of MCP whose scenarios it goes through: one for each wire.
const VERSIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];
/// Scenarios of extensions that we speak, beside those of the versions.
const EXTENSIONS: [&str; 2] = ["auth/client-credentials-basic", "auth/client-credentials-jwt"];

/// Sets up the tool, builds the client, and runs every scenario of both versions.
pub(crate) fn conformance(repo: &Repo) -> ExitCode {
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(&[Purpose::Build]))
        && steps.run("conformance tool", || tool(repo).set_up())
        && steps.run("build", || cmd::run(repo.cargo().arg("build").args(WORKSPACE).args(["--bin", CLIENT])));
    if ready {
        all_scenarios(repo, &mut steps);
    }
    steps.finish()
}

/// The tool, wherever it is.
pub(crate) fn tool(repo: &Repo) -> Tools {
    Tools::of(repo, FOLDER)
}

/// Runs every scenario of both versions, and of the extensions. The client must have been built and the tool set up.
pub(crate) fn all_scenarios(repo: &Repo, steps: &mut Steps) {
    for version in VERSIONS {
        let all = ["--suite", "all", "--verbose", "--spec-version", version];
        steps.run(&format!("conformance to MCP {version}"), || run(repo, &all, version));
    }
    for scenario in EXTENSIONS {
        let name = scenario.replace('/', "-");
        steps.run(&format!("conformance: {scenario}"), || run(repo, &["--scenario", scenario], &name));
    }
}

/// Runs what `args` select, all at once, and shows the tool's summary. All that it says is kept, by `name`.
fn run(repo: &Repo, args: &[&str], name: &str) -> Result<()> {
    let programs = tool(repo).folder().join("node_modules").join(".bin");
    let client = repo.program(Profile::Dev, CLIENT);
    let ours = client.parent().context("BUG: a program is in a folder")?;
    let mut run = Command::new(programs.join(if cfg!(windows) { "conformance.cmd" } else { "conformance" }));
    // The tool splits the client's command at spaces, so it gets no path; and it wants the Node that is pinned with it.
    run.env("PATH", first_in_path([&programs, ours])?);
    run.args(["client", "--command", CLIENT]).args(args);
    let done = run.output().with_context(|| format!("cannot start `{}`", cmd::line(&run)))?;

    let said = [done.stderr, done.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let log = repo.scratch()?.join(format!("conformance-{name}.log"));
    std::fs::write(&log, &said).with_context(|| format!("cannot write {}", log.display()))?;
    println!("{}", summary(&said));
    if !done.status.success() {
        bail!("not all of it held; what the tool and the client said is in {}", log.display());
    }
    Ok(())
}

/// What the tool says at its end, about one scenario or about many; all it said where it did not come to that.
fn summary(said: &str) -> &str {
    let ends = ["=== SUITE SUMMARY ===", "Test Results:"];
    let end = ends.iter().find_map(|end| said.split_once(end));
    end.map_or(said, |(_, summary)| summary).trim()
}

/// `PATH` with these folders before all others.
fn first_in_path(folders: [&Path; 2]) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.into_iter().map(Path::to_owned).chain(std::env::split_paths(&path));
    std::env::join_paths(all).context("a folder whose name cannot be part of PATH")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_the_end_of_what_the_tool_says() {
        let many = "Starting a\n\n=== SUITE SUMMARY ===\n\n✓ a: 1 passed\n\nTotal: 1 passed\n";
        assert_eq!(summary(many), "✓ a: 1 passed\n\nTotal: 1 passed");
        assert_eq!(summary("Checks:\n…\nTest Results:\nPassed: 9/9\n"), "Passed: 9/9");
        assert_eq!(summary("no such version\n"), "no such version", "a tool that gave up shows why");
    }

    #[test]
    fn ours_come_before_all_others() {
        let path = first_in_path([Path::new("ours"), Path::new("theirs")]).expect("plain names");
        let first: Vec<_> = std::env::split_paths(&path).take(2).collect();
        assert_eq!(first, [Path::new("ours"), Path::new("theirs")]);
    }
}
