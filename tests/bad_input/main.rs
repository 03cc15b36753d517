//! Bad input, wrong addresses, broken files, hostile servers: each a clear error with the right exit code, and nothing
//! lost.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod addresses;
mod beside;
mod data_directory;
mod elsewhere;
#[cfg(target_os = "linux")]
mod floods;
mod front;
#[cfg(target_os = "linux")]
mod homes;
mod hostile;
#[cfg(target_os = "linux")]
mod leaks;
#[cfg(target_os = "linux")]
mod left_behind;
#[cfg(target_os = "linux")]
mod many_questions;
#[cfg(target_os = "linux")]
mod no_room;
mod odd_json;
#[cfg(target_os = "linux")]
mod offspring;
#[cfg(target_os = "linux")]
mod pages;
#[cfg(target_os = "linux")]
mod programs;
mod secrets;
mod slow;
mod throttled;
mod tls;
mod tokens;
mod twins;
mod typed;
