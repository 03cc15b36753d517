//! One child process: its tasks, its line for requests, its end.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use signalbox_model::{Hindrance, Obstacle};
use tokio::{
    process::Command,
    sync::{mpsc, oneshot},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    backoff::{Backoff, Failure},
    group::Group,
    life::Life,
    note::Note,
    pipes::{Pipes, read_messages, read_stderr, write},
    tail::Tail,
};
use crate::{
    error::{Error, Stage},
    flight::Flight,
    pending::{Answer, Given, Pending, handed_over, never_sent},
    queue::Feed,
    rpc::{self, Unasked},
    sink::Sink,
};

/// Messages that wait for the child to read them.
const QUEUE: usize = 64;
/// How long a child may take to read on before its requests get no answers any more.
const PATIENCE: Duration = Duration::from_secs(5);

/// How to start a child. Has no `Debug`: environment values are secrets.
pub(super) struct Launch {
    pub(super) program: String,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) message_limit: usize,
    pub(super) flight: Flight,
    pub(super) grace: Duration,
    pub(super) hurry: CancellationToken,
    /// Where it is noted that the child runs.
    pub(super) programs: Option<PathBuf>,
}

/// A child that was started. When it is dropped the child is ended in the background.
pub(super) struct Child {
    line: Line,
    stop: CancellationToken,
    ended: CancellationToken,
}

/// The way to a child, and from it.
#[derive(Clone)]
pub(crate) struct Line {
    outgoing: mpsc::Sender<Outgoing>,
    pub(super) pending: Arc<Pending>,
    /// Who takes what the child sends of its own accord.
    sink: Arc<Mutex<Option<Arc<dyn Sink>>>>,
    /// Whether it has read nothing for too long.
    deaf: Arc<AtomicBool>,
}

/// One message on its way to a child.
pub(super) struct Outgoing {
    pub(super) message: Vec<u8>,
    /// For who wants to know that the child's input has taken it.
    pub(super) written: Option<oneshot::Sender<()>>,
}

/// Whether a server is told that nobody waits for an answer any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GivenUp {
    Told,
    /// Where the channel stays after the one who waited has gone; the end of a connection of its own says enough.
    ToldIfShared,
    /// For what must not be cancelled in this way.
    Silent,
}

impl Launch {
    /// Starts the child, with `inherited` of our environment, and the tasks that serve it.
    pub(super) fn spawn(
        &self,
        inherited: Vec<(OsString, OsString)>,
        path: Option<OsString>,
        tail: &Arc<Tail>,
        backoff: &Arc<Backoff>,
    ) -> Result<Child, Error> {
        let cwd = self.cwd.clone().or_else(std::env::home_dir);
        let mut process = self
            .command(inherited, path, cwd.as_deref())
            .spawn()
            .map_err(|error| self.not_started(&error, cwd.as_deref(), backoff))?;
        // Before anything is said to it.
        let note = self.programs.as_deref().and_then(|dir| note(dir, &process));
        let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let line =
            Line { outgoing, pending: Arc::new(Pending::new()), sink: Arc::default(), deaf: Arc::default() };
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let no_input = CancellationToken::new();
        let pipes = Pipes {
            writer: tokio::spawn(write(
                stdin.expect("BUG: standard input is piped"),
                queue,
                no_input.clone(),
            )),
            messages: tokio::spawn(read_messages(
                stdout.expect("BUG: standard output is piped"),
                (self.message_limit, self.flight.spool()),
                line.clone(),
                Arc::clone(tail),
            )),
            stderr: tokio::spawn(read_stderr(
                stderr.expect("BUG: standard error is piped"),
                self.flight.spool(),
                Arc::clone(tail),
            )),
        };
        let life = Life {
            group: Group::of(&process),
            note,
            process,
            started: Instant::now(),
            grace: self.grace,
            hurry: self.hurry.clone(),
            no_input,
            line: line.clone(),
            tail: Arc::clone(tail),
            backoff: Arc::clone(backoff),
            ended: ended.clone(),
        };
        tokio::spawn(life.run(stop.clone(), pipes));
        Ok(Child { line, stop, ended })
    }

    fn command(
        &self,
        inherited: Vec<(OsString, OsString)>,
        path: Option<OsString>,
        cwd: Option<&Path>,
    ) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        command.env_clear().envs(inherited);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(cwd) = cwd {
            command.current_dir(cwd);
        }
        command
    }

    /// Counts that it could not be started, and says why.
    fn not_started(&self, error: &io::Error, cwd: Option<&Path>, backoff: &Backoff) -> Error {
        // The system says "not found" for the directory as it does for the program.
        let why: Hindrance = match cwd.filter(|cwd| !cwd.is_dir()) {
            Some(cwd) => Obstacle::NoFolder { folder: cwd.display().to_string() }.into(),
            None => error.to_string().into(),
        };
        let failure = Failure::NotStarted { program: self.program.clone(), why: why.clone() };
        let wait = backoff.failed(failure, Duration::ZERO, Instant::now());
        let stage = Stage::Spawn { program: self.program.clone() };
        Error::Unreachable { stage, why, retry_after: Some(wait) }
    }
}

/// Notes that a child runs. It runs also where that cannot be noted, with a full disk above all.
#[cfg(target_os = "linux")]
fn note(dir: &Path, child: &tokio::process::Child) -> Option<Note> {
    let identity = super::process::identity(child.id()?)?;
    let note = Note::make(dir, &identity);
    note.inspect_err(
        |error| tracing::warn!(%error, "a program is not noted: should we be killed, it may stay"),
    )
    .ok()
}

/// Elsewhere nothing would find the child by its note: see [`LeftBehind`](super::LeftBehind).
#[cfg(not(target_os = "linux"))]
fn note(_dir: &Path, _child: &tokio::process::Child) -> Option<Note> {
    None
}

impl Child {
    pub(super) fn ended(&self) -> bool {
        self.ended.is_cancelled()
    }

    pub(super) fn line(&self) -> Line {
        self.line.clone()
    }

    /// Ends the child, gracefully first, and waits for that.
    pub(super) async fn stop(&self) {
        self.stop.cancel();
        self.ended.cancelled().await;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Line {
    /// Sends one message and waits for the answer under `id`. Dropping the future takes the place away.
    pub(crate) async fn request(&self, id: u64, body: Vec<u8>, given_up: GivenUp) -> Answer {
        self.ask(id, body, given_up, None).await?.answer().await
    }

    /// Sends one message, the answer to which can be waited for apart, and news of the same id until then.
    pub(crate) async fn ask(
        &self,
        id: u64,
        body: Vec<u8>,
        given_up: GivenUp,
        news: Option<Feed<Unasked>>,
    ) -> Result<Asked, Error> {
        let answer = self.pending.wait_for(id, news)?;
        let mut asked = Asked { id, answer, line: self.clone(), sent: false, given_up };
        let outgoing = Outgoing { message: rpc::one_line(body), written: None };
        asked.sent = self.outgoing.send(outgoing).await.is_ok();
        Ok(asked)
    }

    /// Sends one message that has no answer, and waits until the child's input has taken it.
    pub(crate) async fn tell(&self, body: Vec<u8>) -> Result<(), Error> {
        let (written, taken) = oneshot::channel();
        let outgoing = Outgoing { message: rpc::one_line(body), written: Some(written) };
        if self.outgoing.send(outgoing).await.is_err() {
            return Err(self.pending.ended().unwrap_or(Error::Closed));
        }
        taken.await.map_err(|_| Error::lost(Obstacle::NoMoreInput))
    }

    /// From now on `sink` takes what the child sends of its own accord.
    pub(crate) fn attach(&self, sink: Arc<dyn Sink>) {
        *self.sink() = Some(sink);
    }

    /// Hands on what the child sends of its own accord.
    pub(super) async fn unasked(&self, message: Unasked) {
        if let Some(feed) = message.subscription().and_then(|id| self.pending.news(id)) {
            let bytes = message.raw.text().len();
            feed.put(message, bytes).await;
            return;
        }
        let sink = self.sink().clone();
        let Some(sink) = sink else {
            tracing::debug!(method = message.method, "a message for which nobody waits");
            return;
        };
        if let Some(answer) = sink.take(message).await {
            self.answer(Outgoing { message: rpc::one_line(answer), written: None }).await;
        }
    }

    /// Sends an answer that needed nobody. A child that asks faster than it reads is slowed down, since it is not read
    /// meanwhile; one that does not read at all must not keep us from reading for ever.
    async fn answer(&self, outgoing: Outgoing) {
        let patience = if self.deaf.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        match timeout(patience, self.outgoing.reserve()).await {
            Ok(Ok(room)) => {
                room.send(outgoing);
                self.deaf.store(false, Ordering::Relaxed);
            }
            // It has ended.
            Ok(Err(_)) => {}
            Err(_) if self.deaf.swap(true, Ordering::Relaxed) => {}
            Err(_) => tracing::warn!("a program that does not read gets no answer to what it asks"),
        }
    }

    /// The child has ended.
    pub(super) fn end(&self, error: &Error) {
        self.pending.end(error);
        // Taken out: the sink may hold this line.
        let sink = self.sink().take();
        if let Some(sink) = sink {
            sink.end(error);
        }
    }

    fn sink(&self) -> MutexGuard<'_, Option<Arc<dyn Sink>>> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request's place among those that wait. Dropping it takes the place away and, if wanted, tells the server so.
pub(crate) struct Asked {
    id: u64,
    answer: oneshot::Receiver<Given>,
    line: Line,
    sent: bool,
    given_up: GivenUp,
}

impl Asked {
    /// The answer. Dropping the future does not take the place away.
    pub(crate) async fn answer(&mut self) -> Answer {
        let answer = (&mut self.answer).await.expect("BUG: a place is answered before it is taken away");
        handed_over(answer).map_err(|error| if self.sent { error } else { never_sent(error) })
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let unanswered = self.line.pending.forget(self.id);
        if unanswered && self.sent && self.given_up != GivenUp::Silent {
            let message = rpc::one_line(rpc::cancelled(self.id));
            if self.line.outgoing.try_send(Outgoing { message, written: None }).is_err() {
                tracing::debug!("a child that does not read was not told of a cancelled request");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn answers_to_a_child_that_does_not_read_wait_a_while_and_go_nowhere() {
        let (outgoing, mut queue) = mpsc::channel(QUEUE);
        let line =
            Line { outgoing, pending: Arc::new(Pending::new()), sink: Arc::default(), deaf: Arc::default() };
        let answer = || line.answer(Outgoing { message: b"{}".to_vec(), written: None });
        let began = Instant::now();
        for _ in 0..64 {
            answer().await;
        }
        assert_eq!(began.elapsed(), Duration::ZERO, "there is room for these");
        answer().await;
        assert_eq!(began.elapsed(), PATIENCE, "it may read on");
        answer().await;
        assert_eq!(began.elapsed(), PATIENCE, "a child that does not read is not waited for again");
        assert_eq!(std::iter::from_fn(|| queue.try_recv().ok()).count(), 64);
        answer().await;
        assert!(queue.try_recv().is_ok(), "it reads on, and gets its answers");
    }
}
