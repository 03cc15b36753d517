//! What `tasks` and `inbox` take: which rows, in which order, under which heads.

use clap::Args;
use signalbox_api::{ListOf, filter_language};

use super::StatusWord;

/// How filters are written.
const FILTERS: &str = "\
A filter is made of tokens, and all of them must hold:
  text             in tool, arguments, message, server, status or your tags; words of three letters
                   and more also in your note, and in the first MiB of what was sent and of what came back
  server:ci        of this server; all keys and their words stand below
  server:ci,dev    of either, as server:ci server:dev
  tool:deploy*     of each tool whose name begins like this; quote spaces: server:\"my ci\"
  outcome:failed   tool_error or protocol_error
  origin:adopted   started elsewhere and adopted here; origin:started: started by you
  tag:release      with this tag of your own (`tag`); -tag:release: without it; -tag:*: without any
  age>1h           started more than an hour ago; age<90s: less than 90 seconds ago
  silent>10m       unchanged for longer than that; also ended<1h, and left<10m until it expires
  ended:today      also started; today, yesterday or a date
  -tool:deploy     of any other tool
";

const EXAMPLES: &str = "\
Examples:
  signalbox tasks --filter 'outcome:failed ended:today'
  signalbox tasks --filter 'is:working silent>10m' --sort changed
  signalbox tasks --group server --sort -started
  signalbox tasks --view 'failed today' --filter server:ci";

/// The language of tasks, as people read it.
pub(super) fn help() -> String {
    let language = filter_language(ListOf::Tasks);
    let (sorts, groups) = (language.sorts.join(", "), language.groups.join(", "));
    let words = words(ListOf::Tasks);
    format!("{FILTERS}\n{words}\nKeys to sort by: {sorts}.\nKeys to group by: {groups}.\n\n{EXAMPLES}")
}

/// The language of questions, beside that of tasks.
pub(super) fn help_of_questions() -> String {
    let lengths = filter_language(ListOf::Inbox).lengths.join(", ");
    let words = words(ListOf::Inbox);
    format!(
        "A filter is written as `signalbox tasks --help` says. Lengths of time are: {lengths}.\n\n{words}"
    )
}

/// The keys of a filter that have a closed list of words, with those.
fn words(list: ListOf) -> String {
    let closed = filter_language(list).keys.into_iter().filter(|key| !key.words.is_empty());
    let lines: Vec<String> =
        closed.map(|key| format!("  {:<17}{}\n", format!("{}:", key.name), key.words.join(", "))).collect();
    format!("Keys and their words:\n{}", lines.concat())
}

/// What `tasks` takes.
#[derive(Debug, Default, Args)]
pub(crate) struct Tasks {
    /// Only of this server
    #[arg(long)]
    pub(crate) server: Option<String>,
    /// Only with this status
    #[arg(long, value_enum)]
    pub(crate) status: Option<StatusWord>,
    /// As a view stands that the window keeps under this name. What else is said here narrows it further, or stands in place of
    /// its order and its groups
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) view: Option<String>,
    /// Only tasks that match all of these tokens
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Sort by up to four keys, such as server,-started; a - before a key reverses it. Without --group all are in one list
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub(crate) sort: Option<String>,
    /// Group them by one of the keys below
    #[arg(long, value_name = "KEY")]
    pub(crate) group: Option<String>,
}
