//! The life of one child, from its start to its end.

use std::{process::ExitStatus, sync::Arc, time::Duration};

use tokio::{
    process::Child,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    backoff::{Backoff, Failure},
    child::Line,
    group::Group,
    note::Note,
    pipes::Pipes,
    tail::Tail,
};
use crate::error::{Error, Sent};

/// How long the pipes of a child that ended may take to run empty: its own children can hold them open for ever.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Owns the process until it has ended.
pub(super) struct Life {
    pub(super) process: Child,
    pub(super) group: Group,
    /// Goes when all have ended, so behind these in the order of this list.
    pub(super) note: Option<Note>,
    pub(super) started: Instant,
    pub(super) grace: Duration,
    /// Cancelled when nobody waits any more for an end that is graceful.
    pub(super) hurry: CancellationToken,
    /// Cancelled to close the child's input.
    pub(super) no_input: CancellationToken,
    pub(super) line: Line,
    pub(super) tail: Arc<Tail>,
    pub(super) backoff: Arc<Backoff>,
    /// Cancelled when all is over.
    pub(super) ended: CancellationToken,
}

impl Life {
    /// Waits for the child's end, or brings it about when `stop` is cancelled or the child closes a stream.
    pub(super) async fn run(mut self, stop: CancellationToken, mut pipes: Pipes) {
        let status = tokio::select! {
            status = self.process.wait() => status.ok(),
            _ = &mut pipes.messages => self.end().await,
            _ = &mut pipes.writer => self.end().await,
            () = stop.cancelled() => self.end().await,
        };
        self.no_input.cancel();
        self.group.kill();
        pipes.run_dry(LAST_WORDS).await;
        let code = status.and_then(|status| status.code());
        let retry_after = (!stop.is_cancelled())
            .then(|| self.backoff.failed(Failure::Exited { code }, self.started.elapsed(), Instant::now()));
        self.note = None;
        tracing::debug!(code, wanted = stop.is_cancelled(), "child ended");
        self.line.end(&Error::Exited { code, stderr: self.tail.text(), sent: Sent::Maybe, retry_after });
        self.ended.cancel();
    }

    /// Gracefully first, then by force.
    async fn end(&mut self) -> Option<ExitStatus> {
        self.no_input.cancel();
        if let Left::Ended(status) = self.leaves().await {
            return status;
        }
        self.group.terminate();
        if let Left::Ended(status) = self.leaves().await {
            return status;
        }
        self.group.kill();
        if self.process.start_kill().is_err() {
            tracing::debug!("the child ended before it was killed");
        }
        self.process.wait().await.ok()
    }

    /// Waits for its end as long as it has grace.
    async fn leaves(&mut self) -> Left {
        let leaving = async {
            tokio::select! {
                status = self.process.wait() => Left::Ended(status.ok()),
                () = self.hurry.cancelled() => Left::Stays,
            }
        };
        timeout(self.grace, leaving).await.unwrap_or(Left::Stays)
    }
}

/// What a child did with its grace.
enum Left {
    Ended(Option<ExitStatus>),
    Stays,
}
