//! Starts what the system has for a file or an address.

use std::{ffi::OsStr, io, sync::OnceLock, time::Duration};

/// See [`set_not_inherited`].
static NOT_INHERITED: OnceLock<Vec<&'static str>> = OnceLock::new();

/// A program is watched for so long: one that fails later is taken for one that worked.
const FAILS_WITHIN: Duration = Duration::from_secs(3);

/// Names the environment variables that this program has for itself: what it starts does not inherit them. The first call counts.
pub fn set_not_inherited(variables: Vec<&'static str>) {
    let _ = NOT_INHERITED.set(variables);
}

/// The environment variables that no program inherits that is started here.
pub fn not_inherited() -> &'static [&'static str] {
    NOT_INHERITED.get().map_or(&[], Vec::as_slice)
}

/// Starts the first of the system's programs for it that does not fail soon. It blocks for three seconds at most for each.
///
/// # Errors
/// Why the last one that is there failed; [`io::ErrorKind::NotFound`] where none is.
#[cfg(target_os = "linux")]
pub(crate) fn launch(target: impl AsRef<OsStr>) -> io::Result<()> {
    linux::first_that_works(open::commands(target))
}

/// The same, by what knows how the system does it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn launch(target: impl AsRef<OsStr>) -> io::Result<()> {
    open::that_detached_with_timeout(target, FAILS_WITHIN)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        io,
        os::unix::process::CommandExt as _,
        process::{Child, Command, Stdio},
        sync::mpsc,
        thread,
    };

    use super::{FAILS_WITHIN, not_inherited};

    pub(super) fn first_that_works(commands: Vec<Command>) -> io::Result<()> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for mut command in commands {
            for name in not_inherited() {
                command.env_remove(name);
            }
            match watched(command) {
                Ok(()) => return Ok(()),
                // Most of them are not there, which says nothing of the one that is.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Starts it in a process group of its own, so that no Ctrl-C in our terminal ends it, and waits until it ends, or long enough.
    fn watched(mut command: Command) -> io::Result<()> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let (hand, handed) = mpsc::channel::<Child>();
        let (tell, told) = mpsc::channel();
        // The thread comes first: a program that nobody waits for would stay as a zombie.
        thread::Builder::new().spawn(move || {
            if let Ok(mut child) = handed.recv() {
                let _ = tell.send(child.wait());
            }
        })?;
        let _ = hand.send(command.spawn()?);
        match told.recv_timeout(FAILS_WITHIN) {
            Ok(Ok(status)) if !status.success() => {
                Err(io::Error::other(format!("{} ended with {status}", command.get_program().display())))
            }
            // One that cannot be waited for has started all the same: another one would open the page twice.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn tried(programs: &[&str]) -> io::Result<()> {
            first_that_works(programs.iter().map(Command::new).collect())
        }

        #[test]
        fn the_first_that_works_is_enough() {
            assert!(tried(&["/nowhere/none", "false", "true", "false"]).is_ok());
        }

        #[test]
        fn what_failed_is_said_and_not_what_is_not_there() {
            let error = tried(&["/nowhere/none", "false", "/nowhere/other"]).unwrap_err();
            assert!(error.to_string().contains("false ended with exit status: 1"), "{error}");
            assert_eq!(tried(&["/nowhere/none"]).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }
}
