//! What `show` takes.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

/// Show everything about a task or a question
///
/// Where a server repeated a secret that Signalbox had given it, `[redacted]` is shown. The server may also have written
/// `[redacted]` itself.
///
/// With --json a task has its open questions and those that are over, at most 1,000 of each. `inputRequestsMore` and
/// `inputRequestsClosedMore` are how many more there are.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A short id (t12, or r3 for a question) or the server's task id
    #[arg(value_name = "TASK")]
    pub(crate) item: String,
    /// Of a task, also what went between Signalbox and its server: when, how long, how much, and how it ended
    ///
    /// The owner of the data directory remembers the last 20 exchanges of every task, and 200 of one that somebody looks at, with
    /// its last 20 different states. It keeps them in memory: when it ends they are gone. Polls that bring nothing are one line.
    #[arg(long, conflicts_with = "result")]
    pub(crate) requests: bool,
    /// Show only what the task returned. With --json the result as its server sent it
    #[arg(long)]
    pub(crate) result: bool,
    /// Of the result this part, whole: 1 for the first, or `structured` for the structured content
    #[arg(long, value_name = "PART", requires = "result")]
    pub(crate) part: Option<ShownPart>,
    /// Of a part that is a link to a resource, what its server has there: it is asked only now, and what it gives is not kept
    ///
    /// A text is shown up to 256 KiB. With --json the document is {"contents":[{"uri","mimeType","text","bytes","blob"}],"more"}:
    /// `blob` is base64, of pictures and sound alone.
    #[arg(long, requires = "part")]
    pub(crate) read: bool,
    /// Write it to this file instead: text as text, pictures and the like as their bytes, all else as JSON. Nothing is
    /// ever overwritten
    #[arg(long, value_name = "FILE", requires = "result")]
    pub(crate) out: Option<PathBuf>,
}

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
