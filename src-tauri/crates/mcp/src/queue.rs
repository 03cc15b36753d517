//! A bounded queue that says where something is missing, instead of growing or of holding up a whole connection.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::timeout};

/// How much may wait, and how long a writer waits for room.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The most entries that may wait.
    pub(crate) entries: usize,
    /// The most bytes of all entries together. One entry alone may have more.
    pub(crate) bytes: usize,
    /// What slows a flooding server down before anything is dropped.
    pub(crate) patience: Duration,
}

/// The side that writes. Cheap to clone.
pub(crate) struct Feed<T>(Arc<Shared<T>>);

/// The side that reads: one reader.
pub(crate) struct Drain<T>(Arc<Shared<T>>);

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<T> {
    Entry(T),
    /// So many entries were dropped here.
    Missed(u64),
}

struct Shared<T> {
    bounds: Bounds,
    state: Mutex<State<T>>,
    news: Notify,
    room: Notify,
}

struct State<T> {
    waiting: VecDeque<(Next<T>, usize)>,
    bytes: usize,
    /// Nothing is taken in any more.
    closed: bool,
}

pub(crate) fn bounded<T>(bounds: Bounds) -> (Feed<T>, Drain<T>) {
    let state = State { waiting: VecDeque::new(), bytes: 0, closed: false };
    let shared =
        Arc::new(Shared { bounds, state: Mutex::new(state), news: Notify::new(), room: Notify::new() });
    (Feed(Arc::clone(&shared)), Drain(shared))
}

impl<T> Feed<T> {
    /// Adds an entry of a size in bytes, waiting for room if need be. False: it was dropped.
    pub(crate) async fn put(&self, entry: T, bytes: usize) -> bool {
        // Registered before the look, so that no room made in between goes unnoticed.
        let room = self.0.room.notified();
        let entry = match self.try_put(entry, bytes) {
            Ok(taken) => return taken,
            Err(entry) => entry,
        };
        let waited = timeout(self.0.bounds.patience, async {
            let (mut room, mut entry) = (room, entry);
            loop {
                room.await;
                room = self.0.room.notified();
                match self.try_put(entry, bytes) {
                    Ok(taken) => return taken,
                    Err(back) => entry = back,
                }
            }
        });
        match waited.await {
            Ok(taken) => taken,
            Err(_) => {
                self.0.state().miss();
                self.0.news.notify_one();
                false
            }
        }
    }

    /// Adds a last entry, beyond all bounds, and closes.
    pub(crate) fn finish(&self, last: T) {
        let mut state = self.0.state();
        if !std::mem::replace(&mut state.closed, true) {
            state.waiting.push_back((Next::Entry(last), 0));
        }
        drop(state);
        self.0.news.notify_one();
        self.0.room.notify_waiters();
    }

    /// Err: no room now.
    fn try_put(&self, entry: T, bytes: usize) -> Result<bool, T> {
        let mut state = self.0.state();
        if state.closed {
            return Ok(false);
        }
        let Bounds { entries, bytes: most, .. } = self.0.bounds;
        let roomy = state.waiting.len() < entries && state.bytes.saturating_add(bytes) <= most;
        if !roomy && !state.waiting.is_empty() {
            // Where something is missing already, waiting would save nothing.
            return if matches!(state.waiting.back(), Some((Next::Missed(_), _))) {
                state.miss();
                Ok(false)
            } else {
                Err(entry)
            };
        }
        state.bytes = state.bytes.saturating_add(bytes);
        state.waiting.push_back((Next::Entry(entry), bytes));
        drop(state);
        self.0.news.notify_one();
        Ok(true)
    }
}

impl<T> State<T> {
    fn miss(&mut self) {
        match self.waiting.back_mut() {
            Some((Next::Missed(count), _)) => *count += 1,
            _ if self.closed => {}
            _ => self.waiting.push_back((Next::Missed(1), 0)),
        }
    }
}

impl<T> Drain<T> {
    /// The next entry; none when the queue is closed and empty. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Option<Next<T>> {
        loop {
            {
                let mut state = self.0.state();
                if let Some((next, bytes)) = state.waiting.pop_front() {
                    state.bytes -= bytes;
                    drop(state);
                    self.0.room.notify_waiters();
                    return Some(next);
                }
                if state.closed {
                    return None;
                }
            }
            self.0.news.notified().await;
        }
    }
}

impl<T> Drop for Drain<T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.closed = true;
        state.waiting.clear();
        state.bytes = 0;
        drop(state);
        self.0.room.notify_waiters();
    }
}

impl<T> Clone for Feed<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Shared<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(entries: usize, bytes: usize) -> (Feed<u32>, Drain<u32>) {
        bounded(Bounds { entries, bytes, patience: Duration::from_secs(1) })
    }

    #[tokio::test(start_paused = true)]
    async fn tells_where_entries_are_missing() {
        let (feed, mut drain) = of(2, 1000);
        for n in 0..6 {
            assert_eq!(feed.put(n, 1).await, n < 2, "{n}: only as many as there is room for");
        }
        assert_eq!(drain.next().await, Some(Next::Entry(0)));
        assert!(
            !feed.put(6, 1).await,
            "the mark itself takes a place: no entry may overtake it into the gap"
        );
        assert_eq!(drain.next().await, Some(Next::Entry(1)));
        assert!(feed.put(7, 1).await);
        assert_eq!(drain.next().await, Some(Next::Missed(5)));
        assert_eq!(drain.next().await, Some(Next::Entry(7)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_reads_slows_the_writer_and_loses_nothing() {
        let (feed, mut drain) = of(2, 1000);
        let writer = tokio::spawn(async move {
            for n in 0..100 {
                assert!(feed.put(n, 1).await, "{n}");
            }
        });
        for n in 0..100 {
            assert_eq!(drain.next().await, Some(Next::Entry(n)));
        }
        writer.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_are_bounded_but_one_large_entry_passes() {
        let (feed, mut drain) = of(10, 100);
        assert!(feed.put(1, 5000).await, "alone");
        assert!(!feed.put(2, 1).await, "beside the large one");
        assert_eq!(drain.next().await, Some(Next::Entry(1)));
        assert_eq!(drain.next().await, Some(Next::Missed(1)));
        assert!(feed.put(3, 60).await);
        assert!(!feed.put(4, 60).await);
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_entry_always_arrives() {
        let (feed, mut drain) = of(1, 10);
        assert!(feed.put(1, 1).await);
        feed.finish(2);
        feed.finish(3);
        assert!(!feed.put(4, 1).await, "closed");
        assert_eq!(drain.next().await, Some(Next::Entry(1)));
        assert_eq!(drain.next().await, Some(Next::Entry(2)));
        assert_eq!(drain.next().await, None);
        drop(drain);
        assert!(!feed.put(5, 1).await, "nobody reads");
    }
}
