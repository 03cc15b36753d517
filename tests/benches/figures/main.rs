//! What the engine costs: the figures of the design, in release mode, each beside a bare `reqwest` + `serde_json` loop
//! of the same run where that means something. `cargo xtask bench` builds what this needs and judges what it finds.
//!
//! - `looks`: CPU per 1,000 `tasks/get` through the whole engine, without a change and with one each, on either wire.
//! - `delivery`: from a server's answer to a listener, at 500 changes a second.
//! - `crowd`: 10,000 working tasks on 20 servers, followed by a real `signalbox serve`.
//! - `opening`: a store with 110,000 tasks, until the first view.
//! - `window`: the real window, left open with 1,000 live tasks in view.
//!
//! Servers are the scripted one, in a process of its own (`demo`). CPU and memory are the operating system's account of
//! a whole process (`accounting`). Other programs on the machine disturb times far more than CPU; each figure is the
//! best of five rounds, because noise only ever adds.
//!
//! `--out FILE` writes the figures as a JSON list; names of scenarios leave out the others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench that cannot measure fails")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "its figures are for the person at the terminal"
)]

mod accounting;
mod bare;
mod crowd;
mod delivery;
mod demo;
mod desk;
mod looks;
mod opening;
mod stock;
mod window;

use std::path::PathBuf;

use signalbox_demo::Wire;
use signalbox_tests::{Figure, table};

/// Rounds of each scenario.
const ROUNDS: usize = 5;

fn main() {
    // The same flavour as the command's own.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench").peekable();
    if args.next_if_eq(demo::ROLE).is_some() {
        return runtime.block_on(demo::play(args));
    }
    let mut out = None;
    let mut names = Vec::new();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().map(PathBuf::from),
            _ => names.push(arg),
        }
    }
    let figures = runtime.block_on(measure(&names));
    print!("\n{}", table(&figures));
    if let Some(out) = out {
        std::fs::write(out, serde_json::to_string_pretty(&figures).unwrap() + "\n").unwrap();
    }
}

async fn measure(names: &[String]) -> Vec<Figure> {
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut figures = Vec::new();
    if wanted("looks") {
        figures.extend(looks::figures(Wire::Modern).await);
        figures.extend(looks::figures(Wire::Legacy).await);
    }
    if wanted("crowd") {
        figures.extend(crowd::figures().await);
    }
    if wanted("delivery") {
        figures.push(delivery::figure().await);
    }
    if wanted("opening") {
        figures.push(opening::figure().await);
    }
    if wanted("window") {
        figures.push(window::figure().await);
    }
    assert!(
        !figures.is_empty(),
        "no scenario is named {names:?}: there are looks, crowd, delivery, opening and window"
    );
    figures
}

/// The best of several rounds.
fn best(rounds: impl IntoIterator<Item = f64>) -> f64 {
    rounds.into_iter().fold(f64::INFINITY, f64::min)
}
