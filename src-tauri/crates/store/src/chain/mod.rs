//! The log of decisions as a chain: each entry's hash covers the entry and the hash before it, so that an entry that was
//! changed, taken out or put in later shows. Whoever keeps one hash elsewhere can prove all that came before it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Actor, CallId, DecisionKind, Json, Masked, RequestId, ServerId, Timestamp};

use crate::Digest;

/// One entry of the log. Serialised it is the exported line: these members in this order, absent ones left out.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
// What is not covered by the hash must not be in a line that verifies.
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entry {
    /// Its number: 1, 2, 3 … without a gap.
    pub n: u64,
    /// The format it was written in, from 2 on; none: the first, which had sentences of ours in the text and no note.
    pub format: Option<u32>,
    /// When, by our clock.
    pub at: Timestamp,
    /// Who acted: the person, the server, or Signalbox.
    pub by: Actor,
    /// What kind of decision or event the entry is.
    pub kind: DecisionKind,
    /// The server that the entry concerns.
    pub server: ServerId,
    /// The server's name as it was then.
    pub server_name: String,
    /// The call that the entry concerns, if any.
    pub call: Option<CallId>,
    /// The question that the entry is about, if any.
    pub request: Option<RequestId>,
    /// The digest of the schema that was answered, or of the tool's.
    pub schema_sha256: Option<Digest>,
    /// The exact JSON of it. In the line it is a string, so that its bytes survive whatever prints the line anew.
    pub json: Option<Json>,
    /// A word or a name beside it; in the first format also a sentence of ours, and in the second that of a restore or a
    /// salvage by an earlier version.
    pub text: Option<String>,
    /// Why: the JSON of a [`signalbox_model::Note`], as a string like the other, so that its bytes survive versions that know
    /// more reasons, or fewer.
    pub note: Option<Json>,
    /// From format 3 on: what the person noted beside it, in their own words.
    pub remark: Option<String>,
    /// From format 3 on: what is kept of the secrets in `json`, which has null in their places. Where they are in a
    /// [`signalbox_model::Answer`], too, the paths there lead into its content.
    pub masked: Option<Vec<Masked>>,
    /// The SHA-256 of the hash before (64 zeros before the first), a line feed, and [`Entry::line`].
    pub hash: Digest,
}

impl Entry {
    /// The format that new entries are written in.
    pub const FORMAT: u32 = 3;

    /// The exported line without its last member, `hash`: what the hash covers.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("BUG: an entry serialises");
        let hash = format!(r#","hash":"{}"}}"#, self.hash);
        line.truncate(line.len() - hash.len());
        line.push('}');
        line
    }

    /// Whether it has only what its format has: no version ever wrote more.
    fn is_of_its_format(&self) -> bool {
        self.format.unwrap_or(1) >= 3 || self.remark.is_none() && self.masked.is_none()
    }

    /// The hash this entry has behind one with the hash `before`.
    #[must_use]
    pub fn hash_behind(&self, before: Digest) -> Digest {
        hash_behind(before, &self.line())
    }
}

fn hash_behind(before: Digest, line: &str) -> Digest {
    Digest::of(format!("{before}\n{line}"))
}

/// An entry that a later version wrote: what every format has, whatever else stands in it. All are sealed alike.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Later {
    n: u64,
    format: u32,
    hash: Digest,
    /// What the hash covers; none where it is not known byte for byte.
    #[serde(skip)]
    line: Option<String>,
}

impl Later {
    /// One whose content cannot be read; none when the format is one that this version knows.
    pub(crate) fn new(n: u64, format: u32, hash: Digest) -> Option<Self> {
        (format > Entry::FORMAT).then_some(Self { n, format, hash, line: None })
    }

    /// Reads the exported line; none when it is none of a later version.
    #[must_use]
    pub fn read(exported: &str) -> Option<Self> {
        let Self { n, format, hash, .. } = serde_json::from_str(exported).ok()?;
        // A line that somebody printed anew ends otherwise, and no longer has the bytes that were sealed.
        let line = exported.strip_suffix(&format!(r#","hash":"{hash}"}}"#)).map(|line| format!("{line}}}"));
        Some(Self { line, ..Self::new(n, format, hash)? })
    }
}

/// Goes through a log entry by entry, from the database or from exported lines.
///
/// After a break it goes on from what it found, so that one change is one break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    last: u64,
    /// None behind an entry whose hash is not known.
    hash: Option<Digest>,
}

/// Where a chain does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("entry {n}: {how}")]
pub struct Break {
    /// The number of the entry at which it shows.
    pub n: u64,
    /// What is wrong there.
    pub how: How,
}

/// How a chain breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It is not the entry that must follow: those between are missing, or the order is not theirs.
    Gap {
        /// The number that must follow.
        expected: u64,
    },
    /// Its content, or the hash before it, is not what was hashed when it was written.
    Changed,
    /// It was written in a format of a later version, which may mean more than this version reads, or cannot be read here.
    Later {
        /// The number of that format.
        format: u32,
    },
    /// It cannot be read at all.
    Unreadable,
    /// The log ends here, and went on when it was last written.
    CutShort {
        /// The number of its last entry then.
        head: u64,
    },
    /// It is the last one, and not the one that was last written.
    OtherHead,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap { expected } => write!(f, "entry {expected} must stand here"),
            Self::Changed => f.write_str("it, or what stood before it, is not what was written"),
            Self::Later { format } => {
                let known = Entry::FORMAT;
                write!(
                    f,
                    "it was written by a later version of Signalbox, in format {format}; this one knows {known}"
                )
            }
            Self::Unreadable => f.write_str("it cannot be read"),
            Self::CutShort { head } => write!(f, "the log ends here, and had {head} entries"),
            Self::OtherHead => f.write_str("it is not the entry that was written last"),
        }
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self { last: 0, hash: Some(Digest::ZERO) }
    }
}

impl Chain {
    /// One that goes on behind the entry with this number and hash.
    pub(crate) fn behind(last: u64, hash: Digest) -> Self {
        Self { last, hash: Some(hash) }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// When it does not follow the one before, or is of a later format.
    pub fn follow(&mut self, entry: &Entry) -> Result<(), Break> {
        self.take(entry.n, entry.format, entry.hash, Some(&entry.line()))?;
        if entry.is_of_its_format() { Ok(()) } else { Err(Break { n: entry.n, how: How::Changed }) }
    }

    /// Takes the next entry, whose shape this version does not know.
    ///
    /// # Errors
    /// Always: also where it follows the one before, nobody can say here what it means.
    pub fn follow_later(&mut self, later: &Later) -> Result<(), Break> {
        self.take(later.n, Some(later.format), later.hash, later.line.as_deref())
    }

    fn take(&mut self, n: u64, format: Option<u32>, hash: Digest, line: Option<&str>) -> Result<(), Break> {
        let before = std::mem::replace(self, Self { last: n, hash: Some(hash) });
        let broken = |how| Err(Break { n, how });
        let expected = before.last.saturating_add(1);
        if n != expected {
            return broken(How::Gap { expected });
        }
        match (before.hash, line) {
            (Some(before), Some(line)) if hash_behind(before, line) != hash => broken(How::Changed),
            _ => match format {
                Some(format) if format > Entry::FORMAT => broken(How::Later { format }),
                _ => Ok(()),
            },
        }
    }

    /// Takes an entry of which only the number can be read.
    ///
    /// # Errors
    /// Always: such an entry breaks the chain.
    pub fn follow_unreadable(&mut self, n: u64) -> Result<(), Break> {
        *self = Self { last: n, hash: None };
        Err(Break { n, how: How::Unreadable })
    }

    /// Compares what has been gone through with the number and hash of the entry that was written last.
    ///
    /// # Errors
    /// When it ends otherwise.
    pub fn ends_at(&self, head: u64, hash: Digest) -> Result<(), Break> {
        let how = match self.hash {
            _ if self.last < head => How::CutShort { head },
            Some(found) if self.last > head || found != hash => How::OtherHead,
            _ => return Ok(()),
        };
        Err(Break { n: self.last, how })
    }

    /// The number of the last entry, 0 before the first.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }
}

#[cfg(test)]
mod tests;
