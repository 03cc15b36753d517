//! `bundle`: the .deb and the .rpm with both programs, and the proof that they hold what they should.

mod contents;
mod deb;
mod libraries;
mod notices;
mod rpm;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::json;

use self::contents::Contents;
use crate::cmd;
use crate::repo::{Profile, Repo, files_under};
use crate::setup::{self, Purpose};
use crate::steps::Steps;

/// Builds both packages, installs the .deb into a clean root, starts the app from there, and lists the .rpm.
pub(crate) fn bundle(repo: &Repo) -> ExitCode {
    let mut steps = Steps::default();
    let purposes = [Purpose::Build, Purpose::Display, Purpose::Bundle];
    let mut contents = None;
    let built = steps.run("system packages", || setup::system_packages(&purposes))
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo))
        && steps.run("build", || repo.build(Profile::Dist, &["signalbox-desktop", "signalbox-cli"]))
        && steps.run("man pages, completions, licences", || {
            contents = Some(Contents::generate(repo)?);
            Ok(())
        })
        && steps.run("packages", || make_packages(repo, contents.as_ref()));
    if let (true, Some(contents)) = (built, &contents) {
        deb::verify(repo, contents, &mut steps);
        rpm::verify(repo, contents, &mut steps);
    }
    steps.finish()
}

/// Lets Tauri's bundler pack what was built. Which extra files go where is said here, in one place for both kinds.
fn make_packages(repo: &Repo, contents: Option<&Contents>) -> Result<()> {
    let files = contents.context("BUG: nothing to pack")?.mapping();
    let deb = json!({ "files": files, "depends": libraries::of_deb(repo)? });
    let rpm = json!({ "files": files, "depends": libraries::of_rpm(repo)? });
    let config = json!({ "bundle": { "linux": { "deb": deb, "rpm": rpm } } });
    for kind in ["deb", "rpm"] {
        // A package of an earlier version would be taken for this one's.
        let dir = bundle_dir(repo, kind);
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(|| format!("cannot empty {}", dir.display()))?;
        }
    }
    stage(repo)?;
    let file = repo.scratch()?.join("bundle.conf.json");
    std::fs::write(&file, config.to_string()).with_context(|| format!("cannot write {}", file.display()))?;
    let mut tauri = Command::new("node");
    tauri.arg(repo.ui().join("node_modules/@tauri-apps/cli/tauri.js"));
    tauri.args(["bundle", "--bundles", "deb,rpm", "--ci", "--config"]).arg(&file);
    tauri.env("CARGO_TARGET_DIR", packages(repo));
    cmd::run(tauri.current_dir(&repo.root))
}

/// Tauri's bundler packs the window that lies in `release` of the target folder, and writes into it: it is given a copy.
fn stage(repo: &Repo) -> Result<()> {
    let window = repo.program(Profile::Dist, "signalbox-desktop");
    let staged = packages(repo).join("release");
    std::fs::create_dir_all(&staged).with_context(|| format!("cannot create {}", staged.display()))?;
    let copy = staged.join(window.file_name().context("BUG: a program has a name")?);
    std::fs::copy(&window, &copy).with_context(|| format!("cannot copy {}", window.display()))?;
    Ok(())
}

fn packages(repo: &Repo) -> PathBuf {
    repo.target.join("packages")
}

fn bundle_dir(repo: &Repo, kind: &str) -> PathBuf {
    packages(repo).join("release").join("bundle").join(kind)
}

/// The one package of a kind that was built.
fn package(repo: &Repo, kind: &str) -> Result<PathBuf> {
    let files = files_under(&bundle_dir(repo, kind), &[])?;
    let mut packages: Vec<_> =
        files.into_iter().filter(|file| file.extension().is_some_and(|e| e == kind)).collect();
    match (packages.pop(), packages.is_empty()) {
        (Some(package), true) => Ok(package),
        (None, _) => bail!("no .{kind} was built"),
        (Some(_), false) => bail!("more than one .{kind} was built"),
    }
}

fn none(differences: Vec<String>) -> Result<()> {
    if !differences.is_empty() {
        bail!("{}", differences.join(", "));
    }
    Ok(())
}
