//! What the engine costs: the figures of the design, of what is packed, each beside a bare `reqwest` + `serde_json` loop
//! of the same run where that means something. `cargo xtask bench` builds what this needs and judges what it finds.
//!
//! - `polls`: CPU per 1,000 `tasks/get` through the whole engine, without a change and with one each, on either wire.
//! - `delivery`: from a server's answer to a listener, at 500 changes a second.
//! - `crowd`: 10,000 working tasks on 20 servers, followed by a real `signalbox serve`; `many`: 100,000 that are polled seldom.
//! - `opening`: a store with 110,000 tasks, until the first view.
//! - `lists`: filters, orders and groups over the same 110,000 tasks.
//! - `frames`: the real window under load: scrolled, typed into, and waited for.
//! - `board`: what a person does with tasks, in the real window over those 110,000.
//! - `window`: the real window, left open with 1,000 live tasks in view.
//! - `starting`: from a start until the window is interactive.
//! - `background`: its memory and CPU with nothing to follow and no window.
//! - `open`: memory of the window with 1,000 live tasks beside an empty one.
//!
//! Servers are the scripted one, in a process of its own (`demo`). CPU and memory are the operating system's account of
//! a whole process (`accounting`). Other programs on the machine disturb times far more than CPU; each figure is the
//! best of five rounds, because noise only ever adds.
//!
//! `--out FILE` writes the figures as a JSON list; names of scenarios leave out the others. `--soak HOURS` measures
//! what is left running, for so long: without names the last two.
//!
//! What explains them. They themselves are in `figures.json`, and in no comment:
//!
//! - Tasks: a poll is cheapest while there is always one to do, and costs twice as much where each slot wakes us up; a busy
//!   machine makes groups larger, and so each poll cheaper. On the legacy wire the ratio is higher because the bare loop's
//!   poll costs less. The step of a poll grows with the tasks that are there, and is little beside the rest of it.
//! - Servers: each has a pool of connections. Polls cost the same wherever they go.
//! - Changes: with 32 polls under way at four servers they share commits and the listener's reads. At one server a change
//!   costs more, since eight polls are the largest group there.
//! - Ended tasks: nothing but the file. Opening is nearly all for reading the live ones.
//! - The open window: nothing in it is animated, and rows show minutes. Only the row in hand and its detail move, once a
//!   second.
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
#[cfg(feature = "window")]
mod frames;
mod lists;
mod opening;
mod polls;
#[cfg(feature = "window")]
mod pressed;
#[cfg(feature = "window")]
mod resident;
#[cfg(feature = "window")]
mod starting;
mod stock;
mod window;

use std::path::PathBuf;
use std::time::Duration;

use signalbox_demo::DemoWire;
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
    #[cfg(feature = "window")]
    if args.next_if_eq(frames::scripted::ROLE).is_some() {
        let home = args.next().expect("a data directory");
        return runtime.block_on(frames::scripted::play(home.as_ref()));
    }
    let mut out = None;
    let mut names = Vec::new();
    let mut soak = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().map(PathBuf::from),
            "--soak" => soak = args.next().map(|hours| hours.parse::<f64>().expect("hours")),
            _ => names.push(arg),
        }
    }
    let soak = soak.map(|hours| Duration::from_secs_f64(hours * 3600.0));
    if soak.is_some() && names.is_empty() {
        names = ["background", "open"].map(str::to_owned).into();
    }
    let figures = runtime.block_on(measure(&names, soak));
    print!("\n{}", table(&figures));
    if let Some(out) = out {
        std::fs::write(out, serde_json::to_string_pretty(&figures).unwrap() + "\n").unwrap();
    }
}

async fn measure(names: &[String], soak: Option<Duration>) -> Vec<Figure> {
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut figures = Vec::new();
    if wanted("polls") {
        figures.extend(polls::figures(DemoWire::Modern).await);
        figures.extend(polls::figures(DemoWire::Legacy).await);
    }
    if wanted("crowd") {
        figures.extend(crowd::figures(&crowd::SMALL).await);
    }
    if wanted("many") {
        figures.extend(crowd::figures(&crowd::LARGE).await);
    }
    if wanted("delivery") {
        figures.push(delivery::figure().await);
    }
    if wanted("opening") {
        figures.push(opening::figure().await);
    }
    if wanted("lists") {
        figures.extend(lists::figures().await);
    }
    #[cfg(feature = "window")]
    if wanted("frames") {
        figures.extend(frames::figures().await);
    }
    #[cfg(feature = "window")]
    if wanted("board") {
        figures.extend(frames::board::figures().await);
    }
    if wanted("window") {
        figures.push(window::figure().await);
    }
    #[cfg(feature = "window")]
    if wanted("starting") {
        figures.extend(starting::figures().await);
    }
    #[cfg(feature = "window")]
    if wanted("background") {
        figures.extend(resident::background(soak).await);
    }
    #[cfg(feature = "window")]
    if wanted("open") {
        figures.extend(resident::open_window(soak).await);
    }
    assert!(
        !figures.is_empty(),
        "no scenario is named {names:?}: there are polls, crowd, many, delivery, opening, lists, frames, board, window, \
         starting, background and open"
    );
    figures
}

/// The best of several rounds.
fn best(rounds: impl IntoIterator<Item = f64>) -> f64 {
    rounds.into_iter().fold(f64::INFINITY, f64::min)
}
