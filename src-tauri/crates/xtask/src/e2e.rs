//! The journeys through the real window, on a private display, against the programs of the development profile.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::cmd;
use crate::contained;
use crate::display::PrivateDisplay;
use crate::repo::{Profile, Repo, WINDOW_TESTS, WORKSPACE};
use crate::setup::{self, Purpose};
use crate::steps::Steps;
use crate::test::build_all;

/// Sets up, builds and runs the journeys; `args` go to the test runner.
pub(crate) fn e2e(repo: &Repo, args: &[String]) -> ExitCode {
    let mut steps = Steps::default();
    if set_up(repo, &mut steps) {
        steps.run("window journeys", || window_journeys(repo, args));
    }
    steps.finish()
}

/// Sets up and builds all that the journeys need.
pub(crate) fn set_up(repo: &Repo, steps: &mut Steps) -> bool {
    steps.run("system packages", || setup::system_packages(&[Purpose::Build, Purpose::Display]))
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo))
        && steps.run("build", || build_all(repo))
}

/// Runs the journeys. Everything must have been built.
pub(crate) fn window_journeys(repo: &Repo, args: &[String]) -> Result<()> {
    let display = PrivateDisplay::start()?;
    contained::run(display.apply(&mut journeys(repo, args)))
}

/// Rounds in which the window's page dies, from this seed on. Everything must have been built.
pub(crate) fn page_deaths(repo: &Repo, rounds: u64, seed: u64) -> Result<()> {
    let display = PrivateDisplay::start()?;
    let name = "wherever_the_page_dies".to_owned();
    for seed in (seed..).take(usize::try_from(rounds)?) {
        let mut round = journeys(repo, std::slice::from_ref(&name));
        contained::run(display.apply(&mut round).env("SIGNALBOX_SEED", seed.to_string()))?;
    }
    Ok(())
}

fn journeys(repo: &Repo, args: &[String]) -> Command {
    let mut tests = repo.cargo();
    if nextest_is_there() {
        tests.args(["nextest", "run"]).args(WORKSPACE).args(["--test", WINDOW_TESTS]).args(args);
    } else {
        tests.arg("test").args(WORKSPACE).args(["--test", WINDOW_TESTS, "--"]).args(args);
    }
    with_programs(repo, &mut tests);
    tests
}

/// Tells tests that start our programs where they are.
pub(crate) fn with_programs<'c>(repo: &Repo, command: &'c mut Command) -> &'c mut Command {
    command
        .env("SIGNALBOX_BIN", repo.program(Profile::Dev, "signalbox"))
        .env("SIGNALBOX_DESKTOP_BIN", repo.program(Profile::Dev, "signalbox-desktop"))
}

/// Whether tests run through nextest, which is faster. Never installed by us: `cargo test` does the same.
pub(crate) fn nextest_is_there() -> bool {
    cmd::answers("cargo", &["nextest", "--version"])
}
