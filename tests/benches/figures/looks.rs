//! CPU per 1,000 `tasks/get`: the whole engine (client, step, store, desk with a listener) against the bare loop.
//!
//! Both keep eight requests in the air at each of four servers, as fast as answers come; the tasks of the engine ask to
//! be looked at every 10 ms, which is more than can be had, so that it always has something to do. What is compared is
//! the CPU of this whole process, taken in turns.

use std::time::Duration;

use signalbox_tests::Figure;

use crate::accounting::Used;
use crate::bare::Bare;
use crate::demo::{Demos, Script};
use crate::desk::{Listener, follow};
use crate::{ROUNDS, best, stock};

const SERVERS: usize = 4;
/// Tasks at each server, and how often each wants to be looked at (ms).
const TASKS_EACH: usize = 64;
const INTERVAL_MS: u32 = 10;
/// Looks that the engine has under way at one server.
const AT_A_TIME: usize = 8;
/// Rows that the listener sees.
const ROWS: u32 = 50;
/// How long a round measures.
const ROUND: Duration = Duration::from_secs(4);

/// Nothing ever changes.
pub(crate) async fn unchanged() -> Figure {
    let (engine, bare) = measure(false).await;
    Figure::times(1.5, "1,000 tasks/get without a change", engine, bare, "ms CPU")
}

/// Every look brings a change, which is committed and published.
pub(crate) async fn changed() -> Figure {
    let (engine, bare) = measure(true).await;
    Figure::times(4.0, "1,000 tasks/get with a change each", engine, bare, "ms CPU")
}

/// Milliseconds of CPU per 1,000 looks: by the engine, by the bare loop.
async fn measure(chatty: bool) -> (f64, f64) {
    let mut demos = Demos::start(Script { servers: SERVERS, speed: 1000 / INTERVAL_MS, chatty }).await;
    let bare = Bare::new();
    let mut lines = Vec::new();
    for url in &demos.urls {
        lines.push((url.clone(), bare.start(url, TASKS_EACH).await));
    }
    let (mut of_engine, mut of_bare) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let (engine, looks) = by_engine(&mut demos, &lines).await;
        let before = Used::by_us().cpu;
        let mut loops = tokio::task::JoinSet::new();
        for (url, ids) in lines.clone() {
            let bare = bare.clone();
            loops.spawn(async move { bare.look(&url, &ids, looks / SERVERS, AT_A_TIME).await });
        }
        loops.join_all().await;
        let bare = per_1000(Used::by_us().cpu - before, looks);
        println!(
            "looks (changes: {chatty}) {round}: {looks} looks, {engine:.1} ms against {bare:.1} ms per 1,000"
        );
        of_engine.push(engine);
        of_bare.push(bare);
    }
    (best(of_engine), best(of_bare))
}

async fn by_engine(demos: &mut Demos, lines: &[(String, Vec<String>)]) -> (f64, usize) {
    let place = stock::place();
    stock::with_tasks(place.path(), INTERVAL_MS, INTERVAL_MS.into(), lines);
    let opened = follow(place.path()).await;
    let listener = Listener::start(opened.desk(), ROWS, drop);
    let start = demos.received().await;
    // The first look at a task always brings something new.
    while demos.received().await - start < 10 * (SERVERS * TASKS_EACH) as u64 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (cpu, received) = (Used::by_us().cpu, demos.received().await);
    tokio::time::sleep(ROUND).await;
    let (cpu, received) = (Used::by_us().cpu - cpu, demos.received().await - received);
    drop(listener);
    opened.close().await;
    let looks = usize::try_from(received).unwrap();
    (per_1000(cpu, looks), looks)
}

#[expect(clippy::cast_precision_loss, reason = "thousands")]
fn per_1000(seconds: f64, looks: usize) -> f64 {
    seconds * 1e6 / looks as f64
}
