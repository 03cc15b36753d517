//! Programs of others that only tests run, pinned by manifests in `tests/` and installed in a folder of cargo's target
//! folder: nothing is installed for the whole machine, and nothing in the checkout changes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::needs::Purpose;
use super::node;
use super::packages;
use super::stamp::Stamp;
use crate::cmd;
use crate::repo::Repo;

/// What npm reads: a manifest folder with these has npm packages.
const OF_NPM: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];
/// What pip reads, with a hash for every file it may take: a manifest folder with it has Python packages.
const OF_PIP: &str = "requirements.txt";

/// What the manifests of one folder pin.
pub(crate) struct Tools {
    manifests: PathBuf,
    folder: PathBuf,
}

impl Tools {
    /// Those of a folder of `tests/`.
    pub(crate) fn of(repo: &Repo, name: &str) -> Tools {
        Tools { manifests: repo.root.join("tests").join(name), folder: repo.target.join("tools").join(name) }
    }

    /// Where they are: npm's in `node_modules`, Python's in `venv`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether all of them are installed as pinned.
    pub(crate) fn are_there(&self) -> Result<bool> {
        let lock = self.manifests.join("package-lock.json");
        let npm = !lock.is_file() || node::has_packages_of(&self.folder, &lock)?;
        Ok(npm && self.python()?.is_none_or(|(stamp, _)| stamp.is_current()))
    }

    /// Installs what is not.
    pub(crate) fn set_up(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot create {}", self.folder.display()))?;
        if self.manifests.join("package.json").is_file() {
            for name in OF_NPM {
                std::fs::copy(self.manifests.join(name), self.folder.join(name))
                    .with_context(|| format!("cannot copy {name} of {}", self.manifests.display()))?;
            }
            node::install_locked(&self.folder)?;
        }
        match self.python()? {
            Some((stamp, requirements)) if !stamp.is_current() => {
                self.install_python(&requirements)?;
                stamp.set()
            }
            _ => Ok(()),
        }
    }

    /// What says which requirements the virtual environment fulfils, and where they are.
    fn python(&self) -> Result<Option<(Stamp, PathBuf)>> {
        let requirements = self.manifests.join(OF_PIP);
        if !requirements.is_file() {
            return Ok(None);
        }
        let text = std::fs::read(&requirements).with_context(|| format!("{}", requirements.display()))?;
        Ok(Some((Stamp::new(self.folder.join("venv/.signalbox-installed"), &[text]), requirements)))
    }

    fn install_python(&self, requirements: &Path) -> Result<()> {
        let python = if cfg!(windows) { "python" } else { "python3" };
        // Debian has the second half of it in a package of its own.
        let is_fit = || {
            cmd::answers(python, &["-c", "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"])
        };
        if !is_fit() {
            packages::system_packages(&[Purpose::Python])?;
        }
        if !is_fit() {
            bail!("`{python}` is not Python 3.11 or newer with its module venv");
        }
        let venv = self.folder.join("venv");
        cmd::run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&venv))?;
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        let mut pip = Command::new(venv.join(program));
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes"]);
        cmd::run(pip.args(["--no-deps", "--requirement"]).arg(requirements))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_manifests_needs_nothing() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let repo = Repo { root: dir.path().to_owned(), target: dir.path().join("target") };
        let tools = Tools::of(&repo, "x");
        assert!(tools.are_there().expect("readable"));
        tools.set_up().expect("nothing to do");
        assert!(tools.folder().is_dir());
    }

    #[test]
    fn what_was_installed_from_other_requirements_is_not_there() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let repo = Repo { root: dir.path().to_owned(), target: dir.path().join("target") };
        let tools = Tools::of(&repo, "x");
        std::fs::create_dir_all(&tools.manifests).expect("folder");
        std::fs::create_dir_all(tools.folder.join("venv")).expect("folder");
        std::fs::write(tools.manifests.join(OF_PIP), "a==1").expect("file");
        assert!(!tools.are_there().expect("readable"), "nothing was installed yet");
        tools.python().expect("readable").expect("pinned").0.set().expect("writable");
        assert!(tools.are_there().expect("readable"));
        std::fs::write(tools.manifests.join(OF_PIP), "a==2").expect("file");
        assert!(!tools.are_there().expect("readable"), "another version is pinned");
    }
}
