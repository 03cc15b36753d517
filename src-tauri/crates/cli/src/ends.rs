//! What ends a command before it is done (its deadline, somebody who stops it), and how its failure is told.

use std::time::Duration;

use signalbox_api::{ApiError, Code, Retry};
use tokio::time::Instant;

use crate::console::Console;
use crate::docs;
use crate::exit::{Exit, Failure};
use crate::text::advice::advised;

/// Waiting longer than this for what nobody may expect to be waited for is said.
pub(crate) const UNSAID: Duration = Duration::from_secs(1);

/// Ends at the deadline, if there is one.
pub(crate) async fn reached(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Ends when somebody stops this program, from the keyboard or by a signal.
pub(crate) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                Ok(()) = tokio::signal::ctrl_c() => return,
                Some(()) = terminate.recv() => return,
                else => {}
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Nobody can be heard: the signal's own effect ends the program.
        std::future::pending::<()>().await;
    }
}

/// The time was up, and nothing else is to be said.
pub(crate) fn late(console: &Console, message: &str, retry: Retry) -> Result<Exit, Failure> {
    report(console, &ApiError { retry, ..ApiError::new(Code::TimedOut, message) })?;
    Ok(Exit::TimedOut)
}

/// The failure document, where documents are wanted, and the message.
pub(crate) fn report(console: &Console, error: &ApiError) -> std::io::Result<()> {
    say(console, error);
    if console.json { console.document(&docs::Failed { failure: error.into() }) } else { Ok(()) }
}

/// The message alone.
pub(crate) fn say(console: &Console, error: &ApiError) {
    console.say(&advised(error));
}
