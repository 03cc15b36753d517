//! The last line of defence: what looks like a secret is blacked out, even where nobody should have logged it.

use signalbox_model::REDACTED;

/// Words whose value is a secret: `word: value`, `word=value`.
const NAMES: [&str; 11] = [
    "authorization",
    "password",
    "passwd",
    "secret",
    "token",
    "access_token",
    "refresh_token",
    "api_key",
    "apikey",
    "api-key",
    "cookie",
];

/// Words that a secret follows after a space.
const SCHEMES: [&str; 2] = ["bearer", "basic"];

/// Shorter runs of letters and digits are words, versions and times.
const LONG: usize = 24;

/// The text with what looks like a secret or a sensitive handle blacked out: what follows `Bearer` or `password=`,
/// a password in a URL, and long runs of letters mixed with digits (tokens, task and session ids). It may black out
/// more than it must; what looks like an ordinary word is beyond it.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut word, mut rest) = ("", text);
    while !rest.is_empty() {
        let gap = rest.find(in_run).unwrap_or(rest.len());
        let (between, tail) = rest.split_at(gap);
        let end = tail.find(|c| !in_run(c)).unwrap_or(tail.len());
        let (run, tail) = tail.split_at(end);
        out.push_str(between);
        out.push_str(if is_secret(word, between, run, tail) { REDACTED } else { run });
        (word, rest) = (run, tail);
    }
    out
}

fn is_secret(word: &str, between: &str, run: &str, tail: &str) -> bool {
    let (word, lower) = (word.to_ascii_lowercase(), run.to_ascii_lowercase());
    let scheme = |text: &str| SCHEMES.contains(&text);
    let assigned = matches!(between.trim_matches([' ', '"', '\'', '\\']), ":" | "=");
    if run.is_empty() || scheme(&lower) {
        return false;
    }
    let after_scheme = scheme(&word) && !between.is_empty() && between.trim().is_empty();
    let named = NAMES.contains(&word.as_str()) && assigned;
    let password_of_url = between == ":" && tail.starts_with('@');
    after_scheme || named || password_of_url || looks_random(run)
}

/// What tokens and ids are made of. No slash and colon: paths and module names stay readable.
fn in_run(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '~')
}

fn looks_random(run: &str) -> bool {
    // A version or a host name has short parts, a token has a long one.
    run.split('.').any(|part| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        part.len() >= LONG && digits >= 2 && digits < part.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_blacked_out() {
        let cases = [
            ("Authorization: Bearer abc.def-1 end", "Authorization: Bearer [redacted] end"),
            ("authorization=Basic dXNlcg", "authorization=Basic [redacted]"),
            (r#"{"token":"short","n":1}"#, r#"{"token":"[redacted]","n":1}"#),
            (r#"password = "hunter2""#, r#"password = "[redacted]""#),
            ("https://me:pw@host/x", "https://me:[redacted]@host/x"),
            ("task 786512e2-9e0d-44bd-8f29-789f320fe840 is gone", "task [redacted] is gone"),
            ("got 9f86d081884c7d659a2feaa0c55ad015 back", "got [redacted] back"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc", "[redacted]"),
            ("sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12", "[redacted]"),
        ];
        for (text, expected) in cases {
            assert_eq!(redact(text), expected);
        }
    }

    #[test]
    fn ordinary_lines_stay_readable() {
        for text in [
            "2026-07-28T10:00:00.123456Z  INFO signalbox_engine::driver: task t12 polled in 35 ms",
            "/usr/lib/x86_64-linux-gnu/libc.so.6: not found",
            "src-tauri/crates/engine/src/driver/mod.rs:120:5",
            "core::panicking::panic_fmt::h0123456789abcdef",
            "the token expired; a password is needed",
            "io.modelcontextprotocol/tasks on https://tasks.example.com:8443/mcp",
            "",
            "größer als 10 µs",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
