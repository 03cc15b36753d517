//! What the engine and the window cost: builds what is packed, measures, and judges each figure by its target.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cmd;
use crate::display::PrivateDisplay;
use crate::repo::{OPTIMISED, Profile, Repo};
use crate::setup::{self, Purpose};
use crate::steps::Steps;

/// A figure is one of what a person installs.
const DIST: Profile = Profile::Dist;

/// Sets up, builds and measures; each figure that misses its target is a failed step. `args` go to the program that
/// measures: names of scenarios, or for `micro` what its micro-benches understand. With `soak` it measures for so many hours
/// what is left running.
pub(crate) fn bench(repo: &Repo, micro: bool, soak: Option<f64>, args: &[String]) -> ExitCode {
    let mut steps = Steps::default();
    let ready = steps.run("system packages", || setup::system_packages(&[Purpose::Build, Purpose::Display]))
        && steps.run("npm packages", || setup::install_npm_packages(repo))
        && steps.run("UI build", || setup::build_ui(repo))
        && steps.run("build", || {
            let programs = ["--bin", "signalbox", "--bin", "signalbox-desktop", "--example", "empty-window"];
            let bench = ["--bench", if micro { "micro" } else { "figures" }];
            cmd::run(
                repo.cargo()
                    .args(["build", "--profile", DIST.name()])
                    .args(OPTIMISED)
                    .args(programs)
                    .args(bench),
            )
        });
    if ready && micro {
        steps.run("micro-benches", || cmd::run(cargo_bench(repo, "micro").args(args)));
    } else if ready {
        let soak = soak.map(|hours| ["--soak".to_owned(), hours.to_string()]);
        figures(repo, &mut steps, &[soak.as_slice().as_flattened(), args].concat());
    }
    steps.finish()
}

fn figures(repo: &Repo, steps: &mut Steps, args: &[String]) {
    let file = repo.target.join("bench").join("figures.json");
    if steps.run("measure", || measure(repo, &file, args)) {
        match read(&file) {
            Ok(figures) => {
                for figure in &figures {
                    steps.run(figure["name"].as_str().unwrap_or("a figure without a name"), || judge(figure));
                }
            }
            Err(error) => {
                steps.run("figures", || Err(error));
            }
        }
    }
}

fn measure(repo: &Repo, file: &Path, args: &[String]) -> Result<()> {
    std::fs::create_dir_all(file.parent().expect("BUG: it lies in a folder"))?;
    // Figures of an earlier run must not stand for this one.
    if file.exists() {
        std::fs::remove_file(file)?;
    }
    let display = PrivateDisplay::start()?;
    let mut bench = cargo_bench(repo, "figures");
    bench.arg("--out").arg(file).args(args);
    bench.env("SIGNALBOX_BIN", repo.program(DIST, "signalbox"));
    bench.env("SIGNALBOX_DESKTOP_BIN", repo.program(DIST, "signalbox-desktop"));
    cmd::run(display.apply(&mut bench))?;
    println!("figures: {}", file.display());
    Ok(())
}

/// `cargo bench` of one target: what comes after it goes to that.
fn cargo_bench(repo: &Repo, target: &str) -> Command {
    let mut bench = repo.cargo();
    bench.args(["bench", "--profile", DIST.name()]).args(OPTIMISED).args(["--bench", target, "--"]);
    bench
}

fn read(file: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no list of figures", file.display()))
}

/// The program that measures has decided; this only says by how much.
fn judge(figure: &Value) -> Result<()> {
    let number = |member: &str| figure[member].as_f64().unwrap_or(f64::NAN);
    let found = if figure["ratio"].is_null() {
        let unit = figure["unit"].as_str().unwrap_or_default();
        format!("{:.2} {unit}; the target is less than {}", number("value"), number("target"))
    } else {
        format!("{:.2} × the bare loop; the target is at most {}", number("ratio"), number("target"))
    };
    if figure["met"] != true {
        bail!(found);
    }
    println!("{found}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_met_is_a_success() {
        assert!(
            judge(&json!({ "value": 3, "unit": "ms", "ratio": null, "target": 20, "met": true })).is_ok()
        );
        let missed = judge(&json!({ "value": 9, "unit": "ms", "ratio": 2.5, "target": 1.5, "met": false }));
        assert!(missed.expect_err("it is missed").to_string().contains("2.50 ×"));
        assert!(judge(&json!({ "target": 20 })).is_err(), "a figure nobody decided is a failure");
    }

    #[test]
    fn what_is_no_list_of_figures_is_an_error() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("figures.json");
        assert!(read(&file).is_err(), "nothing was measured");
        std::fs::write(&file, "{}").expect("written");
        assert!(read(&file).is_err());
        std::fs::write(&file, "[{}]").expect("written");
        assert_eq!(read(&file).expect("a list").len(), 1);
    }
}
