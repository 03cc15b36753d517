//! The tests against servers that we did not write, with the command and in the real window: set up in a folder of cargo's
//! target folder, and run on a private display.

use std::process::ExitCode;

use anyhow::Result;

use crate::build::build_all;
use crate::display;
use crate::repo::{FOREIGN_TESTS, Repo};
use crate::runner::only;
use crate::setup::{self, Purpose, Tools};
use crate::steps::Steps;

/// Sets the servers up, builds and runs the tests; `args` go to the test runner.
pub(crate) fn foreign(repo: &Repo, args: &[String]) -> ExitCode {
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(&[Purpose::Build, Purpose::Display]))
        && steps.run("foreign servers", || servers(repo).set_up())
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo))
        && steps.run("build", || build_all(repo));
    if ready {
        steps.run("foreign server tests", || foreign_tests(repo, args));
    }
    steps.finish()
}

/// The servers, wherever they are.
pub(crate) fn servers(repo: &Repo) -> Tools {
    Tools::of(repo, FOREIGN_TESTS)
}

/// Runs the tests. Everything must have been built and set up.
pub(crate) fn foreign_tests(repo: &Repo, args: &[String]) -> Result<()> {
    let mut tests = only(repo, FOREIGN_TESTS, args);
    display::run_on_private(tests.env("SIGNALBOX_FOREIGN", servers(repo).folder()))
}
