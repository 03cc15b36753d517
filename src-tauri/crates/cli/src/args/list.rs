//! What `tasks` takes: which rows, in which order, under which heads.

use clap::Args;

use super::StatusWord;

/// The filter language, as people read it.
pub(super) const HELP: &str = "\
A filter is made of tokens, and all of them must hold:
  text             in tool, arguments, message, server or status; words of three letters
                   and more also in the first MiB of what was sent and of what came back
  server:ci        also tool, is, status, outcome, tracking, wire
  server:ci,dev    either; so does the same key twice
  tool:deploy*     a word that begins so; quote what has blanks: server:\"my ci\"
  age>1h           longer than that ago; also silent, ended, left; or shorter: age<90s
  ended:today      also started; today, yesterday or a date
  -tool:deploy     not so

Keys to sort by: started, changed, ended, expires, server, tool, is, status, outcome, tracking, wire, id.

Examples:
  signalbox tasks --filter 'failed ended:today'
  signalbox tasks --filter 'is:working silent>10m' --sort changed
  signalbox tasks --group server --sort -started";

/// `tasks`
#[derive(Debug, Default, Args)]
pub struct Tasks {
    /// Only of this server
    #[arg(long)]
    pub server: Option<String>,
    /// Only with this status
    #[arg(long, value_enum)]
    pub status: Option<StatusWord>,
    /// Only those that all of these tokens show
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// By up to four keys, such as server,-started: a - before a key turns it round. Without --group all are in one list
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Under heads: server, tool, is, status, outcome, tracking, wire, day or none
    #[arg(long, value_name = "KEY")]
    pub group: Option<String>,
}
