//! Points in time: milliseconds since the Unix epoch, RFC 3339 in UTC on every boundary.

use std::{fmt, str::FromStr};

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// A point in time in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
pub struct Timestamp(pub i64);

/// The text is not an RFC 3339 point in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 point in time")]
pub struct BadTime;

impl Timestamp {
    /// This point plus `ms` milliseconds, stopping at the ends of what can be represented.
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this point; negative when `earlier` is later.
    #[must_use]
    pub fn ms_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (jiff::Timestamp::MIN, jiff::Timestamp::MAX);
        // A second inside: the ends themselves are not whole.
        let clamped = self.0.clamp(first.as_millisecond() + 1_000, last.as_millisecond() - 1_000);
        let time = jiff::Timestamp::from_millisecond(clamped).expect("BUG: clamped into jiff's range");
        write!(f, "{time:.3}")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = BadTime;

    /// Reads `Z` and numeric offsets, with 0 to 9 fraction digits; what is finer than a millisecond is cut off.
    fn from_str(text: &str) -> Result<Self, BadTime> {
        let time: jiff::Timestamp = text.parse().map_err(|_| BadTime)?;
        Ok(Self(time.as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_servers_send() {
        let cases = [
            ("2026-07-28T10:00:00Z", 0),
            ("2026-07-28T10:00:00.5Z", 500),
            ("2026-07-28T10:00:00.123456789Z", 123),
            ("2026-07-28T10:00:00.123+00:00", 123),
            ("2026-07-28T12:00:00.123+02:00", 123),
        ];
        let base: Timestamp = "2026-07-28T10:00:00Z".parse().unwrap();
        for (text, ms) in cases {
            assert_eq!(text.parse::<Timestamp>().unwrap().ms_since(base), ms, "{text}");
        }
        for text in ["", "yesterday", "2026-07-28", "1753696800"] {
            assert_eq!(text.parse::<Timestamp>(), Err(BadTime), "{text:?}");
        }
    }

    #[test]
    fn prints_milliseconds_in_utc() {
        let time: Timestamp = "2026-07-28T12:00:00.1+02:00".parse().unwrap();
        assert_eq!(time.to_string(), "2026-07-28T10:00:00.100Z");
    }

    #[test]
    fn the_ends_of_time_do_not_panic() {
        assert!(!Timestamp(i64::MAX).plus_ms(1).to_string().is_empty());
        assert!(!Timestamp(i64::MIN).to_string().is_empty());
    }
}
