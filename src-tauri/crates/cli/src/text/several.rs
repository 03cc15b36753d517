//! A wish of several tasks: what it means before it is confirmed, and what came of it.

use signalbox_api::TaskRow;

use super::counted;
use crate::docs::LeftAlone;

/// What is wished of several tasks.
#[derive(Debug)]
pub(crate) enum Wish {
    /// That their servers cancel them.
    Cancel,
    /// That nothing is kept of them.
    Forget,
    /// That they have these tags, or no longer those.
    Tag {
        /// As they were typed.
        add: Vec<String>,
        /// As they were typed.
        remove: Vec<String>,
    },
}

/// The tasks that a filter means.
#[derive(Debug)]
pub(crate) struct Meant {
    /// Those that the wish is about.
    pub(crate) rows: Vec<TaskRow>,
    /// Those that are left alone, where the wish leaves any alone.
    pub(crate) left: Option<LeftAlone>,
}

/// How many tasks it is about, of which kinds, and what becomes of them. A line each.
pub(crate) fn means(wish: &Wish, meant: &Meant) -> String {
    let live = meant.rows.iter().filter(|row| row.outcome.is_none()).count();
    let kinds = || {
        let matching = counted(meant.rows.len() as u64, "task matches", "tasks match");
        format!("{matching}: {live} live, {} ended.", meant.rows.len() - live)
    };
    let lines = match wish {
        Wish::Cancel => cancels(meant),
        _ if meant.rows.is_empty() => vec!["No task matches this filter.".to_owned()],
        Wish::Forget => {
            let of_live = (live > 0).then(|| FORGETS_LIVE.to_owned());
            [Some(kinds()), of_live, Some(FORGETS.to_owned())].into_iter().flatten().collect()
        }
        Wish::Tag { add, remove } => {
            let tags = |what: &str, tags: &[String]| {
                (!tags.is_empty()).then(|| format!("{what}: {}", tags.join(" ")))
            };
            let all = [Some(kinds()), tags("Tags to put on", add), tags("Tags to take off", remove)];
            all.into_iter().flatten().collect()
        }
    };
    lines.join("\n")
}

const CANCELS: &str = "Each of their servers is asked to (tasks/cancel). A task goes on until its server says otherwise, and \
                       may still complete. The requests cannot be taken back.";
const FORGETS_LIVE: &str =
    "Those that are live may go on at their servers, but without their task ids nobody can find them again.";
const FORGETS: &str = "Everything kept of them here is deleted: results, questions, tags and notes. This cannot be undone. \
                       The log of decisions keeps its entries.";

fn tasks(n: usize) -> String {
    counted(n as u64, "task", "tasks")
}

/// What a wish to cancel does, and which tasks it leaves alone.
fn cancels(meant: &Meant) -> Vec<String> {
    let mut lines = match meant.rows.len() {
        0 => vec!["There is no task here that can be cancelled.".to_owned()],
        n => vec![format!("{} can be cancelled.", tasks(n)), CANCELS.to_owned()],
    };
    let calls = meant.rows.iter().filter(|row| !row.has_task).count();
    if calls > 0 {
        lines.push(format!(
            "Of these, {} that no server has made a task yet. Signalbox may stop waiting for an answer, while the server \
             goes on with its work.",
            counted(calls as u64, "is a call", "are calls")
        ));
    }
    let Some(LeftAlone { ended, asked }) = meant.left else { return lines };
    if ended > 0 {
        lines.push(format!("Left alone, because it has ended: {}.", tasks(ended as usize)));
    }
    if asked > 0 {
        lines.push(format!(
            "Left alone, because somebody asked to cancel it before: {}.",
            tasks(asked as usize)
        ));
    }
    lines
}

/// Whether that is wanted.
pub(crate) fn question(wish: &Wish, count: usize) -> String {
    let does = match wish {
        Wish::Cancel => "Cancel",
        Wish::Forget => "Forget",
        Wish::Tag { .. } => "Tag",
    };
    format!("{does} {}? [y/N] ", tasks(count))
}

/// What became of how many.
pub(crate) fn done(wish: &Wish, done: usize, all: usize) -> String {
    match wish {
        Wish::Cancel => {
            format!("{done} of {all} are cancelled, or their servers have the request to cancel.\n")
        }
        Wish::Forget => format!("{done} of {all} are forgotten.\n"),
        Wish::Tag { .. } => format!("The tags of {done} of {all} are as you wished.\n"),
    }
}
