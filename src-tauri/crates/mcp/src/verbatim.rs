//! Texts that go back to the server as they came: keys of questions, states of rounds.
//!
//! JSON can write what no Rust string holds: half a surrogate pair, as JavaScript's servers may. Such a text is kept as
//! its JSON, quotes and all, and goes back like that: replaced by U+FFFD two keys could become one, and no answer would
//! find its question. A text that itself begins with a quote is kept as its JSON, too, so that nothing kept has two
//! meanings.

use serde_json::value::RawValue;

/// The text of a JSON string as it is kept; what is no string stays its JSON.
pub(crate) fn kept(raw: &RawValue) -> String {
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) if !text.starts_with('"') => text,
        Ok(text) => quoted(&text),
        Err(_) => raw.get().to_owned(),
    }
}

/// A text that was kept, as JSON.
pub(crate) fn json(kept: &str) -> String {
    let is_json = kept.starts_with('"') && serde_json::from_str::<&RawValue>(kept).is_ok();
    if is_json { kept.to_owned() } else { quoted(kept) }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("BUG: text serialises into memory")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> String {
        kept(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn what_is_legible_is_kept_as_its_text() {
        assert_eq!(read(r#""a\u0062\n\u00e9""#), "ab\né");
        assert_eq!(read(r#""""#), "");
    }

    #[test]
    fn what_no_string_can_hold_goes_back_byte_for_byte() {
        for text in [r#""\ud800""#, r#""a \uDC00\ud83d b""#] {
            assert_eq!((read(text).as_str(), json(&read(text)).as_str()), (text, text));
        }
        assert_ne!(read(r#""\ud800""#), read(r#""\ud801""#), "two keys stay two");
        let lookalike = r#""\"\\ud800\"""#;
        assert_ne!(read(lookalike), read(r#""\ud800""#), "a text that looks like the JSON of another");
        assert_eq!(json(&read(lookalike)), lookalike);
    }

    proptest! {
        #[test]
        fn every_text_goes_back_as_it_came(text: String) {
            for text in [text.clone(), format!("\"{text}"), format!("\"{text}\"")] {
                let came = quoted(&text);
                prop_assert_eq!(json(&read(&came)), came);
            }
        }

        /// A key kept by an earlier version, or one that merely begins with a quote.
        #[test]
        fn what_goes_back_is_always_a_json_string(kept: String) {
            for kept in [kept.clone(), format!("\"{kept}")] {
                let json = json(&kept);
                prop_assert!(json.starts_with('"') && serde_json::from_str::<&RawValue>(&json).is_ok());
            }
        }
    }
}
