//! Where days begin: their rules are written out, so that no machine's own files decide.

use jiff::tz::TimeZone;
use proptest::{prelude::*, sample::select};

use crate::plain::Clock;

/// A zone, and a time at which a test begins there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zone {
    rules: &'static str,
    pub(crate) ahead: fn(i64) -> i64,
    pub(crate) begin: i64,
}

/// Half a minute before a midnight, so that it passes.
const ALL: [Zone; 4] = [
    Zone { rules: "UTC0", ahead: |_| 0, begin: 1_795_651_170_000 },
    // 25 October 2026, a day of 25 hours, and 29 March 2026, one of 23.
    Zone { rules: BERLIN, ahead: of_berlin, begin: 1_792_969_170_000 },
    Zone { rules: BERLIN, ahead: of_berlin, begin: 1_774_821_570_000 },
    // Half an hour beside the others, and a day behind most of them.
    Zone { rules: "<-0930>9:30", ahead: |_| -19 * HOUR / 2, begin: 1_795_685_370_000 },
];
const HOUR: i64 = 3_600_000;
const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

/// The clocks go forward on 29 March 2026 and back on 25 October, at 01:00 UTC.
fn of_berlin(at: i64) -> i64 {
    let summer = 1_774_746_000_000..1_792_890_000_000;
    if summer.contains(&at) { 2 * HOUR } else { HOUR }
}

impl Zone {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        select(ALL.to_vec())
    }

    pub(crate) fn zone(&self) -> TimeZone {
        TimeZone::posix(self.rules).expect("rules of a zone")
    }

    /// The day on which a test begins, counted from 1970.
    pub(crate) fn today(&self) -> i64 {
        Clock { now: self.begin, ahead: self.ahead }.day(self.begin)
    }
}
