//! A server's text on its way into a notification: text only, short, and with nothing in it that hides.

use std::fmt::Write as _;

use signalbox_model::{acts, look_alikes};

const TITLE: usize = 100;
const BODY: usize = 300;
const BODY_LINES: usize = 4;

/// One line of at most 100 characters.
pub(crate) fn line(text: &str) -> String {
    cut(clean(text).split_whitespace().collect::<Vec<_>>().join(" "), TITLE)
}

/// At most four lines and 300 characters.
pub(crate) fn lines(text: &str) -> String {
    let clean = clean(text);
    let mut lines = clean.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut body = lines.by_ref().take(BODY_LINES).collect::<Vec<_>>().join("\n");
    if lines.next().is_some() {
        body.push_str("\n…");
    }
    cut(body, BODY)
}

/// For services that read markup in bodies.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What would reorder or hide text, and what passes for another letter, is spelled out as in the window. Other control
/// characters are blanks.
fn clean(text: &str) -> String {
    // More than is ever shown is not worth looking at.
    let text = text.char_indices().nth(4 * BODY).map_or(text, |(end, _)| &text[..end]);
    let alike = look_alikes(text);
    let mut clean = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '\n' => clean.push(c),
            c if c.is_control() => clean.push(' '),
            c if acts(c) || alike.binary_search(&at).is_ok() => {
                let _ = write!(clean, "⟨{:04X}⟩", u32::from(c));
            }
            c => clean.push(c),
        }
    }
    clean
}

fn cut(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text,
        Some(_) => text.chars().take(limit - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_short_line() {
        assert_eq!(line("a\tb\r\n c\u{1b}[31m"), "a b c [31m");
        let long = line(&"ü".repeat(500));
        assert_eq!(long.chars().count(), TITLE);
        assert!(long.ends_with('…'), "a cut must be seen");
    }

    #[test]
    fn bodies_keep_few_lines() {
        assert_eq!(lines("a\n\n b \nc"), "a\nb\nc");
        assert_eq!(lines("1\n2\n3\n4\n5"), "1\n2\n3\n4\n…");
        assert_eq!(lines(&"x".repeat(100_000)).chars().count(), BODY);
    }

    #[test]
    fn what_hides_or_passes_for_something_else_is_spelled_out() {
        for (text, shown) in [
            ("pay \u{202e}gnp.exe", "pay ⟨202E⟩gnp.exe"),
            ("a\u{200b}b\u{ad}c\u{61c}d\u{3164}e\u{e0041}", "a⟨200B⟩b⟨00AD⟩c⟨061C⟩d⟨3164⟩e⟨E0041⟩"),
            ("approve for p\u{430}ypal", "approve for p⟨0430⟩ypal"),
            ("одобрить", "одобрить"),
        ] {
            assert_eq!(line(text), shown);
        }
        let corpus = include_str!("../../../../tests/corpus/hostile-strings.json");
        // But for those with half a character, which no text of Rust has.
        let rows = corpus.lines().map(|row| row.trim().trim_end_matches(','));
        let rows: Vec<Vec<serde_json::Value>> =
            rows.filter_map(|row| serde_json::from_str(row).ok()).collect();
        assert!(rows.len() >= 100, "the corpus is not empty");
        for text in rows.iter().filter_map(|row| row[1].as_str()) {
            assert!(!lines(text).chars().any(|c| c != '\n' && acts(c)), "{text:?}");
        }
    }

    #[test]
    fn markup_is_shown_not_read() {
        assert_eq!(escape("<a href='x'>&amp;"), "&lt;a href='x'&gt;&amp;amp;");
    }
}
