//! Aligned columns. The last one takes what the terminal has left, and is cut there; a pipe gets all of it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Hue, Paint};

const GAP: usize = 2;
/// The last column is never cut below this, however narrow the terminal.
const LEAST: usize = 16;

/// A table under construction. Cells must be sanitised.
pub(crate) struct Table<const N: usize> {
    rows: Vec<[(Hue, String); N]>,
}

impl<const N: usize> Table<N> {
    /// A table with a heading.
    pub(crate) fn new(heading: [&str; N]) -> Self {
        Self { rows: vec![heading.map(|text| (Hue::Dim, text.to_owned()))] }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: [(Hue, String); N]) {
        self.rows.push(cells);
    }

    /// The table as text.
    pub(crate) fn render(&self, width: Option<usize>, paint: Paint) -> String {
        let column = |at: usize| self.rows.iter().map(|row| row[at].1.width()).max().unwrap_or(0);
        let widths: [usize; N] = std::array::from_fn(column);
        let before: usize = widths.iter().take(N.saturating_sub(1)).map(|width| width + GAP).sum();
        let room = width.map(|width| width.saturating_sub(before).max(LEAST));

        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (at, (hue, cell)) in row.iter().enumerate() {
                if at + 1 == N {
                    let cell = room.map_or_else(|| cell.clone(), |room| cut(cell, room));
                    line.push_str(&paint.on(*hue, &cell));
                } else {
                    line.push_str(&paint.on(*hue, cell));
                    line.push_str(&" ".repeat(widths[at] - cell.width() + GAP));
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// At most `room` columns of the text; what was cut is shown by an ellipsis.
pub(crate) fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut used = 1;
    let mut kept: String = text
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect();
    kept.push('…');
    kept
}

/// Names and values below each other; absent values are left out.
pub(crate) fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, Option<String>)>) -> String {
    let facts: Vec<_> = facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    facts.iter().map(|(name, value)| format!("  {name:width$}  {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<3> {
        let mut table = Table::new(["ID", "SERVER", "MESSAGE"]);
        let plain = |text: &str| (Hue::Plain, text.to_owned());
        table.row([plain("t1"), plain("世界"), plain("a rather long message of a server")]);
        table.row([plain("t200"), (Hue::Red, "ci".to_owned()), plain("")]);
        table
    }

    #[test]
    fn columns_align_by_what_is_seen() {
        assert_eq!(
            table().render(None, Paint { colour: false }),
            "ID    SERVER  MESSAGE\n\
             t1    世界    a rather long message of a server\n\
             t200  ci\n",
            "wide characters take two columns, no line ends in spaces"
        );
    }

    #[test]
    fn a_terminal_cuts_the_last_column() {
        let text = table().render(Some(34), Paint { colour: false });
        assert!(text.contains("a rather long messa…\n"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 34), "{text}");
    }

    #[test]
    fn colours_do_not_count_as_columns() {
        let text = table().render(None, Paint { colour: true });
        assert!(text.contains("t200  \u{1b}[31mci\u{1b}[0m"), "{text:?}");
    }
}
