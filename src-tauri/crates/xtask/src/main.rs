//! Developer commands, each doing its own set-up. See `cargo xtask --help`.

// xtask speaks to the person at the terminal, and its last line is read by scripts.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod app;
mod bench;
mod bindings;
mod build;
mod bundle;
mod check;
mod cmd;
mod conformance;
mod contained;
mod dev;
mod display;
mod e2e;
mod elsewhere;
mod faults;
mod foreign;
mod repo;
mod run;
mod runner;
mod running;
mod setup;
mod simulate;
mod steps;
mod test;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::repo::Repo;

/// Developer commands of Signalbox. Each does its own set-up and ends with 0 only when all of it held.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the window in release mode and open it, with the demo at work
    Run {
        /// The data directory; the default is one of this checkout's own, never the real one
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
        /// Start what was built before
        #[arg(long)]
        no_build: bool,
        /// Passed to the app
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Everything a change must pass: format, lints, docs, rules, tests, bindings, UI, window journeys
    Test {
        /// Also what needs programs of others, which are installed for it. Without it only where they are installed
        #[arg(long)]
        full: bool,
    },
    /// The rules on dependencies, licences and layout
    Check,
    /// The window on the UI's development server, both rebuilt from source, with the demo at work
    Dev,
    /// The journeys through the real window, on a private display
    E2e {
        /// Passed to the test runner, for example a name to filter by
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// The tests against servers of others, which are installed for them, also in the real window
    Foreign {
        /// Passed to the test runner, for example a name to filter by
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// What the engine costs: CPU, memory and times of what is packed, each judged by its target
    Bench {
        /// The inner loops instead: shows where time goes, judges nothing
        #[arg(long)]
        micro: bool,
        /// What is left running, for so many hours: its memory every minute, and what it gained (`background` and `open`)
        #[arg(long, value_name = "HOURS", conflicts_with = "micro")]
        soak: Option<f64>,
        /// Passed to the program that measures: names of scenarios, or of micro-benches
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Rounds of faults against a real `serve`: killed, frozen, without room, with servers and networks that fail, and with
    /// several people at the same questions
    Faults {
        /// How many rounds
        #[arg(long, default_value_t = 200)]
        rounds: u64,
        /// The seed of the first round, to play it again
        #[arg(long)]
        seed: Option<u64>,
        /// Before them so many seconds of servers that grow without an end beside a good one, in release mode
        #[arg(long, default_value_t = 120)]
        grow: u64,
    },
    /// Random worlds around the engine's state machine, on both wires, seed after seed. A seed replays all of its world.
    /// Twenty million inputs or more must enter each row of the delivery table 1,000 times, five hundred
    /// million each of its cells
    Simulate {
        /// How many hours; the default is three minutes
        #[arg(long)]
        hours: Option<f64>,
        /// The first seed; with the seed of a world that failed and no hours, that world alone
        #[arg(long)]
        seed: Option<u64>,
        /// Plant faults one by one instead: each must be found within ten minutes
        #[arg(long)]
        prove: bool,
    },
    /// The conformance tool of the MCP project against our client, over both wires
    Conformance,
    /// Write the TypeScript bindings of the api crate to ui/src/generated
    Bindings {
        /// Only compare: fail when what is committed is not what the api crate says
        #[arg(long)]
        check: bool,
    },
    /// Build the .deb and the .rpm, and try them
    Bundle,
    /// Types and lints of what macOS and Windows have of their own. Nothing of it is linked or run
    Elsewhere,
    /// A command line that must leave no process behind: see `contained.rs`
    #[command(hide = true)]
    Contained {
        #[arg(last = true, required = true)]
        line: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    match dispatch(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(cli: Cli) -> Result<ExitCode> {
    if let Command::Contained { line } = &cli.command {
        return contained::contained(line);
    }
    let repo = Repo::find()?;
    match cli.command {
        Command::Run { home, no_build, args } => run::run(&repo, home, !no_build, &args),
        Command::Test { full } => Ok(test::test(&repo, full)),
        Command::Check => Ok(check::check(&repo)),
        Command::Dev => Ok(dev::dev(&repo)),
        Command::E2e { args } => Ok(e2e::e2e(&repo, &args)),
        Command::Foreign { args } => Ok(foreign::foreign(&repo, &args)),
        Command::Bench { micro, soak, args } => Ok(bench::bench(&repo, micro, soak, &args)),
        Command::Faults { rounds, seed, grow } => faults::faults(&repo, rounds, seed, grow),
        Command::Simulate { hours, seed, prove } => Ok(simulate::simulate(&repo, hours, seed, prove)),
        Command::Conformance => Ok(conformance::conformance(&repo)),
        Command::Bindings { check } => Ok(bindings::bindings(&repo, check)),
        Command::Bundle => Ok(bundle::bundle(&repo)),
        Command::Elsewhere => Ok(elsewhere::elsewhere(&repo)),
        Command::Contained { line } => contained::contained(&line),
    }
}
