//! Text from outside, made safe for a terminal: nothing in it may move the cursor, colour, hide or reorder anything.

use std::fmt::Write;

/// For one line of output: line ends become spaces, everything else that would act is shown as `\u{…}`.
pub(crate) fn line(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r']);
    clean(text, |c| match c {
        '\n' | '\t' => Some(' '),
        _ => None,
    })
}

/// For a block of output: line ends and tabs stay.
pub(crate) fn lines(text: &str) -> String {
    clean(text, |c| matches!(c, '\n' | '\t').then_some(c))
}

fn clean(text: &str, layout: impl Fn(char) -> Option<char>) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' && chars.peek() == Some(&'\n') {
            continue;
        }
        if let Some(c) = layout(c) {
            clean.push(c);
        } else if acts(c) {
            let _ = write!(clean, "\\u{{{:x}}}", u32::from(c));
        } else {
            clean.push(c);
        }
    }
    clean
}

/// Controls (escape sequences begin with one), separators, and format characters that reorder or hide text. The two
/// joiners stay: scripts and emoji need them, and alone they change nothing that could mislead.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
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
        ];
        for (text, shown) in table {
            assert_eq!(line(text), shown, "{text:?}");
        }
    }

    #[test]
    fn blocks_keep_their_lines() {
        assert_eq!(lines("a\r\n\tb\n\u{1b}c"), "a\n\tb\n\\u{1b}c");
    }
}
