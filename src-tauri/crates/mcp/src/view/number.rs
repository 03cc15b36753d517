//! Numbers in the ways servers write them.

use serde_json::value::RawValue;

use super::text;

/// A whole number written as `60000`, `60000.0`, `6e4` or `"60000"`; a fraction is cut off. None for anything else and
/// for what an `i64` cannot hold.
pub(crate) fn integer(raw: &RawValue) -> Option<i64> {
    let quoted = text(raw);
    let digits = quoted.as_deref().unwrap_or(raw.get()).trim();
    digits.parse().ok().or_else(|| {
        let float: f64 = digits.parse().ok().filter(|float: &f64| float.is_finite())?;
        // Printing without a fraction and reading back refuses what does not fit, which a cast would not.
        format!("{:.0}", float.trunc()).parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling() {
        let cases = [
            ("60000", Some(60_000)),
            ("60000.0", Some(60_000)),
            ("6e4", Some(60_000)),
            ("\"60000\"", Some(60_000)),
            ("\" 60000 \"", Some(60_000)),
            ("\"60000.0\"", Some(60_000)),
            ("1500.7", Some(1500)),
            ("-1", Some(-1)),
            ("-0.0", Some(0)),
            ("9007199254740993", Some(9_007_199_254_740_993)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("1e300", None),
            ("\"1e999\"", None),
            ("\"NaN\"", None),
            ("\"soon\"", None),
            ("\"\"", None),
            ("null", None),
            ("true", None),
            ("[1]", None),
            ("{}", None),
        ];
        for (json, number) in cases {
            let raw = RawValue::from_string(json.into()).unwrap();
            assert_eq!(integer(&raw), number, "{json}");
        }
    }
}
