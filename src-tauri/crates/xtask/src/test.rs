//! `test`: everything a change must pass, in an order that builds each thing once.

use std::process::ExitCode;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, TargetKind};

use crate::build::build_all;
use crate::e2e::window_journeys;
use crate::repo::{FOREIGN_TESTS, Repo, WINDOW_TESTS, WORKSPACE};
use crate::runner::{nextest_is_there, with_programs};
use crate::setup::{self, Purpose};
use crate::steps::Steps;
use crate::{bindings, check, cmd, conformance, display, faults, foreign, simulate};

/// Runs every step, also after one failed, and sums up. Only without the system packages nothing else is tried.
pub(crate) fn test(repo: &Repo, full: bool) -> ExitCode {
    let mut steps = Steps::default();
    if !steps.run("system packages", || setup::system_packages(&[Purpose::Build, Purpose::Display])) {
        return steps.finish();
    }
    steps.run("toolchain", setup::rust_components);
    let npm = steps.run("npm packages", || setup::install_npm_packages(repo));
    steps.run("UI build", || setup::build_ui(repo));

    steps.run("format", || cmd::run(repo.cargo().args(["fmt", "--all", "--check"])));
    steps.run("clippy", || clippy(repo));
    steps.run("docs", || docs(repo));
    check::rules(repo, &mut steps);

    let built = steps.run("build", || build_all(repo));
    steps.run("Rust tests", || rust_tests(repo));
    if built {
        steps.run("worlds", || simulate::a_while(repo, &selected(repo)?));
    }
    foreign_servers(repo, &mut steps, full);
    conformance_of_client(repo, &mut steps, full);
    if built {
        steps.run("bindings diff", || bindings::compare_as_built(repo));
    }

    if npm {
        steps.run("UI types", || cmd::run(repo.npm().args(["run", "typecheck"])));
        steps.run("UI lint", || cmd::run(repo.npm().args(["run", "lint"])));
        steps.run("UI tests", || cmd::run(repo.npm().arg("test")));
    }
    if !cfg!(target_os = "linux") {
        println!("\nThe rounds of faults and the window journeys need Linux: left out here.");
    } else if built {
        steps.run("rounds of faults", || faults::a_few(repo));
        steps.run("window journeys", || window_journeys(repo, &[]));
    }
    steps.finish()
}

/// The tests against servers of others: where those are installed, or shall be.
fn foreign_servers(repo: &Repo, steps: &mut Steps, full: bool) {
    let servers = foreign::servers(repo);
    if full && !steps.run("foreign servers", || servers.set_up()) {
        return;
    }
    if full || servers.are_there().unwrap_or(false) {
        steps.run("foreign server tests", || foreign::foreign_tests(repo, &[]));
    } else {
        println!(
            "\nThe servers of others are not installed (`cargo xtask foreign`): their tests are left out here."
        );
    }
}

/// The conformance tool: where it is installed, or shall be.
fn conformance_of_client(repo: &Repo, steps: &mut Steps, full: bool) {
    let tool = conformance::tool(repo);
    if full && !steps.run("conformance tool", || tool.set_up()) {
        return;
    }
    if full || tool.are_there().unwrap_or(false) {
        conformance::all_scenarios(repo, steps);
    } else {
        println!("\nThe conformance tool is not installed (`cargo xtask conformance`): left out here.");
    }
}

fn clippy(repo: &Repo) -> Result<()> {
    cmd::run(repo.cargo().arg("clippy").args(WORKSPACE).args(["--all-targets", "--", "-D", "warnings"]))
}

fn docs(repo: &Repo) -> Result<()> {
    let mut cargo = repo.cargo();
    cmd::run(cargo.env("RUSTDOCFLAGS", "-D warnings").arg("doc").args(WORKSPACE).arg("--no-deps"))
}

/// All Rust tests but the window journeys and those against servers of others, on a private display: a test that notifies
/// or keeps a secret must not reach the person's desktop or keychain.
fn rust_tests(repo: &Repo) -> Result<()> {
    let mut tests = repo.cargo();
    if nextest_is_there() {
        tests.args(["nextest", "run"]).args(WORKSPACE);
    } else {
        tests.arg("test").args(WORKSPACE).arg("--no-fail-fast");
    }
    tests.args(selected(repo)?);
    display::run_on_private(with_programs(repo, &mut tests))
}

/// What holds those tests, as arguments of cargo. Another selection would resolve other features, and build nearly everything
/// once more.
fn selected(repo: &Repo) -> Result<Vec<String>> {
    let mut selected: Vec<String> = ["--lib", "--bins", "--examples"].map(str::to_owned).into();
    for name in integration_tests(repo)? {
        selected.extend(["--test".to_owned(), name]);
    }
    Ok(selected)
}

/// The names of the workspace's integration tests without those that are run on their own: cargo can select targets,
/// but not leave one out.
fn integration_tests(repo: &Repo) -> Result<Vec<String>> {
    let metadata =
        MetadataCommand::new().current_dir(&repo.root).no_deps().exec().context("cargo metadata")?;
    let targets = metadata.packages.iter().flat_map(|package| &package.targets);
    let alone = [WINDOW_TESTS, FOREIGN_TESTS];
    let mut names: Vec<_> = targets
        .filter(|target| target.kind.contains(&TargetKind::Test) && !alone.contains(&target.name.as_str()))
        .map(|target| target.name.clone())
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}
