//! The command as a process: every command, with and without an owner of the data directory.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod adopting;
mod answering;
mod calling;
mod checking;
mod documents;
mod endings;
mod environment;
mod importing;
#[cfg(unix)]
mod links;
mod listing;
mod login;
mod programs;
mod quitting;
mod rounds;
mod schemas;
mod secret_answers;
mod secrets;
mod servers;
#[cfg(target_os = "linux")]
mod session;
mod sharing;
mod shell;
#[cfg(unix)]
mod typing;
mod upkeep;
