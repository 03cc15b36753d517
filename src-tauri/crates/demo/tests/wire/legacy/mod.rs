//! The legacy wire.

mod client;
mod hosted;
mod notices;
mod plain;
mod questions;
mod sessions;
mod stdio;
mod streams;
mod tasks;
