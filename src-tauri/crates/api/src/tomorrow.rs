//! Tomorrow morning, for who puts something off until then.

use jiff::{ToSpan as _, civil::Time, tz::TimeZone};
use signalbox_model::Timestamp;

/// Nine o'clock on the morning after this moment, where this program runs.
#[must_use]
pub fn tomorrow(now: Timestamp) -> Timestamp {
    morning_after(now, TimeZone::system()).unwrap_or_else(|| now.plus_ms(24 * 3_600_000))
}

/// None only at the end of the calendar.
fn morning_after(now: Timestamp, zone: TimeZone) -> Option<Timestamp> {
    let today = jiff::Timestamp::from_millisecond(now.0).ok()?.to_zoned(zone.clone()).date();
    let nine = today.checked_add(1.day()).ok()?.to_datetime(Time::constant(9, 0, 0, 0));
    Some(Timestamp(nine.to_zoned(zone).ok()?.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_nine_by_the_clock_on_the_wall() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let after = |text: &str| morning_after(text.parse().unwrap(), zone.clone()).unwrap().to_string();
        assert_eq!(after("2026-11-27T10:00:00Z"), "2026-11-28T07:00:00.000Z");
        assert_eq!(after("2026-11-27T21:59:59Z"), "2026-11-28T07:00:00.000Z", "it is the same day there");
        assert_eq!(after("2026-11-27T22:00:00Z"), "2026-11-29T07:00:00.000Z", "there it is past midnight");
    }
}
