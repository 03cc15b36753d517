//! What `tag` and `note` take.

use clap::Args;

/// What `tag` takes.
#[derive(Debug, Args)]
pub(crate) struct Tag {
    /// A short id or the server's task id
    pub(crate) task: String,
    /// The tags: words of at most 32 characters. Capital letters make no difference. Without any the tags are only printed
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,
    /// Take these tags off instead
    #[arg(long, requires = "words")]
    pub(crate) remove: bool,
}

/// What `note` takes.
#[derive(Debug, Args)]
pub(crate) struct Note {
    /// A short id or the server's task id
    pub(crate) task: String,
    /// The note, in the place of the one before: at most 4 KiB; @FILE or - (stdin) read it. Without it the note is only printed
    #[arg(value_name = "TEXT|@FILE|-")]
    pub(crate) text: Option<String>,
    /// Take the note away
    #[arg(long, conflicts_with = "text")]
    pub(crate) remove: bool,
}
