//! The client against scripted servers: raw bytes over HTTP, shell scripts over stdio, peers that tests lead by hand.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod authorize;
mod discover;
mod flight;
mod http;
#[cfg(unix)]
mod ids;
#[cfg(target_os = "linux")]
mod left_behind;
#[cfg(unix)]
mod legacy;
mod mask;
mod meaning;
mod network;
mod peer;
#[cfg(unix)]
mod pipe;
#[cfg(unix)]
mod resources;
#[cfg(unix)]
mod stdio;
mod subscription;
mod support;
mod views;
