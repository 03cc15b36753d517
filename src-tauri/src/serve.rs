//! `signalbox serve`, which follows the tasks without a window: the owner in the background, and who takes over when the
//! window closes. It outlives us, and shows itself in the tray where the desktop has one.

use std::{process::Stdio, time::Duration};

use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, NotOwned, OwnerKind, Ownership, Passphrase, Remote, before_next_try,
    look,
};
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
    time::{self, Instant},
};

/// How long it may take until it owns the data directory: to take over when the window closes, or to start without one.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long a window waits for it before the window is the owner itself.
const MOMENTS: Duration = Duration::from_secs(2);

/// A `serve` that has lived this long beside a command waits for it to end: what does not start ends at once.
const BESIDE: Duration = Duration::from_secs(2);

/// Has it take over from a window that closes: waits until it owns the data directory, or waits itself for a command that
/// does and follows everything meanwhile.
///
/// # Errors
/// [`Code::SpawnFailed`] when it cannot be started or ends at once, [`Code::TimedOut`].
pub(crate) async fn take_over(home: &Home, passphrase: Option<Passphrase>) -> Result<(), ApiError> {
    let taken_over = started(home, passphrase, PATIENCE, follows(home)).await;
    taken_over.map_err(|error| ApiError {
        message: format!("{}. The window goes on following them", error.message),
        ..error
    })
}

/// Has it own the data directory in the place of a window: waits until anybody does and answers.
///
/// # Errors
/// As [`take_over`].
pub(crate) async fn stand_in(home: &Home, passphrase: Option<Passphrase>) -> Result<(), ApiError> {
    started(home, passphrase, MOMENTS, answers(home)).await
}

/// Has it own the data directory without a window, unless somebody owns it.
///
/// # Errors
/// As [`take_over`].
pub(crate) async fn alone(home: &Home, passphrase: Option<Passphrase>) -> Result<(), ApiError> {
    match Remote::connect(home).await {
        // A command leaves, and another program is to follow then.
        Ok(desk) if kind(&desk).await != Some(OwnerKind::Command) => return Ok(()),
        Err(error) if error.code != Code::OwnerGone => return Err(error),
        Ok(_) | Err(_) => {}
    }
    started(home, passphrase, PATIENCE, follows(home)).await
}

/// Starts it, and waits until it is `there`. It gets the passphrase of the encrypted file that keeps secrets on its stdin.
async fn started(
    home: &Home,
    passphrase: Option<Passphrase>,
    patience: Duration,
    there: impl Future<Output = ()>,
) -> Result<(), ApiError> {
    let mut child = spawned(home, passphrase).await?;
    comes(home, &mut child, patience, there).await
}

/// Waits until it is `there`; what does not come in time is ended.
async fn comes(
    home: &Home,
    child: &mut Child,
    patience: Duration,
    there: impl Future<Output = ()>,
) -> Result<(), ApiError> {
    let started = async {
        tokio::select! {
            () = there => Ok(()),
            status = child.wait() => Err(failed(&match status {
                Ok(status) => format!("ended at once ({status})"),
                Err(error) => format!("ended at once ({error})"),
            })),
        }
    };
    match time::timeout(patience, started).await {
        Ok(started) => started,
        // It opens the store, or brings it up to date: whoever waits for the lock waits for that.
        Err(_) if holds(home, child) => Ok(()),
        Err(_) => {
            // Two owners would be after one lock.
            let _ = child.start_kill();
            Err(ApiError::new(Code::TimedOut, message("did not take over in time")))
        }
    }
}

async fn spawned(home: &Home, passphrase: Option<Passphrase>) -> Result<Child, ApiError> {
    let passphrase = passphrase.filter(|_| cfg!(unix));
    let program =
        signalbox_api::command_program().map_err(|error| failed(&format!("is missing: {error}")))?;
    let mut serve = Command::new(program);
    serve.arg("--home").arg(home.dir()).arg("serve").current_dir(home.dir());
    for name in signalbox_api::not_inherited() {
        serve.env_remove(name);
    }
    // Its icon waits for a desktop that shows it: at a login the tray may come later.
    if cfg!(target_os = "linux") {
        serve.arg("--tray");
    }
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
    Ok(child)
}

/// Whether this one has the lock.
fn holds(home: &Home, child: &Child) -> bool {
    match Ownership::take(home, OwnerKind::Window) {
        Err(NotOwned::Held(Some(owner))) => child.id() == Some(owner.pid),
        _ => false,
    }
}

/// Resolves when whoever owns the data directory answers.
async fn answers(home: &Home) {
    while matches!(Remote::connect(home).await, Err(error) if error.code == Code::OwnerGone) {
        before_next_try().await;
    }
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
    kind(&Remote::connect(home).await.ok()?).await
}

async fn kind(desk: &Remote) -> Option<OwnerKind> {
    Some(desk.see(look::Overview {}).await.ok()?.owner?.kind)
}

fn failed(what: &str) -> ApiError {
    ApiError::new(Code::SpawnFailed, message(what))
}

fn message(what: &str) -> String {
    format!("The program that is to follow the tasks in the background {what}")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_that_hangs_holds_no_start_up_and_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let began = Instant::now();
        let error = comes(&home, &mut child, MOMENTS, std::future::pending()).await.unwrap_err();
        assert_eq!((error.code, began.elapsed()), (Code::TimedOut, MOMENTS));
        let ended = child.wait().await.unwrap();
        assert_eq!(ended.signal(), Some(9), "two owners would be after one lock");
    }
}
