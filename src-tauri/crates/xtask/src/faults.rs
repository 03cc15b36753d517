//! Rounds of faults against a real `signalbox serve`: the harness is the program `faults` of `tests/`.

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::cmd;
use crate::e2e::with_programs;
use crate::repo::{Profile, Repo, WORKSPACE};

/// Rounds that a change must pass. Each takes two to three seconds, five at most.
const FEW: u64 = 10;

/// Builds both programs and plays the rounds; the harness prints what it tried and the last line.
pub(crate) fn faults(repo: &Repo, rounds: u64, seed: Option<u64>, grow: u64) -> Result<ExitCode> {
    possible()?;
    cmd::run(repo.cargo().arg("build").args(WORKSPACE).args(["--bin", "signalbox", "--bin", "faults"]))?;
    let mut harness = harness(repo, rounds, grow);
    if let Some(seed) = seed {
        harness.args(["--seed", &seed.to_string()]);
    }
    Ok(if harness.status()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A few rounds, as part of `test`. Everything must have been built.
pub(crate) fn a_few(repo: &Repo) -> Result<()> {
    cmd::run(&mut harness(repo, FEW, 0))
}

/// It fills disks, moves clocks and stops programs by means of this system only.
fn possible() -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("the fault harness needs Linux");
    }
    Ok(())
}

fn harness(repo: &Repo, rounds: u64, grow: u64) -> Command {
    let mut harness = Command::new(repo.program(Profile::Dev, "faults"));
    with_programs(repo, &mut harness).args(["--rounds", &rounds.to_string(), "--grow", &grow.to_string()]);
    harness
}
