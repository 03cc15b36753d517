//! Builds that more than one command needs.

use anyhow::Result;

use crate::cmd;
use crate::repo::{Repo, WORKSPACE};

/// Builds programs, tests and examples of the development profile in one go.
pub(crate) fn build_all(repo: &Repo) -> Result<()> {
    cmd::run(repo.cargo().arg("build").args(WORKSPACE).arg("--all-targets"))
}
