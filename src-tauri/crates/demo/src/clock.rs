//! Time, injected: the clock and how fast stories run on it.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;

/// How many times faster than told a scenario runs. Divides every duration of a scenario, poll intervals and the TTL of
/// `short_lived`; the ordinary TTL (an hour) is no part of the story and stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed(NonZeroU32);

impl Speed {
    /// As told: `build` takes 30 seconds.
    pub const NORMAL: Self = Self(NonZeroU32::MIN);
    /// A thousand times faster: `build` takes 30 milliseconds.
    pub const INSTANT: Self = Self(NonZeroU32::new(1000).expect("BUG: 1000 is not zero"));

    /// `factor` times faster than told.
    #[must_use]
    pub const fn times(factor: NonZeroU32) -> Self {
        Self(factor)
    }

    /// A told duration (ms) as it really passes (ms).
    pub(crate) fn scaled(self, ms: i64) -> i64 {
        ms / i64::from(self.0.get())
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::NORMAL
    }
}

/// The text is neither a positive whole number nor `instant`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a speed is a whole number of times faster, at least 1, or \"instant\"")]
pub struct ParseSpeedError;

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Self, ParseSpeedError> {
        match text {
            "instant" => Ok(Self::INSTANT),
            _ => text.parse().map(Self).map_err(|_| ParseSpeedError),
        }
    }
}

/// Where the time comes from.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A test's hand.
    Manual(ManualClock),
}

impl From<ManualClock> for Clock {
    fn from(clock: ManualClock) -> Self {
        Self::Manual(clock)
    }
}

impl Clock {
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Manual(clock) => timestamp(*clock.0.borrow()),
        }
    }

    /// Milliseconds since the epoch.
    pub(crate) fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }

    /// Returns once the clock shows `at` (ms since the epoch) or later.
    pub(crate) async fn until(&self, at: i64) {
        match self {
            Self::System => {
                // A sleep may end a hair before the wall clock shows the moment.
                while let Ok(left @ 1..) = u64::try_from(at.saturating_sub(self.now_ms())) {
                    #[expect(clippy::disallowed_methods, reason = "this is the clock that stories wait by")]
                    tokio::time::sleep(Duration::from_millis(left)).await;
                }
            }
            Self::Manual(clock) => {
                let mut hand = clock.0.subscribe();
                // The sender lives in `clock`, so waiting can only end with the moment.
                let _ = hand.wait_for(|now| *now >= at).await;
            }
        }
    }
}

/// A clock that stands still until it is moved. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    /// A clock standing at `start`.
    #[must_use]
    pub fn at(start: Timestamp) -> Self {
        Self(watch::Sender::new(start.as_millisecond()))
    }

    /// Move it forward; everything waiting for a moment passed on the way goes on.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.send_modify(|now| *now = now.saturating_add(by));
    }
}

/// Milliseconds since the epoch as a timestamp; what no timestamp can show becomes the last one.
pub(crate) fn timestamp(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX)
}
