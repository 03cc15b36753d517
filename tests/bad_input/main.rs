//! Bad input, wrong addresses, broken files, hostile servers: each a clear error with the right exit code, and nothing
//! lost.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod addresses;
mod data_directory;
#[cfg(target_os = "linux")]
mod floods;
mod front;
mod hostile;
#[cfg(target_os = "linux")]
mod many_questions;
#[cfg(target_os = "linux")]
mod no_room;
mod odd_json;
mod secrets;
mod typed;
