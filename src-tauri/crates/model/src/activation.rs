//! The right to bring a window to the front.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a desktop gives for something that the person did (Wayland's `xdg-activation`): a window that shows it comes to the
/// front, once, and soon after. As others must not use it in our place, it is neither kept nor logged.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
#[serde(try_from = "String", into = "String")]
pub struct ActivationToken(String);

/// A text is no such token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an activation token has 1 to {} printable ASCII characters", ActivationToken::LONGEST)]
pub struct NoToken;

impl ActivationToken {
    /// The environment variable by which a program gets the token that it is started with.
    pub const VARIABLE: &str = "XDG_ACTIVATION_TOKEN";

    /// The longest, in bytes: those of the desktops have some dozens.
    pub const LONGEST: usize = 512;

    /// As the desktop knows it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ActivationToken {
    type Error = NoToken;

    fn try_from(text: String) -> Result<Self, NoToken> {
        let is_one =
            (1..=Self::LONGEST).contains(&text.len()) && text.bytes().all(|b| matches!(b, b' '..=b'~'));
        if is_one { Ok(Self(text)) } else { Err(NoToken) }
    }
}

impl From<ActivationToken> for String {
    fn from(token: ActivationToken) -> Self {
        token.0
    }
}

impl fmt::Debug for ActivationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ActivationToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Result<ActivationToken, NoToken> {
        text.to_owned().try_into()
    }

    #[test]
    fn a_token_is_short_and_can_be_printed() {
        let longest = "t".repeat(ActivationToken::LONGEST);
        for text in ["0", "e3b0c442-98fc_TIME123", "gnome-shell/My App/1-2 ~", &longest] {
            assert_eq!(token(text).map(String::from).as_deref(), Ok(text));
        }
        for text in ["", "a\n", "a\0", "\u{7f}", "für", &format!("{longest}t")] {
            assert_eq!(token(text), Err(NoToken), "{text:?}");
            let json = serde_json::to_string(text).unwrap();
            assert!(serde_json::from_str::<ActivationToken>(&json).is_err(), "{json}");
        }
    }

    #[test]
    fn it_is_written_where_it_is_sent_and_nowhere_else() {
        let token = token("e3b0c442").unwrap();
        assert_eq!(serde_json::to_string(&token).unwrap(), "\"e3b0c442\"");
        assert!(!format!("{token:?}").contains("e3b0"), "logs say nothing of it");
    }
}
