//! What the program can be started with.

use std::{path::PathBuf, sync::LazyLock};

use clap::{Parser, Subcommand};
use signalbox_api::{Link, command};
use signalbox_model::{ActivationToken, ItemRef};

/// With the web view's own version: what shows wrong may be that one's.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let web_view = tauri::webview_version().unwrap_or_else(|_| "unknown".to_owned());
    format!("{} (web view {web_view})", env!("CARGO_PKG_VERSION"))
});

/// The Signalbox window: follow long-running MCP tasks and answer what their servers ask.
///
/// One window per data directory: a second start brings the first one forward.
#[derive(Debug, Parser)]
#[command(name = "signalbox-desktop", version, long_version = LONG_VERSION.as_str())]
pub(crate) struct Args {
    /// The data directory. Default: $SIGNALBOX_HOME, else the platform's data directory
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Show this first: a task (t12), a question (r3), or where a link of Signalbox leads
    #[arg(long, value_name = "ITEM|LINK", value_parser = shown)]
    pub(crate) open: Option<Shown>,
    /// A link that the desktop hands over. It is for the default data directory alone
    #[arg(value_name = "LINK", value_parser = link, conflicts_with_all = ["home", "open", "demo"])]
    pub(crate) link: Option<Shown>,
    /// Have the demo at work: a scripted server, two tasks, and a question after some seconds
    #[arg(long)]
    pub(crate) demo: bool,
    /// Open no window: have the tasks followed in the background, whatever Settings say of that. On Linux another program does
    /// that, and this one ends; where no tray shows it, it goes on unseen until `signalbox quit`
    #[arg(long, conflicts_with_all = ["open", "demo", "ready_file"])]
    pub(crate) hidden: bool,
    /// Draw the window without the graphics card, for one that stays empty. It is done by itself where the page fails
    /// before it shows anything
    #[cfg(target_os = "linux")]
    #[arg(long, conflicts_with = "hidden")]
    pub(crate) safe_graphics: bool,
    /// Write this file once the window shows its first view; with --demo, once a question waits as well
    #[arg(long, value_name = "PATH")]
    pub(crate) ready_file: Option<PathBuf>,
    /// Outlive the window, as on macOS and Windows: so that tests see it here, too. No icon shows it
    #[cfg(debug_assertions)]
    #[arg(long, hide = true)]
    pub(crate) outlives_window: bool,
    /// Another program than the window.
    #[command(subcommand)]
    pub(crate) part: Option<Part>,
}

/// What this program can be beside the window. Nobody types it: the owner of a data directory starts it so.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// The demo server
    #[command(subcommand, hide = true)]
    Demo(Demo),
}

/// How the demo server is served: as `signalbox demo` does it.
#[derive(Debug, Subcommand)]
pub(crate) enum Demo {
    /// Serve one client over stdin and stdout
    Stdio {
        /// Keep the tasks in this file, so that they survive a restart
        #[arg(long, value_name = "FILE")]
        state: Option<PathBuf>,
    },
}

impl Args {
    /// What it is to show first.
    pub(crate) fn shown(&self) -> Option<Shown> {
        self.open.clone().or_else(|| self.link.clone())
    }
}

/// What a start is to show first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A task or a question.
    Item(ItemRef),
    /// Where this leads. It may come from anywhere: the owner reads it, and a bad one is shown, too.
    Link(String),
}

impl Shown {
    /// The wish of a start that may show nothing, with the right to come forward where it has that.
    pub(crate) fn wish(shown: Option<Self>, token: Option<ActivationToken>) -> command::BringForward {
        match shown {
            None => command::BringForward { item: None, link: None, token },
            Some(Self::Item(item)) => command::BringForward { item: Some(item), link: None, token },
            Some(Self::Link(link)) => command::BringForward { item: None, link: Some(link), token },
        }
    }
}

/// The text names nothing that can be shown.
#[derive(Debug, Clone, thiserror::Error)]
#[error("neither a task, such as t12, nor a question, such as r3, nor a link that begins with signalbox:")]
pub(crate) struct NotShown;

/// What a text names that can be shown.
pub(crate) fn shown(text: &str) -> Result<Shown, NotShown> {
    link(text).or_else(|_| text.parse().map(Shown::Item).map_err(|_| NotShown))
}

fn link(text: &str) -> Result<Shown, NotShown> {
    if Link::is_meant(text) { Ok(Shown::Link(text.to_owned())) } else { Err(NotShown) }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, RequestId};

    use super::*;

    fn open(text: &str) -> Result<Option<Shown>, clap::Error> {
        Args::try_parse_from(["signalbox-desktop", "--open", text]).map(|args| args.shown())
    }

    #[test]
    fn short_ids_name_what_to_open() {
        assert_eq!(open("t12").unwrap(), Some(Shown::Item(ItemRef::Call(CallId(12)))));
        assert_eq!(open("r3").unwrap(), Some(Shown::Item(ItemRef::Request(RequestId(3)))));
        assert!(open("s1").is_err(), "a server is nothing that can be opened");
    }

    #[test]
    fn a_link_is_handed_over_by_the_desktop_and_for_the_usual_directory_alone() {
        let parse = |args: &[&str]| Args::try_parse_from([&["signalbox-desktop"], args].concat());
        let link = Some(Shown::Link("signalbox://open/t12".into()));
        assert_eq!(parse(&["signalbox://open/t12"]).unwrap().shown(), link);
        assert_eq!(open("signalbox://open/t12").unwrap(), link);
        assert!(parse(&["signalbox:rubbish"]).unwrap().shown().is_some(), "the window says that it is none");
        assert!(parse(&["--home", "/x", "signalbox://open/t12"]).is_err());
        assert!(parse(&["https://example.com"]).is_err());
        // So the registry of Windows has it: what a link smuggles in is no option.
        assert_eq!(parse(&["--", "signalbox://open/t12"]).unwrap().shown(), link);
        assert!(parse(&["--", "signalbox://open/t12", "--home", "/x"]).is_err());
        assert!(parse(&["demo", "stdio"]).unwrap().part.is_some(), "this is no link");
    }

    #[test]
    fn it_is_started_as_the_demo_as_the_command_is() {
        let line = ["signalbox-desktop", "demo", "stdio", "--state", "/home/demo-state.jsonl"];
        let Some(Part::Demo(Demo::Stdio { state })) = Args::try_parse_from(line).unwrap().part else {
            panic!("this is how the desk starts its own program")
        };
        assert_eq!(state, Some(PathBuf::from("/home/demo-state.jsonl")));
        assert!(Args::try_parse_from(["signalbox-desktop"]).unwrap().part.is_none(), "else it is the window");
    }
}
