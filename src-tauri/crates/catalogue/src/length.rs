//! Lengths of time, as people write them: `90s`, `10m`, `1h30m`, `3d`, `2w`.

const UNITS: [(char, i64); 5] =
    [('w', 604_800_000), ('d', 86_400_000), ('h', 3_600_000), ('m', 60_000), ('s', 1_000)];

/// A length in ms; none where the text is no length.
pub(crate) fn read(text: &str) -> Option<i64> {
    let (mut rest, mut ms, mut longest) = (text, 0_i64, i64::MAX);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let unit = rest[end..].chars().next()?;
        let (_, unit_ms) = UNITS.into_iter().find(|(letter, _)| *letter == unit)?;
        if unit_ms >= longest {
            return None;
        }
        longest = unit_ms;
        ms = ms.checked_add(rest[..end].parse::<i64>().ok()?.checked_mul(unit_ms)?)?;
        rest = &rest[end + 1..];
    }
    (!text.is_empty()).then_some(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        let cases = [
            ("90s", Some(90_000)),
            ("10m", Some(600_000)),
            ("1h30m", Some(5_400_000)),
            ("3d", Some(259_200_000)),
            ("2w", Some(1_209_600_000)),
            ("0s", Some(0)),
            ("", None),
            ("10", None),
            ("h", None),
            ("10 m", None),
            ("30m1h", None),
            ("1h1h", None),
            ("-1h", None),
            ("1y", None),
            ("999999999999999w", None),
            ("99999999999999999999s", None),
        ];
        for (text, ms) in cases {
            assert_eq!(read(text), ms, "{text:?}");
        }
    }
}
