//! What of the person's desktop session Signalbox uses. It needs none of it: without a tray the window asks before it closes, or
//! what follows the tasks goes on unseen, and without links nothing opens by one.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{process::Command, time::timeout};

use super::{Check, links};
use crate::{Autostart, Home, OwnerKind, autostart::Entry, owner, tray, window_program};

/// How long another program may take to say something about itself.
const PATIENCE: Duration = Duration::from_secs(5);
/// No program's answer is read beyond this, in bytes.
const LONGEST: usize = 1024;
/// How the window's program ends the line about its version where the system has no web view.
const NO_WEB_VIEW: &str = "(web view unknown)";
/// The check of what the session starts.
const AUTOSTART: &str = "autostart";

/// The tray, starting with the session, links, and the program of the window.
pub(super) async fn checks(home: &Home) -> Vec<Check> {
    let (tray, portal, links, window) =
        tokio::join!(tray::is_there(), tray::portal(), links::check(), window());
    let tray = if cfg!(target_os = "linux") { self::tray(tray, owner(home)) } else { icon() };
    vec![tray, self::portal(portal), autostart(home), links, window]
}

/// Who owns the data directory now.
fn owner(home: &Home) -> Option<OwnerKind> {
    let is_held = owner::is_held(home).unwrap_or(false);
    is_held.then(|| owner::last(home)).flatten().map(|(owner, _)| owner.kind)
}

fn tray(is_there: bool, owner: Option<OwnerKind>) -> Check {
    Check::ok(
        "tray",
        match (is_there, owner) {
            (true, _) => "the desktop shows tray icons",
            (false, Some(OwnerKind::Serve)) => {
                "nothing here shows tray icons: tasks are followed unseen, even with the window closed, until you quit Signalbox"
            }
            (false, _) => {
                "nothing here shows tray icons: a window follows the tasks itself, and asks before closing would stop any"
            }
        },
    )
}

/// Where the system shows icons of all programs.
fn icon() -> Check {
    Check::ok("tray", "the window's program shows its icon itself, and goes on there when its window closes")
}

fn portal(is_there: bool) -> Check {
    Check::ok(
        "portal",
        if is_there {
            "a portal is there, or starts when it is asked"
        } else {
            "there is no portal, and none is needed"
        },
    )
}

fn autostart(home: &Home) -> Check {
    match Entry::of(home) {
        Some(entry) => starts(entry.read()),
        None => Check::ok(AUTOSTART, "on this system Signalbox cannot start when you log in"),
    }
}

fn starts(now: Autostart) -> Check {
    match now.other {
        Some(other) => Check::warning(
            AUTOSTART,
            format!("in its place your session starts something else: {other}"),
            "switch it on in Settings to start this one instead",
        ),
        None if now.on => Check::ok(AUTOSTART, "Signalbox starts hidden when you log in"),
        None => Check::ok(AUTOSTART, "Signalbox does not start when you log in"),
    }
}

/// The program of the window is another one than the command, and may be of another version.
async fn window() -> Check {
    const NAME: &str = "window";
    let program = match window_program() {
        Ok(program) => program,
        // Everything can be done without it.
        Err(error) => return Check::ok(NAME, error.to_string()),
    };
    match said_by(&program, &["--version"]).await {
        Some(said) => version(&said, env!("CARGO_PKG_VERSION")),
        None => Check::warning(
            NAME,
            format!("{} does not start", program.display()),
            "install it again: a library that it needs may be missing",
        ),
    }
}

/// `signalbox-desktop 0.1.0 (web view 2.50.6)`
fn version(said: &str, ours: &str) -> Check {
    const NAME: &str = "window";
    let theirs = said.split_whitespace().nth(1).unwrap_or_default();
    if theirs == ours && said.ends_with(NO_WEB_VIEW) {
        return Check::warning(
            NAME,
            "this system has no web view, without which no window opens",
            "install it: on Windows that is the WebView2 Runtime",
        );
    }
    if theirs == ours {
        return Check::ok(NAME, said);
    }
    Check::warning(
        NAME,
        format!("{said} is another version than the command's, {ours}"),
        "install both from one package",
    )
}

/// What a program says of itself, as one line. None where it cannot be started, fails, or takes too long.
pub(super) async fn said_by(program: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    let said = output.stdout.get(..output.stdout.len().min(LONGEST))?;
    let said = String::from_utf8_lossy(said).split_whitespace().collect::<Vec<_>>().join(" ");
    output.status.success().then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ownership, doctor::CheckState};

    #[test]
    fn without_a_tray_it_says_who_goes_on_unseen() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let said = |is_there| tray(is_there, owner(&home)).message;
        assert!(said(false).contains("a window follows the tasks itself"), "nobody owns it");
        let serve = Ownership::take(&home, OwnerKind::Serve).unwrap();
        assert!(said(false).contains("tasks are followed unseen"), "{}", said(false));
        assert!(!said(true).contains("unseen"), "the icon shows it");
        drop(serve);
        assert!(said(false).contains("a window follows the tasks itself"), "the last owner has left");
    }

    #[test]
    fn of_a_portal_that_nobody_asked_it_is_not_said_that_it_answers() {
        assert_eq!(portal(true).message, "a portal is there, or starts when it is asked");
        assert_eq!(portal(false).message, "there is no portal, and none is needed");
    }

    #[test]
    fn where_another_one_starts_it_says_how_this_one_does() {
        let other = starts(Autostart { other: Some("/opt/other --hidden".to_owned()), ..Autostart::none() });
        assert_eq!(other.state, CheckState::Warning);
        assert!(other.message.ends_with(": /opt/other --hidden"), "{}", other.message);
        let advice = other.advice.expect("there is something to do");
        assert_eq!(advice, "switch it on in Settings to start this one instead", "there it is off");
        assert_eq!(starts(Autostart { on: true, ..Autostart::none() }).state, CheckState::Ok);
        assert_eq!(starts(Autostart::none()).state, CheckState::Ok, "nobody has to want it");
    }

    #[test]
    fn a_window_of_another_version_is_told() {
        let same = version("signalbox-desktop 0.1.0 (web view 2.50.6)", "0.1.0");
        assert_eq!(
            (same.state, same.message.as_str()),
            (CheckState::Ok, "signalbox-desktop 0.1.0 (web view 2.50.6)")
        );
        let none = version("signalbox-desktop 0.1.0 (web view unknown)", "0.1.0");
        assert_eq!(none.state, CheckState::Warning, "no window opens: {none:?}");
        for other in ["signalbox-desktop 0.2.0", "", "something else"] {
            assert_eq!(version(other, "0.1.0").state, CheckState::Warning, "{other:?}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_program_that_fails_or_is_none_says_nothing() {
        assert_eq!(said_by(Path::new("/bin/echo"), &["a", "b"]).await.as_deref(), Some("a b"));
        assert_eq!(said_by(Path::new("/bin/false"), &[]).await, None);
        assert_eq!(said_by(Path::new("/nowhere/at-all"), &[]).await, None);
    }
}
