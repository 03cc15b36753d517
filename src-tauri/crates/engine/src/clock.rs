//! The only place that reads a clock. `step` is handed a [`Now`].
//!
//! Waiting uses the steady clock. So does the end of a task's life, which is counted from what we observed: the
//! server's clock may be wrong, and ours may be set. The wall clock is for records, for the next run, and to notice
//! that the machine slept while the steady clock stood still. Nothing ends by a clock alone.

use signalbox_model::Timestamp;

/// A moment on both clocks: the wall clock for records, the steady one for waiting.
///
/// The wall clock may jump (sleep, a person, a time server); waits must never depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// What a calendar says.
    pub wall: Timestamp,
    /// Milliseconds since the engine started; never goes back.
    pub steady_ms: u64,
}

impl Now {
    /// The same moment `ms` later on both clocks.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self {
            wall: self.wall.plus_ms(i64::try_from(ms).unwrap_or(i64::MAX)),
            steady_ms: self.steady_ms.saturating_add(ms),
        }
    }

    /// How long until `wall`, in ms; 0 when it has passed.
    #[must_use]
    pub fn ms_until(self, wall: Timestamp) -> u64 {
        u64::try_from(wall.ms_since(self.wall)).unwrap_or(0)
    }
}

/// Reads both clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    started: tokio::time::Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { started: tokio::time::Instant::now() }
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one clock")]
    pub(crate) fn now(self) -> Now {
        let since_epoch =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let steady = self.started.elapsed();
        let now = Now {
            wall: Timestamp(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX)),
            steady_ms: u64::try_from(steady.as_millis()).unwrap_or(u64::MAX),
        };
        #[cfg(debug_assertions)]
        let now = now.plus_ms(ahead::ms().unwrap_or(0));
        now
    }

    /// Waits until the steady clock says this.
    pub(crate) async fn reaches(self, steady_ms: u64) {
        #[cfg(debug_assertions)]
        if ahead::ms().is_some() {
            return ahead::reaches(self, steady_ms).await;
        }
        tokio::time::sleep_until(self.started + std::time::Duration::from_millis(steady_ms)).await;
    }
}

/// In debug builds a file may say how far both clocks are ahead, so that tests of whole programs wait for no snooze and no
/// reminder.
#[cfg(debug_assertions)]
mod ahead {
    use std::{env, fs, path::PathBuf, sync::LazyLock, time::Duration};

    use tokio::time::{Instant, sleep_until};

    use super::Clock;

    static FILE: LazyLock<Option<PathBuf>> =
        LazyLock::new(|| env::var_os("SIGNALBOX_TEST_AHEAD").map(PathBuf::from));

    /// By so many ms; none where no file is to say it.
    pub(super) fn ms() -> Option<u64> {
        let text = fs::read_to_string(FILE.as_ref()?).unwrap_or_default();
        Some(text.trim().parse().unwrap_or(0))
    }

    /// Whoever moves the clocks wakes nobody, so they are looked at.
    pub(super) async fn reaches(clock: Clock, steady_ms: u64) {
        while clock.now().steady_ms < steady_ms {
            sleep_until(Instant::now() + Duration::from_millis(20)).await;
        }
    }
}

/// The wall clock, for records made outside of `step`.
#[must_use]
pub fn wall() -> Timestamp {
    Clock::start().now().wall
}
