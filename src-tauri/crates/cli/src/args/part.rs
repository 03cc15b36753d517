//! Which part of a result.

use std::{num::NonZeroU32, str::FromStr};

/// A part of a result, as people name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShownPart {
    /// A part of the content, from 1.
    Content(NonZeroU32),
    /// The structured content.
    Structured,
}

/// The text names no part.
#[derive(Debug, Clone, thiserror::Error)]
#[error("neither a number from 1 on nor `structured`")]
pub(crate) struct NotAPart;

impl FromStr for ShownPart {
    type Err = NotAPart;

    fn from_str(text: &str) -> Result<Self, NotAPart> {
        match text {
            "structured" => Ok(Self::Structured),
            _ => text.parse().map(Self::Content).map_err(|_| NotAPart),
        }
    }
}
