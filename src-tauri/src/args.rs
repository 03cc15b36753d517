//! What the program can be started with.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use signalbox_model::ItemRef;

/// The Signalbox window: follow long-running MCP tasks and answer what their servers ask.
///
/// One window per data directory: a second start brings the first one forward.
#[derive(Debug, Parser)]
#[command(name = "signalbox-desktop", version)]
pub(crate) struct Args {
    /// The data directory. Default: $SIGNALBOX_HOME, else the platform's data directory
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Show this first: a task (t12) or a question (r3)
    #[arg(long, value_name = "ITEM", value_parser = item)]
    pub(crate) open: Option<ItemRef>,
    /// Have the demo at work: a scripted server, two tasks, and a question after some seconds
    #[arg(long)]
    pub(crate) demo: bool,
    /// Write this file once the window shows its first view; with --demo, once a question waits as well
    #[arg(long, value_name = "PATH")]
    pub(crate) ready_file: Option<PathBuf>,
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

/// The text names nothing that can be shown.
#[derive(Debug, Clone, thiserror::Error)]
#[error("neither a task, such as t12, nor a question, such as r3")]
struct NotAnItem;

fn item(text: &str) -> Result<ItemRef, NotAnItem> {
    text.parse().map_err(|_| NotAnItem)
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, RequestId};

    use super::*;

    fn open(text: &str) -> Result<Option<ItemRef>, clap::Error> {
        Args::try_parse_from(["signalbox-desktop", "--open", text]).map(|args| args.open)
    }

    #[test]
    fn short_ids_name_what_to_open() {
        assert_eq!(open("t12").unwrap(), Some(ItemRef::Call(CallId(12))));
        assert_eq!(open("r3").unwrap(), Some(ItemRef::Request(RequestId(3))));
        assert!(open("s1").is_err(), "a server is nothing that can be opened");
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
