//! `quit`: ends the owner in the background, or the window, with care.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, LEAVING, NotOwned, OwnerKind, Ownership, Remote, Retry, Stops,
    before_next_try, command, dismiss,
};
use tokio::time::{Instant, timeout_at};

use crate::args::Global;
use crate::console::Console;
use crate::ends::{interrupted, late, reached};
use crate::exit::{Exit, Failure};
use crate::{look, text};

/// The document of `quit`: `{"ended":true,"pid":1234,"stops":{"unfollowed":1,"demo":0,"lost":0,"unknown":0,"held":0,"forgotten":[],"unsure":false}}`;
/// `ended` alone where nobody was there, or where it was of another version.
#[skip_serializing_none]
#[derive(Serialize)]
struct Ended {
    ended: bool,
    pid: Option<u32>,
    stops: Option<Stops>,
}

/// Runs `quit`.
pub(crate) async fn run(console: &Console, global: Global, yes: bool) -> Result<Exit, Failure> {
    let deadline = global.timeout.map(|timeout| Instant::now() + timeout);
    let home = Home::resolve(global.home)?;
    tokio::select! {
        ended = end(console, &home, yes) => ended,
        () = interrupted() => Ok(Exit::Interrupted),
        () = reached(deadline) => late(console, "Signalbox was still running when the time was up", Retry::Later),
    }
}

async fn end(console: &Console, home: &Home, yes: bool) -> Result<Exit, Failure> {
    let owner = match owner(home).await {
        Ok(Some(owner)) => owner,
        Ok(None) => {
            return nobody(console, "Signalbox is not running for this data directory.");
        }
        Err(error) if error.code.is_other_version() => {
            return foreign(console, home, yes, &error).await;
        }
        Err(error) => return Err(error.into()),
    };
    let overview = look::overview(&owner).await?;
    let (kind, pid) = (overview.owner.kind, overview.owner.pid);
    if kind == OwnerKind::Command {
        let message = format!(
            "Nothing runs in the background: a command (process {pid}) owns the data directory and will end by itself."
        );
        return nobody(console, &message);
    }
    let stops = Stops::now(&owner, &overview).await?;
    for line in stops.lines() {
        console.say(&line);
    }
    if !stops.is_nothing() && !yes && !confirmed(console).await? {
        console.say("Nothing was ended.");
        return Ok(Exit::Failed);
    }
    match owner.act(command::Quit {}).await {
        // It may be gone before it has said so.
        Ok(()) => {}
        Err(error) if error.code == Code::OwnerGone => {}
        Err(error) => return Err(error.into()),
    }
    left(home, pid).await?;
    console.say(&format!("Signalbox ({}, process {pid}) has ended.", text::words(&kind)));
    if console.json {
        console.document(&Ended { ended: true, pid: Some(pid), stops: Some(stops) })?;
    }
    Ok(Exit::Done)
}

/// The owner; none where nobody owns the data directory. One that does not answer yet, or no more, is waited for.
async fn owner(home: &Home) -> Result<Option<Remote>, ApiError> {
    let deadline = Instant::now() + LEAVING;
    loop {
        match Remote::connect(home).await {
            Err(error) if error.code == Code::OwnerGone => {}
            answered => return answered.map(Some),
        }
        match Ownership::take(home, OwnerKind::Command) {
            Ok(_) => return Ok(None),
            Err(NotOwned::Storage(error)) => return Err(error),
            Err(NotOwned::Held(owner)) if Instant::now() >= deadline => {
                let who = owner.map(|owner| format!(" (process {})", owner.pid)).unwrap_or_default();
                let message =
                    format!("Signalbox{who} owns the data directory and does not answer: end its process");
                return Err(ApiError::new(Code::StorageInUse, message));
            }
            Err(NotOwned::Held(_)) => before_next_try().await,
        }
    }
}

/// Ends an owner that speaks another protocol: it can be asked for nothing, so nobody knows what stops.
async fn foreign(console: &Console, home: &Home, yes: bool, error: &ApiError) -> Result<Exit, Failure> {
    console.say(&error.message);
    console.say(
        "It cannot be asked what would stop. Its tasks are followed no longer, and those whose servers are programs are lost, as are \
         secrets that are kept for one run only.",
    );
    if !yes && !confirmed(console).await? {
        console.say("Nothing was ended.");
        return Ok(Exit::Failed);
    }
    dismiss(home).await?;
    console.say("The other version of Signalbox has ended.");
    if console.json {
        console.document(&Ended { ended: true, pid: None, stops: None })?;
    }
    Ok(Exit::Done)
}

fn nobody(console: &Console, message: &str) -> Result<Exit, Failure> {
    console.say(message);
    if console.json {
        console.document(&Ended { ended: false, pid: None, stops: None })?;
    }
    Ok(Exit::Done)
}

async fn confirmed(console: &Console) -> Result<bool, Failure> {
    if !console.has_person() {
        let message = "Nobody can be asked here: --yes ends Signalbox without asking";
        return Err(ApiError::new(Code::InputNeeded, message).into());
    }
    Ok(console.confirms("End Signalbox? [y/N] ").await)
}

/// Returns once that owner has let go of the data directory: whoever follows finds a closed store.
async fn left(home: &Home, pid: u32) -> Result<(), ApiError> {
    let gone = async {
        loop {
            match Ownership::take(home, OwnerKind::Command) {
                Err(NotOwned::Held(Some(owner))) if owner.pid != pid => return Ok(()),
                Err(NotOwned::Held(_)) => before_next_try().await,
                Err(NotOwned::Storage(error)) => return Err(error),
                Ok(_) => return Ok(()),
            }
        }
    };
    timeout_at(Instant::now() + LEAVING, gone).await.unwrap_or_else(|_| {
        let message = format!("Signalbox (process {pid}) was asked to end, but is still running");
        Err(ApiError::new(Code::StorageInUse, message))
    })
}
