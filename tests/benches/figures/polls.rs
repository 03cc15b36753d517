//! CPU per 1,000 `tasks/get`: the whole engine (client, step, store, desk with a listener) against the bare loop.
//!
//! Both keep eight requests in the air at each of four servers, as fast as answers come; the tasks of the engine ask to
//! be polled every 10 ms, which is more than can be had, so that it always has something to do. What is compared is
//! the CPU of this whole process, taken in turns.

use std::time::Duration;

use signalbox_demo::DemoWire;
use signalbox_tests::Figure;

use crate::accounting::{Used, pass};
use crate::bare::{Bare, Line};
use crate::demo::{Demos, Script};
use crate::desk::{Listener, follow};
use crate::{ROUNDS, best, stock};

const SERVERS: usize = 4;
/// Tasks at each server, and how often each wants to be polled (ms).
const TASKS_EACH: usize = 64;
const INTERVAL_MS: u32 = 10;
/// Polls that the engine has under way at one server.
const AT_A_TIME: usize = 8;
/// Rows that the listener sees.
const ROWS: u32 = 50;
/// How long a round measures.
const ROUND: Duration = Duration::from_secs(4);

/// Nothing ever changes; and every poll brings a change, which is committed and published. On one wire.
pub(crate) async fn figures(wire: DemoWire) -> [Figure; 2] {
    let (still, changing) = match wire {
        DemoWire::Modern => ("1,000 tasks/get without a change", "1,000 tasks/get with a change each"),
        DemoWire::Legacy => (
            "1,000 tasks/get without a change, legacy wire",
            "1,000 tasks/get with a change each, legacy wire",
        ),
    };
    let (engine, bare) = measure(wire, false).await;
    let most = if wire == DemoWire::Legacy { 1.25 } else { 1.15 };
    let still = Figure::times(most, still, engine, bare, "ms CPU");
    let (engine, bare) = measure(wire, true).await;
    [still, Figure::times(2.5, changing, engine, bare, "ms CPU")]
}

/// Milliseconds of CPU per 1,000 polls: by the engine, by the bare loop.
async fn measure(wire: DemoWire, chatty: bool) -> (f64, f64) {
    let mut demos =
        Demos::start(Script { wire, servers: SERVERS, speed: 1000 / INTERVAL_MS, chatty, push: false }).await;
    let bare = Bare::new();
    let mut lines = Vec::new();
    for url in &demos.urls {
        let line = bare.reach(url, wire).await;
        let ids = bare.start(&line, TASKS_EACH).await;
        lines.push((line, ids));
    }
    let (mut of_engine, mut of_bare) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let (engine, polls) = by_engine(&mut demos, &lines).await;
        let before = Used::by_us().cpu;
        let mut loops = tokio::task::JoinSet::new();
        for (line, ids) in lines.clone() {
            let bare = bare.clone();
            loops.spawn(async move { bare.poll(&line, &ids, polls / SERVERS, AT_A_TIME).await });
        }
        loops.join_all().await;
        let bare = per_1000(Used::by_us().cpu - before, polls);
        println!(
            "polls ({wire:?}, changes: {chatty}) {round}: {polls} polls, {engine:.1} ms against {bare:.1} ms per 1,000"
        );
        of_engine.push(engine);
        of_bare.push(bare);
    }
    (best(of_engine), best(of_bare))
}

async fn by_engine(demos: &mut Demos, lines: &[(Line, Vec<String>)]) -> (f64, usize) {
    let place = stock::place();
    let tasks: Vec<_> = lines.iter().map(|(line, ids)| (line.url.clone(), ids.clone())).collect();
    stock::with_tasks(place.path(), INTERVAL_MS, INTERVAL_MS.into(), &tasks);
    let opened = follow(place.path()).await;
    let listener = Listener::start(opened.desk(), ROWS, drop);
    let start = demos.received().await;
    // The first poll of a task always brings something new.
    while demos.received().await - start < 10 * (SERVERS * TASKS_EACH) as u64 {
        pass(Duration::from_millis(50)).await;
    }
    let (cpu, received) = (Used::by_us().cpu, demos.received().await);
    pass(ROUND).await;
    let (cpu, received) = (Used::by_us().cpu - cpu, demos.received().await - received);
    drop(listener);
    opened.close().await;
    let polls = usize::try_from(received).unwrap();
    (per_1000(cpu, polls), polls)
}

#[expect(clippy::cast_precision_loss, reason = "thousands")]
fn per_1000(seconds: f64, polls: usize) -> f64 {
    seconds * 1e6 / polls as f64
}
