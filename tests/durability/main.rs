//! What a crash, a restart or a lost line must not cost: a handle, an answer, or a second answer.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod answers;
mod calls;
mod lines;
#[cfg(unix)]
mod people;
mod servers;
