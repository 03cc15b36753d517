//! What the names of secrets end with.

/// So much of a name or a title is looked at, in characters.
const LOOKED_AT: usize = 256;

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
pub(crate) fn names_secret(text: &str) -> bool {
    let name: String = text.chars().take(LOOKED_AT).collect();
    let mut words = words(&name, true);
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

/// Whether any words of a text are the name of a secret.
pub(super) fn mentions_secret(text: &str) -> bool {
    let words = words(text, false);
    (1..=words.len()).any(|end| ends_in_secret(&words[..end]))
}

fn ends_in_secret(words: &[String]) -> bool {
    SECRETS.iter().any(|secret| {
        let mut before = words.iter().rev();
        secret.split(' ').rev().all(|part| before.next().is_some_and(|word| word == part))
    })
}

/// The words of a text, in small letters. `apiKey` are two. Of a name only up to where it says more of the thing than what it
/// is.
fn words(text: &str, is_name: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let is_next_small = chars.peek().is_some_and(|next| next.is_lowercase());
        let begins = char.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && is_next_small);
        if begins || !char.is_alphanumeric() {
            let says_more = end(&mut word, &mut words);
            let stops = !words.is_empty() && matches!(char, '(' | '[' | '{' | ':' | '=' | ',' | ';');
            if is_name && (says_more || stops) {
                return words;
            }
        }
        if char.is_alphanumeric() {
            word.push(char);
        }
        before = char;
    }
    end(&mut word, &mut words);
    words
}

/// Ends a word. Whether what follows only says more.
fn end(word: &mut String, words: &mut Vec<String>) -> bool {
    // `password2` and `cvv2`, but `2`
    let ended = std::mem::take(word);
    let bare = ended.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = if bare.is_empty() { &ended } else { bare }.to_lowercase();
    if !words.is_empty() && PREPOSITIONS.contains(&word.as_str()) {
        return true;
    }
    if !word.is_empty() {
        words.push(word);
    }
    false
}
