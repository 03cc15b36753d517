//! Many working tasks on 20 servers, followed by a real `signalbox serve`: its CPU and its memory as a whole process.

use std::time::Duration;

use signalbox_demo::DemoWire;
use signalbox_tests::{Figure, Machine};
use tokio::time::Instant;

use crate::accounting::{Used, pass};
use crate::demo::{Demos, Script};
use crate::{ROUNDS, best, stock};

const SERVERS: usize = 20;
/// How many tasks there are, how often they are polled, and what that may take.
pub(crate) struct Crowd {
    name: &'static str,
    tasks_each: usize,
    interval_ms: u32,
    /// How often it is measured, and how long.
    rounds: (usize, Duration),
    /// Fewer polls a second than that are another figure: with the engine's jitter of up to a tenth.
    least_rate: f64,
    /// The most processor time that it may take, in % of a core.
    cpu: f64,
    /// The most memory that it may take, in MB.
    memory: f64,
    /// For the first polls of all, and two of each.
    patience: Duration,
}

/// Few tasks that are polled often.
pub(crate) const SMALL: Crowd = Crowd {
    name: "10,000 tasks on 20 servers at 5 s",
    tasks_each: 500,
    interval_ms: 5_000,
    rounds: (ROUNDS, Duration::from_secs(10)),
    least_rate: 1_800.0,
    cpu: 10.0,
    memory: 60.0,
    patience: Duration::from_secs(60),
};

/// Many tasks that are polled seldom.
pub(crate) const LARGE: Crowd = Crowd {
    name: "100,000 tasks on 20 servers at 60 s",
    tasks_each: 5_000,
    interval_ms: 60_000,
    // All tasks once: their polls are not spread evenly over it.
    rounds: (1, Duration::from_secs(60)),
    least_rate: 1_500.0,
    cpu: 30.0,
    memory: 250.0,
    patience: Duration::from_secs(180),
};

/// CPU and memory.
pub(crate) async fn figures(crowd: &Crowd) -> [Figure; 2] {
    let &Crowd {
        name,
        tasks_each,
        interval_ms,
        rounds: (rounds, long),
        least_rate,
        cpu: most_cpu,
        memory,
        patience,
    } = crowd;
    let mut demos = Demos::start(Script {
        wire: DemoWire::Modern,
        servers: SERVERS,
        speed: 1,
        chatty: false,
        push: false,
    })
    .await;
    let lines = demos.tasks(DemoWire::Modern, tasks_each).await;
    let place = stock::place();
    stock::with_tasks(place.path(), interval_ms, interval_ms.into(), &lines);

    let start = demos.received().await;
    let machine = Machine::untouched().with("SIGNALBOX_HOME", place.path());
    let serve = machine.serve().await;
    let ramp_up = async {
        while demos.received().await - start < 2 * (SERVERS * tasks_each) as u64 {
            pass(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(patience, ramp_up).await.expect("two polls of every task");

    let (mut shares, mut resident, mut slowest) = (Vec::new(), 0.0_f64, f64::INFINITY);
    for round in 1..=rounds {
        let (before, received, started) = (Used::by(serve.pid()), demos.received().await, Instant::now());
        while started.elapsed() < long {
            pass(Duration::from_secs(1)).await;
            resident = resident.max(Used::by(serve.pid()).resident);
        }
        let cpu = Used::by(serve.pid()).cpu - before.cpu;
        let seconds = started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "thousands")]
        let rate = (demos.received().await - received) as f64 / seconds;
        println!(
            "{name} {round}: {rate:.0} polls/s, {:.1} % of a core, {resident:.1} MB",
            cpu / seconds * 100.0
        );
        shares.push(cpu / seconds * 100.0);
        slowest = slowest.min(rate);
    }
    let _ = serve.terminate().await.exits(0);

    let mut figures = [
        Figure::under(most_cpu, &format!("{name}: CPU"), best(shares), "% of a core"),
        Figure::under(memory, &format!("{name}: memory"), resident, "MB"),
    ];
    for figure in &mut figures {
        figure.met &= slowest >= least_rate;
    }
    figures
}
