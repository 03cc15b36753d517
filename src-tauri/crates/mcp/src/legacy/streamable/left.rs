//! Requests for results whose streams have ended without an answer: the server may be serving them.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

/// So many are kept.
const MOST: usize = 1_000;

/// The ids of such requests, each with its task. Of too many the oldest are never told to the server.
#[derive(Default)]
pub(super) struct Left(Mutex<VecDeque<(String, u64)>>);

impl Left {
    /// One more, whose reader is gone.
    pub(super) fn add(&self, task: String, id: u64) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= MOST {
            left.pop_front();
        }
        left.push_back((task, id));
    }

    /// The one for this task's result, for the server to be told.
    pub(super) fn take(&self, task: &str) -> Option<u64> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = left.iter().position(|(of, _)| of == task)?;
        left.remove(place).map(|(_, id)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_requests_without_a_reader_the_last_are_kept() {
        let left = Left::default();
        for id in 1..=1_001 {
            left.add(id.to_string(), id);
        }
        let left = left.0.into_inner().unwrap();
        assert_eq!((left.len(), left[0].1, left[999].1), (1_000, 2, 1_001));
    }
}
