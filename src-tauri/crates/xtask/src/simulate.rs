//! Random worlds around the engine's state machine. They live in the tests of the engine, which play a few in every run; how
//! many more, and from which seed, stands in a variable.

use std::hash::{BuildHasher, RandomState};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;

use crate::cmd;
use crate::repo::{Repo, WORKSPACE};
use crate::steps::Steps;

/// The test that plays them, and the variable that it reads.
const TEST: &str = "step::tests::simulate::every_world_comes_to_its_end";
const WISH: &str = "SIGNALBOX_SIMULATE";
/// Without a word about it.
const DEFAULT: Duration = Duration::from_secs(180);
/// For a change, some two minutes: always the same worlds, so that a change fails only by what it did itself.
const WORLDS: u64 = 4_000;
const SEED: u64 = 1;
/// In which each planted fault must be found.
const TO_FIND: Duration = Duration::from_secs(600);

/// Plays worlds for so long, or the one of a seed; or proves that planted faults are found. In a profile of its own, since
/// this is measured by the number of inputs.
pub(crate) fn simulate(repo: &Repo, hours: Option<f64>, seed: Option<u64>, prove: bool) -> ExitCode {
    let mut steps = Steps::default();
    let time = hours.map_or(DEFAULT, |hours| Duration::from_secs_f64(hours * 3_600.0));
    let (name, wish) = match (prove, seed, hours) {
        (true, ..) => ("planted faults", format!("prove seconds={}", TO_FIND.as_secs())),
        (_, Some(seed), None) => ("one world", format!("seed={seed} worlds=1")),
        (_, seed, _) => ("worlds", worlds(seed, time)),
    };
    let mut cargo = repo.cargo();
    cargo.args(["test", "--profile", "simulate", "-p", "signalbox-engine", "--lib"]);
    steps.run(name, || play(&mut cargo, &wish));
    steps.finish()
}

/// Some of it, as part of `test`: of the tests that are `selected` there, since those have been built.
pub(crate) fn a_while(repo: &Repo, selected: &[String]) -> Result<()> {
    let mut cargo = repo.cargo();
    cargo.arg("test").args(WORKSPACE).args(selected);
    play(&mut cargo, &format!("seed={SEED} worlds={WORLDS}"))
}

fn worlds(seed: Option<u64>, time: Duration) -> String {
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0) % 1_000_000_000);
    format!("seed={seed} seconds={}", time.as_secs())
}

fn play(cargo: &mut Command, wish: &str) -> Result<()> {
    println!("{WISH}=\"{wish}\"");
    cmd::run(cargo.args(["--", "--exact", TEST, "--nocapture"]).env(WISH, wish))
}
