//! One stream of messages to a legacy client: numbered, kept for a while so that it can be resumed, and read by one
//! reader at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::watch;

use crate::faults::Hits;

/// Messages kept for a reader that is away or slow; the oldest go first.
const KEPT: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Outbox {
    /// What its events' ids begin with.
    name: String,
    /// Whether what was read can be read again.
    replays: bool,
    kept: Mutex<Kept>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Kept {
    messages: VecDeque<(Value, Hits)>,
    /// How many were dropped from the front. Messages are numbered from 1.
    dropped: u64,
    /// The highest number that a reader got.
    given: u64,
    /// Counts the readers; only the newest one reads.
    readers: u64,
    read: bool,
    ended: bool,
}

impl Outbox {
    pub(crate) fn new(name: impl Into<String>, replays: bool) -> Arc<Self> {
        let (kept, changed) = (Mutex::default(), watch::Sender::new(()));
        Arc::new(Self { name: name.into(), replays, kept, changed })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn send(&self, message: Value, hits: Hits) {
        self.put(message, hits, false);
    }

    /// Send the last message.
    pub(crate) fn send_last(&self, message: Value, hits: Hits) {
        self.put(message, hits, true);
    }

    fn put(&self, message: Value, hits: Hits, last: bool) {
        let mut kept = self.kept();
        kept.ended |= last;
        kept.messages.push_back((message, hits));
        if kept.messages.len() > KEPT {
            kept.messages.pop_front();
            kept.dropped += 1;
        }
        drop(kept);
        self.changed.send_replace(());
    }

    /// Nothing more will be sent.
    pub(crate) fn end(&self) {
        self.kept().ended = true;
        self.changed.send_replace(());
    }

    /// Read from behind this message; none: from behind the last one that anybody read. Another reader ends.
    pub(crate) fn read(self: &Arc<Self>, after: Option<u64>) -> Reader {
        let mut kept = self.kept();
        kept.readers += 1;
        kept.read = true;
        let reader = Reader { outbox: self.clone(), nth: kept.readers, after: after.unwrap_or(kept.given) };
        drop(kept);
        self.changed.send_replace(());
        reader
    }

    /// Whether somebody will read what is sent now, as far as can be known.
    pub(crate) fn is_read(&self) -> bool {
        let kept = self.kept();
        kept.read && !kept.ended
    }

    /// Whether anybody ever read it.
    pub(crate) fn was_read(&self) -> bool {
        self.kept().readers > 0
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("BUG: nothing panics while it holds the messages")
    }
}

/// The one reader of an [`Outbox`].
#[derive(Debug)]
pub(crate) struct Reader {
    outbox: Arc<Outbox>,
    nth: u64,
    after: u64,
}

impl Reader {
    /// The number of the last message read.
    pub(crate) fn after(&self) -> u64 {
        self.after
    }

    pub(crate) fn name(&self) -> &str {
        &self.outbox.name
    }

    /// The next message; none when there will be none, or when another reader took over. Faults hit a message only the
    /// first time that it is read. Loses nothing when it is dropped while it waits.
    pub(crate) async fn next(&mut self) -> Option<(Value, Hits)> {
        let mut changed = self.outbox.changed.subscribe();
        loop {
            changed.borrow_and_update();
            if let Some(found) = self.look() {
                return found;
            }
            // The sender lives in the outbox, so this can only end with a change.
            let _ = changed.changed().await;
        }
    }

    /// None: not yet.
    fn look(&mut self) -> Option<Option<(Value, Hits)>> {
        let mut kept = self.outbox.kept();
        if kept.readers != self.nth {
            return Some(None);
        }
        self.after = self.after.max(kept.dropped);
        let index = usize::try_from(self.after - kept.dropped).unwrap_or(usize::MAX);
        let Some((message, hits)) = kept.messages.get(index) else {
            return kept.ended.then_some(None);
        };
        let hits = if self.after >= kept.given { hits.clone() } else { Hits::default() };
        let found = (message.clone(), hits);
        self.after += 1;
        kept.given = kept.given.max(self.after);
        if !self.outbox.replays {
            kept.messages.drain(..=index);
            kept.dropped = self.after;
        }
        Some(Some(found))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut kept = self.outbox.kept();
        if kept.readers == self.nth {
            kept.read = false;
        }
    }
}
