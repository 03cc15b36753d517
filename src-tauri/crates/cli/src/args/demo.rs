//! What `demo` takes.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use signalbox_demo::{Legacy, Oddity, Speed, Wires};

/// What `demo` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Demo {
    /// At the desk.
    #[command(flatten)]
    Act(DemoAct),
    /// As a server of its own.
    #[command(flatten)]
    Serve(DemoServer),
}

/// What is done with the demo of a data directory.
#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum DemoAct {
    /// Register the demo server and let it work: its first question comes in a few seconds
    ///
    /// It is this program, started by whoever owns the data directory. It does nothing for real. Nothing is started twice:
    /// what is under way goes on.
    Start,
    /// Take the demo away: its server, tasks, questions, results and drafts
    ///
    /// The log of decisions keeps its entries.
    Remove,
}

/// How it is served.
#[derive(Debug, Subcommand)]
pub(crate) enum DemoServer {
    /// Serve one client over stdin and stdout
    Stdio {
        /// What can be set.
        #[command(flatten)]
        options: DemoOptions,
    },
    /// Serve Streamable HTTP on the loopback interface, until stopped
    Http {
        /// The port; 0 chooses a free one
        #[arg(long, value_name = "N", default_value_t = 0)]
        port: u16,
        /// Answer requests with event streams instead of JSON
        #[arg(long)]
        sse: bool,
        /// What can be set.
        #[command(flatten)]
        options: DemoOptions,
    },
}

/// What both kinds of serving take.
#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Keep the tasks in this file, so that they survive a restart
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Append what is received and taken to this file, one JSON document per line
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// How many times faster the stories run: a whole number, or `instant`
    #[arg(long, value_name = "X", default_value = "1")]
    pub(crate) speed: Speed,
    /// Which wires it speaks: `modern`, `legacy` or `both`
    #[arg(long, value_name = "WIRE", default_value = "modern")]
    pub(crate) wire: Wires,
    /// How it behaves on the legacy wire, as words with commas between: `ask-on-stream`, `no-sessions`, …
    #[arg(long, value_name = "WORDS")]
    pub(crate) legacy: Option<Legacy>,
    /// Make the first fitting message odd in this way (repeatable); an unknown NAME lists all
    #[arg(long, value_name = "NAME", value_parser = oddities(), hide_possible_values = true)]
    pub(crate) odd: Vec<Oddity>,
}

/// Takes their names, and lists them to whoever gives another one.
fn oddities() -> impl TypedValueParser<Value = Oddity> {
    PossibleValuesParser::new(Oddity::all().map(|oddity| oddity.name)).try_map(|name| name.parse::<Oddity>())
}
