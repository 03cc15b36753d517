//! The app on a private display: start it, wait until its window shows what it should, take a picture, end it.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::display::{PrivateDisplay, tail};
use crate::running::Running;

const READY_LIMIT: Duration = Duration::from_secs(60);
/// So many pictures are taken at most until two are equal.
const PICTURES: usize = 10;
const END_LIMIT: Duration = Duration::from_secs(15);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Starts the app, pictures its window once that has what is to be seen, and ends it. `app` is the program with its
/// arguments; what it writes goes to `log`, the picture to `picture`.
///
/// The app says that it is there by writing the file named with `--ready-file`: the web view has drawn its first view, and
/// with `--demo` a question waits. It ends with 0 when it is asked to end (SIGTERM).
pub(crate) fn show_and_end(
    display: &PrivateDisplay,
    app: &mut Command,
    log: &Path,
    picture: &Path,
) -> Result<()> {
    let dir = tempfile::tempdir().context("cannot make a temporary folder")?;
    let ready = dir.path().join("ready");
    let output = std::fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    display.apply(app).arg("--ready-file").arg(&ready);
    app.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);

    let started = Instant::now();
    let mut running = Running::start(app)?;
    until_there(&mut running, &ready).with_context(|| said(log))?;
    println!("the window had what is to be seen after {:.1} s", started.elapsed().as_secs_f64());
    still_picture(display, picture).with_context(|| said(log))?;
    println!("screenshot: {}", picture.display());
    let status = running.stop(END_LIMIT).with_context(|| said(log))?;
    check_end(status).with_context(|| said(log))
}

fn until_there(app: &mut Running, ready: &Path) -> Result<()> {
    let started = Instant::now();
    while !ready.exists() {
        if let Some(status) = app.wait(LOOK_AGAIN) {
            bail!("the app ended before its window had what is to be seen: {status}");
        }
        if started.elapsed() > READY_LIMIT {
            bail!("{} s passed before its window had what is to be seen", READY_LIMIT.as_secs());
        }
    }
    Ok(())
}

/// What has just come is being drawn: two equal pictures show that it was. What never stands still is pictured as it is.
fn still_picture(display: &PrivateDisplay, picture: &Path) -> Result<()> {
    let mut before = display.screenshot(picture)?;
    for _ in 1..PICTURES {
        let now = display.screenshot(picture)?;
        if now == before {
            break;
        }
        before = now;
    }
    Ok(())
}

fn check_end(status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("the app did not end cleanly when it was asked to: {status}");
    }
    Ok(())
}

fn said(log: &Path) -> String {
    format!("the app's output ({}) ends with:\n{}\n", log.display(), tail(log))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut sh = Command::new("sh");
        // The arguments that follow become $1 and $2: --ready-file and its path.
        sh.args(["-c", script, "app"]);
        sh
    }

    #[test]
    fn a_window_is_pictured_once_ready_and_ended_gracefully() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let picture = dir.path().join("picture.png");
        let ended = dir.path().join("ended");
        let mut app = sh(&format!(
            "display logo: & shown=$!; trap 'kill $shown; : > {}; exit 0' TERM; \
             xdotool search --sync --onlyvisible --name . >/dev/null; : > \"$2\"; wait",
            ended.display()
        ));
        let display = PrivateDisplay::start().expect("Xvfb and dbus-daemon are there");
        show_and_end(&display, &mut app, &dir.path().join("log"), &picture).expect("it is shown");
        assert!(picture.is_file(), "the picture is where it was asked for");
        assert!(ended.exists(), "it was asked to end, not killed");
    }

    #[test]
    fn an_app_that_fails_is_reported_with_what_it_said() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let display = PrivateDisplay::start().expect("Xvfb and dbus-daemon are there");
        let mut app = sh("echo 'no such library' >&2; exit 3");
        let shown =
            show_and_end(&display, &mut app, &dir.path().join("log"), &dir.path().join("picture.png"));
        let text = format!("{:#}", shown.expect_err("it never became ready"));
        assert!(text.contains("no such library") && text.contains("exit status: 3"), "{text}");
    }

    #[test]
    fn an_empty_screen_is_not_a_window() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let display = PrivateDisplay::start().expect("Xvfb and dbus-daemon are there");
        let mut app = sh("trap 'exit 0' TERM; : > \"$2\"; while :; do sleep 0.01; done");
        let shown =
            show_and_end(&display, &mut app, &dir.path().join("log"), &dir.path().join("picture.png"));
        let text = format!("{:#}", shown.expect_err("ready was said, but nothing is drawn"));
        assert!(text.contains("blank"), "{text}");
    }
}
