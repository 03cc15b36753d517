//! The tasks that serve a child's standard streams.

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncWriteExt as _, BufReader},
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    lines::{Line, next_line},
    pending::Pending,
    tail::Tail,
};
use crate::{
    error::Error,
    rpc::{self, Message},
};

/// What is read of one line of standard error, in bytes.
const STDERR_LINE: usize = 8 * 1024;

/// The tasks of one child.
pub(super) struct Pipes {
    /// Ends when the child takes no more input.
    pub(super) writer: JoinHandle<()>,
    /// Ends when the child closes its output.
    pub(super) messages: JoinHandle<()>,
    pub(super) stderr: JoinHandle<()>,
}

impl Pipes {
    /// Waits until all that was written is read, at most `patience` for each stream.
    pub(super) async fn run_dry(self, patience: Duration) {
        for mut pipe in [self.writer, self.messages, self.stderr] {
            if !pipe.is_finished() && timeout(patience, &mut pipe).await.is_err() {
                pipe.abort();
            }
        }
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
