//! Exact comparison of JSON numbers. 64-bit integers and doubles are compared as what they are, never by casting one
//! to the other.

use std::cmp::Ordering;

use serde_json::Number;

/// The number as an integer, when it is one and within ±2^100.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| number.as_f64().filter(|f| f.fract() == 0.0).and_then(whole))
}

/// The largest whole number that is not above this one; none where that does not fit.
pub(crate) fn floor(number: &Number) -> Option<i128> {
    integer(number).or_else(|| whole(number.as_f64()?.floor()))
}

/// The smallest whole number that is not below this one; none where that does not fit.
pub(crate) fn ceil(number: &Number) -> Option<i128> {
    integer(number).or_else(|| whole(number.as_f64()?.ceil()))
}

pub(crate) fn compare(a: &Number, b: &Number) -> Ordering {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => integer_with_fraction(a, b),
        (None, Some(b)) => integer_with_fraction(b, a).reverse(),
        (None, None) => double(a).total_cmp(&double(b)),
    }
}

/// `whole` against a number that is no integer (or a double far beyond all 64-bit integers).
fn integer_with_fraction(whole: i128, other: &Number) -> Ordering {
    match floor(other) {
        // Equal to the floor means below the number itself: it has a fraction.
        Some(floor) => whole.cmp(&floor).then(Ordering::Less),
        None => 0.0_f64.total_cmp(&double(other)),
    }
}

/// The text to show: `5` for `5.0`.
pub(crate) fn plain(number: &Number) -> String {
    integer(number).map_or_else(|| number.to_string(), |i| i.to_string())
}

fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "whole and within ±2^100, so the cast is exact")]
fn whole(f: f64) -> Option<i128> {
    (f.abs() < 2.0_f64.powi(100)).then_some(f as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_integers_and_fractions_compare_exactly() {
        let n = |text: &str| serde_json::from_str::<Number>(text).unwrap();
        for (a, b, expected) in [
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("9007199254740993", "9007199254740992.0", Ordering::Greater),
            ("18446744073709551615", "18446744073709551614", Ordering::Greater),
            ("5", "5.0", Ordering::Equal),
            ("5", "5.5", Ordering::Less),
            ("-5", "-5.5", Ordering::Greater),
            ("6", "5.5", Ordering::Greater),
            ("1", "1e300", Ordering::Less),
            ("1", "-1e300", Ordering::Greater),
            ("0.1", "0.2", Ordering::Less),
        ] {
            assert_eq!(compare(&n(a), &n(b)), expected, "{a} against {b}");
            assert_eq!(compare(&n(b), &n(a)), expected.reverse(), "{b} against {a}");
        }
        assert_eq!(plain(&n("5.0")), "5");
        assert_eq!((floor(&n("-1.5")), ceil(&n("-1.5"))), (Some(-2), Some(-1)));
    }
}
