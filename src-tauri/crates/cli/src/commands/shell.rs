//! `completions` and `man`: for packages.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::console::Console;
use crate::exit::{Exit, Failure};

/// Runs `completions`.
pub(crate) fn completions(console: &Console, shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "signalbox", &mut script);
    console.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// `man`: one page for the command and one for each subcommand.
pub(crate) fn man(out: &Path) -> Result<Exit, Failure> {
    let written = std::fs::create_dir_all(out).and_then(|()| clap_mangen::generate_to(Cli::command(), out));
    written.map_err(|error| Failure::usage(format!("cannot write into {}: {error}", out.display())))?;
    Ok(Exit::Done)
}
