//! Node, the UI's npm packages, and the built UI. Each is done again only when what it was made from changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::cmd;
use crate::repo::{Repo, files_under};

const OLDEST_NODE: u32 = 20;

/// Checks Node and runs `npm ci` where the lock file, or Node itself, changed since the last time.
pub(crate) fn install_npm_packages(repo: &Repo) -> Result<()> {
    let node = node_version()?;
    let lock = repo.ui().join("package-lock.json");
    let bytes = std::fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let stamp = Stamp::new(repo, "installed", &[node.as_bytes(), &bytes]);
    if stamp.is_current() {
        return Ok(());
    }
    cmd::run(repo.npm().args(["ci", "--no-audit", "--no-fund"]))?;
    stamp.set()
}

/// Builds `ui/dist` where the UI's sources changed since the last time. The packages must be installed.
pub(crate) fn build_ui(repo: &Repo) -> Result<()> {
    let ui = repo.ui();
    let mut parts = Vec::new();
    for file in files_under(&ui, &["node_modules", "dist"])? {
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        parts.push(file.strip_prefix(&ui).unwrap_or(&file).as_os_str().as_encoded_bytes().to_vec());
        parts.push(bytes);
    }
    let stamp = Stamp::new(repo, "built", &parts);
    if stamp.is_current() && ui.join("dist/index.html").is_file() {
        return Ok(());
    }
    cmd::run(repo.npm().args(["run", "build"]))?;
    stamp.set()
}

/// Says what something was made from. It lives in `node_modules`, so `npm ci` removes it: other packages mean a new
/// build too.
struct Stamp {
    file: PathBuf,
    value: String,
}

impl Stamp {
    fn new(repo: &Repo, name: &str, parts: &[impl AsRef<[u8]>]) -> Stamp {
        Stamp { file: repo.ui().join(format!("node_modules/.signalbox-{name}")), value: digest(parts) }
    }

    fn is_current(&self) -> bool {
        std::fs::read_to_string(&self.file).is_ok_and(|text| text == self.value)
    }

    fn set(&self) -> Result<()> {
        std::fs::write(&self.file, &self.value)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

/// SHA-256 in hexadecimal of the parts and of where each ends.
fn digest(parts: &[impl AsRef<[u8]>]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.as_ref().len() as u64).to_le_bytes());
        hash.update(part.as_ref());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn node_version() -> Result<String> {
    let advice = format!(
        "Node {OLDEST_NODE} or newer builds the UI. Get it from nodejs.org, or with your system's package manager."
    );
    let version = cmd::output(Command::new("node").arg("--version"))
        .with_context(|| format!("Node is missing. {advice}"))?;
    match major(&version) {
        Some(major) if major >= OLDEST_NODE => {}
        _ => bail!("this Node is {}. {advice}", version.trim()),
    }
    let npm = Path::new(cmd::npm().get_program()).to_string_lossy().into_owned();
    if !cmd::on_path(&npm) {
        bail!("npm is missing: it comes with Node, on some systems as a package of its own");
    }
    Ok(version)
}

/// The first number of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v8.0.0"), Some(8));
        assert_eq!(major("nonsense"), None);
    }

    #[test]
    fn the_digest_sees_content_and_boundaries() {
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]), "a name and a content never run together");
        assert_ne!(digest(&["ab"]), digest(&["ac"]));
    }

    #[test]
    fn a_stamp_holds_until_its_value_changes_or_it_is_removed() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let repo = Repo { root: dir.path().to_owned(), target: dir.path().join("target") };
        std::fs::create_dir_all(repo.ui().join("node_modules")).expect("folder");
        let stamp = Stamp::new(&repo, "installed", &["one"]);
        assert!(!stamp.is_current(), "nothing was installed yet");
        stamp.set().expect("writable");
        assert!(stamp.is_current());
        assert!(!Stamp::new(&repo, "installed", &["two"]).is_current(), "another lock file");
        std::fs::remove_dir_all(repo.ui().join("node_modules")).expect("removable");
        assert!(!stamp.is_current(), "removed packages are installed again");
    }
}
