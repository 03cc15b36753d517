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

    use tokio::{
        io::{AsyncRead, AsyncReadExt as _},
        process::Command,
        time::timeout,
    };

    use crate::stdio::group::Group;

    const PATIENCE: Duration = Duration::from_secs(3);
    /// The most that is read of what start-up files print, with the answer, in bytes.
    const MOST: usize = 64 * 1024;
    /// Sets the answer apart from what start-up files print.
    const MARK: &str = "__signalbox_path__";

    pub(super) async fn ask() -> Option<OsString> {
        // At a terminal the process got its PATH from a shell already; and an interactive shell in a process group of
        // its own would be stopped by the terminal it cannot have.
        if std::fs::File::open("/dev/tty").is_ok() {
            return None;
        }
        let shell = env::var_os("SHELL").filter(|shell| !shell.is_empty())?;
        let path = of_shell(&shell, PATIENCE).await;
        if path.is_none() {
            tracing::info!("the login shell does not tell its PATH: using the process's own");
        }
        path
    }

    pub(super) async fn of_shell(shell: &OsStr, patience: Duration) -> Option<OsString> {
        let mut command = Command::new(shell);
        command.arg("-lic").arg(format!("printf '{MARK}%s{MARK}' \"$PATH\""));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).process_group(0).spawn().ok()?;
        let output = child.stdout.take()?;
        // However this ends, nothing that start-up files began stays behind. Dropped before the child, whose number would
        // else be free.
        let _group = Group::of(&child);
        timeout(patience, answer(output)).await.ok()?
    }

    /// The answer as soon as it is there: a job in the background may hold the output open for ever.
    async fn answer(mut output: impl AsyncRead + Unpin) -> Option<OsString> {
        let (mut said, mut portion) = (Vec::new(), [0; 4096]);
        while said.len() < MOST {
            let bytes = output.read(&mut portion).await.ok().filter(|bytes| *bytes > 0)?;
            said.extend_from_slice(&portion[..bytes]);
            if let Some(path) = between_marks(&said) {
                return Some(path);
            }
        }
        None
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
        use std::{io::Read as _, path::Path};

        use super::*;

        /// Longer than any test may take.
        const LONG: Duration = Duration::from_secs(60);

        /// A login shell with these start-up files. Whoever has descriptor 3 keeps `alive` open.
        struct Shell(tempfile::TempDir);

        impl Shell {
            fn with(startup: &str) -> Self {
                let dir = tempfile::tempdir().unwrap();
                let (shell, alive) = (dir.path().join("shell"), dir.path().join("alive"));
                let text = format!("#!/bin/sh\nexec 3> '{}'\n{startup}\neval \"$2\"\n", alive.display());
                // Written by another process: one that we have open for writing could not be run by a test beside this.
                let make = r#"mkfifo "$2" && printf %s "$1" > "$0" && chmod +x "$0""#;
                let sh = std::process::Command::new("sh")
                    .args(["-c", make])
                    .arg(&shell)
                    .arg(text)
                    .arg(&alive)
                    .status();
                assert!(sh.unwrap().success());
                Self(dir)
            }

            async fn path(&self) -> Option<OsString> {
                of_shell(self.0.path().join("shell").as_os_str(), LONG).await
            }

            /// What the shell gives for its PATH, once nothing is left of it and of what it began.
            async fn asked(&self) -> Option<OsString> {
                let alive = self.0.path().join("alive");
                let ended = tokio::task::spawn_blocking(move || until_closed(&alive));
                let path = self.path().await;
                timeout(LONG, ended).await.expect("nothing may stay behind").unwrap();
                path
            }
        }

        fn until_closed(alive: &Path) {
            let mut nothing = Vec::new();
            std::fs::File::open(alive).unwrap().read_to_end(&mut nothing).unwrap();
        }

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
                assert_eq!(of_shell(OsStr::new(shell), LONG).await, None, "{shell}");
            }
        }

        #[tokio::test]
        async fn a_shell_tells_the_path_that_its_start_up_files_set() {
            let shell = Shell::with("echo Welcome; PATH=/a:$PATH:/b");
            let path = shell.asked().await.expect("it says so").into_string().unwrap();
            assert!(path.starts_with("/a:") && path.ends_with(":/b"), "{path}");
        }

        #[tokio::test]
        async fn a_job_in_the_background_is_not_waited_for_and_ends() {
            let shell = Shell::with("sleep 1000 & PATH=/a:$PATH");
            let begun = tokio::time::Instant::now();
            let path = shell.asked().await.expect("the answer is there, although the output stays open");
            assert!(path.as_bytes().starts_with(b"/a:"), "{path:?}");
            assert!(begun.elapsed() < LONG, "as soon as it is there");
        }

        #[tokio::test]
        async fn start_up_files_that_print_without_end_are_given_up() {
            let shell = Shell::with("yes");
            let begun = tokio::time::Instant::now();
            assert_eq!(shell.asked().await, None);
            assert!(begun.elapsed() < LONG, "not by the time that it took");
        }

        #[tokio::test]
        async fn start_up_files_that_never_end_are_ended_with_all_that_they_began() {
            let shell = Shell::with(&format!("printf '{MARK}/a'; sleep 1000 & sleep 1000"));
            let alive = shell.0.path().join("alive");
            let begun = tokio::task::spawn_blocking(move || std::fs::File::open(alive).unwrap());
            let mut alive = tokio::select! {
                path = shell.path() => panic!("it never says so: {path:?}"),
                begun = begun => begun.unwrap(),
            };
            // Nobody waits any more, as after the time that it may take.
            let ended = tokio::task::spawn_blocking(move || alive.read_to_end(&mut Vec::new()).unwrap());
            timeout(LONG, ended).await.expect("nothing may stay behind").unwrap();
        }
    }
}
