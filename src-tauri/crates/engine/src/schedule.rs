//! One timer structure for everything that is due some time: O(log n) per change, no wake-up per task.

use std::{collections::BTreeSet, hash::Hash};

use signalbox_model::{CallId, RequestId, ServerId};

use crate::by_number::ByNumber;

/// Something that is due at some time. Each has at most one due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Due {
    /// A poll of a task.
    Poll(CallId),
    /// The undo window of an answer of this call ends.
    Send(CallId),
    /// An answer on this server's connection may go: its undo window ends, or it is tried again (legacy wire).
    Reply(ServerId),
    /// The TTL of this call's task is about to pass.
    Expiry(CallId),
    /// How much a question wants its person is to be looked at: its deadline is near, or it was put off until now.
    Attend(RequestId),
    /// Try a server that could not be reached.
    Probe(ServerId),
    /// See that the subscription to a server covers what is followed.
    Listen(ServerId),
    /// List a server's tools again: they have changed.
    List(ServerId),
    /// Polls of a server that wait for their turn may begin again.
    Admit(ServerId),
    /// A server's silence ends.
    Quiet(ServerId),
    /// Show when a server last answered.
    Heard(ServerId),
    /// Tell those who wait for something on its way to this server that it is late.
    Late(ServerId),
    /// Make room for payloads: many were kept.
    MakeRoom,
    /// Let go what is kept longer than the person wants.
    Sweep,
}

/// What comes when: each item at most once, in order of its time (the steady clock in ms).
#[derive(Debug)]
pub(crate) struct Schedule<K> {
    order: BTreeSet<(u64, K)>,
    times: ByNumber<K, u64>,
}

impl<K> Default for Schedule<K> {
    fn default() -> Self {
        Self { order: BTreeSet::new(), times: ByNumber::default() }
    }
}

impl<K: Copy + Ord + Hash> Schedule<K> {
    /// Sets or moves the time.
    pub(crate) fn set(&mut self, item: K, at: u64) {
        if let Some(before) = self.times.insert(item, at) {
            self.order.remove(&(before, item));
        }
        self.order.insert((at, item));
    }

    /// Sets the time unless it is earlier already.
    pub(crate) fn no_later_than(&mut self, item: K, at: u64) {
        if self.times.get(&item).is_none_or(|before| *before > at) {
            self.set(item, at);
        }
    }

    pub(crate) fn clear(&mut self, item: K) {
        if let Some(before) = self.times.remove(&item) {
            self.order.remove(&(before, item));
        }
    }

    pub(crate) fn next(&self) -> Option<u64> {
        self.order.first().map(|(at, _)| *at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    pub(crate) fn is_set(&self, item: K) -> bool {
        self.times.contains_key(&item)
    }

    /// Takes the first item whose time is not after `now`.
    pub(crate) fn pop(&mut self, now: u64) -> Option<K> {
        let (at, item) = *self.order.first()?;
        if at > now {
            return None;
        }
        self.order.remove(&(at, item));
        self.times.remove(&item);
        Some(item)
    }

    #[cfg(test)]
    pub(crate) fn at(&self, item: K) -> Option<u64> {
        self.times.get(&item).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }
}

/// A number from 0 up to and including `limit`, spread evenly over ids, the same for the same seed and id.
pub(crate) fn jitter(seed: u64, id: u32, limit: u64) -> u64 {
    // splitmix64: well spread, and a pure function of what step is given.
    let mut z = seed.wrapping_add(u64::from(id).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) % limit.saturating_add(1)
}

/// Polls begin at multiples of this many ms of the steady clock, so that they share wake-ups and commits.
pub(crate) const SLOT: u64 = 16;

/// The first moment from `at` (steady ms) on at which polls begin: never earlier than manners allow.
pub(crate) fn slot(at: u64) -> u64 {
    at.checked_next_multiple_of(SLOT).unwrap_or(at)
}

/// The first wait before what did not reach its server goes there again, in ms: a request, or a reply.
pub(crate) const FIRST_RETRY: u64 = 1_000;
/// The longest such wait, in ms.
pub(crate) const LONGEST_RETRY: u64 = 60_000;

/// Doubling waits: `base`, 2·`base`, … up to `limit`, in ms.
pub(crate) fn backoff(base: u64, failures: u32, limit: u64) -> u64 {
    base.saturating_mul(1_u64 << failures.saturating_sub(1).min(20)).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_due_time_each_in_order() {
        let (a, b) = (Due::Poll(CallId(1)), Due::Poll(CallId(2)));
        let mut schedule = Schedule::default();
        schedule.set(a, 30);
        schedule.set(b, 20);
        schedule.set(a, 10);
        schedule.no_later_than(b, 25);
        assert_eq!(schedule.next(), Some(10), "moving replaces the earlier time");
        assert_eq!(schedule.pop(9), None, "nothing is due before its time");
        assert_eq!(schedule.pop(30), Some(a));
        assert_eq!(schedule.pop(30), Some(b));
        assert_eq!(schedule.pop(30), None, "a moved item must not come twice");
        schedule.set(a, 5);
        schedule.clear(a);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn jitter_spreads_and_backoff_ends() {
        let spread: std::collections::HashSet<u64> = (0..100).map(|id| jitter(7, id, 1_000)).collect();
        assert!(spread.len() > 80, "ids must land on different times");
        assert_eq!(jitter(7, 1, 0), 0);
        assert_eq!([1, 2, 3, 40].map(|n| backoff(1_000, n, 60_000)), [1_000, 2_000, 4_000, 60_000]);
    }
}
