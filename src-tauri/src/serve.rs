//! Leaves the tasks to `signalbox serve` when the window closes.

use std::{env, path::PathBuf, process::Stdio, time::Duration};

use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, OwnerKind, Passphrase, Remote, before_next_try, look,
};
use tokio::{
    io::AsyncWriteExt,
    process::Command,
    time::{self, Instant},
};

const PROGRAM: &str = "signalbox";

/// How long it may take until it owns the data directory.
const PATIENCE: Duration = Duration::from_secs(15);

/// A `serve` that has lived this long beside a command waits for it to end: what does not start ends at once.
const BESIDE: Duration = Duration::from_secs(2);

/// Starts `signalbox serve`, to outlive us, and waits until it owns the data directory, or waits itself for a command
/// that does and follows everything meanwhile. It gets the passphrase of the encrypted file that keeps secrets on its stdin.
///
/// # Errors
/// [`Code::SpawnFailed`] when it cannot be started or ends at once, [`Code::TimedOut`].
pub(crate) async fn start(home: &Home, passphrase: Option<Passphrase>) -> Result<(), ApiError> {
    let passphrase = passphrase.filter(|_| cfg!(unix));
    let mut serve = Command::new(program());
    serve.arg("--home").arg(home.dir()).arg("serve").current_dir(home.dir());
    if passphrase.is_some() {
        serve.args(["--passphrase-fd", "0"]);
    }
    let stdin = if passphrase.is_some() { Stdio::piped() } else { Stdio::null() };
    serve.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    // What ends our terminal's programs, or us, must not end it.
    #[cfg(unix)]
    serve.process_group(0);
    let mut child = serve.spawn().map_err(|error| failed(&format!("could not be started ({error})")))?;
    if let (Some(passphrase), Some(mut stdin)) = (passphrase, child.stdin.take()) {
        // It fits into the pipe at once. Without it `serve` ends, and is asked why.
        let _ = stdin.write_all(passphrase.expose().as_bytes()).await;
    }
    let taken_over = async {
        tokio::select! {
            () = follows(home) => Ok(()),
            status = child.wait() => Err(failed(&match status {
                Ok(status) => format!("ended at once ({status})"),
                Err(error) => format!("ended at once ({error})"),
            })),
        }
    };
    let taken_over = time::timeout(PATIENCE, taken_over)
        .await
        .unwrap_or_else(|_| Err(ApiError::new(Code::TimedOut, message("did not take over in time"))));
    if taken_over.is_err() {
        // Two owners would be after one lock.
        let _ = child.start_kill();
    }
    taken_over
}

/// The command beside this program, else the one on the search path.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Resolves when a `serve` owns the data directory and answers, or has been waiting beside a command for a while.
async fn follows(home: &Home) {
    let mut beside = None;
    loop {
        match owner(home).await {
            Some(OwnerKind::Serve) => return,
            Some(OwnerKind::Command) if beside.get_or_insert_with(Instant::now).elapsed() >= BESIDE => return,
            Some(OwnerKind::Command) => {}
            Some(OwnerKind::Window) | None => beside = None,
        }
        before_next_try().await;
    }
}

async fn owner(home: &Home) -> Option<OwnerKind> {
    let desk = Remote::connect(home).await.ok()?;
    Some(desk.see(look::Overview {}).await.ok()?.owner?.kind)
}

fn failed(what: &str) -> ApiError {
    ApiError::new(Code::SpawnFailed, message(what))
}

fn message(what: &str) -> String {
    format!(
        "The program that is to follow the tasks in the background {what}. The window goes on following them"
    )
}
