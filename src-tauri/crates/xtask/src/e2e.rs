//! The journeys through the real window, on a private display, against the programs of the development profile.

use std::process::ExitCode;

use anyhow::Result;

use crate::build::build_all;
use crate::contained;
use crate::display::PrivateDisplay;
use crate::repo::{Repo, WINDOW_TESTS};
use crate::runner::only;
use crate::setup::{self, Purpose};
use crate::steps::Steps;

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
    contained::run(display.apply(&mut only(repo, WINDOW_TESTS, args)))
}

/// Rounds in which the window's page dies, from this seed on; else each from one of its own. Everything must have been built.
pub(crate) fn page_deaths(repo: &Repo, rounds: u64, seed: Option<u64>) -> Result<()> {
    let display = PrivateDisplay::start()?;
    let name = "wherever_the_page_dies".to_owned();
    for n in 0..rounds {
        let mut round = only(repo, WINDOW_TESTS, std::slice::from_ref(&name));
        if let Some(seed) = seed {
            round.env("SIGNALBOX_SEED", seed.wrapping_add(n).to_string());
        }
        contained::run(display.apply(&mut round))?;
    }
    Ok(())
}
