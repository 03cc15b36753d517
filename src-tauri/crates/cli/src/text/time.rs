//! Times for people: how long ago, how long still. Lengths are cut to whole units and never rounded up: nothing is older,
//! and nothing has more time left, than it says. What is shorter than the smallest unit is said to be.

use std::time::Duration;

pub(crate) use signalbox_api::words::span;
use signalbox_model::Timestamp;

/// `3 min ago`, `in 2 h`, `now`. What has not come is never said to be there.
pub(crate) fn relative(time: Timestamp, now: Timestamp) -> String {
    let ms = now.ms_since(time);
    match ms.unsigned_abs() {
        0..1_000 if ms >= 0 => "now".to_owned(),
        0..1_000 => "in less than a second".to_owned(),
        away if ms > 0 => format!("{} ago", span(away)),
        away => format!("in {}", span(away)),
    }
}

/// `3 min ago`, `just now`, of what has happened.
pub(crate) fn ago(time: Timestamp, now: Timestamp) -> String {
    match u64::try_from(now.ms_since(time)) {
        Ok(ms @ 1_000..) => format!("{} ago", span(ms)),
        // A time to come would be a clock that was set.
        _ => "just now".to_owned(),
    }
}

/// `less than 1 ms`, `41 ms`, `1.2 s`: how long an answer took.
pub(crate) fn took(ms: u64) -> String {
    match ms {
        0 => "less than 1 ms".to_owned(),
        1..1_000 => format!("{ms} ms"),
        _ => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
    }
}

/// `10 s`, `1.4 s`: how long was waited.
pub(crate) fn within(waited: Duration) -> String {
    let text = took(u64::try_from(waited.as_millis()).unwrap_or(u64::MAX));
    text.replace(".0 s", " s")
}

/// `250 ms`, `1 min 30 s`, `2 h`: an interval that a server set, exactly.
pub(crate) fn exactly(ms: u64) -> String {
    const UNITS: [(u64, &str); 5] =
        [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")];
    let mut left = ms;
    let parts: Vec<String> = UNITS
        .iter()
        .filter_map(|(unit, word)| {
            let whole = left / unit;
            left %= unit;
            (whole > 0).then(|| format!("{whole} {word}"))
        })
        .collect();
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
}

/// `less than 1 s`, `4 min 10 s`: how long something took, in whole seconds.
pub(crate) fn length(ms: u64) -> String {
    match ms / 1_000 {
        0 => "less than 1 s".to_owned(),
        seconds => exactly(seconds * 1_000),
    }
}

/// How far two clocks are apart, in s; none where that does not show, since one of them is cut to seconds.
pub(crate) fn apart(ms: u64) -> Option<u64> {
    Some((ms + 500) / 1_000).filter(|seconds| *seconds > 1)
}

/// `2026-07-28T10:00:00.000Z (3 min ago)`.
pub(crate) fn both(time: Timestamp, now: Timestamp) -> String {
    format!("{time} ({})", relative(time, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_use_their_largest_unit() {
        let now = Timestamp(1_000_000_000_000);
        let table = [
            (0, "now"),
            (-999, "now"),
            (-1_000, "1 s ago"),
            (-59_999, "59 s ago"),
            (-60_000, "1 min ago"),
            (-3_600_000, "1 h ago"),
            (-172_799_000, "47 h ago"),
            (-172_800_000, "2 d ago"),
            (20_000, "in 20 s"),
        ];
        for (ms, text) in table {
            assert_eq!(relative(now.plus_ms(ms), now), text, "{ms} ms");
        }
    }

    #[test]
    fn rounding_says_nothing_that_is_not_so() {
        let now = Timestamp(1_000_000_000_000);
        let to_come = [
            (1, "in less than a second"),
            (999, "in less than a second"),
            (1_999, "in 1 s"),
            (119_999, "in 1 min"),
            (7_199_999, "in 1 h"),
        ];
        for (ms, text) in to_come {
            assert_eq!(
                relative(now.plus_ms(ms), now),
                text,
                "a deadline in {ms} ms is neither here nor later"
            );
        }
        for (ms, text) in [(0, "just now"), (999, "just now"), (1_999, "1 s ago"), (119_999, "1 min ago")] {
            assert_eq!(ago(now.plus_ms(-ms), now), text, "{ms} ms are never told as more");
        }
        let answers =
            [(0, "less than 1 ms"), (1, "1 ms"), (999, "999 ms"), (1_240, "1.2 s"), (59_999, "59.9 s")];
        for (ms, text) in answers {
            assert_eq!(took(ms), text, "{ms} ms");
        }
        let intervals = [
            (0, "0 s"),
            (250, "250 ms"),
            (1_500, "1 s 500 ms"),
            (5_000, "5 s"),
            (90_000, "1 min 30 s"),
            (7_140_000, "1 h 59 min"),
            (86_400_000, "1 d"),
        ];
        for (ms, text) in intervals {
            assert_eq!(exactly(ms), text, "{ms} ms");
        }
        assert_eq!([apart(0), apart(1_499), apart(1_500), apart(90_400)], [None, None, Some(2), Some(90)]);
    }
}
