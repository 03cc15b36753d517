//! Tags: short words of the person's own on a task. No server hears of them.

use std::{fmt, str::FromStr};

use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::acts;

/// The longest tag, in characters.
const LONGEST: usize = 32;
/// The most tags of a task.
const MOST: usize = 16;

/// A tag, in lower case: two that differ in nothing else are the same one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
pub struct Tag(Box<str>);

/// Why a text is no tag, or one more has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadTag {
    /// There is nothing in it.
    #[error("a tag has at least one character")]
    Empty,
    /// It is longer than tags are.
    #[error("a tag has at most {LONGEST} characters")]
    TooLong,
    /// It has what parts words, or stands for something in a filter or on a command line.
    #[error(
        "a tag is one word, without commas, quotation marks and asterisks, and does not begin with a dash"
    )]
    NoWord,
    /// The task has as many as it can have.
    #[error("a task has at most {MOST} tags")]
    TooMany,
}

impl Tag {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tag {
    type Err = BadTag;

    fn from_str(text: &str) -> Result<Self, BadTag> {
        let folded: String = text.chars().flat_map(char::to_lowercase).collect();
        let parts = |c: char| c.is_whitespace() || acts(c) || matches!(c, ',' | '"' | '*');
        match folded.chars().count() {
            0 => Err(BadTag::Empty),
            _ if folded.starts_with('-') || folded.contains(parts) => Err(BadTag::NoWord),
            count if count > LONGEST => Err(BadTag::TooLong),
            _ => Ok(Self(folded.into_boxed_str())),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The tags of a task, in the order of their letters. Written with blanks between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<Tag>);

impl Tags {
    /// What was written; what is no tag is passed over.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut tags = Self::default();
        for tag in text.split(' ').filter_map(|word| word.parse().ok()).take(MOST) {
            // No more than are taken have a place.
            let _ = tags.add(tag);
        }
        tags
    }

    /// Puts one among them, where it is not there yet.
    ///
    /// # Errors
    /// [`BadTag::TooMany`] when there are as many as there can be.
    pub fn add(&mut self, tag: Tag) -> Result<(), BadTag> {
        let Err(place) = self.0.binary_search(&tag) else { return Ok(()) };
        if self.0.len() == MOST {
            return Err(BadTag::TooMany);
        }
        self.0.insert(place, tag);
        Ok(())
    }

    /// Takes one away, where it is there.
    pub fn remove(&mut self, tag: &Tag) {
        self.0.retain(|own| own != tag);
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Tag> {
        self.0.iter()
    }
}

impl From<Tags> for Vec<Tag> {
    fn from(Tags(tags): Tags) -> Self {
        tags
    }
}

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, tag) in self.0.iter().enumerate() {
            let blank = if n > 0 { " " } else { "" };
            write!(f, "{blank}{tag}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_one_short_word_in_lower_case() {
        let tag = |text: &str| text.parse::<Tag>().map(|tag| tag.to_string());
        assert_eq!(tag("Übersicht"), Ok("übersicht".to_owned()));
        assert_eq!(tag("team/blue:2"), Ok("team/blue:2".to_owned()));
        assert_eq!(tag(""), Err(BadTag::Empty));
        for bad in ["two words", "a\nb", "a\u{202e}b", "a,b", "a\"", "a*", "-a"] {
            assert_eq!(tag(bad), Err(BadTag::NoWord), "{bad:?}");
        }
        assert!(tag(&"ä".repeat(LONGEST)).is_ok(), "characters are counted, not bytes");
        assert_eq!(tag(&"ä".repeat(LONGEST + 1)), Err(BadTag::TooLong));
    }

    #[test]
    fn a_task_has_sixteen_tags_at_most() {
        let mut tags = Tags::default();
        for n in 0..MOST {
            tags.add(format!("tag{n}").parse().unwrap()).unwrap();
        }
        assert_eq!(tags.add("tag1".parse().unwrap()), Ok(()), "it is there already");
        assert_eq!(tags.add("more".parse().unwrap()), Err(BadTag::TooMany));
        tags.remove(&"tag1".parse().unwrap());
        assert_eq!(tags.add("more".parse().unwrap()), Ok(()));
    }

    #[test]
    fn tags_are_read_as_they_are_written() {
        let tags = Tags::read("Release eu  release a,b");
        assert_eq!(tags.to_string(), "eu release", "each once, in order, and what is no tag is none");
        assert_eq!(Tags::read(&tags.to_string()), tags);
        assert!(Tags::read("").is_empty());
    }
}
