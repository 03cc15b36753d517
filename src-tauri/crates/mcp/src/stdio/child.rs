//! One child process: its tasks, its line for requests, its end.

use std::{ffi::OsString, path::PathBuf, process::Stdio, sync::Arc, time::Duration};

use signalbox_model::Json;
use tokio::{process::Command, sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    backoff::{Backoff, Failure},
    group::Group,
    life::Life,
    pending::{Pending, never_sent},
    pipes::{Pipes, read_messages, read_stderr, write},
    tail::Tail,
};
use crate::{
    error::{Error, Stage},
    rpc,
};

/// Messages that wait for the child to read them.
const QUEUE: usize = 64;

/// How to start a child. Has no `Debug`: environment values are secrets.
pub(super) struct Launch {
    pub(super) program: String,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) message_limit: usize,
    pub(super) grace: Duration,
}

/// A child that was started. When it is dropped the child is ended in the background.
pub(super) struct Child {
    line: Line,
    stop: CancellationToken,
    ended: CancellationToken,
}

/// The way to a child, for one request after the other.
#[derive(Clone)]
pub(super) struct Line {
    outgoing: mpsc::Sender<Vec<u8>>,
    pending: Arc<Pending>,
}

impl Launch {
    /// Starts the child and the tasks that serve it.
    pub(super) fn spawn(
        &self,
        path: Option<OsString>,
        tail: &Arc<Tail>,
        backoff: &Arc<Backoff>,
    ) -> Result<Child, Error> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        let cwd = self.cwd.clone().or_else(std::env::home_dir);
        if let Some(cwd) = &cwd {
            command.current_dir(cwd);
        }
        let mut process = command.spawn().map_err(|error| {
            // The system says "not found" for the directory as it does for the program.
            let message = match cwd.filter(|cwd| !cwd.is_dir()) {
                Some(cwd) => format!("there is no directory {} to start {} in", cwd.display(), self.program),
                None => format!("{} does not start: {error}", self.program),
            };
            let failure = Failure::NotStarted { program: self.program.clone(), message: message.clone() };
            let wait = backoff.failed(failure, Duration::ZERO, Instant::now());
            let stage = Stage::Spawn { program: self.program.clone() };
            Error::Unreachable { stage, message, retry_after: Some(wait) }
        })?;
        let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let pending = Arc::new(Pending::new());
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
                self.message_limit,
                Arc::clone(&pending),
                Arc::clone(tail),
            )),
            stderr: tokio::spawn(read_stderr(
                stderr.expect("BUG: standard error is piped"),
                Arc::clone(tail),
            )),
        };
        let life = Life {
            group: Group::of(&process),
            process,
            started: Instant::now(),
            grace: self.grace,
            no_input,
            pending: Arc::clone(&pending),
            tail: Arc::clone(tail),
            backoff: Arc::clone(backoff),
            ended: ended.clone(),
        };
        tokio::spawn(life.run(stop.clone(), pipes));
        Ok(Child { line: Line { outgoing, pending }, stop, ended })
    }
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
    /// Sends one message and waits for the answer under `id`. Dropping the future takes the place away and tells the
    /// server so.
    pub(super) async fn request(&self, id: u64, mut body: Vec<u8>) -> Result<Json, Error> {
        // Line ends can only be blanks between the tokens of embedded JSON: strings hold them escaped.
        body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        body.push(b'\n');
        let answer = self.pending.wait_for(id)?;
        let mut place = Place { id, line: self, sent: false };
        place.sent = self.outgoing.send(body).await.is_ok();
        let sent = place.sent;
        let answer = answer.await.expect("BUG: a place is answered before it is taken away");
        answer.map_err(|error| if sent { error } else { never_sent(error) })
    }
}

/// A request's place among those that wait.
struct Place<'a> {
    id: u64,
    line: &'a Line,
    sent: bool,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let unanswered = self.line.pending.forget(self.id);
        if unanswered && self.sent {
            let mut notice = rpc::cancelled(self.id);
            notice.push(b'\n');
            if self.line.outgoing.try_send(notice).is_err() {
                tracing::debug!("a child that does not read was not told of a cancelled request");
            }
        }
    }
}
