//! What `tag` and `note` take.

use clap::Args;
use signalbox_model::CallId;

use super::Matching;
use crate::exit::Failure;

/// Put tags of your own on a task, or on several
///
/// No server hears of them. `tasks --filter tag:WORD` finds what has one. A task has at most 16. No tag can be put on here that
/// reads like a short id, such as t12.
///
/// With --json several tasks, and those that --filter shows, are `{"done":["t1"],"failures":[{"task","failure"}]}`.
#[derive(Debug, Args)]
#[command(
    override_usage = "\
signalbox tag [OPTIONS] TASK [WORD]...
       signalbox tag [OPTIONS] TASK... WORD...
       signalbox tag [OPTIONS] --filter TOKENS WORD...",
    after_help = "\
Examples:
  signalbox tag t12 release eu
  signalbox tag t12 t13 release
  signalbox tag t12 eu --remove
  signalbox tag --filter 'tool:deploy outcome:ok' shipped
  signalbox tasks --filter 'tag:release -tag:eu'"
)]
pub(crate) struct Tag {
    /// First the tasks, by their short ids (t12): of one task the server's id will do. Then the tags: words of at most 32
    /// characters. Capital letters make no difference. Of one task without a tag, its tags are only printed
    #[arg(value_name = "TASK|WORD", required = true)]
    words: Vec<String>,
    /// Take these tags off instead
    #[arg(long)]
    pub(crate) remove: bool,
    /// Or of all that match.
    #[command(flatten)]
    pub(crate) matching: Matching,
}

impl Tag {
    /// The tasks and the tags. What reads like a short id is a task, wherever it stands: a tag is never taken for one unseen.
    pub(crate) fn parts(&self) -> Result<(Vec<String>, Vec<String>), Failure> {
        let is_filtered = self.matching.filter.is_some();
        let (mut tasks, mut tags) = (Vec::new(), Vec::new());
        for (at, word) in self.words.iter().enumerate() {
            let is_task = word.parse::<CallId>().is_ok() || (at == 0 && !is_filtered);
            if is_task { tasks.push(word.clone()) } else { tags.push(word.clone()) }
        }
        if is_filtered && !tasks.is_empty() {
            let named = tasks.join(", ");
            return Err(Failure::usage(format!(
                "{named} would be a task, and --filter says which those are"
            )));
        }
        if tags.is_empty() && (self.remove || tasks.len() != 1) {
            return Err(Failure::usage(format!(
                "no tag is named: the first word is a task, and so is each short id ({})",
                tasks.join(", ")
            )));
        }
        Ok((tasks, tags))
    }
}

/// Note something of your own about a task
///
/// No server hears of it. `show` and `export` print it. Words of it find the task in the window's list and with `tasks --filter`.
///
/// The note that it replaces is printed beside it (with --json as `replaced`). Code 6: the note was changed while the command ran, and
/// stays as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox note t12 'waits for the new certificate'
  signalbox note t12 --remove")]
pub(crate) struct Note {
    /// A short id or the server's task id
    pub(crate) task: String,
    /// The note, in the place of the one before, which is printed beside it: at most 4 KiB; @FILE or - (stdin) read it. Without it the note is only printed
    #[arg(value_name = "TEXT|@FILE|-")]
    pub(crate) text: Option<String>,
    /// Take the note away
    #[arg(long, conflicts_with = "text")]
    pub(crate) remove: bool,
}
