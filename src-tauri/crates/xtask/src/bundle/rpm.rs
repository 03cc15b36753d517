//! The .rpm: its list, against what it should hold.

use std::process::Command;

use super::contents::Contents;
use super::package;
use crate::cmd;
use crate::repo::Repo;
use crate::steps::Steps;

/// Adds the proof as a step.
pub(super) fn verify(repo: &Repo, contents: &Contents, steps: &mut Steps) {
    steps.run(".rpm contents", || {
        let list = cmd::output(
            Command::new("rpm").args(["--query", "--list", "--package"]).arg(package(repo, "rpm")?),
        )?;
        print!("{list}");
        super::none(contents.differences(&list))
    });
}
