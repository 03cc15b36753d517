//! What is said of which tasks, and what `tag` and `note` take.

use clap::Args;
use signalbox_model::CallId;

use crate::exit::Failure;

/// Which tasks `cancel` and `forget` are about.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Short ids or the server's task ids, at most 1,000
    #[arg(value_name = "TASK", required_unless_present = "filter", conflicts_with = "filter")]
    pub(crate) tasks: Vec<String>,
    /// Or all that match.
    #[command(flatten)]
    pub(crate) matching: Matching,
}

/// All tasks that match a filter.
#[derive(Debug, Args)]
pub(crate) struct Matching {
    /// Instead of naming tasks: all that match these tokens (`tasks --help` has the language), at most 1,000. It is said first how
    /// many those are, and you are asked
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Do not ask: all that match are meant. Elsewhere than at a terminal nothing is done without it (code 3)
    #[arg(long, requires = "filter")]
    pub(crate) yes: bool,
}

/// What `tag` takes.
#[derive(Debug, Args)]
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

/// What `note` takes.
#[derive(Debug, Args)]
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
