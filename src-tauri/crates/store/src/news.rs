//! What each commit changed, told by number once it can be read: whoever looks at something else need not look again.
//!
//! SQLite itself says which rows a transaction touches, also those that a trigger or a foreign key did, so that no statement
//! can be forgotten. A setting has no number but a name, which the writer says.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rusqlite::Connection;
use signalbox_model::{CallId, RequestId, ServerId};
use tokio::sync::watch;

use crate::table::counts;

/// How many numbers are remembered; whoever is further behind looks anew.
const REMEMBERED: usize = 65_536;

/// What a transaction touched: rows that are new, other than before, or gone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Calls whose row was touched, or something that belongs to them.
    pub calls: BTreeSet<CallId>,
    /// Input requests that were touched.
    pub requests: BTreeSet<RequestId>,
    /// Servers whose row was touched.
    pub servers: BTreeSet<ServerId>,
    /// Names of the settings that were touched.
    pub settings: BTreeSet<String>,
    /// Whether any of [`AllCounts`](crate::AllCounts) is another.
    pub counts: bool,
}

impl Touched {
    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
            && self.requests.is_empty()
            && self.servers.is_empty()
            && self.settings.is_empty()
            && !self.counts
    }

    /// Takes in what another transaction touched.
    pub fn add(&mut self, other: &Self) {
        self.calls.extend(&other.calls);
        self.requests.extend(&other.requests);
        self.servers.extend(&other.servers);
        self.settings.extend(other.settings.iter().cloned());
        self.counts |= other.counts;
    }

    fn len(&self) -> usize {
        self.calls.len() + self.requests.len() + self.servers.len() + self.settings.len()
    }
}

/// Collects what the running transaction touches.
#[derive(Debug, Default)]
pub(crate) struct Touching(Arc<Mutex<Touched>>);

impl Touching {
    /// Of this connection.
    pub(crate) fn of(conn: &Connection) -> rusqlite::Result<Self> {
        counts::tell(conn)?;
        let touching = Self::default();
        let touched = Arc::clone(&touching.0);
        conn.update_hook(Some(move |_, _: &str, table: &str, row: i64| {
            let Ok(id) = u32::try_from(row) else { return };
            let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
            match table {
                "calls" => touched.calls.extend([CallId(id)]),
                "requests" => touched.requests.extend([RequestId(id)]),
                "servers" => touched.servers.extend([ServerId(id)]),
                counts::TOLD => touched.counts = true,
                _ => {}
            }
        }))?;
        Ok(touching)
    }

    /// The running transaction puts a setting.
    pub(crate) fn setting(&self, name: &str) {
        self.touched().settings.insert(name.to_owned());
    }

    /// What was touched since the last time.
    pub(crate) fn take(&self) -> Touched {
        std::mem::take(&mut *self.touched())
    }

    fn touched(&self) -> MutexGuard<'_, Touched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is told. Clones share it.
#[derive(Debug, Clone)]
pub struct News {
    seq: watch::Receiver<u64>,
    log: Arc<Mutex<Log>>,
    /// Where nobody writes, nobody else has it.
    nobody: Option<Arc<watch::Sender<u64>>>,
}

/// The side of the writer.
#[derive(Debug)]
pub(crate) struct Publisher {
    seq: watch::Sender<u64>,
    log: Arc<Mutex<Log>>,
}

#[derive(Debug, Default)]
struct Log {
    /// Of each transaction that touched something, the oldest first.
    entries: VecDeque<(u64, Arc<Touched>)>,
    /// How many numbers they have together.
    len: usize,
    /// The last transaction that is not told of any more.
    forgotten: u64,
}

/// What was told up to transaction `seq` is known.
pub(crate) fn channel(seq: u64) -> (Publisher, News) {
    let (sender, receiver) = watch::channel(seq);
    let log = Arc::new(Mutex::new(Log { forgotten: seq, ..Log::default() }));
    (Publisher { seq: sender, log: Arc::clone(&log) }, News { seq: receiver, log, nobody: None })
}

impl Publisher {
    /// Everything up to `seq` can be read by now, and this is what its transaction touched.
    pub(crate) fn publish(&self, seq: u64, touched: Touched) {
        if !touched.is_empty() {
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            log.len += touched.len();
            log.entries.push_back((seq, Arc::new(touched)));
            while log.len > REMEMBERED
                && let Some((seq, touched)) = log.entries.pop_front()
            {
                log.len -= touched.len();
                log.forgotten = seq;
            }
        }
        self.seq.send_replace(seq);
    }
}

impl News {
    /// Of a database that nobody changes: there will never be any.
    #[must_use]
    pub fn none() -> Self {
        let (Publisher { seq, .. }, news) = channel(0);
        Self { nobody: Some(Arc::new(seq)), ..news }
    }

    /// Whether there will never be any.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.nobody.is_some()
    }

    /// The number of the last transaction that can be read, and of each that comes. Ends with the store.
    #[must_use]
    pub fn seq(&self) -> watch::Receiver<u64> {
        self.seq.clone()
    }

    /// What each transaction behind this one touched; none where that is not known any more.
    #[must_use]
    pub fn since(&self, seq: u64) -> Option<Vec<Arc<Touched>>> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if seq < log.forgotten {
            return None;
        }
        let first = log.entries.partition_point(|(number, _)| *number <= seq);
        Some(log.entries.range(first..).map(|(_, touched)| Arc::clone(touched)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(calls: std::ops::Range<u32>) -> Touched {
        Touched { calls: calls.map(CallId).collect(), ..Touched::default() }
    }

    #[test]
    fn who_is_too_far_behind_is_told_so() {
        let (publisher, news) = channel(7);
        assert_eq!(news.since(6), None, "of the time before nothing is known");
        assert_eq!(news.since(7), Some(vec![]));
        let most = u32::try_from(REMEMBERED).unwrap();
        publisher.publish(8, touched(0..1));
        publisher.publish(9, touched(0..most - 1));
        assert_eq!(news.since(7).map(|all| all.len()), Some(2));
        publisher.publish(10, touched(5..6));
        assert_eq!(news.since(7), None, "the oldest made room");
        assert_eq!(news.since(8).map(|all| all.len()), Some(2));
        publisher.publish(11, touched(0..most + 1));
        assert_eq!(news.since(10), None, "also where one alone is more than is remembered");
        assert_eq!(news.since(11), Some(vec![]));
    }

    #[test]
    fn a_commit_of_nothing_has_a_number_alone() {
        let (publisher, news) = channel(0);
        publisher.publish(1, Touched::default());
        assert_eq!((*news.seq().borrow(), news.since(0)), (1, Some(vec![])));
    }
}
