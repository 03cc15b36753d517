//! The one task that owns the state: an input in, a step, a batch to the writer.

use signalbox_store::{Batch, BatchKind, Store};
use tokio::sync::{mpsc, oneshot, watch};

use super::runner::Effects;
use crate::{Input, Output, State, clock::Clock};

/// Steps taken before others get the thread.
const BURST: u32 = 256;

pub(super) struct Turnstile {
    pub(super) state: State,
    pub(super) clock: Clock,
    pub(super) seed: u64,
    pub(super) store: Store,
    pub(super) received: mpsc::Receiver<Input>,
    pub(super) effects: Effects,
}

impl Turnstile {
    pub(super) async fn run(
        mut self,
        first: Output,
        mut stopping: oneshot::Receiver<()>,
        ended: watch::Sender<bool>,
    ) {
        self.commit(first);
        let mut burst = 0_u32;
        loop {
            let due = self.state.next_due();
            let input = tokio::select! {
                biased;
                // An engine that was dropped stops as well.
                _ = &mut stopping => break,
                input = self.received.recv() => match input {
                    Some(input) => input,
                    None => break,
                },
                () = sleep(self.clock, due) => Input::Tick,
            };
            self.take(input);
            burst = burst.wrapping_add(1);
            if burst.is_multiple_of(BURST) {
                tokio::task::yield_now().await;
            }
        }
        self.leave().await;
        ended.send_replace(true);
    }

    fn take(&mut self, input: Input) {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let output = self.state.step(self.clock.now(), self.seed, input);
        self.commit(output);
    }

    fn commit(&self, output: Output) {
        let Output { writes, kind, undo, after_commit } = output;
        if writes.is_empty() && (after_commit.is_empty() || self.effects.all_committed()) {
            self.effects.now(after_commit);
            return;
        }
        // Also effects without writes go through the writer while others wait there: nothing may overtake a commit
        // that it depends on, such as the handle that is to be polled.
        let done = self.effects.after(after_commit, undo);
        let batch = Batch { writes, kind, done: Box::new(move |result| done.committed(result)) };
        if self.store.submit(batch).is_err() {
            tracing::error!("the store is closed: a change was not kept");
        }
    }

    /// Gives up what is under way, keeps what has been answered and when each task may be looked at next, ends the
    /// connections, and closes the store.
    async fn leave(mut self) {
        loop {
            tokio::select! {
                () = self.effects.give_up() => break,
                Some(input) = self.received.recv() => self.take(input),
            }
        }
        while let Ok(input) = self.received.try_recv() {
            self.take(input);
        }
        let writes = self.state.next_looks();
        if !writes.is_empty() {
            let batch = Batch { writes, kind: BatchKind::Intent, done: Box::new(|_| {}) };
            if self.store.submit(batch).is_err() {
                tracing::warn!("the times of the next looks could not be kept");
            }
        }
        self.effects.disconnect().await;
        let store = self.store;
        if tokio::task::spawn_blocking(move || store.close()).await.is_err() {
            tracing::error!("closing the store panicked");
        }
    }
}

async fn sleep(clock: Clock, due: Option<u64>) {
    match due {
        Some(at) => tokio::time::sleep_until(clock.instant(at)).await,
        None => std::future::pending().await,
    }
}
