//! What waits for the writer's thread: batches in order, taken in groups.

use std::{
    collections::VecDeque,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{Batch, BatchKind, Closed};

/// Batches in one transaction at most.
pub(crate) const GROUP: usize = 512;
/// A transaction ends with the batch with which it has so many bytes: whoever is queued behind a large one waits for what is
/// before them alone.
const GROUP_BYTES: usize = 1 << 20;
/// Batches in the queue at most, beyond which observations wait outside.
const QUEUED: usize = 16_384;
/// How long observations wait before they are tried again.
const RETRY: Duration = Duration::from_secs(1);

/// What waits to be committed, in order.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
    /// See [`crate::Store::limit_pages`]; 0 while never set.
    page_limit: AtomicU32,
}

#[derive(Debug, Default)]
struct State {
    batches: VecDeque<Batch>,
    closed: bool,
    /// The writer waits for company: only a wish or a full group is worth waking it.
    gathering: bool,
    /// How many of them could not be committed a moment ago.
    failed: usize,
}

impl State {
    /// How many of the first go into one transaction.
    fn group(&self, limit: usize) -> usize {
        let mut bytes = 0;
        let goes = |batch: &&Batch| {
            let has_room = bytes < GROUP_BYTES;
            bytes += batch.bytes();
            has_room
        };
        self.batches.iter().take(limit).take_while(goes).count()
    }

    /// Whether others may come along with what is queued.
    fn may_wait(&self, limit: usize) -> bool {
        let observed = |batch: &Batch| batch.kind == BatchKind::Observed;
        !self.closed && self.batches.len() < limit && self.batches.iter().all(observed)
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, batch: Batch) -> Result<(), Closed> {
        let mut state = self.lock();
        // A person's wish never waits outside: there are few, and they are owed an answer at once.
        while batch.kind == BatchKind::Observed && state.batches.len() >= QUEUED && !state.closed {
            state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return Err(Closed);
        }
        let waits = state.gathering && batch.kind == BatchKind::Observed && state.batches.len() + 1 < GROUP;
        state.batches.push_back(batch);
        if !waits {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Queues what the writer itself has left to do; gives it back once nothing is accepted any more.
    pub(crate) fn push_own(&self, batch: Batch) -> Result<(), Batch> {
        let mut state = self.lock();
        if state.closed {
            return Err(batch);
        }
        state.batches.push_back(batch);
        Ok(())
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    pub(crate) fn limit_pages(&self, pages: u32) {
        self.page_limit.store(pages, Ordering::Relaxed);
    }

    pub(crate) fn page_limit(&self) -> u32 {
        self.page_limit.load(Ordering::Relaxed)
    }

    /// The next batches, at most `limit`; none once closed and empty. After a failure they wait for a new one, or a while;
    /// observations for company until `rested`.
    pub(crate) fn take(&self, limit: usize, failed: bool, rested: Instant) -> Option<Vec<Batch>> {
        let mut state = self.lock();
        if failed && !state.closed && state.batches.len() <= state.failed {
            state = self.filled.wait_timeout(state, RETRY).unwrap_or_else(PoisonError::into_inner).0;
        }
        while state.batches.is_empty() && !state.closed {
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.gathering = true;
        while state.may_wait(limit)
            && let Some(left) = rested.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
        {
            state = self.filled.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.gathering = false;
        let n = state.group(limit);
        let group: Vec<_> = state.batches.drain(..n).collect();
        self.emptied.notify_all();
        (!group.is_empty()).then_some(group)
    }

    /// Puts batches back to the front.
    pub(crate) fn put_back(&self, group: Vec<Batch>) {
        let mut state = self.lock();
        for batch in group.into_iter().rev() {
            state.batches.push_front(batch);
        }
    }

    /// Takes out what must not wait: wishes, and everything once nobody waits any more.
    pub(crate) fn give_up(&self) -> Vec<Batch> {
        let mut state = self.lock();
        let everything = state.closed;
        let (out, kept): (VecDeque<_>, VecDeque<_>) =
            state.batches.drain(..).partition(|batch| everything || batch.kind == BatchKind::Intent);
        state.batches = kept;
        state.failed = state.batches.len();
        self.emptied.notify_all();
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, thread};

    use super::*;

    fn batch(kind: BatchKind) -> Batch {
        Batch { writes: Vec::new(), kind, done: Box::new(|_| {}) }
    }

    /// Takes a group that may gather for an hour, while this happens.
    fn gathered(before: usize, meanwhile: impl FnOnce(&Queue)) -> usize {
        let queue = Arc::new(Queue::default());
        for _ in 0..before {
            queue.push(batch(BatchKind::Observed)).unwrap();
        }
        let writer = Arc::clone(&queue);
        let rested = Instant::now() + Duration::from_secs(3_600);
        let taken = thread::spawn(move || writer.take(GROUP, false, rested).map_or(0, |group| group.len()));
        meanwhile(&queue);
        taken.join().unwrap()
    }

    #[test]
    fn observations_wait_for_company_until_a_wish_a_full_group_or_the_end() {
        let wish = |queue: &Queue| queue.push(batch(BatchKind::Intent)).unwrap();
        assert_eq!(gathered(3, wish), 4, "all go with a wish, at once");
        let fill = |queue: &Queue| (3..GROUP).for_each(|_| queue.push(batch(BatchKind::Observed)).unwrap());
        assert_eq!(gathered(3, fill), GROUP, "a full group waits for nobody");
        assert_eq!(gathered(3, Queue::close), 3, "nobody comes along any more");
    }

    #[test]
    fn a_full_queue_keeps_observations_outside_and_no_wish() {
        let queue = Arc::new(Queue::default());
        for _ in 0..QUEUED {
            queue.push(batch(BatchKind::Observed)).unwrap();
        }
        queue.push(batch(BatchKind::Intent)).unwrap();
        let (outside, begun) = (Arc::clone(&queue), Arc::new(std::sync::Barrier::new(2)));
        let begins = Arc::clone(&begun);
        let pushed = thread::spawn(move || {
            begins.wait();
            std::iter::repeat_with(|| outside.push(batch(BatchKind::Observed)))
                .take_while(Result::is_ok)
                .count()
        });
        begun.wait();
        // Whoever is not kept outside gets in now.
        (0..1_000).for_each(|_| thread::yield_now());
        assert_eq!(queue.lock().batches.len(), QUEUED + 1);
        assert_eq!(queue.take(GROUP, false, Instant::now()).unwrap().len(), GROUP);
        while queue.lock().batches.len() < QUEUED {
            thread::yield_now();
        }
        queue.close();
        assert_eq!(pushed.join().unwrap(), GROUP - 1, "as many as there was room for, beside the wish");
    }

    #[test]
    fn behind_a_large_one_another_transaction_begins() {
        let queue = Queue::default();
        for bytes in [0, GROUP_BYTES / 2, GROUP_BYTES, 0, 3 * GROUP_BYTES, 0, 0] {
            let json = signalbox_model::Json::of(&"x".repeat(bytes));
            let writes = vec![crate::Write::PutTools { server: signalbox_model::ServerId(1), tools: json }];
            queue.push(Batch { writes, ..batch(BatchKind::Observed) }).unwrap();
        }
        let sizes = std::iter::repeat_with(|| queue.take(GROUP, false, Instant::now()).unwrap().len());
        assert_eq!(sizes.take(3).collect::<Vec<_>>(), [3, 2, 2]);
    }

    #[test]
    fn after_a_rest_one_goes_alone_and_at_once() {
        let queue = Queue::default();
        queue.push(batch(BatchKind::Observed)).unwrap();
        assert_eq!(queue.take(GROUP, false, Instant::now()).unwrap().len(), 1);
    }
}
