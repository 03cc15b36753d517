//! Rounds of faults against a real `signalbox serve`: the harness is the program `faults` of `tests/`. Rounds in which the
//! window's page dies are a journey.

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::cmd;
use crate::contained;
use crate::e2e;
use crate::repo::{OPTIMISED, Profile, Repo, WORKSPACE};
use crate::steps::Steps;

/// The owner, and the harness.
const PROGRAMS: [&str; 4] = ["--bin", "signalbox", "--bin", "faults"];
/// Rounds that a change must pass. Each takes two to three seconds, five at most.
const FEW: u64 = 10;
/// So long (s) servers grow for a change.
const SHORT: u64 = 10;
/// For so many rounds one in which the page dies: it takes ten times as long.
const ROUNDS_TO_A_PAGE: u64 = 50;

/// Lets servers grow beside an owner as it is released, then plays the rounds with one that checks itself, as it is built for
/// tests. The harness prints what it tried.
pub(crate) fn faults(repo: &Repo, rounds: u64, seed: Option<u64>, grow: u64) -> Result<ExitCode> {
    possible()?;
    let mut steps = Steps::default();
    if grow > 0 {
        steps.run("growth", || {
            cmd::run(repo.cargo().args(["build", "--release"]).args(OPTIMISED).args(PROGRAMS))?;
            contained::run(&mut harness(repo, Profile::Release, 0, grow))
        });
    }
    if rounds > 0 {
        steps.run("rounds", || {
            cmd::run(repo.cargo().arg("build").args(WORKSPACE).args(PROGRAMS))?;
            let mut harness = harness(repo, Profile::Dev, rounds, 0);
            if let Some(seed) = seed {
                harness.args(["--seed", &seed.to_string()]);
            }
            contained::run(&mut harness)
        });
    }
    let pages = rounds / ROUNDS_TO_A_PAGE;
    if pages > 0 && e2e::set_up(repo, &mut steps) {
        steps.run("deaths of the page", || e2e::page_deaths(repo, pages, seed));
    }
    Ok(steps.finish())
}

/// A little of growth and a few rounds, as part of `test`. Everything must have been built.
pub(crate) fn a_few(repo: &Repo) -> Result<()> {
    contained::run(&mut harness(repo, Profile::Dev, FEW, SHORT))
}

/// It fills disks, moves clocks and stops programs by means of this system only.
fn possible() -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("the fault harness needs Linux");
    }
    Ok(())
}

fn harness(repo: &Repo, profile: Profile, rounds: u64, grow: u64) -> Command {
    let mut harness = Command::new(repo.program(profile, "faults"));
    harness.env("SIGNALBOX_BIN", repo.program(profile, "signalbox"));
    harness.args(["--rounds", &rounds.to_string(), "--grow", &grow.to_string()]);
    harness
}
