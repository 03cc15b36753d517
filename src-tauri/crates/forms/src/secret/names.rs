//! What the names of secrets end with.

use std::collections::HashSet;
use std::iter;
use std::sync::LazyLock;

use crate::MAX_CONTENT_BYTES;

/// So much of a name or a title is looked at, in characters.
const LOOKED_AT: usize = 256;

/// So long is a text at most that is looked through for names, in bytes.
const LOOKED_THROUGH: usize = MAX_CONTENT_BYTES;

/// What a name ends with whose value is a secret.
const SECRETS: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "pass word",
    "passphrase",
    "pass phrase",
    "passcode",
    "pass code",
    "secret",
    "secrets",
    "token",
    "jwt",
    "bearer",
    "credential",
    "credentials",
    "api key",
    "apikey",
    "access key",
    "account key",
    "auth key",
    "authkey",
    "deploy key",
    "encryption key",
    "host key",
    "master key",
    "private key",
    "privatekey",
    "secret key",
    "secretkey",
    "service key",
    "shared key",
    "signing key",
    "ssh key",
    "card number",
    "card no",
    "cardnumber",
    "cvv",
    "cvc",
    "csc",
    "pin",
    "pin code",
    "pincode",
    "pin number",
    "otp",
    "totp",
    "otp code",
    "totp code",
    "one time code",
    "2fa code",
    "mfa code",
    "factor code",
    "access code",
    "auth code",
    "authentication code",
    "authenticator code",
    "authorization code",
    "authorisation code",
    "backup code",
    "backup codes",
    "card code",
    "confirmation code",
    "login code",
    "recovery code",
    "recovery codes",
    "security code",
    "sms code",
    "unlock code",
    "verification code",
    "recovery phrase",
    "seed phrase",
    "secret phrase",
    "mnemonic",
    "connection string",
    "session cookie",
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "contrasena",
    "senha",
    "пароль",
    "密码",
    "パスワード",
];

/// So many words the longest of them has.
const MOST_WORDS: usize = 3;

/// The last word of each.
static LAST_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| SECRETS.iter().filter_map(|secret| secret.rsplit(' ').next()).collect());

/// What stands before `token` or `pin` where these are no secrets.
const OTHER_THINGS: &[&str] = &[
    "page",
    "paging",
    "pagination",
    "next",
    "prev",
    "previous",
    "continuation",
    "resume",
    "cursor",
    "sync",
    "progress",
    "idempotency",
    "request",
    "correlation",
    "start",
    "stop",
    "end",
    "eos",
    "bos",
    "pad",
    "max",
    "min",
    "per",
    "design",
    "syntax",
    "gpio",
    "led",
    "reset",
    "output",
    "input",
    "clock",
    "data",
    "map",
];

/// What may follow without making it another thing.
const TRAILING: &[&str] = &[
    "again",
    "repeat",
    "repeated",
    "confirm",
    "confirmation",
    "value",
    "text",
    "string",
    "new",
    "old",
    "current",
    "here",
    "please",
    "now",
    "required",
    "optional",
    "plaintext",
    "base",
];

/// Behind these it is said what it is for.
const PREPOSITIONS: &[&str] = &["for", "of", "from", "to", "sent", "used", "that", "which", "with"];

/// Whether a name, or a title, is one of a secret.
#[must_use]
pub fn names_secret(text: &str) -> bool {
    let mut words = of_name(text);
    let trails =
        |word: &String| TRAILING.contains(&word.as_str()) || word.bytes().all(|b| b.is_ascii_digit());
    while words.pop_if(|word| trails(word)).is_some() {}
    if !ends_in_secret(&words) {
        return false;
    }
    match &words[..] {
        [.., before, last] if last == "token" || last == "pin" => !OTHER_THINGS.contains(&before.as_str()),
        _ => true,
    }
}

/// The words of a name up to where it says more of the thing than what it is.
fn of_name(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in parts(text.chars().take(LOOKED_AT)) {
        match part {
            Part::Word(word) if !words.is_empty() && PREPOSITIONS.contains(&word.as_str()) => break,
            Part::Mark('(' | '[' | '{' | ':' | '=' | ',' | ';') if !words.is_empty() => break,
            Part::Word(word) => words.push(word),
            Part::Mark(_) => {}
        }
    }
    words
}

/// Whether any words of a text are the name of a secret. One that nothing would take as content is not looked through, and
/// counts as one that has such words.
pub(super) fn mentions_secret(text: &str) -> bool {
    text.len() > LOOKED_THROUGH || mention_secret(text.chars())
}

/// Each character is looked at once, and each word together with the few before it.
fn mention_secret(text: impl Iterator<Item = char>) -> bool {
    let mut last: Vec<String> = Vec::with_capacity(MOST_WORDS + 1);
    parts(text).any(|part| {
        let Part::Word(word) = part else { return false };
        last.push(word);
        if last.len() > MOST_WORDS {
            last.remove(0);
        }
        ends_in_secret(&last)
    })
}

fn ends_in_secret(words: &[String]) -> bool {
    // Nearly all words end none, which one look tells.
    if !words.last().is_some_and(|word| LAST_WORDS.contains(word.as_str())) {
        return false;
    }
    SECRETS.iter().any(|secret| {
        let mut before = words.iter().rev();
        secret.rsplit(' ').all(|part| before.next().is_some_and(|word| word == part))
    })
}

/// A part of a text.
enum Part {
    /// A word, in small letters. `apiKey` are two.
    Word(String),
    /// What stands between words.
    Mark(char),
}

fn parts(text: impl Iterator<Item = char>) -> impl Iterator<Item = Part> {
    let mut chars = text.peekable();
    let (mut word, mut mark) = (String::new(), None);
    let mut before = ' ';
    iter::from_fn(move || {
        while mark.is_none() {
            let Some(char) = chars.next() else { return ended(&mut word) };
            let is_next_small = chars.peek().is_some_and(|next| next.is_lowercase());
            let begins =
                char.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && is_next_small);
            before = char;
            let end = if begins { ended(&mut word) } else { None };
            if char.is_alphanumeric() {
                word.push(char);
            } else {
                mark = Some(char);
            }
            if end.is_some() {
                return end;
            }
        }
        ended(&mut word).or_else(|| mark.take().map(Part::Mark))
    })
}

/// Ends a word, if one has begun: `password2` and `cvv2` without their number, but `2`.
fn ended(word: &mut String) -> Option<Part> {
    let whole = std::mem::take(word);
    let bare = whole.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = if bare.is_empty() { &whole } else { bare };
    (!word.is_empty()).then(|| Part::Word(word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_text_each_character_is_read_once_and_what_is_longer_counts_as_a_secret() {
        for part in ["a", "a ", "aB", "{", "number ", "one time "] {
            let text = part.repeat(LOOKED_THROUGH / part.len());
            let mut read = 0;
            assert!(!mention_secret(text.chars().inspect(|_| read += 1)), "{part:?} is none");
            assert_eq!(read, text.len(), "{part:?} over and over");
            let last = format!("{} one time code", &text[..text.len() - 20]);
            assert!(mentions_secret(&last), "{part:?}: also at the very end");
        }
        assert!(!mentions_secret(&"a".repeat(LOOKED_THROUGH)), "as long as it may be");
        assert!(mentions_secret(&"a".repeat(LOOKED_THROUGH + 1)), "longer, and not looked through");
        let mut read = 0;
        assert!(mention_secret("pin and much else".chars().inspect(|_| read += 1)));
        assert!(read <= "pin a".len(), "nothing behind the first one is read");
    }

    #[test]
    fn the_longest_name_of_a_secret_is_told() {
        let most = SECRETS.iter().map(|secret| secret.split(' ').count()).max();
        assert_eq!(most, Some(MOST_WORDS), "so many words are kept while a text is read");
    }
}
