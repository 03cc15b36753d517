//! Randomness that repeats: every decision of a round comes from its seed.

use std::hash::{BuildHasher, RandomState};

/// A stream of numbers from one seed (splitmix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice of their own for one part of a round, so that how often one part throws never changes another.
    pub fn apart(seed: u64, part: u64) -> Self {
        let mut dice = Self(seed ^ part.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self(dice.roll())
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` up to and including `high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.roll() % (high - low + 1)
    }

    /// A number from 0 up to, but not including, `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % limit as u64).expect("BUG: below a usize")
    }

    /// True in this many of a hundred throws.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.roll() % 100 < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A seed for a run that was given none: short enough to be typed.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same_and_another_does_not() {
        let throws = |seed| {
            let mut dice = Dice::apart(seed, 0);
            (0..8).map(|_| dice.roll()).collect::<Vec<_>>()
        };
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
        assert_ne!(Dice::apart(7, 1).roll(), Dice::apart(7, 2).roll(), "parts are independent");
    }

    #[test]
    fn throws_stay_within_their_bounds() {
        let mut dice = Dice::apart(1, 0);
        let seen: std::collections::BTreeSet<u64> = (0..200).map(|_| dice.between(3, 5)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5], "both ends come up");
        assert!((0..200).all(|_| dice.below(2) < 2));
        assert!((0..200).all(|_| !dice.percent(0) && dice.percent(100)));
    }
}
