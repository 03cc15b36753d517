//! What fails again and again is not tried again for ever.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// So many times within this time is often.
const OFTEN: usize = 3;
const WITHIN: Duration = Duration::from_secs(60);

/// When something happened last.
#[derive(Default)]
pub(crate) struct Often(Mutex<VecDeque<Instant>>);

impl Often {
    /// It happens now: whether that is once too often. Afterwards it is counted anew.
    pub(crate) fn is_it(&self, now: Instant) -> bool {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.push_back(now);
        times.retain(|time| now - *time < WITHIN);
        let often = times.len() >= OFTEN;
        if often {
            times.clear();
        }
        often
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_within_a_minute_is_too_often() {
        let (often, now) = (Often::default(), Instant::now());
        let at = |seconds| often.is_it(now + Duration::from_secs(seconds));
        assert!(!at(0) && !at(30));
        assert!(at(59), "a third within a minute");
        assert!(!at(60), "it was said: counted anew");
        assert!(!at(100) && !at(140), "never three within a minute");
    }
}
