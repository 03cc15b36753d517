//! Node, npm packages, and the built UI. Each is done again only when what it was made from changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::stamp::Stamp;
use crate::cmd;
use crate::repo::{Repo, files_under};

const OLDEST_NODE: u32 = 20;

/// Checks Node and installs what the UI needs.
pub(crate) fn install_npm_packages(repo: &Repo) -> Result<()> {
    install_locked(&repo.ui())
}

/// Checks Node and runs `npm ci` in a folder whose installed packages are not those of its lock file.
pub(super) fn install_locked(folder: &Path) -> Result<()> {
    check_node()?;
    if has_packages_of(folder, &folder.join("package-lock.json"))? {
        return Ok(());
    }
    // It begins with removing them all, under the eyes of whoever uses them: never without need.
    cmd::run(cmd::npm().current_dir(folder).args(["ci", "--no-audit", "--no-fund"]))
}

/// Whether the packages installed in a folder are those of a lock file.
pub(super) fn has_packages_of(folder: &Path, lock: &Path) -> Result<bool> {
    let lock = read_packages(lock)?;
    // What npm itself writes down once everything is installed.
    let installed = read_packages(&folder.join("node_modules/.package-lock.json"));
    Ok(installed.is_ok_and(|installed| are_those_of(&lock, &installed)))
}

/// What of the installed packages goes into the built UI: each by name, version and licence, with its folder.
pub(crate) fn shipped_npm_packages(repo: &Repo) -> Result<Vec<(String, PathBuf)>> {
    let lock = read_packages(&repo.ui().join("package-lock.json"))?;
    let shipped = lock.iter().filter(|(_, package)| package["dev"] != true && package["devOptional"] != true);
    // Optional ones may be for other platforms.
    let there = shipped.map(|(path, package)| (path, package, repo.ui().join(path))).filter(|p| p.2.is_dir());
    Ok(there
        .map(|(path, package, folder)| {
            let name = path.rsplit_once("node_modules/").map_or(path.as_str(), |(_, name)| name);
            let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
            (format!("{name} {} ({})", text("version"), text("license")), folder)
        })
        .collect())
}

/// The entries of a lock file by path, without the UI's own.
fn read_packages(lock: &Path) -> Result<Map<String, Value>> {
    let bytes = std::fs::read(lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let mut lock: Value = serde_json::from_slice(&bytes).with_context(|| format!("{}", lock.display()))?;
    let mut packages =
        lock["packages"].as_object_mut().map(std::mem::take).context("it lists no packages")?;
    packages.remove("");
    Ok(packages)
}

fn are_those_of(lock: &Map<String, Value>, installed: &Map<String, Value>) -> bool {
    let same = |path: &String, package: &Value| {
        let wanted = lock.get(path);
        wanted.is_some_and(|wanted| {
            ["version", "integrity"].iter().all(|field| wanted.get(field) == package.get(field))
        })
    };
    // Those for other platforms are left out.
    let may_lack = |package: &Value| package["optional"] == true;
    installed.iter().all(|(path, package)| same(path, package))
        && lock.iter().all(|(path, package)| installed.contains_key(path) || may_lack(package))
}

/// Builds `ui/dist` where the UI's sources changed since the last time. The packages must be installed.
pub(crate) fn build_ui(repo: &Repo) -> Result<()> {
    let ui = repo.ui();
    let mut parts = Vec::new();
    // Neither tests nor the preview are part of what is built.
    let files = files_under(&ui, &["node_modules", "dist", "preview", "test"])?;
    for file in files.into_iter().filter(|file| !file.to_string_lossy().contains(".test.")) {
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        parts.push(file.strip_prefix(&ui).unwrap_or(&file).as_os_str().as_encoded_bytes().to_vec());
        parts.push(bytes);
    }
    // In `node_modules`, so `npm ci` removes it: other packages mean a new build too.
    let stamp = Stamp::new(ui.join("node_modules/.signalbox-built"), &parts);
    if stamp.is_current() && ui.join("dist/index.html").is_file() {
        return Ok(());
    }
    cmd::run(repo.npm().args(["run", "build"]))?;
    stamp.set()
}

fn check_node() -> Result<()> {
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
    Ok(())
}

/// The first number of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v8.0.0"), Some(8));
        assert_eq!(major("nonsense"), None);
    }

    fn packages(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn installed_packages_are_those_of_the_lock_or_not() {
        let lock = packages(json!({
            "node_modules/a": {"version": "1.0.0", "integrity": "sha512-a", "dev": true},
            "node_modules/b-win": {"version": "2.0.0", "integrity": "sha512-b", "optional": true},
        }));
        let a = json!({"version": "1.0.0", "integrity": "sha512-a", "peer": true});
        let fits = |value| are_those_of(&lock, &packages(value));
        assert!(fits(json!({"node_modules/a": a})), "another platform's package may be absent");
        assert!(!fits(json!({})), "a needed one may not");
        assert!(!fits(json!({"node_modules/a": {"version": "1.0.1", "integrity": "sha512-x"}})));
        assert!(!fits(json!({"node_modules/a": a, "node_modules/old": {"version": "1.0.0"}})), "a left-over");
    }
}
