//! What `answer` takes.

use clap::Args;
use signalbox_model::RequestId;

/// Answer a question
///
/// The content is checked against the question's schema before anything is sent. At a terminal, --accept without
/// --content asks field by field. If the server cannot be reached, the answer is kept and sent later (code 4): do not
/// repeat it. `undo` takes back an answer that has not gone out.
///
/// A secret that a form asks for (a password, a token, a card number) is warned of, since a server must ask for it on a page
/// of its own. At a terminal it is not shown, and you are asked once more, also with --content. It is kept only until it is delivered.
///
/// `show` says how a question can be answered. Only an elicitation can be declined so that the server is told. Declining anything else
/// gives a server of 2025-11-25 an error. On 2026-07-28 it gives up a call that asks. If a task asks, the server hears
/// nothing, and the task waits until it is cancelled.
///
/// The answer is for the question as this command has read it. If its server asks something else by then, nothing is sent: code 6.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox answer r3 --accept --content '{\"approve\":true}'
  signalbox answer r4 --accept --content '{\"text\":\"A model would say this\"}'
  signalbox answer r4 --accept --content '{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"Yes\"},\"model\":\"m\"}'
  signalbox answer r4 --open
  signalbox answer r3 --decline --note 'asked Ada first'
  signalbox answer --same r3 --accept --content '{\"approve\":true}'")]
#[command(group(clap::ArgGroup::new("action").required(true)))]
pub(crate) struct Answer {
    /// The question's short id (r3)
    #[arg(value_name = "REQUEST")]
    pub(crate) request: RequestId,
    /// Accept. A form takes --content; for a page this says that you have been there
    #[arg(long, group = "action")]
    pub(crate) accept: bool,
    /// The content of the form: a JSON object, a file with one, or - for stdin
    #[arg(long, value_name = "JSON|@FILE|-", conflicts_with_all = ["decline", "cancel"])]
    pub(crate) content: Option<String>,
    /// Open the page that it asks for (URL mode) in your browser, and accept
    ///
    /// If no browser starts, nothing is sent. If a call waits until you have visited a page, use --accept once you have
    /// finished there.
    #[arg(long, group = "action", conflicts_with = "content")]
    pub(crate) open: bool,
    /// Decline. `show` says what that means for the server
    #[arg(long, group = "action")]
    pub(crate) decline: bool,
    /// Dismiss it without a decision
    #[arg(long, group = "action")]
    pub(crate) cancel: bool,
    /// Answer although an earlier answer may have arrived, or agree to a page although its task has asked for one at the same
    /// host twice before
    ///
    /// The server may then get both answers. Without this option the command ends with code 6, and for such a page with code 3.
    #[arg(long)]
    pub(crate) again: bool,
    /// Accept although the tool says that it may destroy something, or its server could not be asked whether it does
    ///
    /// At a terminal you are asked instead. Elsewhere the command ends with code 3 without this option.
    #[arg(long, conflicts_with_all = ["decline", "cancel", "same"])]
    pub(crate) destructive: bool,
    /// Your note, for your own log of decisions: at most 2,000 characters. It is never sent
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Give the same answer to all open questions like this one: of the same server and tool, with the same schema
    ///
    /// It shows how they differ and what each of them gets, and asks. At most 200 are answered at a time. Pages, questions to a
    /// model, snoozed questions and those of a tool that may destroy something are answered one by one, also where its server could
    /// not be asked whether it may. So is one that something was typed into. An answer with a secret goes to one question alone. Each
    /// that cannot be answered is reported, and the others go.
    #[arg(long, conflicts_with_all = ["open", "again"])]
    pub(crate) same: bool,
    /// With --same: do not ask
    #[arg(long, requires = "same")]
    pub(crate) yes: bool,
}
