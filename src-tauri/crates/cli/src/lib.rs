//! The `signalbox` command: the operator's desk in a terminal, in scripts and in tests.
//!
//! - `args`: what can be typed. `run`: from there to an `exit::Exit`.
//! - `ends`: what stops a command, and how its failure is told; for `run` and the commands alike.
//! - `host`: the desk, in this process or at the owner of the data directory. `look`: questions to it.
//! - `tray`: how a Linux desktop shows the icon of `serve --tray`.
//! - `commands`: one file per group. `docs`: what `--json` prints. `text`: what people read. `ask`: forms at a terminal.
//!
//! Everything goes through [`signalbox_api::Desk`]; nothing here opens the store or speaks MCP.

mod args;
mod ask;
mod commands;
mod console;
mod docs;
mod ends;
mod exit;
mod host;
mod input;
mod look;
mod no_echo;
mod run;
mod text;
#[cfg(target_os = "linux")]
mod tray;
mod window;

#[cfg(test)]
mod tests;

pub use run::main;
