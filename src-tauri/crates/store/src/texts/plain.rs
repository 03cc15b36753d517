//! The words of raw JSON: escapes are undone, so that none of them is read as part of a word. Its punctuation stays, which the
//! index passes over. JSON that is cut off anywhere is read as far as it goes.

/// Adds what is readable of the first `most` bytes.
pub(super) fn add(text: &mut String, json: &str, most: usize) {
    let mut rest = &json[..json.floor_char_boundary(most)];
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (meant, len) = match escape.as_bytes().first() {
            Some(b'u') => (unicode(&escape[1..]), 5),
            // Of all others no word is made, but a slash and the like part words as well as a blank does.
            Some(_) => (' ', escape.chars().next().map_or(0, char::len_utf8)),
            None => (' ', 0),
        };
        text.push(meant);
        rest = escape.get(len..).unwrap_or_default();
    }
    text.push_str(rest);
    text.push('\n');
}

/// A character that is written as its number. Of a pair of two each parts words.
fn unicode(digits: &str) -> char {
    let number = digits.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.and_then(char::from_u32).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_no_part_of_a_word() {
        let cases = [
            (r#"{"a":"one\ntwo"}"#, r#"{"a":"one two"}"#),
            (r#""caf\u00e9 \"x\"""#, r#""café  x ""#),
            (r#""\ud83d\ude00smile""#, r#""  smile""#),
            (r#""cut\"#, r#""cut "#),
            (r#""cut\u00"#, r#""cut "#),
            (r#""\é""#, r#"" ""#),
            ("12345678901234567890", "12345678901234567890"),
        ];
        for (json, plain) in cases {
            let mut text = String::new();
            add(&mut text, json, 1_000);
            assert_eq!(text, format!("{plain}\n"), "{json}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        let mut text = String::new();
        add(&mut text, "äöü", 3);
        assert_eq!(text, "ä\n");
    }
}
