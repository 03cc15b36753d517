//! `serve`: owns the data directory and follows everything until it is stopped or asked to end. Waits for a mere command that
//! owns it. With `--tray` it shows itself.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::Serialize;
use signalbox_api::{ApiError, Code, DeskExt as _, Local, Notifications, Owner, OwnerKind, Standing};
use tokio::time::Instant;

use crate::args::{Global, Serve};
use crate::commands::secrets;
use crate::console::Console;
use crate::ends::{interrupted, reached};
use crate::exit::{Exit, Failure};
use crate::host;
use crate::{look, text, window};

/// The document of `serve`, once commands are taken: `{"ready":true,"home":"…","pid":1234}`
#[derive(Serialize)]
struct Ready {
    ready: bool,
    home: String,
    pid: u32,
}

/// Runs `serve`.
pub(crate) async fn run(console: &Console, global: Global, given: Serve) -> Result<Exit, Failure> {
    if given.tray && !cfg!(target_os = "linux") {
        console.say("--tray shows nothing here: on this system the window's own program has the icon");
    }
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let mut stopped = pin!(interrupted());
    // Heard from here on: whoever learns that we are ready may stop us at once, and we leave with care all the same.
    let _ = stopped.as_mut().now_or_never();
    let owned = tokio::select! {
        owned = owned(console, global) => owned?,
        () = &mut stopped => return Ok(Exit::Done),
        () = reached(deadline) => return Ok(Exit::TimedOut),
    };
    let (hosted, local, owner) = match owned {
        Owned::Ours(hosted, local, owner) => (hosted, local, owner),
        Owned::Theirs(owner) => {
            let message = format!(
                "another program ({}, process {}) owns {} already",
                text::words(&owner.kind),
                owner.pid,
                owner.home
            );
            if !given.unless_owned {
                return Err(ApiError::new(Code::StorageInUse, message).into());
            }
            console.say(&message);
            return Ok(Exit::Done);
        }
    };
    let show = {
        let (home, owner) = (hosted.home().dir().to_owned(), Arc::downgrade(&local));
        move |shown, token| window::show(&owner, &home, shown, token)
    };
    let mut beside = Notifications::start(&local, {
        let show = show.clone();
        move |wish| show(wish.item.map(|item| item.to_string()).or(wish.link), wish.token)
    });
    #[cfg(target_os = "linux")]
    if given.tray {
        let keyboard = Arc::new(signalbox_api::Display);
        beside.spawn(signalbox_api::hold_shortcut(&local, keyboard, {
            let show = show.clone();
            move |item| show(item.map(|item| item.to_string()), None)
        }));
        beside.spawn(crate::tray::run(Arc::clone(&local), Box::new(show)));
    }
    // Says at once that no key can be held here.
    #[cfg(not(target_os = "linux"))]
    beside.spawn(signalbox_api::hold_shortcut(&local, Arc::new(signalbox_api::Deaf), |_| {}));
    console.say(&format!("Signalbox follows everything in {} until it is stopped.", owner.home));
    if console.json {
        console.document(&Ready { ready: true, home: owner.home, pid: owner.pid })?;
    }
    let exit = tokio::select! {
        () = stopped => Exit::Done,
        () = local.asked_to_quit() => Exit::Done,
        () = reached(deadline) => Exit::TimedOut,
    };
    drop(local);
    beside.shutdown().await;
    hosted.close().await;
    Ok(exit)
}

/// Whose the data directory is.
enum Owned {
    Ours(Standing, Arc<Local>, Owner),
    /// Of a window, or of another `serve`.
    Theirs(Owner),
}

/// Owns the data directory. A command that owns it leaves by itself; a window or another `serve` does not.
async fn owned(console: &Console, global: Global) -> Result<Owned, Failure> {
    let is_to_unlock = global.passphrase_from().is_some();
    let hosted = host::open(global, OwnerKind::Serve).await?;
    let mut waited_for = None;
    loop {
        let owner = look::overview(&hosted).await?.owner;
        if let Some(local) = hosted.local().await {
            if is_to_unlock && let Err(error) = host::unlock(&hosted).await {
                drop(local);
                hosted.close().await;
                return Err(error.into());
            }
            secrets::ask_where_locked(console, &local).await;
            return Ok(Owned::Ours(hosted, local, owner));
        }
        if owner.kind != OwnerKind::Command {
            hosted.close().await;
            return Ok(Owned::Theirs(owner));
        }
        if waited_for.replace(owner.pid) != Some(owner.pid) {
            console.say(&format!("waiting for another command to finish (process {})", owner.pid));
            // As if for a window: it follows everything until it ends, and nothing is missed meanwhile.
            hosted.see(signalbox_api::look::Forward { raises: false }).await?;
        }
        hosted.owner_left().await;
    }
}
