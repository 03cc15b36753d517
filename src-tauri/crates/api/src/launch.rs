//! Starts what the system has for a file or an address.

use std::{ffi::OsStr, io, sync::OnceLock};

/// See [`keep_from_others`].
static KEPT: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Names the environment variables that this program has for itself: what it starts does not inherit them. The first call counts.
pub fn keep_from_others(variables: Vec<&'static str>) {
    let _ = KEPT.set(variables);
}

/// The environment variables that no program inherits that is started here.
pub fn kept_from_others() -> &'static [&'static str] {
    KEPT.get().map_or(&[], Vec::as_slice)
}

/// Starts the first of the system's programs for it that does not fail within three seconds. It blocks for that long at most for
/// each; one that fails later is taken for one that worked.
///
/// # Errors
/// Why the last one could not be started, or failed.
#[cfg(target_os = "linux")]
pub(crate) fn launch(target: impl AsRef<OsStr>) -> io::Result<()> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for mut command in open::commands(target) {
        for name in kept_from_others() {
            command.env_remove(name);
        }
        match unix::watched(command) {
            Ok(()) => return Ok(()),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// The same where nothing is kept from others.
#[cfg(not(target_os = "linux"))]
pub(crate) fn launch(target: impl AsRef<OsStr>) -> io::Result<()> {
    open::that_detached_with_timeout(target, FAILS_WITHIN)
}

/// A program is watched for so long.
const FAILS_WITHIN: std::time::Duration = std::time::Duration::from_secs(3);

#[cfg(target_os = "linux")]
mod unix {
    use std::{
        io,
        os::unix::process::CommandExt as _,
        process::{Command, Stdio},
        sync::mpsc,
        thread,
    };

    use super::FAILS_WITHIN;

    /// Starts it, and waits until it ends, or long enough. It outlives us, and what ends our terminal's programs.
    pub(super) fn watched(mut command: Command) -> io::Result<()> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn()?;
        let (tell, told) = mpsc::channel();
        thread::spawn(move || tell.send(child.wait()));
        match told.recv_timeout(FAILS_WITHIN) {
            Ok(status) => match status? {
                status if status.success() => Ok(()),
                status => {
                    Err(io::Error::other(format!("{} ended with {status}", command.get_program().display())))
                }
            },
            Err(_) => Ok(()),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn one_that_fails_is_not_taken_for_one_that_works() {
            assert!(watched(Command::new("true")).is_ok());
            let error = watched(Command::new("false")).unwrap_err();
            assert!(error.to_string().contains("exit status: 1"), "{error}");
            assert_eq!(watched(Command::new("/nowhere/none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }
}
