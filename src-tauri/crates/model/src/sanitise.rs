//! Text from outside, made safe for a terminal: nothing in it may move the cursor, colour, hide or reorder anything, no
//! letter of it may pass for another, and no line of it for one of ours.

use std::fmt::Write;

use crate::{acts, look_alikes};

/// Stands before each line that is somebody else's.
const MARK: &str = "  │ ";

/// For one line of output: line ends become spaces, everything else that would act or pass for another is shown as `\u{…}`.
#[must_use]
pub fn line(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r']);
    clean(text, |c| match c {
        '\n' | '\t' => Some(' '),
        _ => None,
    })
}

/// For a word that would be the first of a line.
#[must_use]
pub fn first(text: &str) -> String {
    format!("  {}", line(text))
}

/// For a block of output: line ends and tabs stay.
#[must_use]
pub fn lines(text: &str) -> String {
    clean(text, |c| matches!(c, '\n' | '\t').then_some(c))
}

/// For a block of output that is somebody else's: each line is marked as that.
#[must_use]
pub fn quoted(text: &str) -> String {
    lines(text)
        .lines()
        .map(|line| format!("{MARK}{line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// For a sentence of ours that quotes somebody: it begins a line, and what follows a line end in it is marked.
#[must_use]
pub fn continued(text: &str) -> String {
    lines(text).trim_end_matches('\n').replace('\n', &format!("\n{MARK}"))
}

/// For JSON: the same document, with everything that would act escaped as JSON escapes it.
#[must_use]
pub fn json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Between values, where alone they can stand.
            '\n' | '\r' | '\t' => safe.push(' '),
            c if acts(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(safe, "\\u{unit:04x}");
                }
            }
            c => safe.push(c),
        }
    }
    safe
}

fn clean(text: &str, layout: impl Fn(char) -> Option<char>) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut alike = look_alikes(text).into_iter().peekable();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\r' && chars.peek().is_some_and(|(_, next)| *next == '\n') {
            continue;
        }
        let passes_for_another = alike.next_if_eq(&at).is_some();
        if let Some(c) = layout(c) {
            clean.push(c);
        } else if acts(c) || passes_for_another {
            let _ = write!(clean, "\\u{{{:x}}}", u32::from(c));
        } else {
            clean.push(c);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_a_server_acts_on_the_terminal() {
        let table = [
            ("\u{1b}[31mred\u{1b}[0m", r"\u{1b}[31mred\u{1b}[0m"),
            ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
            ("\u{9b}2J", r"\u{9b}2J"),
            ("a\u{8}b\u{7f}", r"a\u{8}b\u{7f}"),
            ("pay \u{202e}001", r"pay \u{202e}001"),
            ("\u{2066}x\u{2069}", r"\u{2066}x\u{2069}"),
            ("zero\u{200b}width", r"zero\u{200b}width"),
            ("over\rwritten", r"over\u{d}written"),
            ("two\nlines\r\nand\ttab\n", "two lines and tab"),
            ("Grüße, 世界 👩\u{200d}🔧", "Grüße, 世界 👩\u{200d}🔧"),
            ("p\u{430}ypal\u{202e}", r"p\u{430}ypal\u{202e}"),
            ("a\u{3164}b\u{2800}\u{ffa0}", r"a\u{3164}b\u{2800}\u{ffa0}"),
            ("\u{fdd0}\u{1fffe}\u{e0100}", r"\u{fdd0}\u{1fffe}\u{e0100}"),
            ("⚠\u{fe0f} 1\u{fe0f}\u{20e3}", "⚠\u{fe0f} 1\u{fe0f}\u{20e3}"),
        ];
        for (text, shown) in table {
            assert_eq!(line(text), shown, "{text:?}");
        }
    }

    #[test]
    fn no_line_of_others_passes_for_one_of_ours() {
        assert_eq!(quoted("a\r\n\nb\n"), "  │ a\n  │\n  │ b");
        assert_eq!(quoted(""), "");
        assert_eq!(continued("it said: a\nb\r\nc\n"), "it said: a\n  │ b\n  │ c");
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({ "a\u{9b}": "\u{1b}[2J\u{202e}\u{e0041}\u{7f} 世界 👩\u{200d}🔧\n" });
        let text = value.to_string();
        assert!(text.chars().any(acts), "JSON itself lets most of them stand");
        let safe = json(&text);
        assert!(!safe.chars().any(acts), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        assert_eq!(json("{\n\t\"a\": 1\r\n}"), "{  \"a\": 1  }", "one document, one line");
    }

    #[test]
    fn blocks_keep_their_lines() {
        assert_eq!(lines("a\r\n\tb\n\u{1b}c"), "a\n\tb\n\\u{1b}c");
    }
}
