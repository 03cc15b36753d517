//! What other systems have of their own is compiled here as far as types and lints go: none of it is linked or run. So compilers
//! for those systems are not needed for the C in it, and a script that makes empty files stands for them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cmd;
use crate::repo::Repo;
use crate::setup::{self, Purpose};
use crate::steps::Steps;

/// Each system by its name, with what Rust calls it.
const SYSTEMS: [(&str, &str); 2] = [("macOS", "aarch64-apple-darwin"), ("Windows", "x86_64-pc-windows-gnu")];

/// What stands for compilers. It has no name that a build for this machine would look for.
const COMPILER: &str = "makes-empty-files";
/// Where Windows' compiler for resources is looked for by this name.
const RESOURCES: &str = "x86_64-w64-mingw32-windres";

/// Makes the file that a compiler or an archiver is told to make, and says that it is a compiler.
const STANDS_IN: &str = r#"#!/bin/sh
echo "clang version 17.0.0"
while [ $# -gt 0 ]; do
  case "$1" in
    -o) : > "$2"; shift ;;
    *.a) : > "$1" ;;
  esac
  shift
done
"#;

/// Checks the window's program and the command for each system, without a warning.
pub(crate) fn elsewhere(repo: &Repo) -> ExitCode {
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(&[Purpose::Build]))
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo));
    if ready {
        for (name, system) in SYSTEMS {
            steps.run(name, || check(repo, system));
        }
    }
    steps.finish()
}

fn check(repo: &Repo, system: &str) -> Result<()> {
    if !cfg!(unix) {
        bail!("this runs on Linux and macOS only");
    }
    cmd::run(Command::new("rustup").current_dir(&repo.root).args(["target", "add", system]))?;
    let target = repo.target.join("elsewhere");
    let stand_in = stand_in(&target)?;
    let mut clippy = repo.cargo();
    for tool in ["CC", "CXX", "AR"] {
        clippy.env(format!("{tool}_{}", system.replace('-', "_")), stand_in.join(COMPILER));
    }
    clippy.env("SDKROOT", &stand_in).env("PATH", before(&stand_in)?);
    clippy.args(["clippy", "--target", system, "--target-dir"]).arg(&target);
    cmd::run(clippy.args(["-p", "signalbox-desktop", "-p", "signalbox-cli", "--", "-D", "warnings"]))
}

/// The folder of what stands for compilers.
fn stand_in(target: &Path) -> Result<PathBuf> {
    let dir = target.join("stand-in");
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    for name in [COMPILER, RESOURCES] {
        let file = dir.join(name);
        fs::write(&file, STANDS_IN).with_context(|| format!("cannot write {}", file.display()))?;
        cmd::run(Command::new("chmod").arg("+x").arg(file))?;
    }
    Ok(dir)
}

/// PATH with this folder as the first.
fn before(dir: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::iter::once(dir.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(dirs).context("PATH cannot be set")
}
