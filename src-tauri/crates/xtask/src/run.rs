//! `run`: from a fresh clone to the open app, with the demo at work.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::display::{self, PrivateDisplay};
use crate::repo::{Profile, Repo};
use crate::setup::{self, Purpose};
use crate::steps::Steps;
use crate::{app, cmd};

/// Sets up, builds in release mode and opens the app on `home`. Where there is no display, the app is shown on a
/// private one, pictured and ended.
pub(crate) fn run(repo: &Repo, home: Option<PathBuf>, build: bool, args: &[String]) -> Result<ExitCode> {
    let seen = display::is_there();
    let purposes: &[Purpose] = if seen { &[Purpose::Build] } else { &[Purpose::Build, Purpose::Display] };
    let home = home.unwrap_or_else(|| repo.run_home());
    let home = std::path::absolute(&home).with_context(|| format!("no folder: {}", home.display()))?;
    let mut steps = Steps::default();
    let ready = if build {
        build_window(repo, purposes, &mut steps)
    } else {
        steps.run("system packages", || setup::system_packages(purposes))
            && steps.run("program", || is_built(repo))
    };
    if ready {
        steps.run("window", || window(repo, &home, seen, args));
    }
    Ok(steps.finish())
}

/// The window alone: it is owner and demo server as well, and the command's program would be another seventh of the work. The
/// page is built while the system's packages come: neither needs the other, and a newcomer waits for both.
fn build_window(repo: &Repo, purposes: &[Purpose], steps: &mut Steps) -> bool {
    let ready = std::thread::scope(|scope| {
        let page = scope.spawn(|| setup::install_npm_packages(repo).and_then(|()| setup::build_ui(repo)));
        let system = steps.run("system packages", || setup::system_packages(purposes));
        let page =
            steps.run("npm packages and UI build, meanwhile", || page.join().expect("BUG: no step panics"));
        system && page
    });
    ready && steps.run("release build", || repo.build(Profile::Release, &["signalbox-desktop"]))
}

fn is_built(repo: &Repo) -> Result<()> {
    let program = program(repo);
    if !program.is_file() {
        bail!("{} is not built yet: run this once without --no-build", program.display());
    }
    Ok(())
}

fn program(repo: &Repo) -> PathBuf {
    repo.program(Profile::Release, "signalbox-desktop")
}

fn window(repo: &Repo, home: &Path, seen: bool, args: &[String]) -> Result<()> {
    println!("data directory: {}", home.display());
    let mut app = Command::new(program(repo));
    app.arg("--home").arg(home).arg("--demo").args(args);
    if seen {
        return cmd::run(&mut app);
    }
    println!("There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): using a virtual one.");
    let scratch = repo.scratch()?;
    let display = PrivateDisplay::start()?;
    // What a newcomer sees: work under way, and a question that waits.
    app::show_and_end(&display, &mut app, &scratch.join("run.log"), &scratch.join("run.png"))
}
