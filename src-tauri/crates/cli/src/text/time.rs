//! Times for people: how long ago, how long still.

use signalbox_model::Timestamp;

/// `3 min ago`, `in 2 h`, `now`.
pub(crate) fn relative(time: Timestamp, now: Timestamp) -> String {
    let ms = now.ms_since(time);
    match ms.unsigned_abs() {
        0..1_000 => "now".to_owned(),
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

/// A span in its largest whole unit: `59 s`, `3 min`, `2 h`, `4 d`.
pub(crate) fn span(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => format!("{ms} ms"),
        1..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
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
}
