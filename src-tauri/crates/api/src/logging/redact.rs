//! The last line of defence: what looks like a secret is blacked out, even where nobody should have logged it.

use signalbox_forms::names_secret;
use signalbox_model::REDACTED;

/// Headers whose value is a secret, beside all that is named like one.
const HEADERS: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/// Words that a secret follows after a space.
const SCHEMES: [&str; 2] = ["bearer", "basic"];

/// What gives a name its value.
const ASSIGNS: [&str; 4] = ["=>", ":=", "=", ":"];

/// Names that end so have a value with blanks in it.
const WITH_BLANKS: [&str; 3] = ["phrase", "mnemonic", "cookie"];

/// Shorter runs of letters and digits are words, versions and times.
const LONG: usize = 24;

/// The text with what looks like a secret or a sensitive handle blacked out: what follows `Bearer`, `DB_PASSWORD=` or
/// `private key:`, a password in a URL, and long runs of letters mixed with digits (tokens, task and session ids). It may
/// black out more than it must; what looks like an ordinary word is beyond it.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut word, mut rest) = ("", text);
    let mut name = Name::default();
    while !rest.is_empty() {
        let gap = rest.find(in_run).unwrap_or(rest.len());
        let (between, tail) = rest.split_at(gap);
        let end = tail.find(|c| !in_run(c)).unwrap_or(tail.len());
        let (run, tail) = tail.split_at(end);
        out.push_str(between);
        out.push_str(if is_secret(word, between, run, tail) { REDACTED } else { run });
        (word, rest) = (run, tail);
        name.goes_on(between, text.len() - tail.len() - run.len());
        if name.is_secret(text, run, tail)
            && let Some((before, value)) = assigned(run, tail)
        {
            out.push_str(&tail[..before]);
            out.push_str(REDACTED);
            rest = &tail[before + value..];
            (word, name) = ("", Name::default());
        }
    }
    out
}

/// The last words, as far as they may be one name: `private key`.
#[derive(Default)]
struct Name {
    /// Where the last three of them begin.
    starts: Option<[usize; 3]>,
    /// It is none: modules are named like that.
    is_path: bool,
}

impl Name {
    fn goes_on(&mut self, between: &str, at: usize) {
        self.is_path = between == "::";
        self.starts = Some(match self.starts {
            Some([_, second, third]) if between.bytes().all(|b| b == b' ') => [second, third, at],
            _ => [at; 3],
        });
    }

    fn is_secret(&self, text: &str, run: &str, tail: &str) -> bool {
        let Some([start, ..]) = self.starts.filter(|_| !self.is_path && !run.is_empty()) else {
            return false;
        };
        let is_header = || HEADERS.iter().any(|header| run.eq_ignore_ascii_case(header));
        names_secret(run) || names_secret(&text[start..text.len() - tail.len()]) || is_header()
    }
}

/// Where the value of a secret's name begins in what follows it, and how long it is; none where it is given none.
fn assigned(name: &str, tail: &str) -> Option<(usize, usize)> {
    let blank = [' ', '\t'];
    let bare = tail.trim_start_matches([' ', '\t', '"', '\'', '\\']);
    let assign = ASSIGNS.into_iter().find_map(|assign| bare.strip_prefix(assign));
    let value = match assign {
        Some(value) => value.trim_start_matches(blank),
        // As programs are given it.
        None if name.starts_with("--") && tail.starts_with(blank) => tail.trim_start_matches(blank),
        None => return None,
    };
    let inner = value.trim_start_matches('\\');
    let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\''));
    let lower = name.to_lowercase();
    let is_member = tail.trim_start_matches('\\').starts_with('"');
    let is_phrase = || {
        WITH_BLANKS.iter().any(|end| lower.ends_with(end))
            || lower.ends_with("authorization") && !value.split(' ').next().is_some_and(is_scheme)
    };
    let (value, end) = match quote {
        Some(quote) => (&inner[1..], closed(&inner[1..], quote, value.len() - inner.len())),
        None if is_phrase() => (value, value.find('\n')),
        None => {
            let ends = |c: char| c.is_whitespace() || c == '&' || is_member && matches!(c, ',' | '}' | ']');
            (value, value.find(ends))
        }
    };
    let said = &value[..end.unwrap_or(value.len())];
    let said = match quote {
        Some(_) => said.trim_end_matches('\\'),
        None => said.trim_end_matches(['"', '\'', '\\', ',', ';', '.', ')', '}', ']', '>', '\r']),
    };
    // Comparisons, paths of modules, and what is nested and read on; or what says itself how it goes on.
    let is_other = said.is_empty() || said.starts_with(['=', ':', '{', '[']);
    (!is_other && !is_scheme(said)).then(|| (tail.len() - value.len(), said.len()))
}

/// Where a quoted text ends. A quote within it has more backslashes before it than the one that opened it.
fn closed(text: &str, quote: char, escapes: usize) -> Option<usize> {
    let escaped = |at: usize| text[..at].bytes().rev().take_while(|b| *b == b'\\').count();
    text.char_indices().find(|(at, c)| *c == '\n' || *c == quote && escaped(*at) <= escapes).map(|(at, _)| at)
}

fn is_scheme(word: &str) -> bool {
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

fn is_secret(word: &str, between: &str, run: &str, tail: &str) -> bool {
    if run.is_empty() || is_scheme(run) {
        return false;
    }
    let after_scheme = is_scheme(word) && !between.is_empty() && between.trim().is_empty();
    let password_of_url = between == ":" && tail.starts_with('@');
    after_scheme || password_of_url || looks_random(run)
}

/// What tokens, names and ids are made of. No slash and colon: paths and module names stay readable.
fn in_run(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '~')
}

fn looks_random(run: &str) -> bool {
    // A version or a host name has short parts, a token has a long one.
    run.split(|c: char| c == '.' || !c.is_ascii()).any(|part| {
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
            ("Authorization: Token abc123\nnext", "Authorization: [redacted]\nnext"),
            (r#"{"token":"short","n":1}"#, r#"{"token":"[redacted]","n":1}"#),
            (r#"{"token":5,"n":1}"#, r#"{"token":[redacted],"n":1}"#),
            (r#"{"password":"ab\"cd"}"#, r#"{"password":"[redacted]"}"#),
            (r#"{\"password\":\"ab\\\"cd\"}"#, r#"{\"password\":\"[redacted]\"}"#),
            (r#"password = "hunter2""#, r#"password = "[redacted]""#),
            ("https://me:pw@host/x", "https://me:[redacted]@host/x"),
            ("task 786512e2-9e0d-44bd-8f29-789f320fe840 is gone", "task [redacted] is gone"),
            ("got 9f86d081884c7d659a2feaa0c55ad015 back", "got [redacted] back"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc", "[redacted]"),
            ("sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12", "[redacted]"),
            (
                "export DB_PASSWORD=hunter2 and client_secret=abc123 passphrase: tulip",
                "export DB_PASSWORD=[redacted] and client_secret=[redacted] passphrase: [redacted]",
            ),
            ("GITHUB_TOKEN=x", "GITHUB_TOKEN=[redacted]"),
            (
                "clientSecret: x, pwd => y; PIN: 1234.",
                "clientSecret: [redacted], pwd => [redacted]; PIN: [redacted].",
            ),
            ("the private key: abc", "the private key: [redacted]"),
            ("value of DB_PASSWORD=hunter2", "value of DB_PASSWORD=[redacted]"),
            ("password for db: hunter2", "password for db: [redacted]"),
            ("card, pin: 12", "card, pin: [redacted]"),
            ("passphrase: correct horse\nnext", "passphrase: [redacted]\nnext"),
            ("password: p@ss!w0rd#1 end", "password: [redacted] end"),
            ("password='a b c' end", "password='[redacted]' end"),
            (r#"{\"api_key\":\"a b\",\"n\":1}"#, r#"{\"api_key\":\"[redacted]\",\"n\":1}"#),
            (r#"password: Some("x")"#, r#"password: [redacted]")"#),
            ("tool --password hunter2 --port 1", "tool --password [redacted] --port 1"),
            ("https://x.example/a?token=abc&page=2", "https://x.example/a?token=[redacted]&page=2"),
            ("Set-Cookie: sid=abc; Path=/\nnext", "Set-Cookie: [redacted]\nnext"),
            ("contraseña: uno пароль=два", "contraseña: [redacted] пароль=[redacted]"),
            ("token=[redacted] of old", "token=[redacted] of old"),
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
            "INFO signalbox_signin::secrets: the keychain answers",
            "forms/src/secret/names.rs:298:5: secret::names_secret",
            "next_token: page 7, PASSWORD_FILE=/run/secret, tokens_left=3",
            "if token == other { \"secret\": {} }",
            "the password:",
            "第12号任务的部署已经在2026年7月28日完成",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
