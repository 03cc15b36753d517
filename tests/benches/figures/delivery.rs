//! From a server's answer to a listener: written, received, committed, read by `changes`.
//!
//! The server writes the moment of each answer into it, so the way through the network counts, too: what is measured is
//! never less than from the arrival of the bytes.

use std::sync::mpsc;
use std::time::Duration;

use signalbox_demo::DemoWire;
use signalbox_tests::Figure;
use tokio::time::Instant;

use crate::accounting::pass;
use crate::demo::{Demos, Script};
use crate::desk::{Listener, follow};
use crate::{ROUNDS, best, stock};

/// Tasks, each polled every 100 ms and a little more (the engine's jitter): somewhat more than 500 changes a second.
const TASKS: usize = 60;
const INTERVAL_MS: u32 = 100;
const LEAST_RATE: f64 = 500.0;
const WARM_UP: Duration = Duration::from_secs(2);
/// How long a round measures.
const ROUND: Duration = Duration::from_secs(10);

/// The slowest of the fastest 99 of 100.
pub(crate) async fn figure() -> Figure {
    let demos = Demos::start(Script {
        wire: DemoWire::Modern,
        servers: 1,
        speed: 1000 / INTERVAL_MS,
        chatty: true,
        push: false,
    })
    .await;
    let lines = demos.tasks(DemoWire::Modern, TASKS).await;
    let mut p99s = Vec::new();
    let mut slowest = f64::INFINITY;
    for round in 1..=ROUNDS {
        let place = stock::place();
        stock::with_tasks(place.path(), INTERVAL_MS, INTERVAL_MS.into(), &lines);
        let opened = follow(place.path()).await;
        let (tell, told) = mpsc::channel();
        let listener = Listener::start(opened.desk(), 500, move |page| {
            let now = jiff::Timestamp::now().as_microsecond();
            for written in page.rows.iter().filter_map(|row| row.status_message.as_ref()?.parse::<i64>().ok())
            {
                let _ = tell.send(now - written);
            }
        });
        pass(WARM_UP).await;
        let _warm_up: Vec<i64> = told.try_iter().collect();
        let started = Instant::now();
        pass(ROUND).await;
        let mut waits: Vec<i64> = told.try_iter().collect();
        let seconds = started.elapsed().as_secs_f64();
        drop(listener);
        opened.close().await;

        waits.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "thousands")]
        let (rate, at) =
            (waits.len() as f64 / seconds, |part: usize| waits[waits.len() * part / 1000] as f64 / 1000.0);
        let (median, p99, last) = (at(500), at(990), at(999));
        println!(
            "delivery {round}: {rate:.0} changes/s, p50 {median:.1} ms, p99 {p99:.1} ms, p99.9 {last:.1} ms"
        );
        p99s.push(p99);
        slowest = slowest.min(rate);
    }
    let mut figure =
        Figure::under(5.0, "answer written to delivered at 500 changes/s: p99", best(p99s), "ms");
    figure.met &= slowest >= LEAST_RATE;
    figure
}
