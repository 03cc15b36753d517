//! The rules that no compiler keeps: who may depend on what, under which licences, and what lies where.

mod architecture;
mod bounds;
mod commands;
mod docs;
mod fences;
mod layout;
mod licences;
mod modules;
mod names;
mod npm;
mod passed_on;
mod paths;
mod reach;
mod rooms;
mod signals;
mod source;
mod tree;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};

use crate::repo::Repo;
use crate::steps::Steps;

/// Checks every rule, each as a step.
pub(crate) fn check(repo: &Repo) -> ExitCode {
    let mut steps = Steps::default();
    rules(repo, &mut steps);
    steps.finish()
}

/// Adds every rule as a step.
pub(crate) fn rules(repo: &Repo, steps: &mut Steps) {
    let mut metadata = None;
    steps.run("lock file", || {
        metadata = Some(read_metadata(repo)?);
        Ok(())
    });
    if let Some(metadata) = &metadata {
        steps.run("who depends on what", || none(reach::broken_gates(metadata)?));
        steps.run("licences of crates", || none(licences::not_allowed(metadata)));
        steps.run("code map", || none(layout::missing_from_code_map(repo, metadata)?));
    }
    steps.run("licences of npm packages", || none(npm::not_allowed(repo)?));
    steps.run("npm lock files", || none(npm::recorded_hosts(repo)?));
    steps.run("top level", || none(layout::unexpected_names(repo)?));
    steps.run("modules", || none(modules::offences(repo)?));
    steps.run("docs of one word", || none(docs::offences(repo)?));
    steps.run("names of types", || none(names::offences(repo)?));
    steps.run("code in docs", || none(fences::offences(repo)?));
    steps.run("rooms of step", || none(rooms::offences(repo)?));
    steps.run("commands in texts", || none(commands::offences(repo)?));
    steps.run("signals", || none(signals::offences(repo)?));
    steps.run("bounds", || none(bounds::missing(repo)?));
    steps.run("architecture", || none(architecture::offences(repo)?));
    steps.run("UI source", || none(source::offences(repo)?));
}

/// All packages with every feature on and for every platform. Fails when `Cargo.lock` is not up to date.
fn read_metadata(repo: &Repo) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.current_dir(&repo.root).features(CargoOpt::AllFeatures).other_options(["--locked".to_owned()]);
    command.exec().context("cargo metadata --locked")
}

/// Holds when there is no offence.
fn none(offences: Vec<String>) -> Result<()> {
    if !offences.is_empty() {
        bail!("{} offence(s)\n    {}", offences.len(), offences.join("\n    "));
    }
    Ok(())
}
