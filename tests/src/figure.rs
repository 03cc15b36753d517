//! One measured figure beside its target, and the table of all.

use serde::Serialize;

/// A figure. With a baseline (the bare loop of the same run) the target is the most that `ratio` may be, without one it
/// is what `value` must stay under.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The best of all rounds.
    pub value: f64,
    /// Of `value` and `baseline`.
    pub unit: String,
    /// The same work in a bare loop; null where there is no such thing.
    pub baseline: Option<f64>,
    /// `value / baseline`.
    pub ratio: Option<f64>,
    /// The limit that `value` is held against.
    pub target: f64,
    /// Whether it is kept.
    pub met: bool,
}

impl Figure {
    /// A figure that must stay under `target`.
    #[must_use]
    pub fn under(target: f64, name: &str, value: f64, unit: &str) -> Self {
        // Written so that what is no number is a miss.
        let met = value < target;
        Self { name: name.into(), value, unit: unit.into(), baseline: None, ratio: None, target, met }
    }

    /// A figure that may be at most `target` times its baseline.
    #[must_use]
    pub fn times(target: f64, name: &str, value: f64, baseline: f64, unit: &str) -> Self {
        let ratio = value / baseline;
        let (baseline, met) = (Some(baseline), ratio <= target);
        Self { name: name.into(), value, unit: unit.into(), baseline, ratio: Some(ratio), target, met }
    }

    fn row(&self) -> [String; 6] {
        let number = |number: f64| format!("{number:.2}");
        let limit = if self.ratio.is_some() {
            format!("≤ {} ×", self.target)
        } else {
            format!("< {}", self.target)
        };
        [
            self.name.clone(),
            format!("{} {}", number(self.value), self.unit),
            self.baseline.map(number).unwrap_or_default(),
            self.ratio.map(|ratio| format!("{ratio:.2} ×")).unwrap_or_default(),
            limit,
            if self.met { "met" } else { "MISSED" }.into(),
        ]
    }
}

/// The figures as people read them.
#[must_use]
pub fn table(figures: &[Figure]) -> String {
    let head = ["figure", "measured", "bare loop", "ratio", "target", ""].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head).chain(figures.iter().map(Figure::row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_decides_where_there_is_a_baseline() {
        let met = Figure::times(1.5, "look", 150.0, 100.0, "ms");
        assert_eq!((met.ratio, met.met), (Some(1.5), true), "at most means also exactly");
        assert!(!Figure::times(1.5, "look", 151.0, 100.0, "ms").met);
        assert!(
            !Figure::times(1.5, "look", 1.0, 0.0, "ms").met,
            "a baseline that cost nothing was not measured"
        );
    }

    #[test]
    fn a_value_must_stay_under_its_target() {
        assert!(Figure::under(20.0, "delivery", 19.9, "ms").met);
        assert!(!Figure::under(20.0, "delivery", 20.0, "ms").met);
        assert!(!Figure::under(20.0, "delivery", f64::NAN, "ms").met, "nothing measured is a miss");
    }

    #[test]
    fn documents_have_every_member() {
        let document = serde_json::to_value(Figure::under(20.0, "delivery", 3.0, "ms")).unwrap();
        let expected = serde_json::json!({
            "name": "delivery", "value": 3.0, "unit": "ms", "baseline": null, "ratio": null, "target": 20.0, "met": true,
        });
        assert_eq!(document, expected);
    }

    #[test]
    fn the_table_is_aligned_and_names_what_was_missed() {
        let figures =
            [Figure::times(1.5, "look", 1.0, 2.0, "ms"), Figure::under(20.0, "delivery", 30.0, "ms")];
        let table = table(&figures);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines[1], "look      1.00 ms   2.00       0.50 ×  ≤ 1.5 ×  met");
        assert_eq!(lines[2], "delivery  30.00 ms                     < 20     MISSED");
    }
}
