//! Starts the window's program, which is another one than this. Where a window of the data directory is open, its second start
//! brings that one forward.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Weak;
use std::time::Duration;

use signalbox_api::{ApiError, Code, LEAVING, Local, NoProgram};
use signalbox_model::ActivationToken;
use tokio::process::Child;
use tokio::time::timeout;

/// A command waits so long: a window that has not failed by then has come, as one without a display ends sooner.
const MOMENTS: Duration = Duration::from_secs(1);

/// Why the window did not come.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoWindow {
    /// There is no such program.
    #[error("{0}")]
    NoProgram(#[from] NoProgram),
    /// It cannot be started.
    #[error("{} ({error})", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It was started, and ended.
    #[error("its program ended at once ({0}). Start `signalbox-desktop` to see why")]
    Ended(ExitStatus),
}

impl NoWindow {
    /// What is told of it by a notification, to somebody without a terminal, and where others may see it.
    fn told(&self) -> String {
        match self {
            Self::NoProgram(error) => format!("It cannot be opened: {error}."),
            Self::NotStarted { error, .. } => format!("Its program cannot be started: {error}."),
            Self::Ended(status) => {
                format!("Its program ended ({status}). Open Signalbox from your desktop's menu to see why.")
            }
        }
    }
}

impl From<NoWindow> for ApiError {
    fn from(why: NoWindow) -> Self {
        Self::new(Code::SpawnFailed, format!("The window cannot be opened: {why}"))
    }
}

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
    Ok(comes(home, shown, token, MOMENTS).await?)
}

/// Whether it comes, as far as that can be told after this time.
async fn comes(
    home: impl AsRef<OsStr>,
    shown: Option<&str>,
    token: Option<ActivationToken>,
    within: Duration,
) -> Result<(), NoWindow> {
    match timeout(within, spawned(home, shown, token)?.wait()).await {
        Ok(Ok(status)) if !status.success() => Err(NoWindow::Ended(status)),
        // It has told the window that is open, or is one.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn spawned(
    home: impl AsRef<OsStr>,
    shown: Option<&str>,
    token: Option<ActivationToken>,
) -> Result<Child, NoWindow> {
    let program = signalbox_api::window_program()?;
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
    window.spawn().map_err(|error| NoWindow::NotStarted { program, error })
}

/// Starts it likewise for an owner whose person pressed something that shows it. Where it does not come, a notification says so:
/// they look at nothing else of ours. Nobody waits, so it is also heard of a window that is open and does not answer.
pub(crate) fn show(owner: &Weak<Local>, home: &Path, shown: Option<String>, token: Option<ActivationToken>) {
    let (owner, home) = (Weak::clone(owner), home.to_owned());
    tokio::spawn(async move {
        let Err(error) = comes(home, shown.as_deref(), token, LEAVING + MOMENTS).await else { return };
        tracing::warn!(%error, "the window cannot be opened");
        if let Some(local) = owner.upgrade() {
            local.no_window(&error.told()).await;
        }
    });
}
