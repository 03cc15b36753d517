//! The life of one child, from its start to its end, and the tasks that serve its pipes.

use std::{process::ExitStatus, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncWriteExt as _, BufReader},
    process::{Child, ChildStderr, ChildStdin, ChildStdout},
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    backoff::{Backoff, Failure},
    group::Group,
    lines::{Line, next_line},
    pending::Pending,
    tail::Tail,
};
use crate::{
    error::{Error, Sent},
    rpc::{self, Message},
};

/// How long the pipes of a child that ended may take to run empty: its own children can hold them open for ever.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// What is read of one line of standard error, in bytes.
const STDERR_LINE: usize = 8 * 1024;

/// Owns the process until it has ended.
pub(super) struct Life {
    pub(super) process: Child,
    pub(super) group: Group,
    pub(super) started: Instant,
    pub(super) grace: Duration,
    /// Cancelled to close the child's input.
    pub(super) no_input: CancellationToken,
    pub(super) pending: Arc<Pending>,
    pub(super) tail: Arc<Tail>,
    pub(super) backoff: Arc<Backoff>,
    /// Cancelled when all is over.
    pub(super) ended: CancellationToken,
}

impl Life {
    /// Waits for the child's end, or brings it about when `stop` is cancelled or the child closes its output.
    pub(super) async fn run(
        mut self,
        stop: CancellationToken,
        mut messages: JoinHandle<()>,
        mut stderr: JoinHandle<()>,
    ) {
        let status = tokio::select! {
            status = self.process.wait() => status.ok(),
            _ = &mut messages => self.end().await,
            () = stop.cancelled() => self.end().await,
        };
        self.no_input.cancel();
        self.group.kill();
        for pipe in [&mut messages, &mut stderr] {
            if !pipe.is_finished() && timeout(LAST_WORDS, &mut *pipe).await.is_err() {
                pipe.abort();
            }
        }
        let code = status.and_then(|status| status.code());
        let retry_after = (!stop.is_cancelled())
            .then(|| self.backoff.failed(Failure::Exited { code }, self.started.elapsed(), Instant::now()));
        tracing::debug!(code, wanted = stop.is_cancelled(), "child ended");
        self.ended.cancel();
        self.pending.end(&Error::Exited { code, stderr: self.tail.text(), sent: Sent::Maybe, retry_after });
    }

    /// Gracefully first, then by force.
    async fn end(&mut self) -> Option<ExitStatus> {
        self.no_input.cancel();
        if let Ok(status) = timeout(self.grace, self.process.wait()).await {
            return status.ok();
        }
        self.group.terminate();
        if let Ok(status) = timeout(self.grace, self.process.wait()).await {
            return status.ok();
        }
        self.group.kill();
        if self.process.start_kill().is_err() {
            tracing::debug!("the child ended before it was killed");
        }
        self.process.wait().await.ok()
    }
}

/// Writes whole messages, one after the other, until the input is to be closed.
pub(super) async fn write(
    mut stdin: ChildStdin,
    mut queue: mpsc::Receiver<Vec<u8>>,
    no_input: CancellationToken,
) {
    let writing = async {
        while let Some(message) = queue.recv().await {
            if let Err(error) = stdin.write_all(&message).await {
                tracing::debug!(kind = ?error.kind(), "a child does not take its input");
                break;
            }
        }
    };
    let _ = no_input.run_until_cancelled(writing).await;
}

/// Hands each answer to who waits for it. What is no message goes to the tail.
pub(super) async fn read_messages(stdout: ChildStdout, limit: usize, pending: Arc<Pending>, tail: Arc<Tail>) {
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let (mut buffer, mut junk) = (Vec::new(), 0_u64);
    while let Ok(Some(line)) = next_line(&mut stdout, &mut buffer, limit).await {
        if line == Line::Cut {
            // Whose answer this was stands at its beginning, mostly; or there is only one who can wait for it.
            let id = rpc::early_id(&buffer[..buffer.len().min(4096)]).or_else(|| pending.only());
            tracing::warn!(limit, known = id.is_some(), "a child's message is too large");
            id.map(|id| pending.answer(id, Err(Error::TooLarge { limit })));
        } else {
            match Message::read(&buffer) {
                Ok(Message::Answer { id: Some(id), outcome }) => {
                    if !pending.answer(id, outcome.map_err(Error::from)) {
                        tracing::debug!("an answer for which nobody waits");
                    }
                }
                Ok(Message::Answer { id: None, outcome }) => {
                    let code = outcome.err().map(|error| error.code);
                    tracing::warn!(code, "a child's answer without an id");
                }
                Ok(Message::Other { method }) => tracing::debug!(method, "message of a child"),
                Err(_) if buffer.trim_ascii().is_empty() => {}
                Err(_) => {
                    junk += 1;
                    tracing::debug!(junk, "a child's line that is no message");
                    tail.push(&buffer);
                }
            }
        }
        // One huge message must not hold its memory for the rest of the child's life.
        if buffer.capacity() > 1024 * 1024 {
            buffer = Vec::new();
        }
    }
}

/// Keeps the last lines.
pub(super) async fn read_stderr(stderr: ChildStderr, tail: Arc<Tail>) {
    let mut stderr = BufReader::new(stderr);
    let mut buffer = Vec::new();
    while let Ok(Some(_)) = next_line(&mut stderr, &mut buffer, STDERR_LINE).await {
        tracing::debug!(target: "signalbox_mcp::stderr", line = %String::from_utf8_lossy(&buffer));
        tail.push(&buffer);
    }
}
