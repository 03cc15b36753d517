//! `run`: from a fresh clone to the open app, with the demo server registered.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::display::{self, PrivateDisplay};
use crate::repo::{Profile, Repo};
use crate::setup::{self, Purpose};
use crate::{app, cmd};

const PROGRAMS: [&str; 2] = ["signalbox", "signalbox-desktop"];

/// Sets up, builds in release mode and opens the app on `home`. Where there is no display, the app is shown on a
/// private one, pictured and ended.
pub(crate) fn run(repo: &Repo, home: Option<PathBuf>, build: bool, args: &[String]) -> Result<ExitCode> {
    let seen = display::is_there();
    let purposes: &[Purpose] = if seen { &[Purpose::Build] } else { &[Purpose::Build, Purpose::Display] };
    setup::system_packages(purposes)?;
    if build {
        setup::install_npm_packages(repo)?;
        setup::build_ui(repo)?;
        repo.build_release()?;
    } else if let Some(missing) =
        PROGRAMS.map(|name| repo.program(Profile::Release, name)).iter().find(|p| !p.is_file())
    {
        bail!("{} is not built yet: run this once without --no-build", missing.display());
    }
    let home = prepare_home(home.unwrap_or_else(|| repo.run_home()))?;
    register_demo(&home, &repo.program(Profile::Release, "signalbox"))?;

    let mut app = Command::new(repo.program(Profile::Release, "signalbox-desktop"));
    app.arg("--home").arg(&home).args(args);
    if seen {
        println!("data directory: {}", home.display());
        cmd::run(&mut app)?;
    } else {
        println!("There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): using a virtual one.");
        let scratch = repo.scratch()?;
        let display = PrivateDisplay::start()?;
        app::show_and_end(&display, &mut app, &scratch.join("run.log"), &scratch.join("run.png"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates the data directory where it is missing. Returns its absolute path: the app's working folder may differ.
pub(crate) fn prepare_home(home: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&home).with_context(|| format!("cannot create {}", home.display()))?;
    home.canonicalize().with_context(|| format!("cannot find {}", home.display()))
}

/// Registers the demo server under the name `demo` unless something of that name is there, and asks it for its
/// tools. It runs from this checkout's build and keeps its state beside the data.
pub(crate) fn register_demo(home: &Path, signalbox: &Path) -> Result<()> {
    let on_home = || {
        let mut command = Command::new(signalbox);
        command.arg("--home").arg(home).arg("--json");
        command
    };
    let list = cmd::output(on_home().args(["server", "list"]))?;
    if !has_server(&list, "demo")? {
        let state = home.join("demo-state.jsonl");
        let mut add = on_home();
        add.args(["server", "add", "demo", "--"])
            .arg(signalbox)
            .args(["demo", "stdio", "--state"])
            .arg(state);
        cmd::output(&mut add)?;
    }
    cmd::output(on_home().args(["server", "check", "demo"])).map(drop)
}

/// Whether the document of `server list` has a server of this name.
fn has_server(document: &str, name: &str) -> Result<bool> {
    let document: Value = serde_json::from_str(document).context("`server list` did not print JSON")?;
    let Some(servers) = document.get("servers").and_then(Value::as_array) else {
        bail!("`server list` printed no list of servers: {document}");
    };
    Ok(servers.iter().any(|server| server.get("name").and_then(Value::as_str) == Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registered_server_is_found_by_its_name() {
        let document = r#"{"servers":[{"id":"s1","name":"ci"},{"id":"s2","name":"demo","wire":"modern"}]}"#;
        assert!(has_server(document, "demo").expect("a list"));
        assert!(!has_server(document, "dem").expect("a list"), "names are compared as a whole");
        assert!(!has_server(r#"{"servers":[]}"#, "demo").expect("a list"));
        assert!(has_server("{}", "demo").is_err(), "a document without the list is not an empty list");
    }
}
