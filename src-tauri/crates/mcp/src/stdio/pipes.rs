//! The tasks that serve a child's standard streams.

use std::{io, sync::Arc, time::Duration};

use signalbox_model::{Json, Stray};
use tokio::{
    io::{AsyncRead, BufReader},
    process::{ChildStdin, ChildStdout},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    child::{Line, Outgoing},
    input::Input,
    lines::{self, next_line},
    tail::Tail,
};
use crate::{
    error::Error,
    flight::{Flight, Permit, Spool},
    rpc::{self, Message, Unasked},
};

/// What is read of one line of standard error, in bytes: more than is kept, so that no secret is kept to its half.
const STDERR_LINE: usize = 8 * 1024;

/// Where in an answer its id is looked for, in bytes.
const BEGINNING: usize = 4096;

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

/// Writes whole messages, one after the other, until the input is to be closed, or the child has closed it.
pub(super) async fn write(
    stdin: ChildStdin,
    mut queue: mpsc::Receiver<Outgoing>,
    no_input: CancellationToken,
) {
    let writing = async {
        let mut input = Input::of(stdin)?;
        loop {
            let next = tokio::select! {
                biased;
                next = queue.recv() => next,
                () = input.closed() => None,
            };
            let Some(Outgoing { message, written }) = next else { return io::Result::Ok(()) };
            input.write(&message).await?;
            // Whoever wanted to know may be gone.
            written.map(|written| written.send(()));
        }
    };
    if let Some(Err(error)) = no_input.run_until_cancelled(writing).await {
        tracing::debug!(kind = ?error.kind(), "a child does not take its input");
    }
}

/// Hands each message to who waits for it. What is no message goes to the tail.
pub(super) async fn read_messages(
    stdout: ChildStdout,
    (limit, mut spool): (usize, Spool),
    line: Line,
    tail: Arc<Tail>,
) {
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let mut junk = 0_u64;
    while let Ok(Some(end)) = next_line(&mut stdout, &mut spool, limit).await {
        let is_whole = end == lines::Line::Whole;
        let arrived = match end {
            lines::Line::Cut(error) => Err(error),
            lines::Line::Whole | lines::Line::Rest => spool.complete().await,
        };
        let bytes = match arrived {
            Ok(bytes) => bytes.without_cr().masked(),
            Err(error) => {
                // The id of the answer mostly stands at its beginning. Else it is known if only one request
                // waits.
                let beginning = spool.beginning();
                let id = rpc::early_id(&beginning[..beginning.len().min(BEGINNING)]);
                let id = id.or_else(|| line.pending.only());
                tracing::warn!(limit, known = id.is_some(), "a child's message is not taken");
                id.map(|id| line.pending.answer(id, Err(error), None));
                spool.clear();
                continue;
            }
        };
        let parts = bytes.turn().await.read(rpc::parts);
        if parts.iter().any(Result::is_err) && !bytes.bytes().trim_ascii().is_empty() {
            junk += 1;
            tracing::debug!(junk, "a child's line that is no message");
            tail.push(
                spool.flight().mask().line(&bytes.bytes()[..bytes.bytes().len().min(STDERR_LINE)]).as_bytes(),
            );
            // Where a child ends in the middle of a line, its end says more; where a message came before, that is it.
            if is_whole && parts.iter().all(Result::is_err) {
                fail_what_it_answers(bytes.bytes(), &line);
            }
        }
        let permit = bytes.permit();
        drop(bytes);
        for message in parts.into_iter().flatten() {
            take(message, &permit, &line, spool.flight()).await;
        }
        drop(permit);
        spool.flight().ready().await;
    }
}

/// A line that begins as an answer and is no message will not come again: nobody has to wait out the time for it. That
/// it says so itself tells it from a line of a log, which can have an id, too; that it names no method, from a request
/// of ours that is logged and cut.
fn fail_what_it_answers(bytes: &[u8], line: &Line) {
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let has = |name: &[u8]| beginning.windows(name.len()).any(|word| word == name);
    if !has(b"\"jsonrpc\"") || has(b"\"method\"") {
        return;
    }
    if let Some(id) = rpc::early_id(beginning) {
        let raw = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text).ok());
        line.pending.answer(id, Err(Error::Garbled { stray: Stray::NoMessage, raw }), None);
    }
}

async fn take(message: Message, permit: &Permit, line: &Line, flight: &Flight) {
    match message {
        Message::Answer { id: Some(id), outcome } => {
            if !line.pending.answer(id, outcome.map_err(Error::from), Some(permit.clone())) {
                tracing::debug!("an answer for which nobody waits");
            }
        }
        Message::Answer { id: None, outcome } => {
            let code = outcome.err().map(|error| error.code);
            tracing::warn!(code, "a child's answer without an id");
        }
        Message::Unasked(message) => {
            flight.unasked(message.raw.text().len());
            line.unasked(Unasked { permit: Some(permit.clone()), ..message }).await;
        }
    }
}

/// Keeps the last lines.
pub(super) async fn read_stderr(stderr: impl AsyncRead + Unpin, mut spool: Spool, tail: Arc<Tail>) {
    let mut stderr = BufReader::new(stderr);
    while let Ok(Some(_)) = next_line(&mut stderr, &mut spool, STDERR_LINE).await {
        let line = spool.beginning();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = spool.flight().mask().line(line);
        tracing::debug!(target: "signalbox_mcp::stderr", line);
        tail.push(line.as_bytes());
        spool.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flight::Room;

    #[tokio::test]
    async fn of_an_endless_line_of_standard_error_the_beginning_is_kept_and_no_half_of_a_secret() {
        const SECRET: &str = "s3cr3t-0123456789";
        let flight = Flight::new(&Room::default(), STDERR_LINE);
        flight.mask().learn(SECRET);
        let before = "x".repeat(4 * 1024 - 6);
        let text = format!("{before}{SECRET}{}\nnext\n", "x".repeat(1 << 20));
        let tail = Arc::new(Tail::new(64 * 1024));
        read_stderr(text.as_bytes(), flight.spool(), Arc::clone(&tail)).await;
        let lines = tail.lines();
        assert_eq!((lines.len(), lines[1].as_str()), (2, "next"), "what comes behind it is another line");
        assert!(lines[0].starts_with(&before) && !lines[0].contains("s3"), "{}", &lines[0][before.len()..]);

        let mut spool = flight.spool();
        let mut long = BufReader::new(text.as_bytes());
        assert!(matches!(next_line(&mut long, &mut spool, STDERR_LINE).await, Ok(Some(lines::Line::Cut(_)))));
        assert_eq!(spool.beginning().len(), 8 * 1024);
    }
}
