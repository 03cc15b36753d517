//! `run`: from a fresh clone to the open app, with the demo at work.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::demo::Demo;
use crate::display::{self, PrivateDisplay};
use crate::repo::{Profile, Repo};
use crate::setup::{self, Purpose};
use crate::steps::Steps;
use crate::{app, cmd};

const PROGRAMS: [&str; 2] = ["signalbox", "signalbox-desktop"];

/// Sets up, builds in release mode and opens the app on `home`. Where there is no display, the app is shown on a
/// private one, pictured and ended.
pub(crate) fn run(repo: &Repo, home: Option<PathBuf>, build: bool, args: &[String]) -> Result<ExitCode> {
    let seen = display::is_there();
    let purposes: &[Purpose] = if seen { &[Purpose::Build] } else { &[Purpose::Build, Purpose::Display] };
    let home = home.unwrap_or_else(|| repo.run_home());
    let home = std::path::absolute(&home).with_context(|| format!("no folder: {}", home.display()))?;
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(purposes))
        && if build { build_all(repo, &mut steps) } else { steps.run("programs", || all_built(repo)) }
        && steps.run("demo", || {
            println!("data directory: {}", home.display());
            Demo::new(&home, &repo.program(Profile::Release, "signalbox")).start()
        });
    if ready {
        steps.run("window", || window(repo, &home, seen, args));
    }
    Ok(steps.finish())
}

fn build_all(repo: &Repo, steps: &mut Steps) -> bool {
    steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo))
        && steps.run("release build", || repo.build_release())
}

fn all_built(repo: &Repo) -> Result<()> {
    let programs = PROGRAMS.map(|name| repo.program(Profile::Release, name));
    if let Some(missing) = programs.iter().find(|program| !program.is_file()) {
        bail!("{} is not built yet: run this once without --no-build", missing.display());
    }
    Ok(())
}

fn window(repo: &Repo, home: &Path, seen: bool, args: &[String]) -> Result<()> {
    let mut app = Command::new(repo.program(Profile::Release, "signalbox-desktop"));
    app.arg("--home").arg(home).args(args);
    if seen {
        return cmd::run(&mut app);
    }
    println!("There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): using a virtual one.");
    let scratch = repo.scratch()?;
    let display = PrivateDisplay::start()?;
    let signalbox = repo.program(Profile::Release, "signalbox");
    let demo = Demo::new(home, &signalbox);
    let picture = scratch.join("run.png");
    // What a newcomer sees: work under way, and a question that waits.
    app::show_and_end(&display, &mut app, &scratch.join("run.log"), &picture, || demo.asks())
}
