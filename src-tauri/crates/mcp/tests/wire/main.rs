//! The client against scripted servers: raw bytes over HTTP, shell scripts over stdio.

mod discover;
mod http;
#[cfg(unix)]
mod stdio;
mod support;
mod views;
