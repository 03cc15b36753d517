//! What keeps a filter from being read.

/// A filter that cannot be read. Its text names the token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// Nothing stands behind the colon, or the sign.
    #[error("`{0}` needs a value")]
    NoValue(String),
    /// Such rows have nothing of this name.
    #[error("this list has no `{name}`. It has: {}", names.join(", "))]
    NotOfTheseRows {
        /// The key that such rows do not have.
        name: &'static str,
        /// All that they have.
        names: Vec<&'static str>,
    },
    /// No row ever has this word.
    #[error("there is no {key} `{value}`. There is: {}", words.join(", "))]
    UnknownWord {
        /// The key before the colon.
        key: &'static str,
        /// What stands behind the colon.
        value: String,
        /// All that may stand there.
        words: Vec<&'static str>,
    },
    /// A length that is to be neither longer nor shorter than another.
    #[error("`{0}` needs > or <: {0}>1h or {0}<1h")]
    NoSign(&'static str),
    /// It is no length of time.
    #[error("`{0}` is not a length of time. Write 90s, 10m, 1h30m, 3d or 2w")]
    BadLength(String),
    /// It is no day.
    #[error("`{0}` is not a day. Write today, yesterday or a date such as 2026-11-26")]
    BadDay(String),
    /// It has more than is taken.
    #[error("a filter has at most {most} {what}: leave some out")]
    TooLong {
        /// How many are taken.
        most: usize,
        /// What there is too much of, in words.
        what: &'static str,
    },
}
