//! Newline-delimited JSON over any pair of streams. Nothing but protocol messages is written, unless a fault says so.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::faults::{Hits, Outgoing};
use crate::legacy::{Out, Session};
use crate::modern::Answer;
use crate::outbox::Reader;
use crate::protocol::{Incoming, Message, Refusal};
use crate::{Demo, DemoWire, Wires};

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
        let session = Session::new(format!("stdio-{}", self.0.calls.fresh_id()), false, None);
        let mut connection = Connection {
            demo: self.clone(),
            verdict: None,
            session: session.clone(),
            answering: JoinSet::new(),
            by_id: HashMap::new(),
            out: out.clone(),
        };
        let pumping = tokio::spawn(pump(session.general.read(None), out));
        let ended = tokio::select! {
            // Ends first only when the client stopped reading, or a fault cut the stream: then nobody is served.
            ended = &mut writing => ended,
            ended = connection.read(BufReader::new(reader)) => match ended {
                Ok(()) => {
                    connection.finish().await;
                    // Ends once everything is written that was still to be said.
                    let (written, _) = tokio::join!(&mut writing, pumping);
                    return written;
                }
                Err(error) => Err(error),
            },
        };
        self.close_session(&session, "gone")?;
        ended
    }
}

/// One client on two streams.
struct Connection {
    demo: Demo,
    /// Which wire the client speaks, once it has said something.
    verdict: Option<DemoWire>,
    /// Used on the legacy wire alone.
    session: Arc<Session>,
    answering: JoinSet<()>,
    by_id: HashMap<String, AbortHandle>,
    out: mpsc::Sender<Line>,
}

impl Connection {
    async fn read(&mut self, mut reader: impl AsyncBufRead + Unpin) -> io::Result<()> {
        while let Some(line) = next_line(&mut reader).await? {
            while self.answering.try_join_next().is_some() {}
            self.by_id.retain(|_, answer| !answer.is_finished());
            if line.is_empty() {
                continue;
            }
            let legacy = self.verdict == Some(DemoWire::Legacy) || self.demo.wires() == Wires::Legacy;
            match self.demo.receive(&line, legacy.then_some(self.session.id.as_str())) {
                Err(refusal) => self.say(refusal.response(None).to_string()).await,
                Ok(incoming) if self.wire(&incoming) == DemoWire::Legacy => self.hear(incoming),
                Ok(Incoming::Message(message)) => self.answer(message),
                Ok(Incoming::Reply(_)) => {
                    let refusal = Refusal::Request("a client sends requests and notifications only");
                    self.say(refusal.response(None).to_string()).await;
                }
            }
        }
        Ok(())
    }

    /// Which wire this is. Who sends `initialize` is legacy from then on, where both are spoken.
    fn wire(&mut self, incoming: &Incoming) -> DemoWire {
        match self.demo.wires() {
            Wires::Modern => DemoWire::Modern,
            Wires::Legacy => DemoWire::Legacy,
            Wires::Both => {
                if matches!(incoming, Incoming::Message(message) if message.method == "initialize") {
                    self.verdict = Some(DemoWire::Legacy);
                }
                self.verdict.unwrap_or(DemoWire::Modern)
            }
        }
    }

    fn hear(&self, incoming: Incoming) {
        let hits = match &incoming {
            Incoming::Message(message) if message.id.is_some() => self.demo.faults().take(&message.method),
            _ => Hits::default(),
        };
        let out = Out { to: self.session.general.clone(), own: false };
        self.demo.hear(&self.session, incoming, out, hits);
    }

    fn answer(&mut self, message: Message) {
        let Some(id) = message.id.as_ref().map(ToString::to_string) else {
            let cancelled = (message.method == "notifications/cancelled")
                .then(|| message.params["requestId"].to_string());
            if let Some(answer) = cancelled.and_then(|id| self.by_id.remove(&id)) {
                answer.abort();
            }
            return;
        };
        let hits = self.demo.faults().take(&message.method);
        let (demo, out) = (self.demo.clone(), self.out.clone());
        let answering = async move { demo.answer_line(&message, &hits, &out).await };
        self.by_id.insert(id, self.answering.spawn(answering));
    }

    async fn say(&self, line: String) {
        // Who stopped reading is noticed elsewhere.
        let _ = self.out.send(Line::Whole(line.into_bytes())).await;
    }

    /// A client that pipes in a few requests and closes still gets its answers.
    async fn finish(mut self) {
        let all = async {
            while self.answering.join_next().await.is_some() {}
            self.session.served().await;
        };
        let _ = tokio::time::timeout(GRACE, all).await;
        self.answering.shutdown().await;
        if let Err(error) = self.demo.close_session(&self.session, "gone") {
            tracing::error!(%error, "the state file could not be written");
        }
    }
}

impl Demo {
    async fn answer_line(&self, message: &Message, hits: &Hits, out: &mpsc::Sender<Line>) {
        match self.answer(message, hits, Ok(())).await {
            Answer::Nothing => {}
            Answer::Response { body, .. } => {
                put(hits.spoil(body), out).await;
            }
            Answer::Stream(mut messages) => {
                let mut left = hits.hang_up().unwrap_or(usize::MAX);
                while let Some(message) = messages.recv().await {
                    // There is no connection of its own to end: the rest is just never said.
                    if left == 0 || !put(hits.spoil(message), out).await {
                        return;
                    }
                    left -= 1;
                }
            }
        }
    }
}

/// Carry what belongs to a legacy session to its lines.
async fn pump(mut reader: Reader, out: mpsc::Sender<Line>) {
    while let Some((message, hits)) = reader.next().await {
        if !put(hits.spoil(message), &out).await {
            return;
        }
    }
}

/// False when nobody reads any more.
async fn put(spoiled: Outgoing, out: &mpsc::Sender<Line>) -> bool {
    let junk = spoiled.junk.iter().map(|line| line.as_bytes());
    for line in junk.chain(spoiled.pieces()) {
        let line = line.to_vec();
        if out.send(if spoiled.cut { Line::Cut(line) } else { Line::Whole(line) }).await.is_err() {
            return false;
        }
    }
    true
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
