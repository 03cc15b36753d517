//! Both worlds, seed after seed: a few with every run of the tests, and for hours by `cargo xtask simulate`, which says how
//! long in [`WISH`]. A seed replays all of its world.

// Whoever simulates reads what was found.
#![allow(clippy::print_stdout)]

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};

use super::{
    counted,
    hostile::{legacy, modern, play_legacy, play_modern},
    planted::{Fault, plant},
    temper::Temper,
};
use crate::step::{cells_entered, rows_entered};

/// `seed=S seconds=N`, or `seed=S worlds=N`, or `prove seconds=N`, or `prove seconds=N fault=I` for the I-th alone.
const WISH: &str = "SIGNALBOX_SIMULATE";
/// Worlds for each run of the tests.
const FEW: u64 = 24;
/// A search of so many inputs is one that enters each row of the delivery table …
const MANY: u64 = 20_000_000;
/// … and a search of so many one that enters each of its cells …
const MANY_FOR_CELLS: u64 = 100_000_000;
/// … so often.
const OFTEN: u64 = 1_000;
/// Steps that are tried to make a failing world smaller.
const SHRINK: u32 = 20_000;
/// The longest time for that, in ms.
const SHRINK_MS: u32 = 25_000;

/// What is wished for.
#[derive(Debug, Clone, Copy)]
struct Wish {
    seed: u64,
    worlds: u64,
    time: Option<Duration>,
    prove: bool,
    fault: Option<u64>,
}

impl Wish {
    fn read(text: &str) -> Self {
        let number = |name: &str| {
            let of = text.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            of.map(|number| number.parse().unwrap_or_else(|error| panic!("{name} in {text:?}: {error}")))
        };
        Self {
            seed: number("seed").unwrap_or(0),
            worlds: number("worlds").unwrap_or(u64::MAX),
            time: number("seconds").map(Duration::from_secs),
            prove: text.split_whitespace().any(|word| word == "prove"),
            fault: number("fault"),
        }
    }
}

/// Plays the world of a seed, which has its temper; every second one speaks the legacy wire.
pub(super) fn world(seed: u64, shrink: u32) -> Result<(), String> {
    fn run<T: std::fmt::Debug>(
        (seed, shrink): (u64, u32),
        ops: &impl Strategy<Value = T>,
        play: impl Fn(T),
    ) -> Result<(), String> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let config = Config {
            cases: 1,
            max_shrink_iters: shrink,
            max_shrink_time: SHRINK_MS,
            failure_persistence: None,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key));
        let played = runner.run(ops, |ops| {
            play(ops);
            Ok::<(), TestCaseError>(())
        });
        played.map_err(|found| found.to_string())
    }
    let temper = Temper::of(seed / 2);
    match seed % 2 {
        0 => run((seed, shrink), &modern(temper), play_modern),
        _ => run((seed, shrink), &legacy(temper), play_legacy),
    }
}

#[test]
fn every_world_comes_to_its_end() {
    let Ok(text) = std::env::var(WISH) else {
        (0..FEW).for_each(|seed| world(seed, SHRINK).unwrap_or_else(|found| panic!("seed {seed}: {found}")));
        return;
    };
    let wish = Wish::read(&text);
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let found = if wish.prove { prove(wish) } else { search(wish) };
    std::panic::set_hook(loud);
    assert_eq!(found, Ok(()));
}

/// Seed after seed until the time is over, on each core. The first world that fails ends it; and a long search fails that
/// left a row or a cell of the delivery table aside.
fn search(wish: Wish) -> Result<(), String> {
    let (worlds, inputs) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<Option<String>> = Mutex::default();
    let begun = Instant::now();
    on_each_core(|| {
        let before = counted::so_far();
        while wish.time.is_none_or(|time| begun.elapsed() < time)
            && found.lock().unwrap_or_else(PoisonError::into_inner).is_none()
        {
            let world_number = worlds.fetch_add(1, Ordering::Relaxed);
            if world_number >= wish.worlds {
                break;
            }
            let seed = wish.seed + world_number;
            if let Err(what) = world(seed, SHRINK) {
                let what = format!("seed {seed}: {what}");
                found.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
            }
        }
        inputs.fetch_add(counted::so_far() - before, Ordering::Relaxed);
    });
    let (worlds, inputs, seconds) = (worlds.into_inner(), inputs.into_inner(), begun.elapsed().as_secs());
    println!(
        "{inputs} inputs that changed something, in {worlds} worlds from seed {}, in {seconds} s",
        wish.seed
    );
    let (rows, cells) = (rows_entered(), cells_entered());
    for (what, n) in rows.iter().chain(&cells) {
        println!("{n:>12}  {what}");
    }
    if let Some(what) = found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(what);
    }
    let asked = [(MANY, rows), (MANY_FOR_CELLS, cells)].into_iter().filter(|(many, _)| inputs >= *many);
    let seldom = asked.flat_map(|(_, entered)| entered).filter(|(_, n)| *n < OFTEN);
    let seldom: Vec<String> = seldom.map(|(what, _)| what).collect();
    match seldom.is_empty() {
        true => Ok(()),
        false => Err(format!("entered fewer than {OFTEN} times: {seldom:?}")),
    }
}

/// Each planted fault is found within the time. The faults are shared out over all cores.
fn prove(wish: Wish) -> Result<(), String> {
    let chosen = Fault::ALL.iter().zip(0..).filter(|(_, at)| wish.fault.is_none_or(|fault| fault == *at));
    let chosen: Vec<_> = chosen.map(|(fault, _)| *fault).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::<Vec<String>>::default());
    on_each_core(|| {
        while let Some((fault, name)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = find(*fault, name, wish) {
                wrong.lock().unwrap_or_else(PoisonError::into_inner).push(what);
            }
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} of {} planted faults found", chosen.len() - wrong.len(), chosen.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// Plants one fault, and plays seed after seed until a world fails.
fn find(fault: Fault, name: &str, wish: Wish) -> Result<(), String> {
    let time = wish.time.unwrap_or(Duration::from_secs(600));
    let (begun, before, mut seed) = (Instant::now(), counted::so_far(), wish.seed);
    let found = loop {
        if begun.elapsed() >= time {
            break None;
        }
        plant(Some(fault));
        let found = world(seed, 0);
        plant(None);
        match found {
            Ok(()) => seed += 1,
            Err(what) => break Some(what),
        }
    };
    let (inputs, ms) = (counted::so_far() - before, begun.elapsed().as_millis());
    let Some(what) = found else {
        println!("MISSED  {name}: {inputs} inputs, {ms} ms");
        return Err(format!("missed: {name}"));
    };
    // It is the fault that was found, and nothing else.
    world(seed, 0).map_err(|what| format!("seed {seed} fails without a fault: {what}"))?;
    let what = what.lines().next().unwrap_or_default();
    println!("found   {name}: after {inputs} inputs, {ms} ms, seed {seed}: {what:.120}");
    Ok(())
}

fn on_each_core(work: impl Fn() + Sync) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(&work))));
}
