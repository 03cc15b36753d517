//! Starts the window's program, which is another one than this. Where a window of the data directory is open, its second start
//! brings that one forward.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;

use signalbox_api::{ApiError, Code};
use signalbox_model::ActivationToken;

/// Starts it for this data directory, at a task, a question or what a link leads to. It outlives us. `token`: the right to come to
/// the front, where the desktop gave it.
///
/// # Errors
/// [`Code::SpawnFailed`] where there is no such program, or it cannot be started.
pub(crate) fn start(
    home: impl AsRef<OsStr>,
    shown: Option<&str>,
    token: Option<ActivationToken>,
) -> Result<(), ApiError> {
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
    window.spawn().map(drop).map_err(|error| {
        ApiError::new(
            Code::SpawnFailed,
            format!("The window cannot be opened: {} ({error})", program.display()),
        )
    })
}

/// Starts it likewise, where nobody waits to hear that it could not be.
pub(crate) fn show(home: &Path, shown: Option<String>, token: Option<ActivationToken>) {
    if let Err(error) = start(home, shown.as_deref(), token) {
        tracing::warn!(%error, "the window cannot be opened");
    }
}
