//! Where things are in this checkout, and how the workspace is built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;

use crate::cmd;

/// The target in `tests/` that holds the journeys through the real window, and the feature without which it is
/// not built: a plain `cargo test` there must not need a display.
pub(crate) const WINDOW_TESTS: &str = "window";

/// The target in `tests/` that runs against servers of others, and the feature without which, and without that of the
/// window, it is not built: those servers are installed by `cargo xtask` alone.
pub(crate) const FOREIGN_TESTS: &str = "foreign";

/// Every build of the development profile selects the whole workspace with these arguments. Selecting a single
/// package would resolve other features for its dependencies, and tauri would be built once more for each variant.
pub(crate) const WORKSPACE: [&str; 3] =
    ["--workspace", "--features", "signalbox-tests/window,signalbox-tests/foreign,signalbox-api/bindings"];

/// One selection for all that is built optimised to be tried: another one would resolve other features and build them once more.
pub(crate) const OPTIMISED: [&str; 8] = [
    "-p",
    "signalbox-cli",
    "-p",
    "signalbox-desktop",
    "-p",
    "signalbox-tests",
    "--features",
    "signalbox-tests/window",
];

/// The checkout that developer commands work on.
pub(crate) struct Repo {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, which may be outside the checkout.
    pub(crate) target: PathBuf,
}

impl Repo {
    /// Finds the workspace that the current folder belongs to.
    pub(crate) fn find() -> Result<Repo> {
        let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
        Ok(Repo {
            root: metadata.workspace_root.into_std_path_buf(),
            target: metadata.target_directory.into_std_path_buf(),
        })
    }

    /// The folder of the UI's `package.json`.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// What xtask itself writes: logs and screenshots.
    pub(crate) fn scratch(&self) -> Result<PathBuf> {
        let dir = self.target.join("xtask");
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
        Ok(dir)
    }

    /// The data directory of `run` and `dev`: never the person's real one.
    pub(crate) fn run_home(&self) -> PathBuf {
        self.target.join("run-home")
    }

    /// A program this workspace builds, in one profile's folder.
    pub(crate) fn program(&self, profile: Profile, name: &str) -> PathBuf {
        self.target.join(profile.dir()).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// `cargo` in the workspace's root.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = cmd::cargo();
        cargo.current_dir(&self.root);
        cargo
    }

    /// `npm` in the UI's folder.
    pub(crate) fn npm(&self) -> Command {
        let mut npm = cmd::npm();
        npm.current_dir(self.ui());
        npm
    }

    /// Builds these packages in one profile. The UI must have been built: it goes into the window.
    pub(crate) fn build(&self, profile: Profile, packages: &[&str]) -> Result<()> {
        let selected = packages.iter().flat_map(|package| ["-p", package]);
        cmd::run(self.cargo().args(["build", "--profile", profile.name()]).args(selected))
    }
}

/// Which of cargo's profiles a program was built in.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// The development profile, in `target/debug`.
    Dev,
    /// What is soon built and quick, in `target/release`.
    Release,
    /// What is packed and measured, in `target/dist`.
    Dist,
}

impl Profile {
    fn dir(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            _ => self.name(),
        }
    }

    /// What cargo calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Profile::Dev => "dev",
            Profile::Release => "release",
            Profile::Dist => "dist",
        }
    }
}

/// All files under `dir`, in a stable order, without the folders named in `skip`.
pub(crate) fn files_under(dir: &Path, skip: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                files.push(entry.path());
            } else if !skip.iter().any(|name| entry.file_name() == *name) {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_and_skipped_folders_left_out() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for path in ["b/two", "a/one", "node_modules/x/y", "top"] {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().expect("has a parent")).expect("folder");
            std::fs::write(path, "").expect("file");
        }
        let files = files_under(dir.path(), &["node_modules"]).expect("readable");
        let names: Vec<_> = files.iter().map(|f| f.strip_prefix(dir.path()).expect("inside")).collect();
        assert_eq!(names, [Path::new("a/one"), Path::new("b/two"), Path::new("top")]);
    }
}
