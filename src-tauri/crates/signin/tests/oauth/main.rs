//! Signing in, against a scripted authorization server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

mod browser;
mod connection;
mod hostile;
mod machine;
mod renewal;
mod rig;
