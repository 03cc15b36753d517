//! Ends the `serve` that owns a data directory, whichever version it is of: by the system's own request, which every
//! version follows with care. So a window can get rid of one that speaks another protocol, too.

use tokio::time::Instant;

use crate::{
    ApiError, Code, Home, LEAVING, Owner, OwnerKind, before_next_try,
    owner::{is_held, last},
};

/// Asks the `serve` that owns the data directory to end, and returns once it has let go of it. What it follows is in the
/// store; its programs, and calls that wait on its connections, end with it.
///
/// # Errors
/// [`Code::NotPossible`] when a window or a command owns it, which its person ends, [`Code::StorageInUse`] when it does
/// not end, [`Code::NotSupported`] where the system has no such request and the owner is of another version.
pub async fn dismiss(home: &Home) -> Result<(), ApiError> {
    let deadline = Instant::now() + LEAVING;
    #[cfg(unix)]
    return by_signal(home, deadline).await;
    #[cfg(not(unix))]
    by_command(home, deadline).await
}

/// Windows and commands are ended by their person.
fn is_serve(owner: &Owner) -> Result<(), ApiError> {
    if owner.kind == OwnerKind::Serve {
        return Ok(());
    }
    let message =
        "What owns the data directory is a window or a command: close it, or let it come to its end";
    Err(ApiError::new(Code::NotPossible, message))
}

#[cfg(unix)]
async fn by_signal(home: &Home, deadline: Instant) -> Result<(), ApiError> {
    use rustix::process::{Pid, Signal, kill_process};

    use crate::socket;

    let mut asked = None;
    while is_held(home)? {
        let Some((owner, path)) = last(home) else { return Err(stays("it does not say who it is")) };
        if asked.is_some_and(|asked| asked != owner.pid) {
            // The next one is there already.
            return Ok(());
        }
        is_serve(&owner)?;
        if asked.is_none()
            && let Ok(stream) = socket::connect(&path).await
        {
            // The system says who serves there; what the file says is only a hint.
            let peer = stream.peer_cred().ok().and_then(|peer| peer.pid());
            let pid = peer.filter(|pid| u32::try_from(*pid) == Ok(owner.pid)).and_then(Pid::from_raw);
            let Some(pid) = pid else { return Err(stays("another program answers for it")) };
            kill_process(pid, Signal::TERM).map_err(|error| stays(&error.to_string()))?;
            asked = Some(owner.pid);
        }
        if Instant::now() >= deadline {
            return Err(stays("it does not end"));
        }
        before_next_try().await;
    }
    Ok(())
}

/// The system has no request that every version follows: one of ours is asked as by `signalbox quit`.
#[cfg(not(unix))]
async fn by_command(home: &Home, deadline: Instant) -> Result<(), ApiError> {
    use crate::{DeskExt as _, Remote, command};

    let mut asked = false;
    while is_held(home)? {
        let Some((owner, _)) = last(home) else { return Err(stays("it does not say who it is")) };
        is_serve(&owner)?;
        match Remote::connect(home).await {
            Ok(desk) if !asked => {
                desk.act(command::Quit {}).await?;
                asked = true;
            }
            Err(error) if error.code.is_other_version() => {
                let message = "The program in the background is of another version, and this system cannot ask it to end: end its process";
                return Err(ApiError::new(Code::NotSupported, message));
            }
            _ => {}
        }
        if Instant::now() >= deadline {
            return Err(stays("it does not end"));
        }
        before_next_try().await;
    }
    Ok(())
}

fn stays(why: &str) -> ApiError {
    ApiError::new(
        Code::StorageInUse,
        format!(
            "The program in the background goes on: {why}. End its process, or end your session, and try again"
        ),
    )
}
