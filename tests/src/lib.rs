//! The testkit: a person's machine of its own per test, the programs on it, and scripted servers around it.
//!
//! - [`Machine`]: a home folder, a data directory and an environment that nothing else uses; runs `signalbox` there.
//! - [`Done`]: how a command ended. [`Running`]: one that has not, with its lines as events.
//! - [`DemoServer`]: the scripted server over HTTP in the test's own process, with its journal and its faults.
//! - [`Dice`]: randomness that repeats, for rounds from a seed.
//! - `Alive`: whether anything of a program still lives (Linux).
//! - [`HostilePage`]: what a server of bad intent asks people to visit. [`Unvisited`]: who would notice.
//! - [`Stage`]: these together, as most journeys need them.
//! - `window`: the real window, where the feature of that name is on.
//! - [`Figure`]: one measured figure beside its target, for `benches/`.
//!
//! Every wait is for an event and has a bound ([`soon`]); nothing sleeps.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a testkit that fails fails its test")]

#[cfg(target_os = "linux")]
mod alive;
mod demo;
mod dice;
mod done;
mod figure;
#[cfg(target_os = "linux")]
mod leftovers;
mod machine;
mod pages;
mod program;
mod running;
mod stage;
#[cfg(all(feature = "window", target_os = "linux"))]
pub mod window;

use std::time::Duration;

#[cfg(target_os = "linux")]
pub use alive::Alive;
pub use demo::{DemoServer, Stopped};
pub use dice::{Dice, fresh_seed};
pub use done::Done;
pub use figure::{Figure, table};
pub use machine::Machine;
#[cfg(unix)]
pub use machine::write_program;
#[cfg(unix)]
pub use pages::with_browser;
pub use pages::{HostilePage, Unvisited, hostile_pages};
pub use program::{example, signalbox};
pub use running::Running;
pub use stage::{Stage, each, said, text};

/// A wait that takes longer fails its test. Generous, because machines that run tests are busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for something that is about to happen.
///
/// # Panics
/// When it does not happen within [`PATIENCE`].
pub async fn soon<T>(what: &str, happens: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, happens).await {
        Ok(done) => done,
        Err(_) => panic!("this did not happen in {PATIENCE:?}: {what}"),
    }
}
