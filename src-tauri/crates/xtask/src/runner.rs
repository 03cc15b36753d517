//! How tests are run that start our programs.

use std::process::Command;

use crate::cmd;
use crate::repo::{Profile, Repo, WORKSPACE};

/// Runs one test target; `args` go to the test runner.
pub(crate) fn only(repo: &Repo, target: &str, args: &[String]) -> Command {
    let mut tests = repo.cargo();
    if nextest_is_there() {
        tests.args(["nextest", "run"]).args(WORKSPACE).args(["--test", target]).args(args);
    } else {
        tests.arg("test").args(WORKSPACE).args(["--test", target, "--"]).args(args);
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
