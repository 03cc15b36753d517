//! How soon a child that ended may be started again.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use signalbox_model::Hindrance;
use tokio::time::Instant;

use crate::error::{Error, Sent, Stage};

/// A child that lived this long was well: the next wait is the shortest again.
const WELL: Duration = Duration::from_secs(60);

pub(super) struct Backoff {
    first: Duration,
    longest: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last wait; zero before the first.
    delay: Duration,
    /// How the last child failed and when the next may start.
    last: Option<(Failure, Instant)>,
}

#[derive(Clone)]
pub(super) enum Failure {
    /// It ended by itself.
    Exited { code: Option<i32> },
    /// It never started.
    NotStarted { program: String, why: Hindrance },
}

impl Backoff {
    pub(super) fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, state: Mutex::default() }
    }

    /// An error that says how the last child failed, while it is too soon for the next.
    pub(super) fn check(&self, now: Instant, stderr: impl FnOnce() -> String) -> Result<(), Error> {
        let last = self.state().last.clone();
        let Some((failure, at)) = last.filter(|(_, at)| *at > now) else {
            return Ok(());
        };
        let retry_after = Some(at.duration_since(now));
        Err(match failure {
            Failure::Exited { code } => Error::Exited { code, stderr: stderr(), sent: Sent::No, retry_after },
            Failure::NotStarted { program, why } => {
                Error::Unreachable { stage: Stage::Spawn { program }, why, retry_after }
            }
        })
    }

    /// Notes that a child failed after `lived`, and returns the wait before the next.
    pub(super) fn failed(&self, failure: Failure, lived: Duration, now: Instant) -> Duration {
        let mut state = self.state();
        let fresh = lived >= WELL || state.delay.is_zero();
        let delay = if fresh { self.first } else { state.delay.saturating_mul(2) }.min(self.longest);
        *state = State { delay, last: Some((failure, now + delay)) };
        delay
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exited() -> Failure {
        Failure::Exited { code: Some(1) }
    }

    #[test]
    fn doubles_up_to_the_longest_and_starts_over_after_a_good_life() {
        let backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(30));
        let now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..11 {
            waits.push(backoff.failed(exited(), Duration::ZERO, now).as_millis());
        }
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
        assert_eq!(
            backoff.failed(exited(), WELL, now).as_millis(),
            100,
            "a minute of life makes up for what was before"
        );
    }

    #[test]
    fn refuses_until_the_wait_is_over() {
        let backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(30));
        let now = Instant::now();
        assert_eq!(backoff.check(now, String::new), Ok(()), "nothing failed yet");
        backoff.failed(exited(), Duration::ZERO, now);
        assert_eq!(
            backoff.check(now + Duration::from_millis(60), || "last words".into()),
            Err(Error::Exited {
                code: Some(1),
                stderr: "last words".into(),
                sent: Sent::No,
                retry_after: Some(Duration::from_millis(40)),
            })
        );
        assert_eq!(backoff.check(now + Duration::from_millis(100), String::new), Ok(()));
    }
}
