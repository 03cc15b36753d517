//! The one task that owns the state: an input in, a step, a batch to the writer.

use signalbox_mcp::Load;
use signalbox_store::{Batch, BatchKind, CommitError, Store, Write};
use tokio::sync::{mpsc, oneshot, watch};

use super::{Loaded, Waiting, runner::Effects};
use crate::{Input, Intent, Output, Refusal, State, Token, clock::Clock};

/// Steps taken before others get the thread.
const BURST: u32 = 256;
/// Batches that may wait for the disk; beyond that servers wait until there is room. Well below what the store takes.
const BACKLOG: usize = 4_096;

/// While calls are followed, the clock is read this often, in ms: a timer does not count the time that the machine
/// slept.
const GLANCE: u64 = 5_000;

pub(super) struct EventLoop {
    pub(super) state: State,
    pub(super) clock: Clock,
    pub(super) seed: u64,
    pub(super) store: Store,
    pub(super) received: mpsc::Receiver<Loaded>,
    /// What people want: never behind what servers said.
    pub(super) wishes: mpsc::Receiver<(Token, Intent)>,
    pub(super) effects: Effects,
    pub(super) waiting: Waiting,
}

impl EventLoop {
    /// Commits what follows from the end of the last run. Nobody looks before: what was under way then would be shown as if it
    /// still were.
    pub(super) async fn begin(&self, first: Output) {
        let is_told = !first.writes.is_empty();
        self.submit(first, Load::default());
        let (tell, told) = oneshot::channel();
        let done = Box::new(move |_| {
            let _ = tell.send(());
        });
        // As a wish, so that a full disk keeps nobody from looking.
        let behind = Batch { writes: Vec::new(), kind: BatchKind::Intent, done };
        if is_told && self.store.submit(behind).is_ok() {
            let _ = told.await;
        }
    }

    pub(super) async fn run(mut self, mut stopping: oneshot::Receiver<()>, ended: watch::Sender<bool>) {
        let mut burst = 0_u32;
        loop {
            let due = self.next_glance();
            let room = self.effects.uncommitted() < BACKLOG;
            let (input, load) = tokio::select! {
                biased;
                // An engine that was dropped stops as well.
                _ = &mut stopping => break,
                () = sleep(self.clock, due), if room => (Input::Tick, Load::default()),
                Some((token, intent)) = self.wishes.recv() => {
                    (Input::Intent { token, intent: Box::new(intent) }, Load::default())
                }
                Some(Loaded { input, load }) = self.received.recv(), if room => (input, load),
                () = self.effects.fewer_than(BACKLOG), if !room => continue,
            };
            self.take(input, load).await;
            burst = burst.wrapping_add(1);
            if burst.is_multiple_of(BURST) {
                tokio::task::yield_now().await;
            }
        }
        self.leave().await;
        ended.send_replace(true);
    }

    /// When to go on without an input: when something is due, or to see whether the machine has slept.
    fn next_glance(&self) -> Option<u64> {
        let due = self.state.next_due();
        if self.state.live_calls() == 0 {
            return due;
        }
        let glance = self.clock.now().steady_ms + GLANCE;
        Some(due.map_or(glance, |due| due.min(glance)))
    }

    fn step(&mut self, input: Input) -> Output {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.state.step(self.clock.now(), self.seed, input)
    }

    /// What came has its room until what was made of it is committed.
    async fn take(&mut self, input: Input, load: Load) {
        let wished_by = input.wished_by();
        let output = self.step(input);
        match wished_by {
            Some(token) if output.kind == BatchKind::Intent && !output.writes.is_empty() => {
                self.wish(token, output).await;
            }
            _ => self.submit(self.at_once(output), load),
        }
    }

    /// Does what waits for no commit, also while the disk is full.
    fn at_once(&self, mut output: Output) -> Output {
        for effect in output.after_commit.extract_if(.., |effect| effect.is_at_once()) {
            self.effects.at_once(effect);
        }
        output
    }

    /// Commits what a person wants. Nothing happens in between, so that a wish that cannot be kept is taken back
    /// exactly, and nothing was built on it. Only whoever wished is told so: others who were to hear of it wait on.
    async fn wish(&mut self, token: Token, output: Output) {
        let Output { writes, kind, undo, after_commit } = output;
        let (tell, told) = oneshot::channel();
        let done = Box::new(move |result: Result<signalbox_store::Committed, CommitError>| {
            // Nobody is there any more when the engine was torn down.
            let _ = tell.send(result.map(|_| ()));
        });
        let submitted = self.store.submit(Batch { writes, kind, done });
        let closed = || Err(CommitError::Other("the store is closed".to_owned()));
        let result = match submitted {
            Ok(()) => told.await.unwrap_or_else(|_| closed()),
            Err(_) => closed(),
        };
        match result {
            Ok(()) => self.effects.now(after_commit),
            Err(error) => {
                let back = self.step(Input::CommitFailed { undo, error: error.clone() });
                self.waiting.answer(token, Err(Refusal::Storage(error)));
                self.submit(back, Load::default());
            }
        }
    }

    fn submit(&self, output: Output, load: Load) {
        let Output { mut writes, kind, undo: _, after_commit } = output;
        for sweep in writes.extract_if(.., |write| matches!(write, Write::Sweep { .. })) {
            self.sweep(sweep);
        }
        if writes.is_empty() && (after_commit.is_empty() || self.effects.uncommitted() == 0) {
            self.effects.now(after_commit);
            return;
        }
        // Also effects without writes go through the writer while others wait there: nothing may overtake a commit
        // that it depends on, such as the handle that is to be polled.
        let done = self.effects.after(after_commit, load);
        let batch = Batch { writes, kind, done: Box::new(move |result| done.committed(result)) };
        if self.store.submit(batch).is_err() {
            tracing::error!("the store is closed: a change was not kept");
        }
    }

    /// A sweep takes its time: it is a batch of its own, and nothing waits for it. What cannot be swept now is swept an
    /// hour later.
    fn sweep(&self, sweep: Write) {
        let done = Box::new(|result: Result<signalbox_store::Committed, CommitError>| {
            if let Err(error) = result {
                tracing::warn!(%error, "what is older than wanted could not be let go");
            }
        });
        if self.store.submit(Batch { writes: vec![sweep], kind: BatchKind::Intent, done }).is_err() {
            tracing::warn!("the store is closed: nothing was swept");
        }
    }

    /// Gives up what is under way, keeps what has been answered and when each task may be polled next, ends the
    /// connections, closes the store, and tells who still waits.
    async fn leave(mut self) {
        self.wishes.close();
        loop {
            tokio::select! {
                () = self.effects.give_up() => break,
                Some(Loaded { input, load }) = self.received.recv() => self.take(input, load).await,
            }
        }
        self.received.close();
        while let Ok(Loaded { input, load }) = self.received.try_recv() {
            self.take(input, load).await;
        }
        let writes = self.state.last_words();
        if !writes.is_empty() {
            let batch = Batch { writes, kind: BatchKind::Intent, done: Box::new(|_| {}) };
            if self.store.submit(batch).is_err() {
                tracing::warn!("the times of the next polls and last answers could not be kept");
            }
        }
        self.effects.disconnect().await;
        let store = self.store;
        if tokio::task::spawn_blocking(move || store.close()).await.is_err() {
            tracing::error!("closing the store panicked");
        }
        self.effects.finish().await;
        self.waiting.nobody_answers();
    }
}

async fn sleep(clock: Clock, due: Option<u64>) {
    match due {
        Some(at) => clock.reaches(at).await,
        None => std::future::pending().await,
    }
}
