//! A secret's value while it is in memory.

use std::fmt;

use http::HeaderValue;
use zeroize::Zeroizing;

/// A secret in memory: shown by no debug output, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    /// Takes a value over.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    /// The value itself, for the wire and the keychain only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The `Authorization` header of a request that shows this token, marked sensitive. None if it fits no header.
    #[must_use]
    pub fn bearer(&self) -> Option<HeaderValue> {
        let text = Zeroizing::new(format!("Bearer {}", self.expose()));
        let mut header = HeaderValue::from_str(&text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    /// The token of a header that [`Self::bearer`] made.
    #[must_use]
    pub fn of_bearer(header: &HeaderValue) -> Option<Self> {
        header.to_str().ok()?.strip_prefix("Bearer ").map(Self::new)
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}
