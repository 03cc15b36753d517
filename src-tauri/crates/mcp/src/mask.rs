//! Secrets of ours in what a server sends: masked on arrival, so that no row, log, notice or export ever has them.
//!
//! Whole messages are searched, however they came in pieces, and only within texts: what was JSON stays JSON. A number
//! stays what it is. Nothing that a person typed or a server chose is a secret here: only what goes along with each
//! request, or is given to a program.
//!
//! The secrets are what was resolved for the headers of a server or the environment of its program, and the tokens of a
//! sign-in, each of 8 characters or more. They are masked in all texts of bodies, events and lines, also where we would
//! have echoed the text (`requestState`). They are not masked in an address that is to be used.

use std::sync::{PoisonError, RwLock};

use memchr::memmem;
use signalbox_model::{Json, REDACTED};
use url::form_urlencoded::byte_serialize;
use zeroize::Zeroizing;

/// Shorter ones are words that stand anywhere, in characters.
const SHORTEST: usize = 8;
/// Spellings of secrets of one connection: the oldest go, once so many tokens have followed each other.
const MOST: usize = 256;

/// The secrets of one connection. Has no `Debug`.
#[derive(Default)]
pub(crate) struct Mask(RwLock<Vec<Zeroizing<String>>>);

impl Mask {
    /// From now on this is masked, and what follows its first blank: a server that takes `Bearer x` repeats `x`.
    pub(crate) fn learn(&self, secret: &str) {
        let value = secret.split_once(' ').map(|(_, value)| value);
        for secret in [Some(secret), value].into_iter().flatten() {
            if secret.chars().count() < SHORTEST || self.knows(secret) {
                continue;
            }
            // As it is, within JSON within text, and within a URL.
            let quoted = Zeroizing::new(Json::of(&secret).text().to_owned());
            let escaped = Zeroizing::new(quoted[1..quoted.len() - 1].to_owned());
            let in_url = Zeroizing::new(byte_serialize(secret.as_bytes()).collect::<String>());
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            for spelling in [Zeroizing::new(secret.to_owned()), escaped, in_url] {
                if !known.contains(&spelling) {
                    known.push(spelling);
                }
            }
            let over = known.len().saturating_sub(MOST);
            known.drain(..over);
        }
    }

    fn knows(&self, secret: &str) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.iter().any(|known| known.as_str() == secret)
    }

    /// A message, without them in its texts. Without secrets it is not looked at; without one in it, and without an escape
    /// that could spell one, it is read past once and not copied.
    pub(crate) fn message(&self, bytes: Vec<u8>) -> Vec<u8> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_there = |secret: &Zeroizing<String>| memmem::find(&bytes, secret.as_bytes()).is_some();
        if known.is_empty() || !(memchr::memchr(b'\\', &bytes).is_some() || known.iter().any(is_there)) {
            return bytes;
        }
        match masked(&bytes, &known) {
            Some(masked) => {
                // What it was goes with its secrets.
                drop(Zeroizing::new(bytes));
                masked
            }
            None => bytes,
        }
    }

    /// A line that is no message, without them.
    pub(crate) fn line(&self, line: &[u8]) -> String {
        let line = String::from_utf8_lossy(line).into_owned();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        longest_first(&known).into_iter().fold(line, |line, secret| match line.contains(secret) {
            true => line.replace(secret, REDACTED),
            false => line,
        })
    }
}

/// Of two secrets one of which begins with the other, all of the longer goes.
fn longest_first(known: &[Zeroizing<String>]) -> Vec<&str> {
    let mut secrets: Vec<&str> = known.iter().map(|secret| secret.as_str()).collect();
    secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// The texts of a message without secrets; none where there are none.
fn masked(bytes: &[u8], known: &[Zeroizing<String>]) -> Option<Vec<u8>> {
    let secrets = longest_first(known);
    let (mut out, mut kept, mut at) = (None, 0, 0);
    while let Some(begin) = memchr::memchr(b'"', &bytes[at..]) {
        at += begin + 1;
        while let Some(&byte) = bytes.get(at).filter(|byte| **byte != b'"') {
            let found = secrets.iter().find_map(|secret| {
                let begins = byte == b'\\' || secret.as_bytes().first() == Some(&byte);
                begins.then(|| end_of(bytes, at, secret.as_bytes())).flatten()
            });
            match found {
                Some(end) => {
                    let out = out.get_or_insert_with(|| Vec::with_capacity(bytes.len()));
                    out.extend_from_slice(&bytes[kept..at]);
                    out.extend_from_slice(REDACTED.as_bytes());
                    (kept, at) = (end, end);
                }
                None => at = character(bytes, at).2,
            }
        }
        at = (at + 1).min(bytes.len());
    }
    let mut out: Vec<u8> = out?;
    out.extend_from_slice(&bytes[kept..]);
    Some(out)
}

/// Where a secret ends that begins here, however it is written.
fn end_of(bytes: &[u8], mut at: usize, mut secret: &[u8]) -> Option<usize> {
    while !secret.is_empty() {
        if bytes.get(at).is_none_or(|byte| *byte == b'"') {
            return None;
        }
        let (said, len, next) = character(bytes, at);
        secret = secret.strip_prefix(&said[..len])?;
        at = next;
    }
    Some(at)
}

/// What stands here in a text, in UTF-8, its length, and where it ends: an escape, or one byte as it is.
fn character(bytes: &[u8], at: usize) -> ([u8; 4], usize, usize) {
    let as_it_is = |byte: u8, next: usize| ([byte, 0, 0, 0], 1, next);
    if bytes[at] != b'\\' {
        return as_it_is(bytes[at], at + 1);
    }
    match bytes.get(at + 1) {
        Some(b'u') => {
            let Some(first) = unit(bytes, at) else { return as_it_is(b'\\', at + 1) };
            let pair = unit(bytes, at + 6).map(|second| char::decode_utf16([first, second]).next());
            let (said, next) = match (char::decode_utf16([first]).next(), pair) {
                (Some(Ok(said)), _) => (said, at + 6),
                (_, Some(Some(Ok(said)))) => (said, at + 12),
                // Half a pair is part of no secret.
                _ => return as_it_is(0, at + 6),
            };
            let mut utf8 = [0; 4];
            let len = said.encode_utf8(&mut utf8).len();
            (utf8, len, next)
        }
        Some(b'n') => as_it_is(b'\n', at + 2),
        Some(b'r') => as_it_is(b'\r', at + 2),
        Some(b't') => as_it_is(b'\t', at + 2),
        Some(b'b') => as_it_is(8, at + 2),
        Some(b'f') => as_it_is(12, at + 2),
        Some(byte) => as_it_is(*byte, at + 2),
        None => as_it_is(b'\\', at + 1),
    }
}

/// The number in `\uXXXX`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn of(secrets: &[&str]) -> Mask {
        let mask = Mask::default();
        secrets.iter().for_each(|secret| mask.learn(secret));
        mask
    }

    fn message(secret: &str, text: &str) -> String {
        String::from_utf8(of(&[secret]).message(text.into())).unwrap()
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let cases = [
            (
                "tok-12345678",
                r#"{"a":"x tok-12345678 y","tok-12345678":1}"#,
                r#"{"a":"x [redacted] y","[redacted]":1}"#,
            ),
            (
                "Bearer tok-12345678",
                r#"["Bearer tok-12345678","tok-12345678"]"#,
                r#"["[redacted]","[redacted]"]"#,
            ),
            ("tok-12345678", r#"["\u0074ok-1\u00323\u00345678\n"]"#, r#"["[redacted]\n"]"#),
            (
                "a/b\"c\\d+efg",
                r#"["a\/b\"c\\d+efg","a\u002fb\u0022c\u005Cd\u002befg"]"#,
                r#"["[redacted]","[redacted]"]"#,
            ),
            (
                "a/b\"c\\d+efg",
                r#"["{\"x\":\"a/b\\\"c\\\\d+efg\"}","https://x/?k=a%2Fb%22c%5Cd%2Befg"]"#,
                r#"["{\"x\":\"[redacted]\"}","https://x/?k=[redacted]"]"#,
            ),
            (
                "pässword€😀",
                r#"["pässword€😀","p\u00e4ssword\u20ac\ud83d\ude00","p\u00E4ssword€\uD83D\uDE00"]"#,
                r#"["[redacted]","[redacted]","[redacted]"]"#,
            ),
            ("nabcdefgh", r#"["\nabcdefgh","\\nabcdefgh"]"#, r#"["\nabcdefgh","\\[redacted]"]"#),
        ];
        for (secret, text, expected) in cases {
            assert_eq!(message(secret, text), expected, "{secret} in {text}");
        }
    }

    #[test]
    fn all_else_stays_as_it_came() {
        let cases = [
            ("12345678", r#"{ "n":12345678, "t":"\ud800 \u0031 é" }"#),
            ("short", r#"["short"]"#),
            ("tok-12345678", r#"["tok-1234567","tok-1234","5678"]"#),
            ("\",\"id\":1,\"", r#"{"a":"","id":1,"b":""}"#),
            ("tok-12345678", r#"["tok-1234567"#),
            ("tok-12345678", "[\"\\"),
            ("tok-12345678", "[\"\\u00"),
        ];
        for (secret, text) in cases {
            assert_eq!(message(secret, text), text, "{secret}");
        }
    }

    #[test]
    fn of_two_secrets_the_longer_goes_as_a_whole() {
        let mask = of(&["abcdefgh", "abcdefghijkl"]);
        assert_eq!(mask.message(br#"["abcdefghijkl abcdefgh"]"#.to_vec()), br#"["[redacted] [redacted]"]"#);
        assert_eq!(mask.line(b"key=abcdefghijkl\xFF"), "key=[redacted]\u{FFFD}");
    }

    #[test]
    fn tokens_that_follow_each_other_are_bounded() {
        let mask = Mask::default();
        (0..1_000).for_each(|n| mask.learn(&format!("Bearer token-{n:04}")));
        assert!(mask.0.read().unwrap().len() <= MOST);
        assert!(mask.knows("token-0999") && !mask.knows("token-0001"));
    }

    proptest! {
        #[test]
        fn json_stays_json_and_has_no_secret(secret in "\\PC{8,12}", around in "\\PC{0,4}", n: i64) {
            let said = format!("{around}{secret}{around}");
            let value = serde_json::json!({ "a": [said, n], &said: { "b": said } });
            for text in [value.to_string(), serde_json::to_string(&value.to_string()).unwrap()] {
                let masked = message(&secret, &text);
                let value: Value = serde_json::from_str(&masked).expect("JSON");
                prop_assert!(!value.to_string().contains(Json::of(&secret).text().trim_matches('"')) , "{}", masked);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, text in "[\"\\\\u0d8tok12345678-]{0,60}") {
            let mask = of(&["tok-12345678"]);
            let _ = (mask.message(bytes.clone()), mask.line(&bytes), mask.message(text.into_bytes()));
        }
    }
}
