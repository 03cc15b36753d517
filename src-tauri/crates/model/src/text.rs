//! Texts of servers, cut where they are long.

use std::borrow::Cow;

/// What a row has of a server's text, in bytes. All of it stands in the raw JSON beside.
pub const LONGEST_TEXT: usize = 16 * 1024;

/// A text of at most `most` bytes: of a longer one the beginning, up to a character's end, and `…`.
#[must_use]
pub fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.len() <= most {
        true => Cow::Borrowed(text),
        false => {
            let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
            Cow::Owned(format!("{}…", &text[..end]))
        }
    }
}

/// The same of a text that nobody needs after it: a longer one gives its memory back.
#[must_use]
pub fn cut(text: String, most: usize) -> String {
    match beginning(&text, most) {
        Cow::Owned(beginning) => beginning,
        Cow::Borrowed(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_ends_with_a_whole_character_and_says_so() {
        let cases = [
            ("", ""),
            ("abcdef", "abcdef"),
            ("abcdefg", "abc…"),
            ("aéééé", "aé…"),
            ("ééé", "ééé"),
            ("🚂🚂", "…"),
        ];
        for (text, expected) in cases {
            assert_eq!(cut(text.to_owned(), 6), expected);
            assert!(expected.len() <= 6);
        }
    }
}
