//! The `PATH` of the person's login shell: a program started from a desktop has none worth the name.

use std::ffi::OsString;

/// The login shell's `PATH`, asked for once per process. None: the process's own is as good as any.
#[cfg(unix)]
pub(super) async fn of_login_shell() -> Option<OsString> {
    static PATH: tokio::sync::OnceCell<Option<OsString>> = tokio::sync::OnceCell::const_new();
    PATH.get_or_init(unix::ask).await.clone()
}

/// Windows hands every process the person's `PATH`.
#[cfg(not(unix))]
pub(super) async fn of_login_shell() -> Option<OsString> {
    None
}

#[cfg(unix)]
mod unix {
    use std::{
        env,
        ffi::{OsStr, OsString},
        os::unix::ffi::{OsStrExt as _, OsStringExt as _},
        process::Stdio,
        time::Duration,
    };

    use tokio::process::Command;

    const PATIENCE: Duration = Duration::from_secs(3);
    /// Sets the answer apart from what start-up files print.
    const MARK: &str = "__signalbox_path__";

    pub(super) async fn ask() -> Option<OsString> {
        // At a terminal the process got its PATH from a shell already; and an interactive shell in a process group of
        // its own would be stopped by the terminal it cannot have.
        if std::fs::File::open("/dev/tty").is_ok() {
            return None;
        }
        let shell = env::var_os("SHELL").filter(|shell| !shell.is_empty())?;
        let path = of_shell(&shell).await;
        if path.is_none() {
            tracing::info!("the login shell does not tell its PATH: using the process's own");
        }
        path
    }

    pub(super) async fn of_shell(shell: &OsStr) -> Option<OsString> {
        let mut command = Command::new(shell);
        command.arg("-lic").arg(format!("printf '{MARK}%s{MARK}' \"$PATH\""));
        command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).process_group(0);
        let output = tokio::time::timeout(PATIENCE, command.output()).await.ok()?.ok()?;
        between_marks(&output.stdout)
    }

    pub(super) fn between_marks(output: &[u8]) -> Option<OsString> {
        let text = OsStr::from_bytes(output).as_bytes();
        let find = |from: usize| {
            text[from..].windows(MARK.len()).position(|window| window == MARK.as_bytes()).map(|at| from + at)
        };
        let start = find(0)? + MARK.len();
        let path = &text[start..find(start)?];
        (!path.is_empty()).then(|| OsString::from_vec(path.to_vec()))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn finds_the_path_among_what_else_is_printed() {
            let cases = [
                ("__signalbox_path__/a:/b__signalbox_path__", Some("/a:/b")),
                ("Welcome!\n__signalbox_path__/a b__signalbox_path__bye\n", Some("/a b")),
                ("__signalbox_path____signalbox_path__", None),
                ("__signalbox_path__/a", None),
                ("command not found", None),
                ("", None),
            ];
            for (output, path) in cases {
                assert_eq!(between_marks(output.as_bytes()), path.map(OsString::from), "{output:?}");
            }
        }

        #[tokio::test]
        async fn a_shell_that_is_none_gives_no_path() {
            for shell in ["/bin/false", "/nonexistent/shell"] {
                assert_eq!(of_shell(OsStr::new(shell)).await, None, "{shell}");
            }
        }
    }
}
