//! Starts the window's program, which is another one than this. Where a window of the data directory is open, its second start
//! brings that one forward.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Weak;
use std::time::Duration;

use signalbox_api::{ApiError, Code, Local};
use signalbox_model::ActivationToken;
use tokio::process::Child;
use tokio::time::timeout;

/// A window that has not failed within this time has come: one without a display ends sooner.
const MOMENTS: Duration = Duration::from_secs(1);

/// Starts it for this data directory, at a task, a question or what a link leads to, and sees whether it comes. It outlives us.
/// `token`: the right to come to the front, where the desktop gave it.
///
/// # Errors
/// [`Code::SpawnFailed`] where there is no such program, or it cannot be started, or ends at once.
pub(crate) async fn start(
    home: impl AsRef<OsStr>,
    shown: Option<&str>,
    token: Option<ActivationToken>,
) -> Result<(), ApiError> {
    let mut window = spawned(home, shown, token)?;
    match timeout(MOMENTS, window.wait()).await {
        Ok(Ok(status)) if !status.success() => Err(ApiError::new(
            Code::SpawnFailed,
            format!(
                "The window cannot be opened: its program ended at once ({status}). Start `signalbox-desktop` to see why"
            ),
        )),
        // It has told the window that is open, or is one.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn spawned(
    home: impl AsRef<OsStr>,
    shown: Option<&str>,
    token: Option<ActivationToken>,
) -> Result<Child, ApiError> {
    let program = signalbox_api::window_program()
        .map_err(|error| ApiError::new(Code::SpawnFailed, format!("The window cannot be opened: {error}")))?;
    let mut window = tokio::process::Command::new(&program);
    window.arg("--home").arg(home).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(shown) = shown {
        window.args(["--open", shown]);
    }
    match token {
        Some(token) => window.env(ActivationToken::VARIABLE, token.reveal()),
        // That of our own start was for something else.
        None => window.env_remove(ActivationToken::VARIABLE),
    };
    // What ends our terminal's programs must not end it.
    #[cfg(unix)]
    window.process_group(0);
    window.spawn().map_err(|error| {
        ApiError::new(
            Code::SpawnFailed,
            format!("The window cannot be opened: {} ({error})", program.display()),
        )
    })
}

/// Starts it likewise for an owner whose person pressed something that shows it. Where it does not come, a notification says so:
/// they look at nothing else of ours.
pub(crate) fn show(owner: &Weak<Local>, home: &Path, shown: Option<String>, token: Option<ActivationToken>) {
    let (owner, home) = (Weak::clone(owner), home.to_owned());
    tokio::spawn(async move {
        let Err(error) = start(home, shown.as_deref(), token).await else { return };
        tracing::warn!(%error, "the window cannot be opened");
        if let Some(local) = owner.upgrade() {
            local.no_window(&error).await;
        }
    });
}
