//! How many requests of one kind may begin in a second.

/// What may begin at once after a rest: as much as the rate allows in this time, in µs.
const BURST_US: u64 = 100_000;

/// A long answer takes the place of what could have begun while so many bytes a ms came: a server whose answers are long
/// gets no more of the machine than others.
const BYTES_PER_MS: u64 = 2 * 1024;

/// Lets requests begin at a rate.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// By then all that has begun is within the rate, in µs of the steady clock.
    level_us: u64,
    /// What the last answer cost, in µs. The next is expected to cost as much: long ones come one after the other.
    last_us: u64,
}

impl Pace {
    /// Counts one more that begins now, and what its answer is expected to cost, in µs: to be given back with the answer
    /// ([`Pace::answered`]). Or says when it may begin (steady ms). A rate of 0 is without limit.
    pub(crate) fn begin(&mut self, now_ms: u64, per_second: u32) -> Result<u64, u64> {
        let Some(each) = 1_000_000_u64.checked_div(per_second.into()) else { return Ok(0) };
        let now = now_ms.saturating_mul(1_000);
        let ahead = self.level_us.saturating_sub(now);
        if ahead > BURST_US {
            return Err(now_ms.saturating_add((ahead - BURST_US).div_ceil(1_000)));
        }
        self.level_us = self.level_us.max(now).saturating_add(each).saturating_add(self.last_us);
        Ok(self.last_us)
    }

    /// What had begun, `expected` to cost so many µs, brought so many bytes of a long answer now; 0 for a short one, and
    /// none where it failed.
    pub(crate) fn answered(&mut self, now_ms: u64, expected: u64, bytes: Option<usize>) {
        let cost = (bytes.unwrap_or(0) as u64).saturating_mul(1_000) / BYTES_PER_MS;
        if bytes.is_some() {
            self.last_us = cost;
        }
        let level = self.level_us.saturating_sub(expected);
        self.level_us = level.max(now_ms.saturating_mul(1_000)).saturating_add(cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let mut pace = Pace::default();
        let begun = |pace: &mut Pace, from: u64, to: u64| {
            (from..to).map(|now| (0..100).filter(|_| pace.begin(now, 500).is_ok()).count()).sum::<usize>()
        };
        let first = begun(&mut pace, 5_000, 6_000);
        assert!((500..=551).contains(&first), "{first} in the first second");
        let second = begun(&mut pace, 6_000, 7_000);
        assert!((499..=501).contains(&second), "{second} in the next");
        let rested = begun(&mut pace, 60_000, 61_000);
        assert!((500..=551).contains(&rested), "a rest of a minute saves no more than a burst: {rested}");
    }

    #[test]
    fn the_time_that_it_says_holds() {
        let mut pace = Pace::default();
        let mut now = 0;
        for _ in 0..1_000 {
            if let Err(at) = pace.begin(now, 7) {
                assert!(at > now, "later");
                now = at;
                assert_eq!(pace.begin(now, 7), Ok(0), "then it may");
            }
        }
        assert!((140_000..=145_000).contains(&now), "1,000 at 7 a second: {now} ms");
    }

    #[test]
    fn what_is_long_costs_time() {
        let mut pace = Pace::default();
        for now in [0, 60_000] {
            let expected = pace.begin(now, 500).unwrap();
            pace.answered(now, expected, Some(2 << 20));
            let Err(at) = pace.begin(now + 1, 500) else { panic!("2 MiB are more than a burst") };
            assert!((now + 900..=now + 1_100).contains(&at), "they are worth a second: {at}");
            let expected = pace.begin(at, 500).expect("then it goes on");
            pace.answered(at, expected, Some(0));
        }
    }

    #[test]
    fn long_ones_that_were_under_way_together_are_all_counted() {
        let mut pace = Pace::default();
        let begun: Vec<u64> = (0..8).map(|_| pace.begin(0, 500).unwrap()).collect();
        for expected in begun {
            pace.answered(1, expected, Some(2 << 20));
        }
        let Err(at) = pace.begin(2, 500) else { panic!("16 MiB are more than a burst") };
        assert!((8_000..=8_200).contains(&at), "they are worth eight seconds: {at}");
    }

    #[test]
    fn what_failed_costs_no_more_than_its_turn() {
        let mut pace = Pace::default();
        let expected = pace.begin(0, 500).unwrap();
        pace.answered(0, expected, Some(8 << 20));
        let mut now = 60_000;
        for _ in 0..100 {
            let expected = pace.begin(now, 500).expect("the one before it came to nothing");
            assert!(pace.begin(now, 500).is_err(), "but each may still be as long as the last one that came");
            now += 20;
            pace.answered(now, expected, None);
        }
    }

    #[test]
    fn long_ones_come_one_after_the_other_until_a_short_one_comes() {
        let mut pace = Pace::default();
        let expected = pace.begin(0, 500).unwrap();
        pace.answered(1, expected, Some(4 << 20));
        let Err(at) = pace.begin(2, 500) else { panic!("4 MiB are more than a burst") };
        let expected = pace.begin(at, 500).unwrap();
        assert!(pace.begin(at, 500).is_err(), "another would come at the same time");
        pace.answered(at + 1, expected, Some(0));
        for _ in 0..50 {
            assert_eq!(pace.begin(at + 200, 500), Ok(0), "it was short, and so may be the next ones");
        }
    }

    #[test]
    fn no_rate_is_no_limit() {
        let mut pace = Pace::default();
        assert!((0..10_000).all(|_| pace.begin(1, 0).is_ok()));
    }
}
