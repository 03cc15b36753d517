//! Newline-delimited JSON over any pair of streams. Nothing but protocol messages is written, unless a fault says so.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::Demo;
use crate::dispatch::Reply;
use crate::faults::{Hits, Outgoing};
use crate::protocol::Message;

/// The longest line that is read (bytes).
const LINE_MAX: u64 = 16 * 1024 * 1024;
/// What is still being answered when the input ends may take this long.
const GRACE: Duration = Duration::from_secs(1);

/// One line to write, without its newline.
enum Line {
    Whole(Vec<u8>),
    /// Half a line; nothing is written after it.
    Cut(Vec<u8>),
}

impl Demo {
    /// Serve one client until its input ends.
    ///
    /// # Errors
    /// Reading or writing failed, or a line was longer than 16 MiB.
    pub async fn serve_stdio<R, W>(&self, reader: R, writer: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let (out, lines) = mpsc::channel(64);
        let mut writing = pin!(write(writer, lines));
        tokio::select! {
            // Ends first only when the client stopped reading, or a fault cut the stream: then nobody is served.
            ended = &mut writing => ended,
            ended = self.read(BufReader::new(reader), out) => {
                ended?;
                writing.await
            }
        }
    }

    async fn read(&self, mut reader: impl AsyncBufRead + Unpin, out: mpsc::Sender<Line>) -> io::Result<()> {
        let mut answering = JoinSet::new();
        let mut by_id: HashMap<String, AbortHandle> = HashMap::new();
        while let Some(line) = next_line(&mut reader).await? {
            while answering.try_join_next().is_some() {}
            by_id.retain(|_, answer| !answer.is_finished());
            if line.is_empty() {
                continue;
            }
            match self.receive(&line) {
                Err(refusal) => {
                    let _ = out.send(Line::Whole(refusal.response(None).to_string().into_bytes())).await;
                }
                Ok(Message { id: None, method, params }) => {
                    let cancelled =
                        (method == "notifications/cancelled").then(|| params["requestId"].to_string());
                    if let Some(answer) = cancelled.and_then(|id| by_id.remove(&id)) {
                        answer.abort();
                    }
                }
                Ok(message @ Message { id: Some(_), .. }) => {
                    let id = message.id.as_ref().map(ToString::to_string).unwrap_or_default();
                    let hits = self.faults().take(&message.method);
                    let (demo, out) = (self.clone(), out.clone());
                    by_id.insert(
                        id,
                        answering.spawn(async move { demo.answer_line(&message, &hits, &out).await }),
                    );
                }
            }
        }
        // A client that pipes in a few requests and closes still gets its answers.
        let all = async { while answering.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(GRACE, all).await;
        answering.shutdown().await;
        Ok(())
    }

    async fn answer_line(&self, message: &Message, hits: &Hits, out: &mpsc::Sender<Line>) {
        match self.answer(message, hits, Ok(())).await {
            Reply::Nothing => {}
            Reply::Response { body, .. } => {
                let Outgoing { bytes, cut, junk, .. } = hits.spoil(body);
                for line in junk {
                    let _ = out.send(Line::Whole(line.into_bytes())).await;
                }
                let _ = out.send(if cut { Line::Cut(bytes) } else { Line::Whole(bytes) }).await;
            }
            Reply::Stream(mut messages) => {
                while let Some(message) = messages.recv().await {
                    if out.send(Line::Whole(message.to_string().into_bytes())).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

async fn next_line(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = (&mut *reader).take(LINE_MAX).read_until(b'\n', &mut line).await?;
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if read as u64 == LINE_MAX {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than 16 MiB"));
    }
    Ok((read > 0).then_some(line))
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<Line>) -> io::Result<()> {
    while let Some(line) = lines.recv().await {
        let (mut bytes, last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Cut(bytes) => (bytes, true),
        };
        if !last {
            bytes.push(b'\n');
        }
        writer.write_all(&bytes).await?;
        writer.flush().await?;
        if last {
            break;
        }
    }
    Ok(())
}
