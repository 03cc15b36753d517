//! Which values are secrets: told by what a schema calls them, since it has no other word for it but `format: password`.
//!
//! A server must ask for such things on a page of its own (URL mode), and many ask in a form all the same. What is marked here
//! is masked wherever it is shown and kept by nobody, so a name is taken for one rather too often than too seldom; but what
//! only has such a word in it (`tokens_left`, `passport`, `pinned`) is none: it is the end of a name that says what the value is.

mod content;
mod names;

pub use content::{SecretAt, replaced, secrets, values_at, without_secrets};
pub(crate) use names::{is_asked, names_secret};

#[cfg(test)]
mod tests;
