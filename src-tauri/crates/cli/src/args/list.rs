//! What `tasks` and `inbox` take: which rows, in which order, under which heads.

use clap::{Args, ValueEnum};
use signalbox_api::{ListOf, filter_language};
use signalbox_model::RequestId;

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
fn help() -> String {
    let language = filter_language(ListOf::Tasks);
    let (sorts, groups) = (language.sorts.join(", "), language.groups.join(", "));
    let words = words(ListOf::Tasks);
    format!("{FILTERS}\n{words}\nKeys to sort by: {sorts}.\nKeys to group by: {groups}.\n\n{EXAMPLES}")
}

/// The language of questions, beside that of tasks.
fn help_of_questions() -> String {
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

/// List tasks
///
/// With --json each task has its first 100 open questions. `inputRequestsMore` is how many more there are.
#[derive(Debug, Default, Args)]
#[command(after_help = help())]
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

/// List the questions that wait for you
///
/// Questions that are no longer asked come last: nobody waits for their answers now.
#[derive(Debug, Args)]
#[command(after_help = help_of_questions())]
pub(crate) struct Inbox {
    /// Also list answered and closed questions, the newest first
    #[arg(long, group = "listed")]
    pub(crate) all: bool,
    /// List only one tab. A question that expires soon is on two of them
    #[arg(long, value_enum, group = "listed")]
    pub(crate) tab: Option<Tab>,
    /// List at most this many. Default: 1000. The output says how many more there are (`requestsMore`)
    #[arg(long, value_name = "N", requires = "listed", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// List only the questions after this one, where the last list ended
    #[arg(long, value_name = "REQUEST", requires = "all")]
    pub(crate) after: Option<RequestId>,
    /// Only those that this shows, such as `server:ci left<10m`; with --all also answered and closed ones
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true, conflicts_with = "after")]
    pub(crate) filter: Option<String>,
}

/// A tab of the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tab {
    /// Waits for you, or its answer is on its way
    NeedsYou,
    /// Waits for you, and expires in less than five minutes
    Expiring,
    /// Put off until later
    Snoozed,
    /// Answered, closed or no longer asked
    Answered,
}
